//! A survey of a package's time limit: measures every submission, applies the rule of the format, and checks whether
//! a limit leaves room on both sides.

use super::{
    checked::Checked,
    examples::judge_with_patience,
    fitting::{Fitting, FittingTimes, judge_fitting},
    judged::{check_judging, judged_submissions},
    limits::{constant_messages, limit_messages, line_to_write, rounded_limit},
    timing::{
        Repeats, TimedSubmission, is_on_side, repeat_telling_runs, run_timeout, slowest_time, survey_of,
        timed_submissions,
    },
    verification::{OnVerificationStep, Progress, Verification, shared_progress},
};
use anyhow::{Result, bail};
use kopek_judge::grade::{GradeSession, check_runnable, lend_cases};
use kopek_package::package::{Level, Message, Package, TestSet, TimeBound};
use kopek_results::{LimitReport, LimitSurvey, Remark, Section, SurveyedRun};
use std::cmp::Reverse;

/// How many cases of a submission are measured again.
const MAX_REPEATED: usize = 3;

/// The input of a survey.
pub struct LimitRequest<'a> {
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub session: &'a GradeSession<'a>,
}

/// Measures all submissions and proposes a limit.
pub fn survey_limits(request: &LimitRequest, on_step: &mut OnVerificationStep) -> Result<LimitReport> {
    let LimitRequest { package, tests, session } = *request;
    let mut checked = Checked::default();
    let progress = shared_progress(on_step);
    let bench = request.verification(&progress)?;
    let fitting = measure_fitting(&bench, &mut checked)?;
    let complete = checked.messages.is_empty() && checked.faults.is_empty();
    let slowest = slowest_time(&fitting).filter(|_| complete);
    let proposed = slowest.map(|time| rounded_limit(&package.limits, time));
    let mut timed = fitting;
    let mut stopping = package.clone();
    // The greater of both: a run must be long enough to exceed either.
    stopping.limits.time = proposed.max(package.limits.time);
    if stopping.limits.time.is_some() && !session.engine.is_stopped() {
        timed.extend(measure_others(&Verification { package: &stopping, ..bench }, &mut checked)?);
    }
    if session.engine.is_stopped() {
        checked.fault("interrupted before everything was measured");
    }
    let mut survey = survey_of(package, tests, &timed)?;
    survey.proposed = proposed;
    survey.submissions.sort_by_key(|one| (one.role, Reverse(one.run.map(|run| run.min))));
    if let Some(limit) = survey.limit() {
        let runs = survey.submissions.iter().filter_map(|one| Some((one, one.run.as_ref()?)));
        checked.messages.extend(limit_messages(package, limit, runs));
        checked.messages.extend(constant_messages(&survey));
    }
    Ok(limit_report(package, survey, checked))
}

fn limit_report(package: &Package, survey: LimitSurvey, checked: Checked) -> LimitReport {
    let Checked { messages, faults, .. } = checked;
    let is_note = |message: &Message| message.level == Level::Note;
    let new = survey.proposed.filter(|_| faults.is_empty() && survey.proposed != survey.declared);
    LimitReport {
        fits: survey.declared.is_some() && faults.is_empty() && messages.iter().all(is_note),
        to_write: new.map(|limit| line_to_write(package, limit)),
        package: package.name.clone(),
        survey,
        remarks: messages.into_iter().map(|message| Remark::new(Section::Limits, message)).collect(),
        faults,
    }
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

/// The submissions that must fit, each with its slowest run measured again. Adds why some are missing.
fn measure_fitting(bench: &Verification, checked: &mut Checked) -> Result<Vec<TimedSubmission>> {
    let FittingTimes { judged, mut timed } = match judge_fitting(bench)? {
        Fitting::Times(times) => times,
        Fitting::Unknown(why) => {
            checked.append(why);
            return Ok(vec![]);
        }
    };
    checked.append(check_judging(&judged));
    for one in &timed {
        if let Some(why) = &one.untimed.unmeasured {
            checked.fault(format!("`{}` must fit the limit, but {why}", one.untimed.submission));
        }
    }
    // A submission that fits into the least limit fits into every one.
    let limits = &bench.package.limits;
    let matter = |run: &SurveyedRun| !run.stopped && rounded_limit(limits, run.min) > limits.time_resolution;
    let repeats = Repeats { max: MAX_REPEATED, matter: &matter };
    repeat_telling_runs(bench, &judged, &mut timed, &repeats, &mut checked.faults)?;
    Ok(timed)
}

/// All others, and those that must fit in some groups only.
fn measure_others(bench: &Verification, checked: &mut Checked) -> Result<Vec<TimedSubmission>> {
    let all = bench.package.submissions.iter();
    let others: Vec<_> = all.filter(|one| is_on_side(bench.package, one, TimeBound::Upper)).collect();
    if others.is_empty() {
        return Ok(vec![]);
    }
    let judged = judge_with_patience(bench, run_timeout(bench.package).unwrap_or_default(), &others)?;
    checked.append(check_judging(&judged));
    let seen = judged_submissions(&others, &judged);
    let mut timed = timed_submissions(bench, &seen, &judged.plan.setting, TimeBound::Upper);
    let repeats = Repeats { max: MAX_REPEATED, matter: &|run| !run.stopped };
    repeat_telling_runs(bench, &judged, &mut timed, &repeats, &mut checked.faults)?;
    Ok(timed)
}
