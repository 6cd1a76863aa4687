//! The time limit with the room on both sides of it, and the room below the memory limit.
//!
//! The time limit must be several times the slowest run of every submission that bounds it from below. The slowest run
//! of every submission that bounds it from above must exceed it by far.

use super::{
    fitting::{Unmeasured, judge_fitting, unbounded_remark},
    judged::JudgedSubmission,
    timing::{allowed_time, confirmed_slowest, exceeding_run, is_open},
    verification::{OnVerificationStep, Verification},
};
use anyhow::Result;
use kopek_base::{Bytes, wording::short_seconds};
use kopek_judge::grade::JudgedCohort;
use kopek_package::{
    package::{Format, Level, Package, ProblemLimits, TestSet},
    verdict::Verdict,
};
use kopek_results::{LanguageMargins, Margins, Measured, MemoryMargin, Remark, Section, Verified};
use std::{collections::BTreeMap, time::Duration};

/// The format's own rule: the least multiple of the resolution that leaves enough room for a run.
pub(super) fn rounded_limit(limits: &ProblemLimits, slowest: Duration) -> Duration {
    let steps =
        (slowest.as_secs_f64() * limits.ac_to_time_limit / limits.time_resolution.as_secs_f64()).ceil();
    // At least one step: a run too short to measure still needs a limit.
    limits.time_resolution.mul_f64(steps.max(1.0))
}

/// A limit for a package without one: the least multiple of the resolution that leaves enough room for the slowest
/// run of the submissions that bound it from below.
pub(super) fn propose_limit(
    bench: &Verification,
    verified: &mut Verified,
    on_step: &mut OnVerificationStep,
) -> Result<Result<Duration, Unmeasured>> {
    let times = match judge_fitting(bench, on_step)? {
        Ok(times) => times,
        Err(why) => return Ok(Err(why)),
    };
    let slowest = times.timed.iter().filter_map(|one| Some(one.telling_time()?.min)).max();
    let limit = rounded_limit(&bench.package.limits, slowest.unwrap_or_default());
    let what = format!("no time limit; {} s fits", short_seconds(limit));
    let remark = Remark::new(Section::Limits, Level::Warning, what).at("problem.yaml");
    verified.add(
        remark.todo(format!("write `time_limit: {}` below `limits` in problem.yaml", short_seconds(limit))),
    );
    Ok(Ok(limit))
}

/// Checks both margins and adds their table.
pub(super) fn check_margins(
    bench: &Verification,
    judged: &JudgedCohort,
    seen: &[JudgedSubmission],
    verified: &mut Verified,
    on_step: &mut OnVerificationStep,
) -> Result<()> {
    let Verification { package, tests, .. } = *bench;
    let Some(limit) = package.limits.time else { return Ok(()) };
    let allowed = allowed_time(&package.limits, limit);
    let mut lower: Vec<(&JudgedSubmission, Measured)> = Vec::new();
    for one in seen {
        if let Some(run) = confirmed_slowest(bench, judged, one, allowed, verified, on_step)? {
            lower.push((one, run));
        }
    }
    if bench.engine().is_stopped() {
        // An unmeasured run is neither slow nor fast.
        return Ok(());
    }
    // Undecided cases that no claim needs are reported only here.
    for one in seen.iter().filter(|one| is_open(package, tests, one)) {
        let name = &one.submission.name;
        verified.fault(format!("undecided: whether `{name}` is slow enough; verify again"));
    }
    let upper: Vec<(&JudgedSubmission, Measured)> =
        seen.iter().filter_map(|one| Some((one, exceeding_run(package, tests, one)?))).collect();
    if lower.is_empty() {
        verified.add(unbounded_remark(Level::Warning));
    }
    let runs =
        |runs: &[(&JudgedSubmission, Measured)]| runs.iter().map(|(_, run)| run.clone()).collect::<Vec<_>>();
    compare_with_limit(package, limit, &runs(&lower), &runs(&upper), verified);
    let limits = &package.limits;
    verified.margins = Some(Margins {
        limit,
        proposed: false,
        ac_to_time_limit: limits.ac_to_time_limit,
        time_limit_to_tle: limits.time_limit_to_tle,
        languages: by_language(&lower, &upper),
    });
    Ok(())
}

/// Reports runs that leave too little room below and above a limit.
pub(super) fn compare_with_limit(
    package: &Package,
    limit: Duration,
    lower: &[Measured],
    upper: &[Measured],
    verified: &mut Verified,
) {
    for run in lower {
        verified.remarks.extend(too_slow(package, limit, run));
    }
    for run in upper {
        verified.remarks.extend(too_fast(package, limit, run));
    }
}

/// In legacy packages the factors help to find a limit; an existing limit may violate them.
fn margin_level(package: &Package) -> Level {
    match package.format {
        Format::V2025_09 => Level::Error,
        Format::Legacy => Level::Warning,
    }
}

fn too_slow(package: &Package, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = package.limits.ac_to_time_limit;
    if run.time.mul_f64(factor) <= limit {
        return None;
    }
    let what = format!(
        "`{}` takes {:.2} s on {}; the limit of {} s must be {factor} times that, and is {:.2} times",
        run.submission,
        run.time.as_secs_f64(),
        run.case,
        short_seconds(limit),
        limit.as_secs_f64() / run.time.as_secs_f64()
    );
    let needed = short_seconds(rounded_limit(&package.limits, run.time));
    let todo = format!("set `time_limit: {needed}`, or make the submission faster");
    Some(Remark::new(Section::Limits, margin_level(package), what).at("problem.yaml").todo(todo))
}

fn too_fast(package: &Package, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = package.limits.time_limit_to_tle;
    if run.stopped || run.time >= limit.mul_f64(factor) {
        return None;
    }
    let what = format!(
        "`{}` takes at most {:.2} s (on {}); that must be {factor} times the limit of {} s, and is {:.2} times",
        run.submission,
        run.time.as_secs_f64(),
        run.case,
        short_seconds(limit),
        run.time.as_secs_f64() / limit.as_secs_f64()
    );
    let todo = "add larger cases, lower the limit, or set `use_for_time_limit: false`";
    Some(Remark::new(Section::Limits, margin_level(package), what).at("problem.yaml").todo(todo))
}

fn by_language(
    lower: &[(&JudgedSubmission, Measured)],
    upper: &[(&JudgedSubmission, Measured)],
) -> Vec<LanguageMargins> {
    let mut all: BTreeMap<String, LanguageMargins> = BTreeMap::new();
    let of = |one: &JudgedSubmission| one.language.unwrap_or("?").to_owned();
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

/// In percent of the limit. A higher use is reported, because another machine or a newer compiler may need slightly
/// more.
const NEAR: u64 = 75;

/// Finds the largest use, and reports all submissions near the limit.
pub(super) fn check_memory(
    limit: Bytes,
    tests: &TestSet,
    seen: &[JudgedSubmission],
    verified: &mut Verified,
) {
    let accepted = seen.iter().filter(|one| one.final_verdict() == Some(Verdict::Accepted));
    let margins: Vec<MemoryMargin> = accepted.filter_map(|one| max_use(limit, tests, one)).collect();
    verified.remarks.extend(margins.iter().filter(|margin| is_near(margin)).map(near_remark));
    verified.memory = margins.into_iter().max_by_key(|margin| margin.used);
}

fn max_use(limit: Bytes, tests: &TestSet, one: &JudgedSubmission) -> Option<MemoryMargin> {
    let (case, trial) = one.trials()?.iter().max_by_key(|(_, trial)| trial.usage.memory)?;
    Some(MemoryMargin {
        limit: limit.0,
        used: trial.usage.memory.0,
        submission: one.submission.name.clone(),
        case: tests.cases[*case].name.clone(),
    })
}

fn is_near(margin: &MemoryMargin) -> bool {
    u128::from(margin.used) * 100 > u128::from(margin.limit) * u128::from(NEAR)
}

fn near_remark(margin: &MemoryMargin) -> Remark {
    let used = Bytes(margin.used);
    let limit = Bytes(margin.limit);
    let what = format!(
        "`{}` uses {used} of {limit} on {}: more than {NEAR} % of the memory limit",
        margin.submission, margin.case
    );
    let remark = Remark::new(Section::Limits, Level::Warning, what).at("problem.yaml");
    remark.todo("raise `memory` below `limits`, or make the submission use less")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_limit_are_near() {
        let margin =
            |used| MemoryMargin { limit: 100 << 20, used, submission: "a.cpp".into(), case: "1".into() };
        assert!(!is_near(&margin(75 << 20)));
        assert!(is_near(&margin((75 << 20) + 1)));
        assert!(near_remark(&margin(80 << 20)).finding.what.starts_with("`a.cpp` uses 80"));
    }
}
