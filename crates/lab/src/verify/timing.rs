//! The times of submissions that bound the time limit: from below, the slowest run of one that must fit; from above,
//! the slowest run of one that must not.

use super::{
    judged::JudgedSubmission,
    verification::{Verification, VerificationStep},
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_judge::grade::{GradeEvent, JudgedCohort};
use kopek_package::{
    package::{Claim, Package, ProblemLimits, Submission, TestSet, TimeBound},
    verdict::{Class, Verdict},
};
use kopek_plan::plan::{Job, Outcome, Setting, Task, Trial};
use kopek_results::Measured;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// The time of a submission on a case.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaseTime {
    pub verdict: Verdict,
    pub min: Duration,
    pub most: Duration,
    pub tries: usize,
    /// Whether it was stopped at that time, and would take longer.
    pub stopped: bool,
}

impl CaseTime {
    pub(super) fn of_trial(trial: &Trial, setting: &Setting) -> CaseTime {
        let time = run_time(trial);
        let tries = trial.tries.iter().copied();
        // Slightly below the stop, because programs are not stopped to the nanosecond.
        let stopped = trial.verdict.class() == Some(Class::Tle) && time >= setting.stop.mul_f64(0.985);
        CaseTime {
            verdict: trial.verdict,
            min: time,
            most: tries.max().unwrap_or(time).max(time),
            tries: trial.tries.len().max(1),
            stopped,
        }
    }

    /// Combines two measurements.
    pub(super) fn with(self, other: CaseTime) -> CaseTime {
        CaseTime {
            verdict: self.verdict,
            min: self.min.min(other.min),
            most: self.most.max(other.most),
            tries: self.tries + other.tries,
            stopped: self.stopped && other.stopped,
        }
    }
}

/// CPU time, or wall time for a program that slept.
pub(super) fn run_time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// How often a relevant run is repeated.
const TIMED_RUNS: u32 = 3;

/// The end of repeating a run.
pub(super) enum Repetition {
    Measured(CaseTime),
    Interrupted,
    /// A run failed by our fault.
    Failed(String),
}

impl Repetition {
    /// The time, if there is one; adds a fault of ours.
    pub(super) fn measured(self, faults: &mut Vec<String>) -> Option<CaseTime> {
        match self {
            Repetition::Measured(time) => Some(time),
            Repetition::Failed(what) => {
                faults.push(what);
                None
            }
            Repetition::Interrupted => None,
        }
    }
}

/// Repeats a run of a row on a case while no other program runs.
pub(super) fn time_again(
    bench: &Verification,
    judged: &JudgedCohort,
    row: usize,
    case: usize,
) -> Result<Repetition> {
    let (_, program) = judged.runnable_program(row).expect("a row that was run has a program");
    let mut times: Vec<CaseTime> = Vec::new();
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
                let what = format!("measure {} on {case} again: {fault}", program.name);
                return Ok(Repetition::Failed(what));
            }
            None => return Ok(Repetition::Interrupted),
        };
        show(GradeEvent::Tried { name: &program.name, verdict: trial.verdict });
        times.push(CaseTime::of_trial(&trial, &judged.plan.setting));
    }
    let all = times.into_iter().reduce(CaseTime::with).expect("a run is repeated at least once");
    Ok(Repetition::Measured(all))
}

/// The claims of a submission about this side of the limit.
pub(super) fn claims_of<'a>(
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

/// The longest time that leaves the required room.
pub(super) fn allowed_time(limits: &ProblemLimits, limit: Duration) -> Duration {
    limit.div_f64(limits.ac_to_time_limit)
}

/// By case, the time of a submission that bounds the limit from below.
fn bounding_times(package: &Package, tests: &TestSet, one: &JudgedSubmission) -> BTreeMap<usize, Duration> {
    let mut times = BTreeMap::new();
    let Some(trials) = one.trials() else { return times };
    for claim in claims_of(package, one.submission, TimeBound::Lower) {
        for case in tests.cases_of_claim(claim) {
            times.extend(trials.get(&case).map(|trial| (case, run_time(trial))));
        }
    }
    times
}

fn max_time(times: &BTreeMap<usize, Duration>) -> Option<(usize, Duration)> {
    times.iter().max_by_key(|(_, time)| **time).map(|(&case, &time)| (case, time))
}

/// The slowest run of a submission that must fit, confirmed: because machines are noisy, a run that takes longer than
/// `allowed` is repeated until it is confirmed or all others leave enough room. `None`: no claim bounds the limit by it.
pub(super) fn confirmed_slowest(
    bench: &Verification,
    judged: &JudgedCohort,
    one: &JudgedSubmission,
    allowed: Duration,
    faults: &mut Vec<String>,
) -> Result<Option<Measured>> {
    let mut times = bounding_times(bench.package, bench.tests, one);
    let mut doubted = BTreeSet::new();
    while let Some((case, time)) = max_time(&times)
        && time > allowed
        // A case is repeated once: a run that is slow again is slow.
        && doubted.insert(case)
    {
        if let Some(again) = time_again(bench, judged, one.row, case)?.measured(faults) {
            times.insert(case, again.min.min(time));
        }
    }
    Ok(max_time(&times).map(|(case, time)| measured_run(bench.tests, one.submission, case, time)))
}

/// The time of a submission that must be too slow: the slowest run for each claim, and the least of these. All cases
/// of a claim must be known, unless one run was slow enough.
pub(super) fn exceeding_run(package: &Package, tests: &TestSet, one: &JudgedSubmission) -> Option<Measured> {
    let claims = claims_of(package, one.submission, TimeBound::Upper);
    let known = claims.filter_map(|claim| longest_run(package, tests, one, claim)).filter(|one| one.is_final);
    // The least one: the limit must be below the slowest run of every claim.
    known.map(|one| one.run).min_by_key(|run| run.time)
}

/// Whether missing runs may show that this submission is slower.
pub(super) fn is_open(package: &Package, tests: &TestSet, one: &JudgedSubmission) -> bool {
    let mut claims = claims_of(package, one.submission, TimeBound::Upper);
    claims.any(|claim| longest_run(package, tests, one, claim).is_some_and(|one| !one.is_final))
}

struct LongestRun {
    run: Measured,
    /// Whether no missing run can be slower, or it was slow enough.
    is_final: bool,
}

/// The slowest run that exceeds the limit. A submission that never exceeds it breaks its claim, which is reported with
/// the claims.
fn longest_run(
    package: &Package,
    tests: &TestSet,
    one: &JudgedSubmission,
    claim: &Claim,
) -> Option<LongestRun> {
    let trials = one.trials()?;
    let enough = too_slow_from(package)?;
    let cases = tests.cases_of_claim(claim);
    let whole = cases.iter().all(|case| trials.contains_key(case));
    let runs = cases.into_iter().filter_map(|case| Some((case, trials.get(&case)?)));
    let over = runs.filter(|(_, trial)| trial.verdict.class() == Some(Class::Tle));
    let (case, trial) = over.min_by_key(|(_, trial)| Reverse(run_time(trial)))?;
    let stopped = run_time(trial) >= enough;
    let run = Measured { stopped, ..measured_run(tests, one.submission, case, run_time(trial)) };
    Some(LongestRun { run, is_final: whole || stopped })
}

/// A run by name, regarded as not stopped.
fn measured_run(tests: &TestSet, submission: &Submission, case: usize, time: Duration) -> Measured {
    let case = tests.cases[case].name.clone();
    Measured { submission: submission.name.clone(), case, time, stopped: false }
}
