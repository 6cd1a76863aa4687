//! The time limit and the room on both sides of it.
//!
//! The slowest run of every submission that bounds the limit from below must fit
//! into it several times; the slowest run of every one that bounds it from above
//! must exceed it by far.

use super::{
    Bench, Level, Remark, Section, Step, Tell, Verified,
    claims::{scope, speaks_of},
    judged::{Seen, cohort},
};
use crate::{
    grade::Session,
    package::{Bound, Claim, Package, Submission},
    plan::Trial,
    verdict::{Class, Verdict},
};
use anyhow::Result;
use serde::{Serialize, Serializer};
use std::{cmp::Reverse, collections::BTreeMap, sync::atomic::Ordering, time::Duration};

/// The room on both sides of the time limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Margins {
    /// The limit, in seconds.
    #[serde(serialize_with = "seconds")]
    pub limit: Duration,
    /// Whether the package names none, and this is our proposal.
    pub proposed: bool,
    /// The slowest run from below must fit so often.
    pub ac_to_time_limit: f64,
    /// The fastest from above must take so many limits.
    pub time_limit_to_tle: f64,
    /// By language.
    pub languages: Vec<LanguageMargins>,
}

/// What bounds the limit in one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageMargins {
    /// Its code.
    pub language: String,
    /// The slowest of those that must fit.
    pub slowest: Option<Measured>,
    /// The fastest of those that must not.
    pub fastest: Option<Measured>,
}

/// A submission's slowest run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Whose.
    pub submission: String,
    /// On which case.
    pub case: String,
    /// How long, in seconds.
    #[serde(serialize_with = "seconds")]
    pub time: Duration,
    /// Whether it was stopped then, and would take longer.
    pub stopped: bool,
}

fn seconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}

/// How long submissions may run while the limit is looked for.
const PROVISIONAL: Duration = Duration::from_secs(10);

/// A limit for a package without one: the least multiple of the resolution that leaves enough room
/// to the slowest run of those who bound it from below.
pub fn propose(
    bench: &Bench,
    session: &Session,
    verified: &mut Verified,
    tell: &mut Tell,
) -> Result<Option<Duration>> {
    let bounding = |one: &&Submission| claims_of(bench.package, one, Bound::Lower).next().is_some();
    let lower: Vec<&Submission> = bench.package.submissions.iter().filter(bounding).collect();
    if lower.is_empty() {
        verified.add(unbounded(Level::Error));
        return Ok(None);
    }
    let mut package = bench.package.clone();
    package.limits.time = Some(PROVISIONAL);
    let judged =
        session.judge(&package, bench.tests, &cohort(&lower), &mut |event| tell(Step::Judging(event)))?;
    let seen = super::judged::seen(&lower, &judged);
    let slowest = seen.iter().filter_map(|one| fitting(bench, one)).map(|run| run.time).max();
    let limit = multiple(bench.package, slowest.unwrap_or_default());
    let what = format!("no time limit: {} s would do", number(limit));
    let remark = Remark::new(Section::Limits, Level::Warning, what).at("problem.yaml");
    verified
        .add(remark.todo(format!("write `time_limit: {}` below `limits` in problem.yaml", number(limit))));
    Ok(Some(limit))
}

fn unbounded(level: Level) -> Remark {
    let what = "no submission bounds the time limit from below";
    let remark = Remark::new(Section::Limits, level, what).at("submissions");
    remark.todo("add a right solution to submissions/accepted/")
}

/// The least multiple of the resolution that leaves enough room to a run.
fn multiple(package: &Package, slowest: Duration) -> Duration {
    let limits = &package.limits;
    let steps =
        (slowest.as_secs_f64() * limits.ac_to_time_limit / limits.time_resolution.as_secs_f64()).ceil();
    limits.time_resolution.mul_f64(steps.max(1.0))
}

/// `2`, `2.5`.
fn number(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What a submission is claimed to say about the limit on this side.
fn claims_of<'a>(
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

/// When runs are stopped: not at the limit, but when they have shown that they exceed it by far.
pub fn patience(package: &Package) -> Option<Duration> {
    enough(package).map(|enough| enough + enough / 50)
}

/// CPU time; of one that slept, how long it did.
fn time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// The slowest run over the cases of all claims that bound a limit from below.
fn fitting(bench: &Bench, one: &Seen) -> Option<Measured> {
    let trials = one.trials()?;
    let cases = claims_of(bench.package, one.submission, Bound::Lower).flat_map(|claim| scope(bench, claim));
    let timed = cases.filter_map(|case| Some((case, trials.get(&case)?)));
    let (case, trial) = timed.max_by_key(|(_, trial)| time(trial))?;
    Some(measured(bench, one.submission, case, time(trial), false))
}

/// How long one takes that must be too slow: for each claim the slowest run, and of these the least.
/// What a claim is about must be known whole, unless one run has shown enough.
fn exceeding(bench: &Bench, one: &Seen) -> Option<Measured> {
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

/// Checks both margins and makes the table of them.
pub fn check(bench: &Bench, seen: &[Seen], verified: &mut Verified) {
    let Some(limit) = bench.package.limits.time else { return };
    if bench.stop.load(Ordering::Relaxed) {
        // Not measured is neither slow nor fast.
        return;
    }
    let lower: Vec<(&Seen, Measured)> =
        seen.iter().filter_map(|one| Some((one, fitting(bench, one)?))).collect();
    let upper: Vec<(&Seen, Measured)> =
        seen.iter().filter_map(|one| Some((one, exceeding(bench, one)?))).collect();
    if lower.is_empty() {
        verified.add(unbounded(Level::Warning));
    }
    let level = level(bench);
    for (_, run) in &lower {
        verified.remarks.extend(too_slow(bench, limit, run).map(|remark| Remark { level, ..remark }));
    }
    for (_, run) in &upper {
        verified.remarks.extend(too_fast(bench, limit, run).map(|remark| Remark { level, ..remark }));
    }
    let limits = &bench.package.limits;
    verified.margins = Some(Margins {
        limit,
        proposed: false,
        ac_to_time_limit: limits.ac_to_time_limit,
        time_limit_to_tle: limits.time_limit_to_tle,
        languages: by_language(&lower, &upper),
    });
}

/// In legacy packages the factors serve to find a limit; one that is given need not obey them.
fn level(bench: &Bench) -> Level {
    match bench.package.format {
        crate::package::Format::V2025_09 => Level::Error,
        crate::package::Format::Legacy => Level::Warning,
    }
}

fn too_slow(bench: &Bench, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = bench.package.limits.ac_to_time_limit;
    if run.time.mul_f64(factor) <= limit {
        return None;
    }
    let what = format!(
        "`{}` takes {:.2} s on {}; the limit of {} s must be {factor} times that, and is {:.2} times",
        run.submission,
        run.time.as_secs_f64(),
        run.case,
        number(limit),
        limit.as_secs_f64() / run.time.as_secs_f64()
    );
    let wanted = number(multiple(bench.package, run.time));
    let todo = format!("set `time_limit: {wanted}`, or make the submission quicker");
    Some(Remark::new(Section::Limits, Level::Error, what).at("problem.yaml").todo(todo))
}

fn too_fast(bench: &Bench, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = bench.package.limits.time_limit_to_tle;
    if run.stopped || run.time >= limit.mul_f64(factor) {
        return None;
    }
    let what = format!(
        "`{}` takes at most {:.2} s (on {}); that must be {factor} times the limit of {} s, and is {:.2} times",
        run.submission,
        run.time.as_secs_f64(),
        run.case,
        number(limit),
        run.time.as_secs_f64() / limit.as_secs_f64()
    );
    let todo = "add greater cases, lower the limit, or say `use_for_time_limit: false`";
    Some(Remark::new(Section::Limits, Level::Error, what).at("problem.yaml").todo(todo))
}

fn by_language(lower: &[(&Seen, Measured)], upper: &[(&Seen, Measured)]) -> Vec<LanguageMargins> {
    let mut all: BTreeMap<String, LanguageMargins> = BTreeMap::new();
    let of = |one: &Seen| one.language.unwrap_or("?").to_owned();
    let blank =
        |language: &String| LanguageMargins { language: language.clone(), slowest: None, fastest: None };
    for (one, run) in lower {
        let row = all.entry(of(one)).or_insert_with_key(blank);
        if row.slowest.as_ref().is_none_or(|known| known.time < run.time) {
            row.slowest = Some(run.clone());
        }
    }
    for (one, run) in upper {
        let row = all.entry(of(one)).or_insert_with_key(blank);
        if row.fastest.as_ref().is_none_or(|known| known.time > run.time) {
            row.fastest = Some(run.clone());
        }
    }
    all.into_values().collect()
}
