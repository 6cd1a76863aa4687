//! The times of submissions that bound the time limit: from below, the slowest run of one that must fit; from above,
//! the slowest run of one that must not.

use super::{
    case_growth::growth_of_each,
    judged::{JudgedSubmission, SubmissionEnd},
    verification::{Verification, VerificationStep},
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_judge::grade::{GradeEvent, JudgedCohort};
use kopek_package::{
    package::{Claim, Package, Submission, TestSet, TimeBound},
    verdict::{Class, Verdict},
};
use kopek_plan::plan::{Job, Outcome, Setting, Task, Trial};
use kopek_results::{LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// A submission and its times.
pub(super) struct TimedSubmission {
    /// Without a run.
    pub untimed: SurveyedSubmission,
    /// Its row in the cohort.
    row: usize,
    times: BTreeMap<usize, SurveyedRun>,
    /// The cases of each claim about the limit. The slowest of each claim counts, and the least of these is decisive.
    claimed: Vec<Vec<usize>>,
}

impl TimedSubmission {
    /// The decisive case for the limit.
    fn telling_case(&self) -> Option<usize> {
        let time = |case: &usize| self.times.get(case).map(|time| (time.min, *case));
        let slowest = |cases: &Vec<usize>| cases.iter().filter_map(time).max();
        self.claimed.iter().filter_map(slowest).min().map(|(_, case)| case)
    }

    /// The run on the decisive case.
    pub fn telling_run(&self) -> Option<SurveyedRun> {
        self.telling_case().and_then(|case| self.times.get(&case).copied())
    }

    /// The times of runs that were not stopped, by case.
    pub fn ended_times(&self) -> impl Iterator<Item = (usize, Duration)> {
        self.times.iter().filter(|(_, run)| !run.stopped).map(|(case, run)| (*case, run.min))
    }

    /// The submission with its decisive run.
    fn surveyed(&self, tests: &TestSet) -> SurveyedSubmission {
        let untimed = &self.untimed;
        let slowest = || self.times.iter().max_by_key(|(_, run)| run.min).map(|(case, _)| *case);
        let case = match untimed.role {
            LimitRole::MustFit | LimitRole::MustNotFit => self.telling_case(),
            LimitRole::Neutral => slowest(),
        };
        let run = case.map(|case| self.times[&case]);
        SurveyedSubmission {
            verdict: if untimed.only.is_some() { run.map(|run| run.verdict) } else { untimed.verdict },
            case: case.map(|case| tests.cases[case].name.clone()),
            run,
            ..untimed.clone()
        }
    }
}

/// The least limit is above the slowest of these.
pub(super) fn slowest_time(timed: &[TimedSubmission]) -> Option<Duration> {
    timed.iter().filter_map(|one| Some(one.telling_run()?.min)).max()
}

/// The submissions of one side of the limit with their times: those that must fit, or all others. A submission that must
/// fit on some cases only may be on both sides.
pub(super) fn timed_submissions(
    bench: &Verification,
    seen: &[JudgedSubmission],
    setting: &Setting,
    side: TimeBound,
) -> Vec<TimedSubmission> {
    let chosen = seen.iter().filter(|one| is_on_side(bench.package, one.submission, side));
    chosen.map(|one| timed_submission(bench, one, setting, side)).collect()
}

/// Whether a submission must fit, or is one of the others.
pub(super) fn is_on_side(package: &Package, submission: &Submission, side: TimeBound) -> bool {
    let has_bound = |bound| claims_of(package, submission, bound).next().is_some();
    match side {
        TimeBound::Lower => has_bound(TimeBound::Lower),
        TimeBound::Upper => !has_bound(TimeBound::Lower) || has_bound(TimeBound::Upper),
    }
}

fn timed_submission(
    bench: &Verification,
    one: &JudgedSubmission,
    setting: &Setting,
    side: TimeBound,
) -> TimedSubmission {
    let Verification { package, tests, .. } = *bench;
    let trials = one.trials().into_iter().flatten();
    let times: BTreeMap<usize, SurveyedRun> =
        trials.map(|(&case, trial)| (case, surveyed_run(trial, setting))).collect();
    let claims: Vec<&Claim> = claims_of(package, one.submission, side).collect();
    let cases = claims.iter().map(|claim| tests.cases_of_claim(claim));
    let claimed = match side {
        // A submission that must fit must do so on all of these.
        TimeBound::Lower => vec![cases.collect::<Vec<_>>().concat()],
        TimeBound::Upper => cases.map(|cases| slow_cases(cases, &times)).collect(),
    };
    let role = match side {
        TimeBound::Lower => LimitRole::MustFit,
        TimeBound::Upper if claims.is_empty() => LimitRole::Neutral,
        TimeBound::Upper => LimitRole::MustNotFit,
    };
    let unmeasured = match &one.end {
        SubmissionEnd::Tried(_) if role == LimitRole::MustNotFit && is_open(package, tests, one) => {
            Some("a run without a verdict may be slower".to_owned())
        }
        SubmissionEnd::Tried(_) => None,
        SubmissionEnd::Refused(why) | SubmissionEnd::Foreign(why) => Some(why.clone()),
        SubmissionEnd::Unknown => Some("not judged".to_owned()),
    };
    let times = if unmeasured.is_some() { BTreeMap::new() } else { times };
    let untimed = SurveyedSubmission {
        submission: one.submission.name.clone(),
        only: cases_of_role(package, one.submission, role),
        language: one.language.map(str::to_owned),
        verdict: one.final_verdict(),
        role,
        case: None,
        run: None,
        unmeasured,
        growth: None,
    };
    TimedSubmission { untimed, row: one.row, times, claimed }
}

/// The cases above the limit; all if there are none, which breaks the claim.
fn slow_cases(cases: Vec<usize>, times: &BTreeMap<usize, SurveyedRun>) -> Vec<usize> {
    let is_slow = |case: &usize| times.get(case).is_some_and(SurveyedRun::is_too_slow);
    let slow: Vec<usize> = cases.iter().copied().filter(is_slow).collect();
    if slow.is_empty() { cases } else { slow }
}

/// The cases of a role of a submission that has both; `None` if it has one role.
fn cases_of_role(package: &Package, submission: &Submission, role: LimitRole) -> Option<String> {
    let cases = |bound| -> Vec<&str> {
        let claims = claims_of(package, submission, bound);
        claims.map(|claim| claim.cases.as_deref().unwrap_or("all cases")).collect()
    };
    let [fit, too_slow] = [TimeBound::Lower, TimeBound::Upper].map(cases);
    if fit.is_empty() || too_slow.is_empty() {
        return None;
    }
    match role {
        LimitRole::MustFit => Some(fit.join(", ")),
        LimitRole::MustNotFit => Some(too_slow.join(", ")),
        LimitRole::Neutral => None,
    }
}

/// A survey of the package as it is; without a proposed limit.
pub(super) fn survey_of(
    package: &Package,
    tests: &TestSet,
    timed: &[TimedSubmission],
) -> Result<LimitSurvey> {
    let limits = &package.limits;
    let mut submissions: Vec<SurveyedSubmission> = timed.iter().map(|one| one.surveyed(tests)).collect();
    let times: Vec<Vec<(usize, Duration)>> = timed.iter().map(|one| one.ended_times().collect()).collect();
    for (one, growth) in submissions.iter_mut().zip(growth_of_each(tests, &times)?) {
        one.growth = growth;
    }
    Ok(LimitSurvey {
        declared: limits.time,
        proposed: None,
        ac_to_time_limit: limits.ac_to_time_limit,
        time_limit_to_tle: limits.time_limit_to_tle,
        resolution: limits.time_resolution,
        submissions,
    })
}

fn surveyed_run(trial: &Trial, setting: &Setting) -> SurveyedRun {
    let time = run_time(trial);
    let tries = trial.tries.iter().copied();
    SurveyedRun {
        verdict: trial.verdict,
        min: time,
        most: tries.max().unwrap_or(time).max(time),
        tries: trial.tries.len().max(1),
        // Slightly below the stop, because programs are not stopped to the nanosecond.
        stopped: is_too_slow(trial) && time >= setting.stop.mul_f64(0.985),
    }
}

fn is_too_slow(trial: &Trial) -> bool {
    trial.verdict.class() == Some(Class::Tle)
}

/// CPU time, or wall time for a program that slept.
fn run_time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// The runs to measure again.
pub(super) struct Repeats<'a> {
    /// Of each submission, how many cases at most: each time the one that is then the slowest.
    pub max: usize,
    /// Whether the time of a run matters.
    pub matter: &'a dyn Fn(&SurveyedRun) -> bool,
}

/// Measures decisive runs again, each once, even if they are known facts. A failed repetition adds a fault, and the time
/// is unchanged.
pub(super) fn repeat_telling_runs(
    bench: &Verification,
    judged: &JudgedCohort,
    timed: &mut [TimedSubmission],
    repeats: &Repeats,
    faults: &mut Vec<String>,
) -> Result<()> {
    for one in timed {
        let mut repeated = BTreeSet::new();
        while repeated.len() < repeats.max
            && let Some(case) = one.telling_case()
            && (repeats.matter)(&one.times[&case])
            // A run that is slow again is slow.
            && repeated.insert(case)
        {
            if let Some(run) = run_again(bench, judged, one.row, case, faults)? {
                one.times.insert(case, one.times[&case].with(run));
            }
        }
    }
    Ok(())
}

/// How often a relevant run is repeated.
const TIMED_RUNS: u32 = 3;

/// Repeats a run of a row on a case while no other program runs. `None`: interrupted, or a fault that was added.
fn run_again(
    bench: &Verification,
    judged: &JudgedCohort,
    row: usize,
    case: usize,
    faults: &mut Vec<String>,
) -> Result<Option<SurveyedRun>> {
    let (_, program) = judged.runnable_program(row).expect("a row that was run has a program");
    let mut runs: Vec<SurveyedRun> = Vec::new();
    let show = |event| (bench.progress)(VerificationStep::Judging(event));
    show(GradeEvent::Wave { what: "again", jobs: TIMED_RUNS as usize, known: 0 });
    for _ in 0..TIMED_RUNS {
        let job = Job::new(Task::Trial(judged.plan.trial(&program, case)));
        let result =
            bench.engine().run_all(vec![job], KnownFacts::Ignore, &mut |_, _| Ok(()))?.pop().flatten();
        let trial = match result {
            Some(Ok(Outcome::Trial(trial))) => trial,
            Some(Ok(other)) => unreachable!("a trial job has a trial outcome, not {other:?}"),
            Some(Err(fault)) => {
                let case = &judged.plan.cases[case].name;
                faults.push(format!("measure {} on {case} again: {fault}", program.name));
                return Ok(None);
            }
            None => return Ok(None),
        };
        show(GradeEvent::Tried { name: &program.name, verdict: trial.verdict });
        runs.push(surveyed_run(&trial, &judged.plan.setting));
    }
    Ok(runs.into_iter().reduce(SurveyedRun::with))
}

/// The claims of a submission about this side of the limit.
fn claims_of<'a>(
    package: &'a Package,
    submission: &'a Submission,
    bound: TimeBound,
) -> impl Iterator<Item = &'a Claim> {
    package
        .claims
        .iter()
        .filter(move |claim| claim.time_bound() == Some(bound) && claim.is_about(&submission.name))
}

/// The least time of submissions that are meant to be too slow.
fn too_slow_from(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.mul_f64(package.limits.time_limit_to_tle))
}

/// When runs are stopped: later than the limit, because some are meant to exceed it by far and must show it.
pub(super) fn run_timeout(package: &Package) -> Option<Duration> {
    // Slightly more than enough, so that a stopped run has surely been slow enough.
    too_slow_from(package).map(|enough| enough + enough / 50)
}

/// Whether a submission must be too slow, and no run shows it clearly.
pub(super) fn is_barely_slow(package: &Package, one: &JudgedSubmission) -> bool {
    let (Some(trials), Some(enough)) = (one.trials(), too_slow_from(package)) else { return false };
    let must_be_slow = claims_of(package, one.submission, TimeBound::Upper).next().is_some();
    must_be_slow && trials.values().all(|trial| run_time(trial) < enough)
}

/// Whether missing runs may show that this submission is slower, and no known run is slow enough.
pub(super) fn is_open(package: &Package, tests: &TestSet, one: &JudgedSubmission) -> bool {
    let (Some(trials), Some(enough)) = (one.trials(), too_slow_from(package)) else { return false };
    claims_of(package, one.submission, TimeBound::Upper).any(|claim| {
        let cases = tests.cases_of_claim(claim);
        let known: Vec<&Trial> = cases.iter().filter_map(|case| trials.get(case)).collect();
        // A submission that never exceeds the limit breaks its claim, which is reported with the claims.
        let slowest = known.iter().filter(|trial| is_too_slow(trial)).map(|trial| run_time(trial)).max();
        known.len() < cases.len() && slowest.is_some_and(|time| time < enough)
    })
}
