//! Every policy of running again, but for pairs with a witness (`timing`).

use crate::{
    plan::Trial,
    sandbox::{Exit, Fault, FaultSource},
    verdict::Verdict,
};

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

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of runs that end so, and how many were made.
    fn outcome(runs: &[(Verdict, Exit)]) -> (Trial, usize) {
        let mut made = 0;
        let trial = run_unspoilt(|_| {
            made += 1;
            let (verdict, exit) = runs[made - 1];
            Ok(Trial::ended(verdict, exit))
        });
        (trial.unwrap(), made)
    }

    const IDLE: (Verdict, Exit) = (Verdict::IdleLimit, Exit::Exceeded(crate::sandbox::Limit::Wall));
    const KILLED: (Verdict, Exit) = (Verdict::RunTimeError, Exit::Signal(libc::SIGKILL));
    const FINE: (Verdict, Exit) = (Verdict::Accepted, Exit::Code(0));

    #[test]
    fn one_run_that_does_not_idle_counts() {
        let (trial, made) = outcome(&[IDLE, FINE]);
        assert_eq!((trial.verdict, made, trial.unstable), (Verdict::Accepted, 2, true));
        let (trial, made) = outcome(&[IDLE, IDLE, IDLE]);
        assert_eq!((trial.verdict, made, trial.unstable), (Verdict::IdleLimit, 3, false));
    }

    #[test]
    fn a_program_that_was_killed_is_run_again() {
        let (trial, made) = outcome(&[KILLED, KILLED, FINE]);
        assert_eq!((trial.verdict, made, trial.tries.len()), (Verdict::Accepted, 3, 0));
        let (trial, made) = outcome(&[KILLED, KILLED, KILLED, KILLED]);
        assert_eq!((trial.verdict, made), (Verdict::RunTimeError, 4));
    }

    #[test]
    fn most_runs_are_believed_at_once() {
        assert_eq!(outcome(&[FINE]).1, 1);
        assert_eq!(outcome(&[(Verdict::RunTimeError, Exit::Signal(libc::SIGSEGV))]).1, 1);
    }

    fn attempts_made(results: &[Result<u8, Fault>]) -> (Result<u8, Fault>, usize) {
        let mut made = 0;
        let result = retry_faults(|| {
            made += 1;
            results[made - 1].clone()
        });
        (result, made)
    }

    #[test]
    fn a_fault_is_retried_but_not_an_undecided_job() {
        let (fault, undecided) = (Err(Fault::new("disk")), Err(Fault::disturbed("busy")));
        assert_eq!(attempts_made(&[fault.clone(), Ok(1)]), (Ok(1), 2));
        assert_eq!(attempts_made(&[fault.clone(), fault.clone(), fault.clone()]).1, 3);
        assert_eq!(attempts_made(std::slice::from_ref(&undecided)), (undecided, 1));
    }
}
