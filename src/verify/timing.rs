//! How long submissions took that bound the time limit: from below, by the slowest run of one that
//! must fit; from above, by the slowest run of one that must not.

use super::{
    Bench, Step, Tell, Verified,
    claims::{scope, speaks_of},
    judged::{Seen, cohort, seen, trouble},
    limits::Measured,
};
use crate::{
    grade::{Session, Timing},
    package::{Bound, Claim, Group, Member, Package, Submission, TestSet},
    plan::Trial,
    verdict::{Class, Verdict},
};
use anyhow::Result;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// What a submission is claimed to say about the limit on this side.
pub fn claims_of<'a>(
    package: &'a Package,
    submission: &'a Submission,
    bound: Bound,
) -> impl Iterator<Item = &'a Claim> {
    package.claims.iter().filter(move |claim| claim.bound() == Some(bound) && speaks_of(claim, submission))
}

/// How long those must run that are meant to be too slow.
fn enough(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.mul_f64(package.limits.time_limit_to_tle))
}

/// When runs are stopped: not at the limit, since some are meant to exceed it by far and must show it.
pub fn patience(package: &Package) -> Option<Duration> {
    enough(package).map(|enough| enough + enough / 50)
}

/// CPU time; of one that slept, how long it did.
fn time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// The room that a run must leave.
pub fn room(package: &Package) -> Option<Duration> {
    package.limits.time.map(|limit| limit.div_f64(package.limits.ac_to_time_limit))
}

/// By case, how long a submission took that bounds the limit from below.
fn bounding(bench: &Bench, one: &Seen) -> BTreeMap<usize, Duration> {
    let cases = claims_of(bench.package, one.submission, Bound::Lower).flat_map(|claim| scope(bench, claim));
    let timed = |case| Some((case, time(one.trials()?.get(&case)?)));
    cases.filter_map(timed).collect()
}

/// The slowest run over the cases of all claims that bound a limit from below.
pub fn slowest(bench: &Bench, one: &Seen) -> Option<Measured> {
    greatest(&bounding(bench, one)).map(|(case, time)| measured(bench, one.submission, case, time, false))
}

fn greatest(times: &BTreeMap<usize, Duration>) -> Option<(usize, Duration)> {
    times.iter().max_by_key(|(_, time)| **time).map(|(&case, &time)| (case, time))
}

/// The slowest run, but machines are noisy: one that leaves too little room is doubted and tried
/// again, until it is confirmed or all that are left leave enough.
pub fn fitting(
    (bench, session): (&Bench, &Session),
    one: &Seen,
    room: Duration,
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<Option<Measured>> {
    let mut times = bounding(bench, one);
    let mut doubted = BTreeSet::new();
    while let Some((case, time)) = greatest(&times)
        && time > room
        && doubted.insert(case)
    {
        times.insert(
            case,
            again((bench, session), one.submission, (case, room), verified, tell)?.unwrap_or(time),
        );
    }
    Ok(greatest(&times).map(|(case, time)| measured(bench, one.submission, case, time, false)))
}

/// The least time of several runs on one case; `None`: we failed, which was told.
fn again(
    (bench, session): (&Bench, &Session),
    submission: &Submission,
    (case, doubt): (usize, Duration),
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<Option<Duration>> {
    let timing = Timing { doubt: Some(doubt), ..Timing::default() };
    let tests = only(bench.tests, case);
    let judged =
        session.judge_timed(timing, bench.package, &tests, &cohort(&[submission]), &mut |event| {
            tell(Step::Judging(event));
        })?;
    trouble(&judged, verified);
    let all = seen(&[submission], &judged);
    Ok(all[0].trials().and_then(|trials| trials.get(&0)).map(time))
}

/// A test set of one case.
fn only(tests: &TestSet, case: usize) -> TestSet {
    let group = |name: &str, member| Group {
        name: name.into(),
        rule: tests.root.rule.clone(),
        members: vec![member],
    };
    let root = group("", Member::Group(group("secret", Member::Case(0))));
    TestSet { root, cases: vec![tests.cases[case].clone()], validation: vec![] }
}

/// How long one takes that must be too slow: for each claim the slowest run, and of these the least.
/// What a claim is about must be known whole, unless one run has shown enough.
pub fn exceeding(bench: &Bench, one: &Seen) -> Option<Measured> {
    let known = claims_of(bench.package, one.submission, Bound::Upper)
        .filter_map(|claim| longest(bench, one, claim))
        .filter(|(_, whole)| *whole);
    known.map(|(run, _)| run).min_by_key(|run| run.time)
}

/// Whether runs are missing that may tell more about how slow this one is.
pub fn is_open(bench: &Bench, one: &Seen) -> bool {
    let mut claims = claims_of(bench.package, one.submission, Bound::Upper);
    claims.any(|claim| longest(bench, one, claim).is_some_and(|(_, whole)| !whole))
}

/// The slowest run that exceeds the limit, and whether nothing more is to be learnt. A submission that
/// exceeds it nowhere breaks its claim, which is told with the claims.
fn longest(bench: &Bench, one: &Seen, claim: &Claim) -> Option<(Measured, bool)> {
    let (trials, enough) = (one.trials()?, enough(bench.package)?);
    let cases = scope(bench, claim);
    let whole = cases.iter().all(|case| trials.contains_key(case));
    let runs = cases.into_iter().filter_map(|case| Some((case, trials.get(&case)?)));
    let over = runs.filter(|(_, trial)| trial.verdict.class() == Some(Class::Tle));
    let (case, trial) = over.min_by_key(|(_, trial)| Reverse(time(trial)))?;
    let stopped = time(trial) >= enough;
    Some((measured(bench, one.submission, case, time(trial), stopped), whole || stopped))
}

/// A run by name.
fn measured(bench: &Bench, submission: &Submission, case: usize, time: Duration, stopped: bool) -> Measured {
    let case = bench.tests.cases[case].name.clone();
    Measured { submission: submission.name.clone(), case, time, stopped }
}
