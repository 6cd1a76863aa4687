//! The run of a submission: the files it sees, and the verdict of its exit.

use super::job_worker::Worker;
use kopek_base::Bytes;
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{Trial, TrialTask};
use kopek_sandbox::{BoxFile, CapturedOutput, Exec, Exit, Fault, Input, Keep, RunNote, RunResult};
use kopek_sentences::Said;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The longest standard error that is kept, half of it from the beginning.
const MAX_STDERR: usize = 2 << 10;
/// The last words of a runtime are searched in this much of standard error.
const STDERR_SEARCHED: usize = 64 << 10;

/// The run of a submission: the files it sees, and its input.
pub(super) fn submission_exec(
    worker: &Worker,
    task: &TrialTask,
    input: &Path,
    kept: Option<&Path>,
) -> Result<Exec, Fault> {
    let setting = &task.setting;
    let case = &task.case;
    let writable = setting.writable || setting.named_files.is_some();
    let mut exec = if writable || case.files.is_some() {
        let mut exec = worker.exec_at_home(&task.program, &case.args)?;
        exec.view.writable = writable || task.program.build.language.scratch;
        exec
    } else {
        worker.exec_of(&task.program, &case.args)?
    };
    exec.extension = Some(worker.machine.extensions.left(&task.program.blob, exec.limits.wall));
    exec.enough_cpu = setting.limits.cpu;
    exec.files.extend(worker.placed_tree(case.files.as_ref())?);
    match (&setting.named_files, kept) {
        (Some(names), Some(kept)) => {
            exec.files.push(BoxFile::File(PathBuf::from(&names.input), input.to_owned()));
            exec.keep = Keep::Below(PathBuf::new(), kept.to_owned());
        }
        _ => exec.stdin = Input::Path(input.to_owned()),
    }
    Ok(exec)
}

/// The verdict of the exit; accepted so far if the run ended well, however long it took: see [`judge_time`].
pub(super) fn judge_exit(ran: &RunResult, task: &TrialTask) -> Result<Trial, Fault> {
    let limit = task.setting.limits.cpu;
    check_unseen(ran, limit)?;
    let verdict = match Verdict::of_exit(&ran.exit) {
        Some(Verdict::IdleLimit) if ran.usage.cpu > limit => Verdict::TimeLimit,
        Some(Verdict::RunTimeError) if ran_out_of_memory(ran, task)? => Verdict::MemoryLimit,
        Some(verdict) => verdict,
        None => Verdict::Accepted,
    };
    let output = ran.stdout.size().map_err(|e| Fault::new(format!("read the output: {e}")))?;
    let notes = ran.notes.iter().map(run_note).collect();
    let stderr = stderr_ends(&ran.stderr)?;
    Ok(Trial { usage: ran.usage, output, notes, stderr, ..Trial::ended(verdict, ran.exit) })
}

fn run_note(note: &RunNote) -> Said {
    match note {
        RunNote::ProcessLimit => Said::ProcessLimitHit,
        RunNote::ForbiddenCall => Said::ForbiddenCallMade,
        RunNote::NoMemory => Said::KernelStopped,
        RunNote::BoxFull => Said::BoxFull,
        RunNote::LeftProcesses(number) => Said::LeftProcesses { number: *number },
    }
}

/// Whether a run used more CPU time than its limit.
pub(super) fn is_too_slow(trial: &Trial, task: &TrialTask) -> bool {
    trial.usage.cpu > task.setting.limits.cpu
}

/// Applies the time limit to a trial that is accepted otherwise. A run above the limit is repeated, so any other
/// verdict is final: a program that guesses would get several tries.
pub(super) fn judge_time(trial: &mut Trial, task: &TrialTask) {
    if trial.verdict == Verdict::Accepted && is_too_slow(trial, task) {
        trial.verdict = Verdict::TimeLimit;
        trial.score = None;
    }
}

/// Fails if unseen CPU time may put a run above the limit. A run that was stopped at a limit keeps its
/// verdict.
fn check_unseen(ran: &RunResult, limit: Duration) -> Result<(), Fault> {
    let cpu = ran.usage.cpu;
    let max = ran.usage.cpu + ran.unseen;
    if matches!(ran.exit, Exit::Exceeded(_)) || cpu > limit || max <= limit {
        return Ok(());
    }
    Err(Fault::undecided(format!(
        "{:.2} s of CPU time, up to {:.2} s with child processes that ended, at a limit of {} s; only a \
         cgroup counts these: `kopek doctor` says how to get one",
        cpu.as_secs_f64(),
        max.as_secs_f64(),
        limit.as_secs_f64()
    )))
}

/// Whether the language's runtime reports that memory ran out.
fn ran_out_of_memory(ran: &RunResult, task: &TrialTask) -> Result<bool, Fault> {
    let errors =
        ran.stderr.head(STDERR_SEARCHED).map_err(|e| Fault::new(format!("read standard error: {e}")))?;
    Ok(matches!(ran.exit, Exit::Code(_)) && task.program.build.language.ran_out_of_memory(&errors))
}

/// Standard error if it is short; else its beginning and its end, in whole lines.
fn stderr_ends(errors: &CapturedOutput) -> Result<String, Fault> {
    let fault = |e| Fault::new(format!("read standard error: {e}"));
    let size = errors.size().map_err(fault)?.0;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if size <= MAX_STDERR as u64 {
        return Ok(text(errors.head(MAX_STDERR).map_err(fault)?));
    }
    let first = text(errors.head(MAX_STDERR / 2).map_err(fault)?);
    let last = text(errors.tail(MAX_STDERR / 2).map_err(fault)?);
    // A cut line would look like one that the program wrote; only a line longer than everything that is kept
    // is cut.
    let first = first.rsplit_once('\n').map_or(&*first, |(whole, _)| whole);
    let last = last.split_once('\n').map_or(&*last, |(_, whole)| whole);
    let left_out = size.saturating_sub((first.len() + last.len()) as u64);
    Ok(format!("{first}\n… {} left out …\n{last}", Bytes(left_out)))
}
