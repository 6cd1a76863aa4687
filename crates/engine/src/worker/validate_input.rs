//! Runs an input validator on an input.

use super::job_worker::Worker;
use kopek_base::wording::{SHORT_LINE, short_line};
use kopek_package::check::program::REFUSED;
use kopek_plan::plan::{InputTask, ValidatorReply};
use kopek_sandbox::{Exit, Fault, Limits, RunResult};

/// Exit code of validators that accept.
pub(super) const ACCEPTED: Exit = Exit::Code(42);

pub(super) fn validate_input(worker: &mut Worker, task: &InputTask) -> Result<ValidatorReply, Fault> {
    let mut exec = worker.exec_at_home(&task.validator, &task.args)?;
    exec.stdin = worker.input_of(&task.input)?;
    exec.files.extend(worker.placed_tree(task.files.as_ref())?);
    let ran = worker.run_in_own_slot(&task.validator, &exec)?;
    let mut message = validator_end(&ran, &task.validator.limits);
    let printed = ran.stdout.head(SHORT_LINE).unwrap_or_default();
    if !printed.is_empty() {
        message += &format!(": {}", String::from_utf8_lossy(&printed));
    }
    Ok(ValidatorReply {
        accepted: ran.exit == ACCEPTED,
        // A crash counts as a refusal here; only an exceeded limit says nothing about the input.
        failed: matches!(ran.exit, Exit::Exceeded(_)),
        scored_zero: false,
        message: short_line(&message),
    })
}

/// How a validator ended; names the allowed exit codes if it used another.
pub(super) fn validator_end(ran: &RunResult, limits: &Limits) -> String {
    match ran.exit {
        Exit::Code(code) if ![42, REFUSED].contains(&code) => {
            ran.with_stderr(format!("exited with {code} instead of 42 (accepted) or 43 (refused)"))
        }
        Exit::Code(_) | Exit::Signal(_) | Exit::Exceeded(_) => ran.end_in_words(limits),
    }
}
