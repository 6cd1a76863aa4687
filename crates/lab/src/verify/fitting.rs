//! The times of submissions that must fit into the time limit, independent of the current limit: they are judged with
//! enough room.

use super::{
    checked::Checked,
    judged::judged_submissions,
    timing::{TimedSubmission, is_on_side, run_timeout, timed_submissions},
    verification::Verification,
};
use anyhow::Result;
use kopek_judge::grade::{GradeSession, JudgedCohort, NamedFault};
use kopek_package::package::{Level, Message, Place, Submission, TimeBound};
use std::time::Duration;

/// The time limit of submissions while a limit is determined.
const PROVISIONAL: Duration = Duration::from_secs(10);

/// The submissions that must fit, with their times.
pub(super) struct FittingTimes {
    pub judged: JudgedCohort,
    pub timed: Vec<TimedSubmission>,
}

pub(super) enum Fitting {
    Times(FittingTimes),
    /// Why they have no times; nothing if it was interrupted.
    Unknown(Checked),
}

/// Judges submissions that must fit, with enough room to measure them.
pub(super) fn judge_fitting(bench: &Verification) -> Result<Fitting> {
    let all = bench.package.submissions.iter();
    let fitting: Vec<&Submission> =
        all.filter(|one| is_on_side(bench.package, one, TimeBound::Lower)).collect();
    if fitting.is_empty() {
        return Ok(Fitting::Unknown(vec![unbounded_message(Level::Error)].into()));
    }
    // First with the limit of the package: these facts are known if the package was verified. Runs that are undecided
    // or stopped there may end with more room.
    if let Some(limit) = bench.package.limits.time
        && let Fitting::Times(times) = fitting_times(bench, limit, &fitting)?
    {
        return Ok(Fitting::Times(times));
    }
    let provisional = match bench.package.limits.time {
        Some(limit) => PROVISIONAL.max(limit * 4),
        None => PROVISIONAL,
    };
    fitting_times(bench, provisional, &fitting)
}

fn fitting_times(bench: &Verification, limit: Duration, fitting: &[&Submission]) -> Result<Fitting> {
    let judged = judge_with(bench, limit, fitting)?;
    if bench.engine().is_stopped() {
        // An unmeasured run is neither slow nor fast.
        return Ok(Fitting::Unknown(Checked::default()));
    }
    if let Some(NamedFault { what, fault }) = judged.failures().first() {
        let why = "no time limit proposed, because a run that it depends on was not judged";
        let faults = vec![format!("{why}: {what}: {fault}")];
        return Ok(Fitting::Unknown(Checked { faults, ..Checked::default() }));
    }
    let seen = judged_submissions(fitting, &judged);
    let timed = timed_submissions(bench, &seen, &judged.plan.setting, TimeBound::Lower);
    Ok(match timed.iter().find(|one| one.telling_run().is_some_and(|run| run.stopped)) {
        Some(one) => Fitting::Unknown(vec![endless_message(&one.untimed.submission, limit)].into()),
        None => Fitting::Times(FittingTimes { judged, timed }),
    })
}

pub(super) fn unbounded_message(level: Level) -> Message {
    let what = "no submission gives the time limit a lower bound";
    let message = Message::new(level, what).at(Place::new("submissions", None));
    message.todo("add a correct solution to submissions/accepted/")
}

fn judge_with(bench: &Verification, limit: Duration, submissions: &[&Submission]) -> Result<JudgedCohort> {
    let package = bench.package;
    let timeout = if package.limits.time == Some(limit) { run_timeout(package) } else { None };
    let session = GradeSession { time_limit: Some(limit), ..*bench.session };
    bench.judge(&session, timeout.unwrap_or_default(), submissions)
}

fn endless_message(name: &str, limit: Duration) -> Message {
    let limit = limit.as_secs_f64();
    let what = format!("`{name}` must fit the time limit, but takes more than {limit} s");
    let todo = "make it faster, or set `use_for_time_limit: false` for it";
    Message::error(format!("submissions/{name}"), what).todo(todo)
}
