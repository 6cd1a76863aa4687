//! How long those submissions take that must be too slow.
//!
//! A run is usually stopped soon after the limit, so they are run again, on the
//! cases that they exceed, with more patience, until one run of each has shown
//! that it takes long enough.

use super::{
    Bench, Step, Tell, Verified,
    claims::scope,
    judged::{Seen, cohort},
    limits::{Measured, claims_of, measured, time},
};
use crate::{
    grade::Session,
    package::{Bound, Case, Claim, Group, Member, Submission, TestSet},
    verdict::{Class, Verdict},
};
use anyhow::Result;
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    time::Duration,
};

/// A claim that bounds the limit from above, and the cases on which that may show.
struct Slow<'a> {
    one: &'a Seen<'a>,
    /// Not yet run with patience; the most promising last.
    left: Vec<usize>,
    best: (usize, Duration, bool),
    /// Whether a run failed because of us: nothing can be said then.
    unknown: bool,
}

/// How long those take that must be too slow: for each the least over its claims.
pub fn upper<'a>(
    (bench, session): (&Bench, &Session),
    seen: &'a [Seen<'a>],
    limit: Duration,
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<Vec<(&'a Seen<'a>, Measured)>> {
    let mut slow: Vec<Slow> = seen.iter().flat_map(|one| slow(bench, one, limit)).collect();
    let enough = limit.mul_f64(bench.package.limits.time_limit_to_tle);
    let mut known: HashMap<(String, usize), Option<(Duration, bool)>> = HashMap::new();
    loop {
        let mut wanted: BTreeMap<usize, Vec<&Submission>> = BTreeMap::new();
        for one in &mut slow {
            while one.best.1 < enough
                && let Some(case) = one.left.pop()
            {
                match known.get(&(one.one.submission.name.clone(), case)) {
                    Some(Some((time, stopped))) if *time > one.best.1 => one.best = (case, *time, *stopped),
                    Some(Some(_)) => {}
                    Some(None) => one.unknown = true,
                    None => {
                        one.left.push(case);
                        wanted.entry(case).or_default().push(one.one.submission);
                        break;
                    }
                }
            }
        }
        if wanted.is_empty() {
            break;
        }
        for (case, submissions) in wanted {
            for (submission, run) in
                patiently((bench, session), enough, (case, &submissions), verified, tell)?
            {
                known.insert((submission, case), run);
            }
        }
    }
    let mut all: BTreeMap<&str, (&Seen, Measured)> = BTreeMap::new();
    for Slow { one, best: (case, time, stopped), .. } in slow.into_iter().filter(|one| !one.unknown) {
        let run = measured(bench, one.submission, case, time, stopped);
        let least = all.entry(&one.submission.name).or_insert_with(|| (one, run.clone()));
        if run.time < least.1.time {
            least.1 = run;
        }
    }
    Ok(all.into_values().collect())
}

/// A submission that exceeded the limit nowhere breaks its claim, which is told with the claims.
fn slow<'a>(bench: &Bench, one: &'a Seen<'a>, limit: Duration) -> Vec<Slow<'a>> {
    let Some(trials) = one.trials() else { return vec![] };
    let of = |claim: &Claim| {
        let over =
            |case: &usize| trials.get(case).is_some_and(|trial| trial.verdict.class() == Some(Class::Tle));
        let mut left: Vec<usize> = scope(bench, claim).into_iter().filter(over).collect();
        left.sort_by_key(|&case| size(&bench.tests.cases[case]));
        let best = *left.iter().max_by_key(|&&case| time(&trials[&case]))?;
        let reached = time(&trials[&best]);
        // One that sleeps is stopped late, but perhaps not late enough for a great margin.
        let stopped = |verdict| matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit);
        left.retain(|case| stopped(trials[case].verdict) && time(&trials[case]) > limit);
        Some(Slow { one, left, best: (best, reached, false), unknown: false })
    };
    claims_of(bench.package, one.submission, Bound::Upper).filter_map(of).collect()
}

fn size(case: &Case) -> u64 {
    fs::metadata(&case.input).map_or(0, |file| file.len())
}

/// Whose, how long and whether it was stopped then; `None`: we failed, which was told.
type Run = (String, Option<(Duration, bool)>);

/// Runs submissions on one case, and stops them only when they have shown enough.
fn patiently(
    (bench, session): (&Bench, &Session),
    enough: Duration,
    (case, submissions): (usize, &[&Submission]),
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<Vec<Run>> {
    let tests = only(bench.tests, case);
    let patience = enough + enough / 50;
    let cohort = cohort(submissions);
    let judged = session.judge_until(Some(patience), bench.package, &tests, &cohort, &mut |event| {
        tell(Step::Judging(event));
    })?;
    super::judged::trouble(&judged, verified);
    let seen = super::judged::seen(submissions, &judged);
    let run = |one: &Seen| {
        let trial = one.trials().and_then(|trials| trials.get(&0));
        let run = trial.map(|trial| (time(trial), time(trial) >= enough));
        (one.submission.name.clone(), run)
    };
    Ok(seen.iter().map(run).collect())
}

/// A test set of one case.
fn only(tests: &TestSet, case: usize) -> TestSet {
    let secret =
        Group { name: "secret".into(), rule: tests.root.rule.clone(), members: vec![Member::Case(0)] };
    let root =
        Group { name: String::new(), rule: tests.root.rule.clone(), members: vec![Member::Group(secret)] };
    TestSet { root, cases: vec![tests.cases[case].clone()], validation: vec![] }
}
