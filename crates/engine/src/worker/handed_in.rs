//! A trial of outputs that were submitted instead of a program: nothing is compiled or run.

use super::{
    job_worker::Worker,
    output_checker::{check_output, checked_pass},
    passes::{JudgedInPass, Pass, PassDirs},
};
use crate::machine::file_for_case;
use kopek_package::{package::is_sample, verdict::Verdict};
use kopek_plan::plan::{Trial, TrialTask};
use kopek_sandbox::{CapturedOutput, Exit, Fault};
use kopek_sentences::Said;
use std::fs::File;

/// Checks the file that was submitted for a case.
pub(super) fn check_handed_in(worker: &mut Worker, task: &TrialTask, dirs: &PassDirs) -> Result<Pass, Fault> {
    let mut trial = Trial::ended(Verdict::Accepted, Exit::Code(0));
    let over = |trial| Ok(Pass { trial, again: false, judged: JudgedInPass::Nothing });
    let fault = |e: std::io::Error| Fault::new(format!("read a submitted output: {e}"));
    let Some(file) = file_for_case(&worker.directory(&task.program.blob)?, &task.case.name).map_err(fault)?
    else {
        // The answer of a sample is public, and it gives no points.
        let is_public = is_sample(&task.case.name);
        trial.verdict = if is_public { Verdict::Accepted } else { Verdict::WrongAnswer };
        let case = task.case.name.to_string();
        trial.notes.push(if is_public {
            Said::SampleFileNotNeeded { case }
        } else {
            Said::NoFileFor { case }
        });
        return over(trial);
    };
    let output = CapturedOutput::new(File::open(file).map_err(fault)?);
    trial.output = output.size().map_err(fault)?;
    // The sandbox never saw this file, so the limit is enforced here.
    if trial.output > task.setting.limits.output {
        trial.verdict = Verdict::OutputLimit;
        return over(trial);
    }
    let checked = check_output(worker, task, dirs, &output)?;
    Ok(checked_pass(trial, output, checked))
}
