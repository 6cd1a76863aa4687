//! Checks an output of a case: with the default validator in this process, or with the programs of the
//! package.

use super::{
    job_worker::Worker,
    output_validators::{CheckCall, check_by_programs},
    passes::{JudgedInPass, Pass, PassDirs},
};
use kopek_package::{
    check::{self, CompareOptions, Difference, OutputCheck, program::output_of},
    package::Format,
    verdict::Verdict,
};
use kopek_plan::plan::{CaseFiles, Checker, Trial, TrialTask};
use kopek_sandbox::{CapturedOutput, Fault};
use std::fs::File;

pub(super) fn check_output(
    worker: &mut Worker,
    task: &TrialTask,
    dirs: &PassDirs,
    output: &CapturedOutput,
) -> Result<OutputCheck, Fault> {
    match &*task.setting.checker {
        Checker::Default(format) => check_by_tokens(worker, &task.case, output.file(), *format),
        Checker::Programs { .. } => {
            let call = CheckCall::new(worker, &task.setting.checker, &task.case, dirs)?;
            check_by_programs(worker, &call, || output_of(output))
        }
    }
}

/// The pass of an output that was checked; `trial` holds the result of the run.
pub(super) fn checked_pass(trial: Trial, output: CapturedOutput, checked: OutputCheck) -> Pass {
    let trial = Trial {
        verdict: if checked.accepted { trial.verdict } else { Verdict::WrongAnswer },
        score: checked.score,
        difference: checked.difference,
        judge_message: checked.judge_message,
        team_message: checked.team_message,
        ..trial
    };
    Pass { trial, again: checked.next_pass, judged: JudgedInPass::Output(output) }
}

/// The case's arguments as options of the default validator.
pub(super) fn checker_options(case: &CaseFiles, format: Format) -> Result<CompareOptions, check::BadOption> {
    match format {
        Format::V2025_09 => CompareOptions::parse(&case.output_validator_args),
        Format::Legacy => CompareOptions::parse_legacy(&case.output_validator_args),
    }
}

/// Runs the default validator of the format in this process.
fn check_by_tokens(
    worker: &Worker,
    case: &CaseFiles,
    output: &File,
    format: Format,
) -> Result<OutputCheck, Fault> {
    let options = checker_options(case, format)
        .map_err(|e| Fault::new(format!("output_validator_args of {}: {e}", case.name)))?;
    Ok(OutputCheck::compared(difference(worker, case, output, &options)?))
}

/// The first difference between a case's answer and an output.
pub(super) fn difference(
    worker: &Worker,
    case: &CaseFiles,
    output: &File,
    options: &CompareOptions,
) -> Result<Option<Difference>, Fault> {
    let answer = worker.path_of(&case.answer)?;
    check::compare_files(&answer, output, options)
        .map_err(|e| Fault::new(format!("compare with the answer of {}: {e}", case.name)))
}
