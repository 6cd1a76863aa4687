//! The times of submissions that bound the time limit: from below, the slowest run of one that must fit; from above,
//! the slowest run of one that must not.

use super::{
    case_time::{run_time, time_again},
    judged::JudgedSubmission,
    measures::Measured,
    verification::{OnVerificationStep, Verification},
    verified::Verified,
};
use anyhow::Result;
use kopek_engine::{
    package::{Claim, Package, Submission, TimeBound},
    verdict::Class,
};
use kopek_judge::grade::{GradeSession, JudgedCohort};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

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
pub(super) fn allowed_time(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.div_f64(package.limits.ac_to_time_limit))
}

/// By case, the time of a submission that bounds the limit from below.
fn bounding_times(bench: &Verification, one: &JudgedSubmission) -> BTreeMap<usize, Duration> {
    let cases = claims_of(bench.package, one.submission, TimeBound::Lower)
        .flat_map(|claim| bench.tests.cases_of_claim(claim));
    let timed = |case| one.trials()?.get(&case).map(|trial| (case, run_time(trial)));
    cases.filter_map(timed).collect()
}

fn greatest_time(times: &BTreeMap<usize, Duration>) -> Option<(usize, Duration)> {
    times.iter().max_by_key(|(_, time)| **time).map(|(&case, &time)| (case, time))
}

/// The input of the check for slow runs.
pub(super) struct SlowRunCheck<'a> {
    pub bench: &'a Verification<'a>,
    pub session: &'a GradeSession<'a>,
    pub judged: &'a JudgedCohort,
    /// A run that takes longer leaves too little room.
    pub allowed: Duration,
}

impl SlowRunCheck<'_> {
    /// The slowest run, confirmed: because machines are noisy, a run that leaves too little room is repeated until it
    /// is confirmed or all others leave enough.
    pub fn confirmed_slowest(
        &self,
        one: &JudgedSubmission,
        verified: &mut Verified,
        tell: &mut OnVerificationStep,
    ) -> Result<Option<Measured>> {
        let mut times = bounding_times(self.bench, one);
        let mut doubted = BTreeSet::new();
        while let Some((case, time)) = greatest_time(&times)
            && time > self.allowed
            // A case is repeated once: a run that is slow again is slow.
            && doubted.insert(case)
        {
            match time_again(self.session, self.judged, one.row, case, tell)? {
                Some(Ok(again)) => drop(times.insert(case, again.least.min(time))),
                Some(Err(fault)) => {
                    let case = &self.judged.plan.cases[case].name;
                    verified.fault(format!("measure {} on {case} again: {fault}", one.submission.name));
                }
                None => {}
            }
        }
        Ok(greatest_time(&times).map(|(case, time)| measured_run(self.bench, one.submission, case, time)))
    }
}

/// The time of a submission that must be too slow: the slowest run for each claim, and the least of these. All cases
/// of a claim must be known, unless one run was slow enough.
pub(super) fn exceeding_run(bench: &Verification, one: &JudgedSubmission) -> Option<Measured> {
    let known = claims_of(bench.package, one.submission, TimeBound::Upper)
        .filter_map(|claim| longest_run(bench, one, claim))
        .filter(|(_, whole)| *whole);
    // The least one: the limit must be below the slowest run of every claim.
    known.map(|(run, _)| run).min_by_key(|run| run.time)
}

/// Whether missing runs may show that this submission is slower.
pub(super) fn is_open(bench: &Verification, one: &JudgedSubmission) -> bool {
    let mut claims = claims_of(bench.package, one.submission, TimeBound::Upper);
    claims.any(|claim| longest_run(bench, one, claim).is_some_and(|(_, whole)| !whole))
}

/// The slowest run that exceeds the limit, and whether it is final. A submission that never exceeds it breaks its
/// claim, which is reported with the claims.
fn longest_run(bench: &Verification, one: &JudgedSubmission, claim: &Claim) -> Option<(Measured, bool)> {
    let (trials, enough) = (one.trials()?, too_slow_from(bench.package)?);
    let cases = bench.tests.cases_of_claim(claim);
    let whole = cases.iter().all(|case| trials.contains_key(case));
    let runs = cases.into_iter().filter_map(|case| Some((case, trials.get(&case)?)));
    let over = runs.filter(|(_, trial)| trial.verdict.class() == Some(Class::Tle));
    let (case, trial) = over.min_by_key(|(_, trial)| Reverse(run_time(trial)))?;
    let stopped = run_time(trial) >= enough;
    let run = Measured { stopped, ..measured_run(bench, one.submission, case, run_time(trial)) };
    Some((run, whole || stopped))
}

/// A run by name, regarded as not stopped.
fn measured_run(bench: &Verification, submission: &Submission, case: usize, time: Duration) -> Measured {
    let case = bench.tests.cases[case].name.clone();
    Measured { submission: submission.name.clone(), case, time, stopped: false }
}
