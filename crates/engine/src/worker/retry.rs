//! All retry policies except pairs with a witness (`timing`).

use kopek_package::verdict::Verdict;
use kopek_plan::plan::Trial;
use kopek_sandbox::{Exit, Fault, FaultSource, Limit, Limits, RunResult};

/// A job that ends in a fault is tried this often.
const TRIES_OF_A_JOB: u32 = 3;

/// Retries a job until it ends without a fault, or too often. An undecided job is not retried: it would be
/// undecided again at once.
pub(crate) fn retry_faults<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut result = attempt();
    for _ in 1..TRIES_OF_A_JOB {
        match &result {
            Err(fault) if fault.source != FaultSource::Undecided => {}
            Ok(_) | Err(_) => break,
        }
        result = attempt();
    }
    result
}

/// Fails if a program was stopped while it waited. A machine that stands still looks the same, so this says nothing
/// about what the program was given.
pub(super) fn check_not_stalled(ran: &RunResult, who: &str, limits: &Limits) -> Result<(), Fault> {
    if ran.exit != Exit::Exceeded(Limit::Wall) {
        return Ok(());
    }
    let (end, used) = (ran.exit.in_words(limits), ran.usage.cpu.as_secs_f64());
    Err(Fault::undecided(format!(
        "{who} {end} and used {used:.1} s of CPU time: this machine stood still, or the program waits; run again"
    )))
}

/// How many times to repeat a run that other programs may have disturbed.
fn repeats(trial: &Trial) -> usize {
    match trial.verdict {
        // On a machine that stood still, any program looks idle.
        Verdict::IdleLimit => 2,
        // Runtimes that collect garbage in a second thread fall behind when CPU time is short.
        Verdict::MemoryLimit => 1,
        // A program that kills itself does so every time; a person, or a machine short of memory, hardly
        // does. Two repetitions were too few: a random killer hit one program twice.
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

/// Runs a trial, and repeats it a few times if other programs may have disturbed it. One undisturbed run
/// counts.
pub(super) fn run_unspoilt(mut run: impl FnMut() -> Result<Trial, Fault>) -> Result<Trial, Fault> {
    let mut runs = vec![run()?];
    let again = matches!(runs[0].verdict, Verdict::IdleLimit | Verdict::MemoryLimit);
    for _ in 0..repeats(&runs[0]) {
        runs.push(run()?);
        if repeats(&runs[runs.len() - 1]) == 0 {
            break;
        }
    }
    let last = runs.len() - 1;
    if !again {
        return Ok(runs.swap_remove(last));
    }
    let tries = runs.iter().map(|run| run.usage.cpu).collect();
    let try_verdicts = runs.iter().map(|run| run.verdict).collect();
    Ok(Trial { tries, try_verdicts, ..runs.swap_remove(last) })
}
