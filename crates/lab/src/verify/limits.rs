//! The time limit with the room on both sides of it, and the room below the memory limit.
//!
//! The time limit must be several times the slowest run of every submission that bounds it from below. The slowest run
//! of every submission that bounds it from above must exceed it by far.

use super::{
    checked::{Checked, Measure},
    fitting::{Fitting, judge_fitting, unbounded_message},
    judged::JudgedSubmission,
    timing::{Repeats, is_open, repeat_telling_runs, slowest_time, survey_of, timed_submissions},
    verification::{Found, Verification},
};
use anyhow::Result;
use kopek_base::{Bytes, wording::short_seconds};
use kopek_judge::grade::JudgedCohort;
use kopek_package::{
    package::{Format, Level, Message, Package, Place, ProblemLimits, TestSet, TimeBound},
    verdict::Verdict,
};
use kopek_results::{LimitRole, LimitSurvey, MemoryMargin, SurveyedRun, SurveyedSubmission};
use std::time::Duration;

/// The format's own rule: the least multiple of the resolution that leaves enough room for a run.
pub(super) fn rounded_limit(limits: &ProblemLimits, slowest: Duration) -> Duration {
    let steps =
        (slowest.as_secs_f64() * limits.ac_to_time_limit / limits.time_resolution.as_secs_f64()).ceil();
    // At least one step: a run too short to measure still needs a limit.
    limits.time_resolution.mul_f64(steps.max(1.0))
}

/// A limit for a package without one: the least multiple of the resolution that leaves enough room for the slowest
/// run of the submissions that bound it from below.
pub(super) fn propose_limit(bench: &Verification) -> Result<Found<Option<Duration>>> {
    let times = match judge_fitting(bench)? {
        Fitting::Times(times) => times,
        Fitting::Unknown(trouble) => return Ok(Found { value: None, trouble }),
    };
    let limit = rounded_limit(&bench.package.limits, slowest_time(&times.timed).unwrap_or_default());
    let what = format!("no time limit; {} s fits", short_seconds(limit));
    let todo = format!("write {}", line_to_write(bench.package, limit));
    let message = Message::warning("problem.yaml", what).todo(todo);
    Ok(Found { value: Some(limit), trouble: vec![message].into() })
}

/// A limit as its line in the package, and the place of the line.
pub(super) fn line_to_write(package: &Package, limit: Duration) -> String {
    let seconds = short_seconds(limit);
    match package.format {
        Format::V2025_09 => format!("`time_limit: {seconds}` below `limits` in problem.yaml"),
        Format::Legacy => format!("`{seconds}` into `.timelimit`"),
    }
}

/// Measures the submissions against the limit, and checks the room on both sides. `proposed`: the limit is our proposal.
pub(super) fn check_limits(
    bench: &Verification,
    judged: &JudgedCohort,
    seen: &[JudgedSubmission],
    proposed: Option<Duration>,
) -> Result<Checked> {
    let mut checked = Checked::default();
    let Verification { package, tests, .. } = *bench;
    // Submitted outputs take no time.
    let limit = if package.kind.submit_answer { None } else { package.limits.time };
    let Some(limit) = limit else { return Ok(checked) };
    let allowed = limit.div_f64(package.limits.ac_to_time_limit);
    let timed = |side| timed_submissions(bench, seen, &judged.plan.setting, side);
    let mut fitting = timed(TimeBound::Lower);
    // Because machines are noisy, a run that takes too long is measured again.
    let repeats = Repeats { max: usize::MAX, matter: &|run| run.min > allowed };
    repeat_telling_runs(bench, judged, &mut fitting, &repeats, &mut checked.faults)?;
    if bench.engine().is_stopped() {
        // An unmeasured run is neither slow nor fast.
        return Ok(checked);
    }
    // Undecided cases that no claim needs are reported only here.
    for one in seen.iter().filter(|one| is_open(package, tests, one)) {
        let name = &one.submission.name;
        checked.fault(format!("undecided: whether `{name}` is slow enough; verify again"));
    }
    fitting.extend(timed(TimeBound::Upper));
    let mut survey = survey_of(package, tests, &fitting)?;
    if survey.runs_of(LimitRole::MustFit).next().is_none() {
        checked.add(unbounded_message(Level::Warning));
    }
    // A submission that never exceeds the limit breaks its claim, which is reported with the claims.
    let too_slow = survey.runs_of(LimitRole::MustNotFit).filter(|(_, run)| run.is_too_slow());
    let runs = survey.runs_of(LimitRole::MustFit).chain(too_slow);
    checked.messages.extend(limit_messages(package, limit, runs));
    checked.messages.extend(constant_messages(&survey));
    if proposed.is_some() {
        survey.declared = None;
        survey.proposed = proposed;
    }
    checked.measures.push(Measure::Limits(survey));
    Ok(checked)
}

/// The decisive runs of submissions that leave too little room below or above a limit.
pub(super) fn limit_messages<'s>(
    package: &Package,
    limit: Duration,
    runs: impl Iterator<Item = (&'s SurveyedSubmission, &'s SurveyedRun)>,
) -> Vec<Message> {
    let message = |(one, run): (&SurveyedSubmission, &SurveyedRun)| match one.role {
        LimitRole::MustFit => too_slow(package, limit, one, run),
        LimitRole::MustNotFit => too_fast(package, limit, one, run),
        LimitRole::Neutral => None,
    };
    runs.filter_map(message).collect()
}

/// In legacy packages the factors help to find a limit; an existing limit may violate them.
fn margin_level(package: &Package) -> Level {
    match package.format {
        Format::V2025_09 => Level::Error,
        Format::Legacy => Level::Warning,
    }
}

fn too_slow(
    package: &Package,
    limit: Duration,
    one: &SurveyedSubmission,
    run: &SurveyedRun,
) -> Option<Message> {
    let factor = package.limits.ac_to_time_limit;
    if run.min.mul_f64(factor) <= limit {
        return None;
    }
    let what = format!(
        "`{}` takes {:.2} s on {}; the limit of {} s must be {factor} times that, and is {:.2} times",
        one.submission,
        run.min.as_secs_f64(),
        one.case.as_deref()?,
        short_seconds(limit),
        limit.as_secs_f64() / run.min.as_secs_f64()
    );
    let needed = short_seconds(rounded_limit(&package.limits, run.min));
    let todo = format!("set `time_limit: {needed}`, or make the submission faster");
    Some(Message::new(margin_level(package), what).at(Place::new("problem.yaml", None)).todo(todo))
}

fn too_fast(
    package: &Package,
    limit: Duration,
    one: &SurveyedSubmission,
    run: &SurveyedRun,
) -> Option<Message> {
    let factor = package.limits.time_limit_to_tle;
    if run.stopped || run.min >= limit.mul_f64(factor) {
        return None;
    }
    let what = format!(
        "`{}` takes at most {:.2} s (on {}); that must be {factor} times the limit of {} s, and is {:.2} times",
        one.submission,
        run.min.as_secs_f64(),
        one.case.as_deref()?,
        short_seconds(limit),
        run.min.as_secs_f64() / limit.as_secs_f64()
    );
    let todo = "add larger cases, lower the limit, or set `use_for_time_limit: false`";
    Some(Message::new(margin_level(package), what).at(Place::new("problem.yaml", None)).todo(todo))
}

/// Factors closer than this are the same: planted programs showed 5 % beside the known complexity.
const ALIKE: f64 = 1.15;

/// Submissions that must not fit, and whose time grows like that of one that must.
pub(super) fn constant_messages(survey: &LimitSurvey) -> Vec<Message> {
    let mut messages = Vec::new();
    for (one, run) in survey.runs_of(LimitRole::MustNotFit) {
        let Some(growth) = one.growth else { continue };
        let is_alike = |(other, _): &(&SurveyedSubmission, &SurveyedRun)| {
            other.growth.is_some_and(|other| growth.factor <= other.factor * ALIKE)
        };
        let alike = survey.runs_of(LimitRole::MustFit).filter(is_alike);
        let Some((other, other_run)) = alike.max_by_key(|(_, run)| run.min) else { continue };
        let times = run.min.as_secs_f64() / other_run.min.as_secs_f64();
        let stopped = if run.stopped { "at least " } else { "" };
        let what = format!(
            "`{}` is slower than `{}` by a constant ({stopped}{times:.1} times), not by growth ({:.1} times when {} doubles)",
            one.submission, other.submission, growth.factor, growth.measure
        );
        let message = Message::new(Level::Note, what).at(Place::new("problem.yaml", None));
        messages.push(message.todo("check that it is meant to exceed the limit"));
    }
    messages
}

/// In percent of the limit. A higher use is reported, because another machine or a newer compiler may need slightly
/// more.
const NEAR: u64 = 75;

/// Measures the largest use, and finds all submissions near the limit.
pub(super) fn check_memory(bench: &Verification, seen: &[JudgedSubmission]) -> Checked {
    let Verification { package, tests, .. } = *bench;
    let accepted = seen.iter().filter(|one| one.final_verdict() == Some(Verdict::Accepted));
    let margins: Vec<MemoryMargin> =
        accepted.filter_map(|one| max_use(package.limits.memory, tests, one)).collect();
    let messages = margins.iter().filter(|margin| is_near(margin)).map(near_message).collect();
    let largest = margins.into_iter().max_by_key(|margin| margin.used).map(Measure::Memory);
    Checked { messages, measures: largest.into_iter().collect(), ..Checked::default() }
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

fn near_message(margin: &MemoryMargin) -> Message {
    let used = Bytes(margin.used);
    let limit = Bytes(margin.limit);
    let what = format!(
        "`{}` uses {used} of {limit} on {}: more than {NEAR} % of the memory limit",
        margin.submission, margin.case
    );
    let message = Message::warning("problem.yaml", what);
    message.todo("raise `memory` below `limits`, or make the submission use less")
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
        assert!(near_message(&margin(80 << 20)).what.starts_with("`a.cpp` uses 80"));
    }
}
