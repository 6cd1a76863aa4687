//! Every policy of running again, but for pairs with a witness (`timing`).

use crate::{plan::Trial, verdict::Verdict};
use kopek_sandbox::{Exit, Fault, FaultSource};

/// A job that fails by our fault is tried this often.
const TRIES_OF_A_JOB: u32 = 3;

/// Tries a job until it does not fail by our fault, or too often. What stays undecided would stay so at once.
pub(crate) fn retry_faults<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut result = attempt();
    for _ in 1..TRIES_OF_A_JOB {
        if !matches!(&result, Err(fault) if fault.source != FaultSource::Disturbance) {
            break;
        }
        result = attempt();
    }
    result
}

/// How often a run is repeated that other programs may have spoilt.
fn repeats(trial: &Trial) -> usize {
    match trial.verdict {
        // A machine that stood still looks like a program that idles.
        Verdict::IdleLimit => 2,
        // Runtimes that collect memory in a thread beside the program get behind where CPU time is short.
        Verdict::MemoryLimit => 1,
        // A program that kills itself does it every time; a person, or a machine short of memory, hardly does.
        // Twice was too few: a random killer hit one program twice.
        _ if may_be_killed_by_others(&trial.exit) => 3,
        Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::OutputLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::NoProgram => 0,
    }
}

fn may_be_killed_by_others(exit: &Exit) -> bool {
    matches!(exit, Exit::Signal(libc::SIGKILL | libc::SIGTERM))
}

/// Runs a trial; again, a few times, what other programs may have spoilt: one run that they did not spoil counts.
/// `run` is told whether it is a repetition after an idle run or one that used up its memory.
pub(super) fn run_unspoilt(mut run: impl FnMut(bool) -> Result<Trial, Fault>) -> Result<Trial, Fault> {
    let mut runs = vec![run(false)?];
    let again = matches!(runs[0].verdict, Verdict::IdleLimit | Verdict::MemoryLimit);
    for _ in 0..repeats(&runs[0]) {
        runs.push(run(again)?);
        if repeats(&runs[runs.len() - 1]) == 0 {
            break;
        }
    }
    let last = runs.len() - 1;
    if !again {
        return Ok(runs.swap_remove(last));
    }
    let tries = runs.iter().map(|run| run.usage.cpu).collect();
    let try_verdicts: Vec<Verdict> = runs.iter().map(|run| run.verdict).collect();
    let unstable = try_verdicts.iter().any(|verdict| *verdict != try_verdicts[0]);
    Ok(Trial { tries, try_verdicts, unstable, ..runs.swap_remove(last) })
}
