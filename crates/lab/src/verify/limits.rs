//! The time limit and the room on both sides of it.
//!
//! The limit must be several times the slowest run of every submission that bounds it from below. The slowest run of
//! every submission that bounds it from above must exceed it by far.

use super::{
    fitting::{judge_fitting, unbounded_remark},
    judged::JudgedSubmission,
    limit_rule::rounded_limit,
    measures::{LanguageMargins, Margins, Measured},
    remarks::{Level, Remark, Section},
    timing::{SlowRunCheck, allowed_time, exceeding_run, is_open},
    verification::{OnVerificationStep, Verification},
    verified::Verified,
};
use anyhow::Result;
use kopek_base::wording::short_seconds;
use kopek_judge::grade::{GradeSession, JudgedCohort};
use std::{collections::BTreeMap, time::Duration};

/// A limit for a package without one: the least multiple of the resolution that leaves enough room for the slowest
/// run of the submissions that bound it from below.
pub(super) fn propose_limit(
    bench: &Verification,
    session: &GradeSession,
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<Option<Duration>> {
    let Some((_, timed)) = judge_fitting(bench, session, verified, tell)? else { return Ok(None) };
    let slowest = timed.iter().filter_map(|one| one.telling_time()).map(|time| time.least).max();
    let limit = rounded_limit(&bench.package.limits, slowest.unwrap_or_default());
    let what = format!("no time limit; {} s fits", short_seconds(limit));
    let remark = Remark::new(Section::Limits, Level::Warning, what).at("problem.yaml");
    verified.add(
        remark.todo(format!("write `time_limit: {}` below `limits` in problem.yaml", short_seconds(limit))),
    );
    Ok(Some(limit))
}

/// Checks both margins and adds their table.
pub(super) fn check_margins(
    bench: &Verification,
    session: &GradeSession,
    judged: &JudgedCohort,
    seen: &[JudgedSubmission],
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<()> {
    let (Some(limit), Some(allowed)) = (bench.package.limits.time, allowed_time(bench.package)) else {
        return Ok(());
    };
    let mut lower: Vec<(&JudgedSubmission, Measured)> = Vec::new();
    let slow_runs = SlowRunCheck { bench, session, judged, allowed };
    for one in seen {
        lower.extend(slow_runs.confirmed_slowest(one, verified, tell)?.map(|run| (one, run)));
    }
    if bench.engine.is_stopped() {
        // An unmeasured run is neither slow nor fast.
        return Ok(());
    }
    // Undecided cases that no claim needs are reported only here.
    for one in seen.iter().filter(|one| is_open(bench, one)) {
        let name = &one.submission.name;
        verified.fault(format!("undecided: whether `{name}` is slow enough; verify again"));
    }
    let upper: Vec<(&JudgedSubmission, Measured)> =
        seen.iter().filter_map(|one| Some((one, exceeding_run(bench, one)?))).collect();
    if lower.is_empty() {
        verified.add(unbounded_remark(Level::Warning));
    }
    let runs =
        |runs: &[(&JudgedSubmission, Measured)]| runs.iter().map(|(_, run)| run.clone()).collect::<Vec<_>>();
    compare_with_limit(bench, limit, &runs(&lower), &runs(&upper), verified);
    let limits = &bench.package.limits;
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
    bench: &Verification,
    limit: Duration,
    lower: &[Measured],
    upper: &[Measured],
    verified: &mut Verified,
) {
    let level = margin_level(bench);
    for run in lower {
        verified.remarks.extend(too_slow(bench, limit, run).map(|remark| Remark { level, ..remark }));
    }
    for run in upper {
        verified.remarks.extend(too_fast(bench, limit, run).map(|remark| Remark { level, ..remark }));
    }
}

/// In legacy packages the factors help to find a limit; an existing limit may violate them.
fn margin_level(bench: &Verification) -> Level {
    match bench.package.format {
        kopek_engine::package::Format::V2025_09 => Level::Error,
        kopek_engine::package::Format::Legacy => Level::Warning,
    }
}

fn too_slow(bench: &Verification, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = bench.package.limits.ac_to_time_limit;
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
    let needed = short_seconds(rounded_limit(&bench.package.limits, run.time));
    let todo = format!("set `time_limit: {needed}`, or make the submission faster");
    Some(Remark::new(Section::Limits, Level::Error, what).at("problem.yaml").todo(todo))
}

fn too_fast(bench: &Verification, limit: Duration, run: &Measured) -> Option<Remark> {
    let factor = bench.package.limits.time_limit_to_tle;
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
    Some(Remark::new(Section::Limits, Level::Error, what).at("problem.yaml").todo(todo))
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
