//! A survey of a package's time limit: measures every submission, applies the rule of the format, and checks whether
//! a limit leaves room on both sides.

use super::{
    checked::Checked,
    examples::judge_with_patience,
    fitting::{FittingTimes, TimedSubmission, judge_fitting, repeat_telling_runs, timed_submissions},
    judged::check_judging,
    limits::{compare_with_limit, rounded_limit},
    timing::{CaseTime, claims_of, run_timeout},
    verification::{OnVerificationStep, Progress, Verification, shared_progress},
};
use anyhow::{Context, Result, bail};
use kopek_base::{files::write_atomic, wording::short_seconds};
use kopek_judge::grade::{GradeSession, check_runnable, lend_cases};
use kopek_package::package::{Format, Package, Submission, TestSet, TimeBound, with_time_limit};
use kopek_results::{LimitRole, LimitSurvey, Measured, Remark, Section, SurveyedRun, SurveyedSubmission};
use std::time::Duration;

/// The input of a survey.
pub struct LimitRequest<'a> {
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub session: &'a GradeSession<'a>,
}

/// Measures all submissions and proposes a limit.
pub fn survey_limits(request: &LimitRequest, on_step: &mut OnVerificationStep) -> Result<LimitSurvey> {
    let mut verified = Checked::default();
    let progress = shared_progress(on_step);
    let bench = request.verification(&progress)?;
    let fitting = measure_fitting(&bench, &mut verified)?;
    let complete = verified.messages.is_empty() && verified.faults.is_empty();
    let limits = &request.package.limits;
    let proposed = match slowest_run(request.tests, &fitting) {
        Some(run) if complete => Some(rounded_limit(limits, run.time)),
        Some(_) | None => None,
    };
    let mut package = request.package.clone();
    // The greater of both: a run must be long enough to exceed either.
    package.limits.time = proposed.max(limits.time).or(limits.time);
    let mut submissions: Vec<_> =
        fitting.iter().map(|one| surveyed(&package, request.tests, one, LimitRole::MustFit)).collect();
    if package.limits.time.is_some() && !request.session.engine.is_stopped() {
        let bench = Verification { package: &package, ..bench };
        submissions.extend(survey_others(&bench, &mut verified)?);
    }
    if request.session.engine.is_stopped() {
        verified.fault("interrupted before everything was measured");
    }
    submissions.sort_by_key(|one| (one.role, std::cmp::Reverse(one.run.map(|run| run.min))));
    let mut survey = LimitSurvey {
        fits: false,
        written: false,
        package: package.name.clone(),
        declared: limits.time,
        proposed,
        ac_to_time_limit: limits.ac_to_time_limit,
        time_limit_to_tle: limits.time_limit_to_tle,
        resolution: limits.time_resolution,
        submissions,
        remarks: vec![],
        faults: vec![],
    };
    if let Some(limit) = limits.time.or(proposed) {
        let runs = |role| survey.runs_of(role).map(|(one, run)| measured(one, run)).collect();
        let lower: Vec<Measured> = runs(LimitRole::MustFit);
        let upper: Vec<Measured> = runs(LimitRole::MustNotFit);
        verified.messages.extend(compare_with_limit(request.package, limit, &lower, &upper));
    }
    survey.fits = survey.declared.is_some() && verified.messages.is_empty() && verified.faults.is_empty();
    let remark = |finding| Remark { section: Section::Limits, finding, also: vec![] };
    survey.remarks = verified.messages.into_iter().map(remark).collect();
    survey.faults = verified.faults;
    Ok(survey)
}

impl<'a> LimitRequest<'a> {
    fn verification(&self, progress: &'a Progress) -> Result<Verification<'a>> {
        check_runnable(self.package)?;
        if self.package.kind.submit_answer {
            bail!("{}: a submit-answer problem has no time limit", self.package.name);
        }
        let data = lend_cases(self.session.engine.store(), self.package, self.tests)?;
        Ok(Verification { package: self.package, tests: self.tests, session: self.session, data, progress })
    }
}

/// The submissions that must fit, each with its slowest run measured again. Missing ones were reported.
fn measure_fitting<'a>(bench: &Verification<'a>, verified: &mut Checked) -> Result<Vec<TimedSubmission<'a>>> {
    let FittingTimes { judged, mut timed } = match judge_fitting(bench)? {
        Ok(times) => times,
        Err(why) => {
            verified.append(why.into());
            return Ok(vec![]);
        }
    };
    verified.append(check_judging(&judged));
    for one in &timed {
        if let Some(why) = &one.unmeasured {
            verified.fault(format!("`{}` must fit the limit, but {why}", one.submission.name));
        }
    }
    // A submission that fits into the least limit fits into every one.
    let limits = &bench.package.limits;
    let matters = |time| rounded_limit(limits, time) > limits.time_resolution;
    repeat_telling_runs(bench, &judged, &mut timed, &matters, &mut verified.faults)?;
    Ok(timed)
}

/// Measures all others, and those that must fit in some groups only.
fn survey_others(bench: &Verification, verified: &mut Checked) -> Result<Vec<SurveyedSubmission>> {
    let has_bound = |one: &Submission, bound| claims_of(bench.package, one, bound).next().is_some();
    let is_other = |one: &&Submission| !has_bound(one, TimeBound::Lower) || has_bound(one, TimeBound::Upper);
    let others: Vec<_> = bench.package.submissions.iter().filter(is_other).collect();
    if others.is_empty() {
        return Ok(vec![]);
    }
    let patience = run_timeout(bench.package).unwrap_or_default();
    let judged = judge_with_patience(bench, patience, &others)?;
    verified.append(check_judging(&judged));
    let mut timed = timed_submissions(bench, &others, &judged, TimeBound::Upper);
    repeat_telling_runs(bench, &judged, &mut timed, &|_| true, &mut verified.faults)?;
    let surveyed = |one: &TimedSubmission| {
        let role = if one.claimed.is_empty() { LimitRole::Neutral } else { LimitRole::MustNotFit };
        surveyed(bench.package, bench.tests, one, role)
    };
    Ok(timed.iter().map(surveyed).collect())
}

fn surveyed(
    package: &Package,
    tests: &TestSet,
    one: &TimedSubmission,
    role: LimitRole,
) -> SurveyedSubmission {
    let slowest = || one.times.iter().max_by_key(|(_, time)| time.min).map(|(case, _)| *case);
    let case = match role {
        LimitRole::MustFit | LimitRole::MustNotFit => one.telling_case(),
        LimitRole::Neutral => slowest(),
    };
    let time = case.map(|case| one.times[&case]);
    let only = cases_of_role(package, one.submission, role);
    SurveyedSubmission {
        submission: one.submission.name.clone(),
        language: one.language.clone(),
        verdict: if only.is_some() { time.map(|time| time.verdict) } else { one.verdict },
        only,
        role,
        case: case.map(|case| tests.cases[case].name.clone()),
        run: time.map(|CaseTime { min, most, tries, stopped, .. }| SurveyedRun { min, most, tries, stopped }),
        unmeasured: one.unmeasured.clone(),
    }
}

/// The cases that must fit, or must not, of a submission that has both; `None` if it has one role.
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

fn measured(one: &SurveyedSubmission, run: &SurveyedRun) -> Measured {
    Measured {
        submission: one.submission.clone(),
        case: one.case.clone().unwrap_or_default(),
        time: run.min,
        stopped: run.stopped,
    }
}

fn slowest_run(tests: &TestSet, timed: &[TimedSubmission]) -> Option<Measured> {
    let runs = timed.iter().filter_map(|one| Some((one, one.telling_case()?, one.telling_time()?)));
    let (one, case, time) = runs.max_by_key(|(_, _, time)| time.min)?;
    Some(Measured {
        submission: one.submission.name.clone(),
        case: tests.cases[case].name.clone(),
        time: time.min,
        stopped: time.stopped,
    })
}

/// The effect on `problem.yaml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitWritten {
    /// It has this new limit.
    Written(Duration),
    /// It had this limit before.
    Unchanged(Duration),
}

/// Writes the limit of a survey into `problem.yaml` and leaves the rest of the file unchanged. Refuses a limit from
/// an incomplete measurement.
pub fn write_limit(package: &Package, survey: &LimitSurvey) -> Result<LimitWritten> {
    let name = &package.name;
    if !survey.faults.is_empty() {
        bail!("{name}: --write: not everything was measured, so problem.yaml is unchanged");
    }
    let Some(limit) = survey.proposed else {
        bail!("{name}: --write: no limit to write, so problem.yaml is unchanged");
    };
    if package.format == Format::Legacy {
        let number = short_seconds(limit);
        bail!(
            "{name}: --write: problem.yaml of the legacy format has no time limit; write {number} into `.timelimit`"
        );
    }
    if package.limits.time == Some(limit) {
        return Ok(LimitWritten::Unchanged(limit));
    }
    let path = package.dir.join("problem.yaml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let edited = with_time_limit(&text, &short_seconds(limit))
        .map_err(|todo| anyhow::anyhow!("edit {}: {todo}", path.display()))?;
    write_atomic(&path, edited.as_bytes())?;
    Ok(LimitWritten::Written(limit))
}
