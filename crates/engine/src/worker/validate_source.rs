//! Runs the static validator on a program's files. It gets the files, the language and the entry point;
//! nothing of the submission runs.

use super::{job_worker::Worker, output_validators::trial_of_reply, passes::directory};
use kopek_package::check::program::{FEEDBACK, read_validator_reply};
use kopek_plan::plan::{SourceTask, Trial};
use kopek_sandbox::{BoxFile, Fault, Keep, ReadOnlyMount};
use std::path::PathBuf;

/// The submission's files inside the sandbox.
const FILES: &str = "/submission";

pub(super) fn validate_source(worker: &mut Worker, task: &SourceTask) -> Result<Trial, Fault> {
    let host = worker.directory(&task.program.blob)?;
    let feedback = directory()?;
    let language = task.program.build.language.code.clone();
    let own = [language, task.program.entry.clone(), FEEDBACK.to_owned()];
    let mut exec = worker.exec_of(&task.case.validator, &[&own[..], &task.case.args].concat())?;
    // Mounted, not copied: the program's blob is shared with its trials and must not change.
    exec.view.mounts.push(ReadOnlyMount { host, inside: FILES.into() });
    exec.view.writable = true;
    exec.cwd = FILES.to_owned();
    exec.files.push(BoxFile::Dir(PathBuf::from("feedback")));
    exec.keep = Keep::Below(PathBuf::from("feedback"), feedback.path().to_owned());
    let ran = worker.slots.judge.run(&exec)?;
    let checked = read_validator_reply(&ran, &exec.limits, feedback.path()).map_err(|fault| {
        let what = format!("static validation: {}", fault.what.replace("the output", "the static"));
        Fault { what, ..fault }
    })?;
    if checked.next_pass {
        let what = "static validation: the static validator wrote nextpass.in";
        return Err(Fault::of_trusted_program(what));
    }
    Ok(trial_of_reply(checked))
}
