//! How long submissions took that bound the time limit: from below, by the slowest run of one that
//! must fit; from above, by the slowest run of one that must not.

use super::{
    OnVerificationStep, Verification, VerificationStep, Verified,
    judged::{JudgedSubmission, as_cohort, judged_submissions, report_trouble},
};
use crate::{
    grade::{GradeSession, Timing},
    package::{Claim, Group, Member, Package, Submission, TestSet, TimeBound},
    plan::{Conditions, Trial},
    verdict::{Class, Verdict},
};
use anyhow::Result;
use serde::{Serialize, Serializer};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// A submission's slowest run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Whose.
    pub submission: String,
    /// On which case.
    pub case: String,
    /// How long, in seconds.
    #[serde(serialize_with = "serialize_seconds")]
    pub time: Duration,
    /// Whether it was stopped then, and would take longer.
    pub stopped: bool,
    /// How quiet the machine was.
    #[serde(skip)]
    pub conditions: Conditions,
}

pub(super) fn serialize_seconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}

/// What a submission is claimed to say about the limit on this side.
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

/// How long those must run that are meant to be too slow.
fn too_slow_from(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.mul_f64(package.limits.time_limit_to_tle))
}

/// When runs are stopped: not at the limit, since some are meant to exceed it by far and must show it.
pub(super) fn run_timeout(package: &Package) -> Option<Duration> {
    // A little more than enough: a run that is stopped then has surely been slow enough.
    too_slow_from(package).map(|enough| enough + enough / 50)
}

/// CPU time; of one that slept, how long it did.
pub(super) fn run_time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// The room that a run must leave.
pub(super) fn allowed_time(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.div_f64(package.limits.ac_to_time_limit))
}

/// How long a run took, and how quiet the machine was.
type TimedRun = (Duration, Conditions);

/// By case, how long a submission took that bounds the limit from below.
fn bounding_times(bench: &Verification, one: &JudgedSubmission) -> BTreeMap<usize, TimedRun> {
    let cases = claims_of(bench.package, one.submission, TimeBound::Lower)
        .flat_map(|claim| bench.tests.cases_of_claim(claim));
    let timed = |case| one.trials()?.get(&case).map(|trial| (case, (run_time(trial), trial.conditions)));
    cases.filter_map(timed).collect()
}

fn greatest_time(times: &BTreeMap<usize, TimedRun>) -> Option<(usize, TimedRun)> {
    times.iter().max_by_key(|(_, (time, _))| *time).map(|(&case, &run)| (case, run))
}

/// What slow runs are held against.
pub(super) struct SlowRunCheck<'a> {
    pub bench: &'a Verification<'a>,
    pub session: &'a GradeSession<'a>,
    /// A run that takes longer leaves too little room.
    pub allowed: Duration,
}

impl SlowRunCheck<'_> {
    /// The slowest run, but machines are noisy: one that leaves too little room is doubted and tried
    /// again, until it is confirmed or all that are left leave enough.
    pub(crate) fn confirmed_slowest(
        &self,
        one: &JudgedSubmission,
        verified: &mut Verified,
        tell: &mut OnVerificationStep,
    ) -> Result<Option<Measured>> {
        let mut times = bounding_times(self.bench, one);
        let mut doubted = BTreeSet::new();
        while let Some((case, run)) = greatest_time(&times)
            && run.0 > self.allowed
            // A case is doubted once: a run that is slow twice is slow.
            && doubted.insert(case)
        {
            times.insert(case, self.time_again(one.submission, case, verified, tell)?.unwrap_or(run));
        }
        Ok(greatest_time(&times).map(|(case, run)| measured_run(self.bench, one.submission, case, run)))
    }

    /// The least time of several runs on one case; `None`: we failed, which was reported.
    fn time_again(
        &self,
        submission: &Submission,
        case: usize,
        verified: &mut Verified,
        tell: &mut OnVerificationStep,
    ) -> Result<Option<TimedRun>> {
        let timing = Timing { remeasure_above: Some(self.allowed), ..Timing::default() };
        let tests = single_case(self.bench.tests, case);
        let cohort = as_cohort(&[submission]);
        let judged = self.session.judge_timed(timing, self.bench.package, &tests, &cohort, &mut |event| {
            tell(VerificationStep::Judging(event));
        })?;
        report_trouble(&judged, verified);
        let all = judged_submissions(&[submission], &judged);
        let again = all[0].trials().and_then(|trials| trials.get(&0));
        Ok(again.map(|trial| (run_time(trial), trial.conditions)))
    }
}

/// A test set of one case.
fn single_case(tests: &TestSet, case: usize) -> TestSet {
    let group = |name: &str, member| Group {
        name: name.into(),
        rule: tests.root.rule.clone(),
        members: vec![member],
    };
    let root = group("", Member::Group(group("secret", Member::Case(0))));
    TestSet { root, cases: vec![tests.cases[case].clone()], validation: vec![] }
}

/// How long one takes that must be too slow: for each claim the slowest run, and of these the least.
/// All cases of a claim must be known, unless one run was slow enough.
pub(super) fn exceeding_run(bench: &Verification, one: &JudgedSubmission) -> Option<Measured> {
    let known = claims_of(bench.package, one.submission, TimeBound::Upper)
        .filter_map(|claim| longest_run(bench, one, claim))
        .filter(|(_, whole)| *whole);
    // The least: the limit must lie below every claim's slowest run.
    known.map(|(run, _)| run).min_by_key(|run| run.time)
}

/// Whether runs are missing that may show more about how slow this one is.
pub(super) fn is_open(bench: &Verification, one: &JudgedSubmission) -> bool {
    let mut claims = claims_of(bench.package, one.submission, TimeBound::Upper);
    claims.any(|claim| longest_run(bench, one, claim).is_some_and(|(_, whole)| !whole))
}

/// The slowest run that exceeds the limit, and whether nothing more is to be learnt. A submission that
/// exceeds it nowhere breaks its claim, which is reported with the claims.
fn longest_run(bench: &Verification, one: &JudgedSubmission, claim: &Claim) -> Option<(Measured, bool)> {
    let (trials, enough) = (one.trials()?, too_slow_from(bench.package)?);
    let cases = bench.tests.cases_of_claim(claim);
    let whole = cases.iter().all(|case| trials.contains_key(case));
    let runs = cases.into_iter().filter_map(|case| Some((case, trials.get(&case)?)));
    let over = runs.filter(|(_, trial)| trial.verdict.class() == Some(Class::Tle));
    let (case, trial) = over.min_by_key(|(_, trial)| Reverse(run_time(trial)))?;
    let stopped = run_time(trial) >= enough;
    let timed = (run_time(trial), trial.conditions);
    let run = Measured { stopped, ..measured_run(bench, one.submission, case, timed) };
    Some((run, whole || stopped))
}

/// A run by name, taken for one that ended by itself.
fn measured_run(bench: &Verification, submission: &Submission, case: usize, run: TimedRun) -> Measured {
    let case = bench.tests.cases[case].name.clone();
    let (time, conditions) = run;
    Measured { submission: submission.name.clone(), case, time, stopped: false, conditions }
}
