//! Runs a generator and checks that it is deterministic and uses its seed; the errors of making a case. Does
//! not know cases or packages.

use super::job_worker::Worker;
use kopek_base::ScratchDir;
use kopek_package::package::{CASE_PICTURES, CASE_TEXTS};
use kopek_plan::plan::{GeneratorCall, Scrutiny};
use kopek_sandbox::{Exit, Fault, Keep};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Files of a case by extension; `files/a.txt` is a file of its `.files` directory.
pub(super) type FilesByExtension = BTreeMap<String, Vec<u8>>;

/// The files of a call, and a warning about the generator.
pub(super) struct GeneratorOutput {
    pub files: FilesByExtension,
    pub remark: Option<String>,
}

/// Why a case was not made.
pub(super) enum MakeError {
    /// A mistake in the package, with its place if it is not everywhere.
    Package(String, Option<String>),
    Fault(Fault),
}

pub(super) type MakeResult<T> = Result<T, MakeError>;

impl From<Fault> for MakeError {
    fn from(fault: Fault) -> MakeError {
        MakeError::Fault(fault)
    }
}

pub(super) fn wrong<T>(what: impl Into<String>) -> MakeResult<T> {
    Err(MakeError::Package(what.into(), None))
}

/// A generator that uses its seed gives another result for one of this many other seeds.
const OTHER_SEEDS: u32 = 10;

/// How a call of a generator ended.
enum CallEnd {
    Made(FilesByExtension),
    Failed { what: String, another_seed_may_help: bool },
}

/// Runs a generator and returns the files that it wrote.
pub(super) fn run_generator(worker: &mut Worker, call: &GeneratorCall) -> MakeResult<GeneratorOutput> {
    let mut further = 0;
    let files = loop {
        match run_once(worker, call, further)? {
            CallEnd::Made(files) => break files,
            CallEnd::Failed { what, another_seed_may_help } => {
                if !another_seed_may_help || further + 1 >= call.tries {
                    return wrong(what);
                }
                further += 1;
            }
        }
    };
    let remark = match call.scrutiny {
        Scrutiny::Trust => None,
        Scrutiny::Doubt => doubt(worker, call, &files, further)?,
    };
    Ok(GeneratorOutput { files, remark })
}

/// Runs the generator again, with the same seed and with others.
fn doubt(
    worker: &mut Worker,
    call: &GeneratorCall,
    files: &FilesByExtension,
    further: u32,
) -> MakeResult<Option<String>> {
    match run_once(worker, call, further)? {
        CallEnd::Made(again) if again == *files => {}
        CallEnd::Made(_) => return wrong(not_deterministic(call)),
        CallEnd::Failed { what, .. } => return wrong(format!("when run again: {what}")),
    }
    let ignored = call.seed.is_some() && ignores_seed(worker, call, files, further)?;
    Ok(ignored.then(|| format!("`{}` makes the same input for every seed", call.command)))
}

fn not_deterministic(call: &GeneratorCall) -> String {
    format!(
        "generator `{}` is not deterministic: a second run with the same arguments made other files; \
         derive all randomness from its arguments, such as {{seed}}",
        call.shown
    )
}

/// Whether other seeds give the same result. A failure with another seed is a difference.
fn ignores_seed(
    worker: &mut Worker,
    call: &GeneratorCall,
    files: &FilesByExtension,
    further: u32,
) -> Result<bool, Fault> {
    for other in 1..=OTHER_SEEDS {
        match run_once(worker, call, further + other)? {
            // Compares only the input: an answer or a description may well stay the same.
            CallEnd::Made(made) if made.get("in") == files.get("in") => {}
            CallEnd::Made(_) | CallEnd::Failed { .. } => return Ok(false),
        }
    }
    Ok(true)
}

/// The files that the generator writes; its standard output is the input unless it wrote one.
fn run_once(worker: &mut Worker, call: &GeneratorCall, further: u32) -> Result<CallEnd, Fault> {
    let name = &call.shown;
    let fault = |e: std::io::Error| Fault::new(format!("take what `{name}` wrote: {e}"));
    let kept = ScratchDir::new().map_err(fault)?;
    let mut exec = worker.exec_in_empty_box(&call.program, &call.args_of_try(further))?;
    exec.keep = Keep::Below(PathBuf::new(), kept.path().to_owned());
    let ran = worker.run_in_own_slot(&call.program, &exec)?;
    if ran.exit != Exit::Code(0) {
        // With another seed it would exceed the same limit.
        let another_seed_may_help = !matches!(ran.exit, Exit::Exceeded(_));
        let what = format!("generator `{name}` {}", ran.end_in_words(&call.program.limits));
        return Ok(CallEnd::Failed { what, another_seed_may_help });
    }
    let mut files = FilesByExtension::new();
    for extension in CASE_TEXTS.iter().chain(&CASE_PICTURES) {
        let path = kept.path().join(format!("testcase.{extension}"));
        if path.is_file() {
            files.insert((*extension).to_owned(), fs::read(&path).map_err(fault)?);
        }
    }
    if !files.contains_key("in") {
        files.insert("in".into(), ran.stdout.bytes().map_err(fault)?);
    }
    if files["in"].is_empty() {
        let what = format!("generator `{name}` wrote nothing, neither to its output nor to testcase.in");
        return Ok(CallEnd::Failed { what, another_seed_may_help: false });
    }
    Ok(CallEnd::Made(files))
}
