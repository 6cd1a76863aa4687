//! Runs output validators on an output that already exists.

use super::{
    job_worker::Worker,
    output_checker::{checker_options, difference},
    output_validators::{CheckCall, programs_of},
    passes::{DirOnDemand, PassDirs, directory},
};
use kopek_base::wording::short_line;
use kopek_package::{
    check::{Difference, OutputCheck, Score, program::read_validator_reply},
    package::Format,
};
use kopek_plan::plan::{Checker, OutputTask, ValidatorReply};
use kopek_sandbox::{Fault, Input};
use std::fs::File;

/// Runs the validators. A failure of one is a reply here: packages are tested with bad outputs.
pub(super) fn validate_output(worker: &mut Worker, task: &OutputTask) -> Result<ValidatorReply, Fault> {
    let output = worker.path_of(&task.output)?;
    if let Checker::Default(format) = &*task.checker {
        let file = File::open(&output).map_err(|e| Fault::new(format!("read {}: {e}", output.display())))?;
        return by_tokens(worker, task, &file, *format);
    }
    let before = DirOnDemand::default();
    let input = worker.path_of(&task.case.input)?;
    let dirs = PassDirs { input: &input, before: &before, after: &before };
    let call = CheckCall::new(worker, &task.checker, &task.case, &dirs)?;
    let mut scored_zero = false;
    for program in programs_of(&task.checker) {
        let after = directory()?;
        let exec = call.exec(worker.exec_of(program, &[])?, Input::Path(output.clone()), after.path())?;
        let ran = worker.slots.judge.run(&exec)?;
        match read_validator_reply(&ran, &exec.limits, after.path()) {
            Ok(checked) if checked.accepted => scored_zero |= is_worth_nothing(&checked),
            Ok(checked) => return Ok(refusal(&checked.judge_message)),
            Err(fault) => return Ok(failure(&fault.what)),
        }
    }
    Ok(ValidatorReply { accepted: true, failed: false, scored_zero, message: String::new() })
}

fn is_worth_nothing(checked: &OutputCheck) -> bool {
    match &checked.score {
        Some(Score::Points(points) | Score::Multiplier(points)) => points.is_zero(),
        None => false,
    }
}

fn refusal(message: &str) -> ValidatorReply {
    ValidatorReply { accepted: false, failed: false, scored_zero: false, message: short_line(message) }
}

fn failure(message: &str) -> ValidatorReply {
    ValidatorReply { failed: true, ..refusal(message) }
}

fn by_tokens(
    worker: &Worker,
    task: &OutputTask,
    output: &File,
    format: Format,
) -> Result<ValidatorReply, Fault> {
    let options = match checker_options(&task.case, format) {
        Ok(options) => options,
        Err(error) => return Ok(failure(&error.to_string())),
    };
    let difference = difference(worker, &task.case, output, &options)?;
    let message = difference.as_ref().map(Difference::in_words).unwrap_or_default();
    Ok(ValidatorReply { accepted: difference.is_none(), failed: false, scored_zero: false, message })
}
