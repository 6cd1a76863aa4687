//! Builds one program inside the sandbox and keeps the result.

use super::{job_worker::fault, retry::check_not_stalled};
use crate::{
    machine::{Machine, toolchain_of_task},
    store::Contents,
    toolchains::{ChosenHeader, HeaderBuild, SampleBuild, secret_name, show_precompiled},
};
use kopek_base::ScratchDir;
use kopek_package::language::{LaidSources, Language, ReadyLanguage, build_exec};
use kopek_plan::plan::{Build, BuildTask, LaidFile};
use kopek_sandbox::{BoxFile, CapturedOutput, Exit, Fault, RunPrograms, RunResult};
use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The longest compiler message that is kept.
const MAX_MESSAGE: usize = 64 << 10;

/// Builds a program. An error in the sources is a refusal, never a fault. A refusal counts only after the
/// toolchain has built its sample.
pub(crate) fn build(machine: &Machine, slot: &mut dyn RunPrograms, task: &BuildTask) -> Result<Build, Fault> {
    let built = compile_quickly(machine, slot, task)?;
    let toolchain = toolchain_of_task(machine, task)?;
    // A broken toolchain refuses everything, and its refusals would be stored as verdicts.
    if matches!(built, Build::Refused { .. }) {
        let language = ReadyLanguage { row: &task.language, toolchain: &toolchain };
        machine.toolchains.prove(slot, language)?;
    }
    Ok(built)
}

/// Builds with a precompiled header, if there is one for this program.
fn compile_quickly(machine: &Machine, slot: &mut dyn RunPrograms, task: &BuildTask) -> Result<Build, Fault> {
    let headers = &machine.toolchains.headers;
    let Some(header) = headers.header_of(&machine.store, task) else {
        return compile(machine, slot, task, None);
    };
    if header.is_ready() {
        return compile_with_header(machine, slot, task, &header.at);
    }
    match headers.begin(&header) {
        None => compile(machine, slot, task, None),
        Some(_turn) => compile_both_ways(machine, slot, task, header),
    }
}

/// Makes a header and builds with and without it.
fn compile_both_ways(
    machine: &Machine,
    slot: &mut dyn RunPrograms,
    task: &BuildTask,
    mut header: ChosenHeader,
) -> Result<Build, Fault> {
    let headers = &machine.toolchains.headers;
    let toolchain = toolchain_of_task(machine, task)?;
    let language = ReadyLanguage { row: &task.language, toolchain: &toolchain };
    let is_unchanged = &|| machine.is_unchanged(&toolchain);
    let build = HeaderBuild { store: &machine.store, slot: &mut *slot, language, is_unchanged };
    if let Err(why) = header.make(build) {
        headers.fail(&header, &why);
        return compile(machine, slot, task, None);
    }
    if header.is_ready() {
        return compile_with_header(machine, slot, task, &header.at);
    }
    let built = compile(machine, slot, task, None)?;
    if let Build::Program { blob, .. } = &built
        && let Ok(quick) = compile(machine, slot, task, Some(&header.at))
    {
        let sample = match &quick {
            Build::Program { blob: other, .. } if other == blob => SampleBuild::Equal,
            Build::Program { .. } | Build::Refused { .. } => SampleBuild::Different,
        };
        header.note_sample(sample, headers);
    }
    Ok(built)
}

fn compile_with_header(
    machine: &Machine,
    slot: &mut dyn RunPrograms,
    task: &BuildTask,
    header: &Path,
) -> Result<Build, Fault> {
    // A refusal, its message, or a warning about a header must not depend on the precompiled header: build again
    // without it.
    match compile(machine, slot, task, Some(header)) {
        Ok(built @ Build::Program { .. }) if !names_header(&built, header) => Ok(built),
        _ => compile(machine, slot, task, None),
    }
}

/// Whether a message names the precompiled header, or lists the files that included a header.
fn names_header(built: &Build, at: &Path) -> bool {
    let (Build::Program { message, .. } | Build::Refused { message }) = built;
    message.contains("included from") || message.contains(secret_name(at))
}

fn compile(
    machine: &Machine,
    slot: &mut dyn RunPrograms,
    task: &BuildTask,
    header: Option<&Path>,
) -> Result<Build, Fault> {
    let dir = ScratchDir::new().map_err(|e| Fault::new(format!("make a directory for a build: {e}")))?;
    let toolchain = toolchain_of_task(machine, task)?;
    let paths: Vec<PathBuf> = task.files.iter().map(|file| file.path.clone()).collect();
    let language = ReadyLanguage { row: &task.language, toolchain: &toolchain };
    let sources = LaidSources { paths: &paths, entry: &task.entry };
    let message = match build_exec(language, sources, task.limits, dir.path()) {
        None => lay_out(machine, task, dir.path())?,
        Some(mut exec) => {
            let scripts =
                ScratchDir::new().map_err(|e| Fault::new(format!("make a directory for a build: {e}")))?;
            exec.files = placed(machine, task, scripts.path())?;
            if let Some((row, at)) = task.language.precompiled.as_ref().zip(header) {
                show_precompiled(row, at, &mut exec);
            }
            // Compilers of one submission must not see files that an earlier one left.
            slot.renew_worker();
            let ran = machine.run_until_stopped(slot, &exec)?;
            check_not_stalled(&ran, "the compiler", &task.limits)?;
            let message = without_java_warnings(&task.language, message(&ran)?);
            if matches!(ran.exit, Exit::Signal(libc::SIGKILL | libc::SIGTERM)) {
                // Not a compile error: the machine may have killed it for lack of memory.
                let end = ran.exit.in_words(&task.limits);
                return Err(Fault::new(format!(
                    "the compiler {end}: memory ran out on this machine, or the source has code that did it during \
                     the build"
                )));
            }
            if ran.exit != Exit::Code(0) {
                return Ok(Build::Refused { message: refusal(&ran.exit, task, message) });
            }
            message
        }
    };
    let blob = machine.store.put_tree(dir.path()).map_err(fault)?;
    Ok(Build::Program { blob, entry: task.entry.clone(), message })
}

fn placed(machine: &Machine, task: &BuildTask, scripts: &Path) -> Result<Vec<BoxFile>, Fault> {
    let place = |file: &LaidFile| {
        Ok(match machine.store.contents(&file.digest).map_err(fault)? {
            Contents::Bytes(bytes) => BoxFile::Bytes(file.path.clone(), bytes.to_vec()),
            Contents::File(host) => BoxFile::File(file.path.clone(), host),
        })
    };
    if !task.files.iter().any(|file| file.executable) {
        return task.files.iter().map(place).collect();
    }
    // Bytes have no executable bit, so scripts are copied as a directory.
    lay_out(machine, task, scripts)?;
    Ok(vec![BoxFile::Tree(PathBuf::new(), scripts.to_owned())])
}

/// Lays out the sources of a language that is not built: they are the program.
fn lay_out(machine: &Machine, task: &BuildTask, dir: &Path) -> Result<String, Fault> {
    for file in &task.files {
        let to = dir.join(&file.path);
        let contents = machine.store.contents(&file.digest).map_err(fault)?;
        let write = || -> std::io::Result<()> {
            to.parent().map_or(Ok(()), fs::create_dir_all)?;
            match &contents {
                Contents::Bytes(bytes) => fs::write(&to, bytes)?,
                Contents::File(host) => drop(fs::copy(host, &to)?),
            }
            let mode = if file.executable { 0o755 } else { 0o644 };
            fs::set_permissions(&to, Permissions::from_mode(mode))
        };
        write().map_err(|e| Fault::new(format!("lay out {}: {e}", file.path.display())))?;
    }
    Ok(String::new())
}

/// What the compiler wrote: standard error, or else standard output.
fn message(ran: &RunResult) -> Result<String, Fault> {
    let read = |captured: &CapturedOutput| {
        let bytes = captured.head(MAX_MESSAGE);
        let bytes = bytes.map_err(|e| Fault::new(format!("read a compiler's message: {e}")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    // Some compilers print errors to standard output only.
    let errors = read(&ran.stderr)?;
    if errors.trim().is_empty() { read(&ran.stdout) } else { Ok(errors) }
}

/// The message without what the virtual machine of the compiler says about itself.
fn without_java_warnings(language: &Language, message: String) -> String {
    if !language.tools.contains_key("java") {
        return message;
    }
    let of_machine = |line: &&str| {
        line.starts_with("WARNING: ") || line.starts_with("Picked up ") || line.contains(" VM warning: ")
    };
    message.split_inclusive('\n').filter(|line| !of_machine(line)).collect()
}

fn refusal(exit: &Exit, task: &BuildTask, message: String) -> String {
    match exit {
        // The compiler driver outlives the stopped child process and calls its end a bug.
        Exit::Code(_) if message.contains("File size limit exceeded") => format!(
            "the build wrote a file above its limit of {}: non-zero static data is part of the \
             program\n{message}",
            task.limits.files
        ),
        // A compiler that ends by itself says why.
        Exit::Code(_) => message,
        Exit::Signal(_) | Exit::Exceeded(_) => {
            format!("the compiler {}\n{message}", exit.in_words(&task.limits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        machine::row_of_answers,
        worker::scripted_worker::{ScriptedWorker, source_of},
    };
    use kopek_base::Bytes;
    use kopek_package::language::LanguageTable;
    use std::sync::Arc;

    /// The end of a build whose compiler ends like this.
    fn ended(compiler: &str) -> String {
        let worker = ScriptedWorker::new();
        let bytes: Arc<[u8]> = compiler.as_bytes().into();
        let digest = worker.machine.store.hold(&bytes).unwrap();
        let file =
            LaidFile { path: "main".into(), digest, executable: false, size: Bytes(bytes.len() as u64) };
        let language = Language { build: Some(vec!["compiler".into()]), ..row_of_answers() };
        let program = worker.program("main", "");
        let task = BuildTask { files: vec![file], language, ..BuildTask::clone(&program.build) };
        match build(&worker.machine, &mut worker.sandbox.clone(), &task) {
            Ok(Build::Program { message, .. }) => format!("program: {message}"),
            Ok(Build::Refused { message }) => format!("refused: {}", message.trim_end()),
            Err(fault) => format!("{}: {}", source_of(&fault), fault.what),
        }
    }

    #[test]
    fn a_build_on_a_machine_that_stood_still_is_no_compile_error() {
        for (compiler, want) in [
            ("err a warning", "program: a warning"),
            ("code 1, err line 3", "refused: line 3"),
            ("exceeded cpu", "refused: the compiler used more than 2 s of CPU time"),
            (
                "exceeded wall, cpu 300",
                "undecided: the compiler did not end within 3 s and used 0.3 s of CPU time: this machine stood still, or \
                 the program waits; run again",
            ),
        ] {
            assert_eq!(ended(compiler), want, "{compiler}");
        }
        assert!(ended("signal 9").starts_with("machine: the compiler was killed"));
    }

    #[test]
    fn messages_of_compilers_are_without_those_of_their_virtual_machine() {
        let message = "OpenJDK 64-Bit Server VM warning: Options will be removed.\nWARNING: A terminally deprecated method \
                       has been called\nmain.kt:1:1: error: expecting a top level declaration\n";
        let table = LanguageTable::embedded();
        let shown = |code: &str| {
            let row = table.languages().iter().find(|row| row.code == code).unwrap();
            without_java_warnings(row, message.to_owned())
        };
        assert_eq!(shown("kotlin"), "main.kt:1:1: error: expecting a top level declaration\n");
        assert_eq!(shown("cpp"), message);
    }
}
