//! The times of submissions that must fit into the time limit, independent of the current limit: they are judged with
//! enough room, then measured again several times, one program at a time.

use super::{
    case_time::{CaseTime, time_again},
    judged::{JudgedSubmission, SubmissionEnd, as_cohort, judged_submissions},
    remarks::{Level, Remark, Section},
    timing::{claims_of, run_timeout},
    verification::{OnVerificationStep, Verification, VerificationStep},
    verified::Verified,
};
use anyhow::Result;
use kopek_engine::{
    package::{Submission, TimeBound},
    verdict::Verdict,
};
use kopek_judge::grade::{GradeSession, JudgedCohort};
use std::{collections::BTreeMap, time::Duration};

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
    /// By case.
    pub times: BTreeMap<usize, CaseTime>,
    /// The cases of each claim about the limit. The slowest of each claim counts, and the least of these is decisive.
    pub claimed: Vec<Vec<usize>>,
}

impl TimedSubmission<'_> {
    /// The decisive case for the limit.
    pub(super) fn telling_case(&self) -> Option<usize> {
        let time = |case: &usize| self.times.get(case).map(|time| (time.least, *case));
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
fn fitting_submissions<'a>(bench: &Verification<'a>) -> Vec<&'a Submission> {
    let bounding = |one: &&Submission| claims_of(bench.package, one, TimeBound::Lower).next().is_some();
    bench.package.submissions.iter().filter(bounding).collect()
}

/// Judges submissions that must fit, with enough room to measure them. `None`: they cannot be measured, which was
/// reported.
pub(super) fn judge_fitting<'a>(
    bench: &Verification<'a>,
    session: &GradeSession,
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<Option<(JudgedCohort, Vec<TimedSubmission<'a>>)>> {
    let fitting = fitting_submissions(bench);
    if fitting.is_empty() {
        verified.add(unbounded_remark(Level::Error));
        return Ok(None);
    }
    // First with the limit of the package: these facts are known if the package was verified.
    for limit in bench.package.limits.time.into_iter().chain([provisional_limit(bench)]) {
        let judged = judge_with(bench, session, limit, &fitting, tell)?;
        if session.engine.is_stopped() {
            // An unmeasured run is neither slow nor fast.
            return Ok(None);
        }
        if let Some((what, fault)) = judged.failures().first() {
            // Runs that are undecided near the package's limit may be decided with more room.
            if limit != provisional_limit(bench) {
                continue;
            }
            verified.fault(format!(
                "no time limit proposed, because a run that it depends on was not judged: {what}: {fault}"
            ));
            return Ok(None);
        }
        let mut timed = timed_submissions(bench, &fitting, &judged, TimeBound::Lower);
        timed.iter_mut().for_each(|one| one.claimed = vec![one.claimed.concat()]);
        let stopped = timed.iter().find(|one| one.telling_time().is_some_and(|time| time.stopped));
        match stopped {
            None => return Ok(Some((judged, timed))),
            Some(one) if limit == provisional_limit(bench) => verified.add(endless_remark(one, limit)),
            Some(_) => {}
        }
    }
    Ok(None)
}

pub(super) fn unbounded_remark(level: Level) -> Remark {
    let what = "no submission gives the time limit a lower bound";
    let remark = Remark::new(Section::Limits, level, what).at("submissions");
    remark.todo("add a correct solution to submissions/accepted/")
}

fn provisional_limit(bench: &Verification) -> Duration {
    bench.package.limits.time.map_or(PROVISIONAL, |limit| PROVISIONAL.max(limit * 4))
}

fn judge_with(
    bench: &Verification,
    session: &GradeSession,
    limit: Duration,
    submissions: &[&Submission],
    tell: &mut OnVerificationStep,
) -> Result<JudgedCohort> {
    let mut package = bench.package.clone();
    package.limits.time = Some(limit);
    let declared = bench.package.limits.time == Some(limit);
    let patience = run_timeout(&package).filter(|_| declared).unwrap_or_default();
    session.judge_patiently(patience, &package, bench.tests, &as_cohort(submissions), &mut |event| {
        tell(VerificationStep::Judging(event));
    })
}

fn endless_remark(one: &TimedSubmission, limit: Duration) -> Remark {
    let (name, limit) = (&one.submission.name, limit.as_secs_f64());
    let what = format!("`{name}` must fit the time limit, but takes more than {limit} s");
    let todo = "make it faster, or set `use_for_time_limit: false` for it";
    Remark::new(Section::Limits, Level::Error, what).at(format!("submissions/{name}")).todo(todo)
}

/// The runs to repeat.
pub(super) struct RepeatedRuns<'a> {
    pub session: &'a GradeSession<'a>,
    /// The cohort with the original runs.
    pub judged: &'a JudgedCohort,
    /// Whether a run of this time can affect the result.
    pub matters: &'a dyn Fn(Duration) -> bool,
}

/// Repeats decisive runs several times, even if they are known facts. A failed repetition is reported, and the time
/// is unchanged.
pub(super) fn repeat_telling_runs(
    RepeatedRuns { session, judged, matters }: &RepeatedRuns,
    timed: &mut [TimedSubmission],
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<()> {
    let mut repeated = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut wanted = Vec::new();
        for (row, one) in timed.iter().enumerate() {
            let counts =
                |case: &usize| one.times.get(case).is_some_and(|time| !time.stopped && matters(time.least));
            let case = one.telling_case().filter(counts);
            wanted.extend(case.map(|case| (row, case)).filter(|run| repeated.insert(*run)));
        }
        for (row, case) in wanted {
            let name = timed[row].submission.name.clone();
            match time_again(session, judged, row, case, tell)? {
                Some(Ok(time)) => {
                    let before = timed[row].times[&case];
                    timed[row].times.insert(case, before.with(time));
                }
                Some(Err(fault)) => {
                    let case = &judged.plan.cases[case].name;
                    verified.fault(format!("measure {name} on {case} again: {fault}"));
                }
                None => return Ok(()),
            }
        }
    }
    Ok(())
}
