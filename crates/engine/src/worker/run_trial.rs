//! Runs one program on one case and checks its output, pass by pass.

use super::{
    conversation::run_conversation,
    handed_in::check_handed_in,
    hidden_store::hide_store,
    job_worker::Worker,
    output_checker::{check_output, checked_pass},
    passes::{JudgedInPass, Pass, PassDirs, directory, run_passes},
    submission_run::{is_too_slow, judge_exit, judge_time, submission_exec},
};
use crate::machine::WallTime;
use kopek_base::ScratchDir;
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{Checker, Trial, TrialMode, TrialTask};
use kopek_sandbox::{CapturedOutput, Exit, Fault, FaultSource};
use kopek_sentences::Said;
use std::{fs::File, mem, path::Path, time::Instant};

/// Called after every pass of a trial; may use the judge's slot.
pub(super) type OnPass<'a> = dyn FnMut(&mut Worker, &PassDirs, &Pass) -> Result<(), Fault> + 'a;

/// Runs all passes of a trial.
pub(super) fn run_trial(worker: &mut Worker, task: &TrialTask) -> Result<Trial, Fault> {
    run_watched_trial(worker, task, &mut |_, _, _| Ok(()))
}

/// As [`run_trial`]; calls `on_pass` after every pass.
pub(super) fn run_watched_trial(
    worker: &mut Worker,
    task: &TrialTask,
    on_pass: &mut OnPass,
) -> Result<Trial, Fault> {
    let input = worker.path_of(&task.case.input)?;
    let mut is_first = true;
    run_passes(&task.case.name, input, task.setting.mode.most_passes(), |dirs| {
        if !mem::take(&mut is_first) {
            worker.slots.submission.renew_worker();
        }
        let pass = match task.setting.mode {
            TrialMode::HandedIn => check_handed_in(worker, task, dirs)?,
            TrialMode::Alone { .. } => run_alone(worker, task, dirs)?,
            TrialMode::Talk { .. } => run_conversation(worker, task, dirs)?,
        };
        on_pass(worker, dirs, &pass)?;
        Ok(pass)
    })
}

/// Runs one pass: the program, then the check of its output.
fn run_alone(worker: &mut Worker, task: &TrialTask, dirs: &PassDirs) -> Result<Pass, Fault> {
    let kept = task.setting.named_files.as_ref().map(|_| directory()).transpose()?;
    let kept = kept.as_ref().map(ScratchDir::path);
    let mut exec = submission_exec(worker, task, dirs.input, kept)?;
    hide_store(worker, &mut exec, &task.program)?;
    let start = Instant::now();
    let ran = worker.slots.submission.run(&exec);
    let end = ran.as_ref().ok().map(|ran| ran.exit);
    let time = WallTime { limit: exec.limits.wall, taken: start.elapsed() };
    worker.machine.extensions.note(&task.program.blob, time, end);
    let ran = ran?;
    let mut trial = judge_exit(&ran, task)?;
    let output = output(task, ran.stdout, kept)?;
    if trial.verdict != Verdict::Accepted {
        if let (true, Some(output)) = (may_end_badly(&trial, task), &output)
            && check_output(worker, task, dirs, output).is_ok_and(|checked| checked.accepted)
        {
            trial.notes.push(Said::RightOutput);
        }
        let printed = match output {
            Some(output) => JudgedInPass::Unjudged(output),
            None => JudgedInPass::Nothing,
        };
        return Ok(Pass { trial, again: false, judged: printed });
    }
    // A program that does not write its file is wrong; that is not a fault.
    let Some(output) = output else {
        trial.verdict = Verdict::WrongAnswer;
        trial.notes.push(Said::OutputNotWritten);
        return Ok(Pass { trial, again: false, judged: JudgedInPass::Nothing });
    };
    let mut pass = match check_output(worker, task, dirs, &output) {
        Err(fault) if fault.source == FaultSource::TrustedProgram && is_too_slow(&trial, task) => {
            trial.notes.push(Said::AfterThat { fault: fault.to_string() });
            Pass { trial, again: false, judged: JudgedInPass::Unjudged(output) }
        }
        checked => checked_pass(trial, output, checked?),
    };
    judge_time(&mut pass.trial, task);
    pass.again &= pass.trial.verdict == Verdict::Accepted;
    Ok(pass)
}

/// Whether a program may have printed its answer, and then failed at its end: by an exit code alone, or because it read on.
fn may_end_badly(trial: &Trial, task: &TrialTask) -> bool {
    let reads_on = ["EOFError", "NoSuchElementException"].iter().any(|sign| trial.stderr.contains(sign));
    // Programs of the package are asked only about programs that end well.
    let is_compared = matches!(*task.setting.checker, Checker::Default(_));
    is_compared && matches!(trial.exit, Exit::Code(_)) && (trial.stderr.is_empty() || reads_on)
}

/// Standard output, or the named file; `None` if the file was not written.
fn output(
    task: &TrialTask,
    stdout: CapturedOutput,
    kept: Option<&Path>,
) -> Result<Option<CapturedOutput>, Fault> {
    let Some((names, kept)) = task.setting.named_files.as_ref().zip(kept) else {
        return Ok(Some(stdout));
    };
    match File::open(kept.join(&names.output)) {
        Ok(file) => Ok(Some(CapturedOutput::new(file))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::new(format!("read {}: {e}", names.output))),
    }
}
