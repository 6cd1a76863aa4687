//! The time of a program on a case, measured several times.

use super::verification::{OnVerificationStep, VerificationStep};
use anyhow::Result;
use kopek_engine::{
    exec::KnownFacts,
    plan::{Job, Outcome, Setting, Task, Trial},
    verdict::{Class, Verdict},
};
use kopek_judge::grade::{GradeEvent, GradeSession, JudgedCohort};
use kopek_sandbox::Fault;
use std::time::Duration;

/// The time of a submission on a case.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaseTime {
    pub verdict: Verdict,
    pub least: Duration,
    pub most: Duration,
    pub tries: usize,
    /// Whether it was stopped at that time, and would take longer.
    pub stopped: bool,
}

impl CaseTime {
    pub(super) fn of_trial(trial: &Trial, setting: &Setting) -> CaseTime {
        let time = run_time(trial);
        let tries = trial.tries.iter().copied();
        // Slightly below the stop, because programs are not stopped to the nanosecond.
        let stopped = trial.verdict.class() == Some(Class::Tle) && time >= setting.stop.mul_f64(0.985);
        CaseTime {
            verdict: trial.verdict,
            least: time,
            most: tries.max().unwrap_or(time).max(time),
            tries: trial.tries.len().max(1),
            stopped,
        }
    }

    /// Combines two measurements.
    pub(super) fn with(self, other: CaseTime) -> CaseTime {
        CaseTime {
            verdict: self.verdict,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            tries: self.tries + other.tries,
            stopped: self.stopped && other.stopped,
        }
    }
}

/// CPU time, or wall time for a program that slept.
pub(super) fn run_time(trial: &Trial) -> Duration {
    if trial.verdict == Verdict::IdleLimit { trial.usage.wall.max(trial.usage.cpu) } else { trial.usage.cpu }
}

/// How often a relevant run is repeated.
const TIMED_RUNS: u32 = 3;

/// Repeats a run of a row on a case while no other program runs; `None`: interrupted.
pub(super) fn time_again(
    session: &GradeSession,
    judged: &JudgedCohort,
    row: usize,
    case: usize,
    tell: &mut OnVerificationStep,
) -> Result<Option<Result<CaseTime, Fault>>> {
    let (_, program) = judged.runnable_program(row).expect("a row that was run has a program");
    let mut all: Option<CaseTime> = None;
    tell(VerificationStep::Judging(GradeEvent::Wave { what: "again", jobs: TIMED_RUNS as usize, known: 0 }));
    for _ in 0..TIMED_RUNS {
        let job = Job::new(Task::Trial(judged.plan.trial(&program, case)));
        let result =
            session.engine.run_all(vec![job], KnownFacts::Ignore, &mut |_, _| Ok(()))?.pop().flatten();
        match result {
            Some(Ok(Outcome::Trial(trial))) => {
                tell(VerificationStep::Judging(GradeEvent::Tried {
                    name: &program.name,
                    verdict: trial.verdict,
                }));
                let time = CaseTime::of_trial(&trial, &judged.plan.setting);
                all = Some(all.map_or(time, |known| known.with(time)));
            }
            Some(Ok(other)) => unreachable!("a trial job has a trial outcome, not {other:?}"),
            Some(Err(fault)) => return Ok(Some(Err(fault))),
            None => return Ok(None),
        }
    }
    Ok(all.map(Ok))
}
