//! The times of submissions that must fit into the time limit, independent of the current limit: they are judged with
//! enough room, then measured again several times, one program at a time.

use super::{
    checked::Checked,
    judged::{JudgedSubmission, SubmissionEnd, judged_submissions},
    timing::{CaseTime, claims_of, run_timeout, time_again},
    verification::Verification,
};
use anyhow::Result;
use kopek_judge::grade::{GradeSession, JudgedCohort, NamedFault};
use kopek_package::{
    package::{Level, Message, Package, Place, Submission, TimeBound},
    verdict::Verdict,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// The time limit of submissions while a limit is determined.
const PROVISIONAL: Duration = Duration::from_secs(10);

/// How many cases of a submission are repeated: each time the one that is then the slowest.
const ROUNDS: usize = 3;

/// A submission and its times.
pub(super) struct TimedSubmission<'a> {
    pub submission: &'a Submission,
    pub language: Option<String>,
    pub verdict: Option<Verdict>,
    /// Why it has no times.
    pub unmeasured: Option<String>,
    pub times: BTreeMap<usize, CaseTime>,
    /// The cases of each claim about the limit. The slowest of each claim counts, and the least of these is decisive.
    pub claimed: Vec<Vec<usize>>,
}

impl TimedSubmission<'_> {
    /// The decisive case for the limit.
    pub(super) fn telling_case(&self) -> Option<usize> {
        let time = |case: &usize| self.times.get(case).map(|time| (time.min, *case));
        let slowest = |cases: &Vec<usize>| cases.iter().filter_map(time).max();
        self.claimed.iter().filter_map(slowest).min().map(|(_, case)| case)
    }

    /// The time of the decisive case.
    pub(super) fn telling_time(&self) -> Option<CaseTime> {
        self.telling_case().and_then(|case| self.times.get(&case).copied())
    }
}

/// Submissions with the times of all their runs.
pub(super) fn timed_submissions<'a>(
    bench: &Verification<'a>,
    submissions: &[&'a Submission],
    judged: &JudgedCohort,
    bound: TimeBound,
) -> Vec<TimedSubmission<'a>> {
    let timed = |one: JudgedSubmission<'_>, submission: &'a Submission| {
        let trials = one.trials().into_iter().flatten();
        let times = trials.map(|(&case, trial)| (case, CaseTime::of_trial(trial, &judged.plan.setting)));
        let claims = claims_of(bench.package, submission, bound);
        TimedSubmission {
            submission,
            language: one.language.map(str::to_owned),
            verdict: one.final_verdict(),
            times: times.collect(),
            claimed: claims.map(|claim| bench.tests.cases_of_claim(claim)).collect(),
            unmeasured: match one.end {
                SubmissionEnd::Tried(_) => None,
                SubmissionEnd::Refused(why) | SubmissionEnd::Foreign(why) => Some(why),
                SubmissionEnd::Unknown => Some("not judged".to_owned()),
            },
        }
    };
    let all = judged_submissions(submissions, judged).into_iter();
    all.zip(submissions).map(|(one, submission)| timed(one, submission)).collect()
}

/// The submissions that must fit.
fn fitting_submissions(package: &Package) -> Vec<&Submission> {
    let bounding = |one: &&Submission| claims_of(package, one, TimeBound::Lower).next().is_some();
    package.submissions.iter().filter(bounding).collect()
}

/// The submissions that must fit, with their times.
pub(super) struct FittingTimes<'a> {
    pub judged: JudgedCohort,
    pub timed: Vec<TimedSubmission<'a>>,
}

/// Why the submissions that must fit have no times.
pub(super) enum Unmeasured {
    /// There is none.
    NoSubmission,
    Interrupted,
    /// A run has no verdict.
    Undecided(String),
    /// A submission does not end in any reasonable limit.
    Endless(Message),
}

impl From<Unmeasured> for Checked {
    fn from(why: Unmeasured) -> Checked {
        let mut checked = Checked::default();
        match why {
            Unmeasured::NoSubmission => checked.add(unbounded_message(Level::Error)),
            Unmeasured::Undecided(what) => checked.fault(what),
            Unmeasured::Endless(message) => checked.add(message),
            // Reported once, at the very end.
            Unmeasured::Interrupted => {}
        }
        checked
    }
}

/// Judges submissions that must fit, with enough room to measure them.
pub(super) fn judge_fitting<'a>(bench: &Verification<'a>) -> Result<Result<FittingTimes<'a>, Unmeasured>> {
    let fitting = fitting_submissions(bench.package);
    if fitting.is_empty() {
        return Ok(Err(Unmeasured::NoSubmission));
    }
    // First with the limit of the package: these facts are known if the package was verified. Runs that are undecided
    // or stopped there may end with more room.
    if let Some(limit) = bench.package.limits.time
        && let Ok(times) = fitting_times(bench, limit, &fitting)?
    {
        return Ok(Ok(times));
    }
    let provisional = match bench.package.limits.time {
        Some(limit) => PROVISIONAL.max(limit * 4),
        None => PROVISIONAL,
    };
    fitting_times(bench, provisional, &fitting)
}

fn fitting_times<'a>(
    bench: &Verification<'a>,
    limit: Duration,
    fitting: &[&'a Submission],
) -> Result<Result<FittingTimes<'a>, Unmeasured>> {
    let judged = judge_with(bench, limit, fitting)?;
    if bench.engine().is_stopped() {
        // An unmeasured run is neither slow nor fast.
        return Ok(Err(Unmeasured::Interrupted));
    }
    if let Some(NamedFault { what, fault }) = judged.failures().first() {
        let why = "no time limit proposed, because a run that it depends on was not judged";
        return Ok(Err(Unmeasured::Undecided(format!("{why}: {what}: {fault}"))));
    }
    let mut timed = timed_submissions(bench, fitting, &judged, TimeBound::Lower);
    timed.iter_mut().for_each(|one| one.claimed = vec![one.claimed.concat()]);
    let stopped = timed.iter().find(|one| one.telling_time().is_some_and(|time| time.stopped));
    match stopped {
        Some(one) => Ok(Err(Unmeasured::Endless(endless_message(one, limit)))),
        None => Ok(Ok(FittingTimes { judged, timed })),
    }
}

pub(super) fn unbounded_message(level: Level) -> Message {
    let what = "no submission gives the time limit a lower bound";
    let message = Message::new(level, what).at(Place::new("submissions", None));
    message.todo("add a correct solution to submissions/accepted/")
}

fn judge_with(bench: &Verification, limit: Duration, submissions: &[&Submission]) -> Result<JudgedCohort> {
    let package = bench.package;
    let timeout = if package.limits.time == Some(limit) { run_timeout(package) } else { None };
    let session = GradeSession { time_limit: Some(limit), ..*bench.session };
    bench.judge(&session, timeout.unwrap_or_default(), submissions)
}

fn endless_message(one: &TimedSubmission, limit: Duration) -> Message {
    let name = &one.submission.name;
    let limit = limit.as_secs_f64();
    let what = format!("`{name}` must fit the time limit, but takes more than {limit} s");
    let todo = "make it faster, or set `use_for_time_limit: false` for it";
    Message::error(format!("submissions/{name}"), what).todo(todo)
}

/// Repeats decisive runs several times, even if they are known facts, if a run of that time `matters`. A failed
/// repetition is reported, and the time is unchanged.
pub(super) fn repeat_telling_runs(
    bench: &Verification,
    judged: &JudgedCohort,
    timed: &mut [TimedSubmission],
    matters: &dyn Fn(Duration) -> bool,
    faults: &mut Vec<String>,
) -> Result<()> {
    let mut repeated = BTreeSet::new();
    for _ in 0..ROUNDS {
        for (row, one) in timed.iter_mut().enumerate() {
            let Some(case) = one.telling_case() else { continue };
            let before = one.times[&case];
            if before.stopped || !matters(before.min) || !repeated.insert((row, case)) {
                continue;
            }
            if let Some(time) = time_again(bench, judged, row, case)?.measured(faults) {
                one.times.insert(case, before.with(time));
            }
        }
    }
    Ok(())
}
