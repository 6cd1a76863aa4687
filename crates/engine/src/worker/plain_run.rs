//! Builds and runs one program in a box of its own, for a server of other systems' requests. It belongs to no package,
//! is no job, and leaves nothing in the store.

use super::{
    job_worker::fault,
    retry::{check_not_stalled, retry_faults},
};
use crate::machine::Machine;
use anyhow::Context;
use kopek_base::ScratchDir;
use kopek_package::language::{RefusalSign, WARM, show_in_place};
use kopek_sandbox::{
    BoxFile, Exec, Exit, Fault, Input, Keep, Limits, ReadOnlyMount, RunPrograms, RunResult, SandboxView,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A program with its files; commands run in their directory, by the shell.
pub struct PlainProgram {
    /// `None`: it needs no build.
    pub build: Option<PlainBuild>,
    pub run: String,
    pub env: Vec<(String, String)>,
    pub files: Vec<(PathBuf, Arc<[u8]>)>,
    pub input: Vec<u8>,
    /// The cache of its toolchain, if that has one.
    pub warm: Option<PathBuf>,
    pub limits: Limits,
    /// The bytes of each output that are returned.
    pub output: usize,
}

pub struct PlainBuild {
    pub command: String,
    pub limits: Limits,
    pub refusal: RefusalSign,
    /// Host directories that it sees, besides those of all languages.
    pub shown: Vec<PathBuf>,
}

/// How a program ended.
#[derive(Debug)]
pub enum PlainEnd {
    /// It does not compile, with this message.
    Refused(Vec<u8>),
    Ran {
        exit: Exit,
        stdout: Vec<u8>,
        stderr: Vec<u8>,
    },
    /// It was stopped, because its result was no longer wanted.
    Unwanted,
}

/// Runs plain programs one at a time.
pub struct PlainRunner {
    slot: Box<dyn RunPrograms>,
    view: SandboxView,
}

/// The longest message of a compiler that is returned.
const MAX_MESSAGE: usize = 64 << 10;

impl PlainRunner {
    /// Runs programs on this CPU. They see the tools of all languages with these roots, because a program may build and
    /// run another one.
    pub fn new(machine: &Machine, cpu: usize, roots: &[PathBuf]) -> PlainRunner {
        let view = SandboxView { mounts: show_in_place(roots), proc: true, writable: true };
        PlainRunner { slot: machine.open_slot(Some(cpu)), view }
    }

    /// Builds and runs a program; stops it soon after it is no longer wanted.
    pub fn run(&mut self, program: &PlainProgram, is_wanted: &dyn Fn() -> bool) -> Result<PlainEnd, Fault> {
        self.slot.pin_thread()?;
        let ended = retry_faults(|| {
            if is_wanted() { self.run_once(program, is_wanted) } else { Ok(PlainEnd::Unwanted) }
        });
        // The next program must see nothing of this one.
        self.slot.renew_worker();
        ended
    }

    fn run_once(&mut self, program: &PlainProgram, is_wanted: &dyn Fn() -> bool) -> Result<PlainEnd, Fault> {
        let place = |(path, bytes): &(PathBuf, Arc<[u8]>)| BoxFile::Bytes(path.clone(), bytes.to_vec());
        let mut files: Vec<BoxFile> = program.files.iter().map(place).collect();
        let dir = ScratchDir::new().context("make a directory for a build").map_err(fault)?;
        if let Some(build) = &program.build {
            let mut exec = self.exec(program, &build.command, build.limits);
            exec.view.mounts.extend(show_in_place(&build.shown));
            exec.files = files;
            exec.keep = Keep::Below(PathBuf::new(), dir.path().to_owned());
            let ran = self.slot.run_while(&exec, is_wanted)?;
            if !is_wanted() {
                return Ok(PlainEnd::Unwanted);
            }
            check_not_stalled(&ran, "the compiler", &build.limits)?;
            if let Some(message) = refusal(build, &ran)? {
                return Ok(PlainEnd::Refused(message));
            }
            files = vec![tree(dir.path())];
        }
        let mut exec = self.exec(program, &program.run, program.limits);
        exec.files = files;
        exec.enough_cpu = program.limits.cpu;
        if !program.input.is_empty() {
            exec.stdin = Input::Bytes(program.input.clone());
        }
        let ran = self.slot.run_while(&exec, is_wanted)?;
        if !is_wanted() {
            return Ok(PlainEnd::Unwanted);
        }
        let stdout = ran.stdout.head(program.output).context("read the output").map_err(fault)?;
        let stderr = ran.stderr.head(program.output).context("read standard error").map_err(fault)?;
        Ok(PlainEnd::Ran { exit: ran.exit, stdout, stderr })
    }

    fn exec(&self, program: &PlainProgram, command: &str, limits: Limits) -> Exec {
        let mut view = self.view.clone();
        let cache = |host: &PathBuf| ReadOnlyMount { host: host.clone(), inside: WARM.into() };
        view.mounts.extend(program.warm.as_ref().map(cache));
        Exec { env: program.env.clone(), view, reserves: true, ..Exec::new(["sh", "-c", command], limits) }
    }
}

fn tree(dir: &Path) -> BoxFile {
    BoxFile::Tree(PathBuf::new(), dir.to_owned())
}

/// The message of a build that refused the program.
fn refusal(build: &PlainBuild, ran: &RunResult) -> Result<Option<Vec<u8>>, Fault> {
    let errors = ran.stderr.head(MAX_MESSAGE).context("read a compiler's message").map_err(fault)?;
    let ended_well = ran.exit == Exit::Code(0);
    if ended_well && (build.refusal == RefusalSign::ExitCode || errors.is_empty()) {
        return Ok(None);
    }
    // Some compilers print errors to standard output only.
    let mut message = if errors.is_empty() {
        ran.stdout.head(MAX_MESSAGE).context("read a compiler's message").map_err(fault)?
    } else {
        errors
    };
    if !matches!(ran.exit, Exit::Code(_)) || message.is_empty() {
        message
            .extend_from_slice(format!("\nthe compiler {}\n", ran.exit.in_words(&build.limits)).as_bytes());
    }
    Ok(Some(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::scripted_worker::{LIMITS, ScriptedWorker};

    /// The end of a program whose build, and then its run, end like the lines of this text.
    fn ended(text: &str) -> String {
        let worker = ScriptedWorker::new();
        let limits = LIMITS;
        let build =
            PlainBuild { command: "make".into(), limits, refusal: RefusalSign::ExitCode, shown: Vec::new() };
        let program = PlainProgram {
            build: Some(build),
            run: "./main".into(),
            env: Vec::new(),
            files: vec![("main".into(), text.as_bytes().into())],
            input: Vec::new(),
            warm: None,
            limits,
            output: 100,
        };
        match PlainRunner::new(&worker.machine, 0, &[]).run(&program, &|| true) {
            Ok(PlainEnd::Refused(message)) => format!("refused: {}", String::from_utf8_lossy(&message)),
            Ok(PlainEnd::Ran { exit, .. }) => format!("ran: {exit:?}"),
            Ok(PlainEnd::Unwanted) => "unwanted".into(),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn only_a_compiler_that_refuses_makes_a_compile_error() {
        assert_eq!(ended("code 1, err line 3"), "refused: line 3");
        assert_eq!(ended("code 0\ncode 3"), "ran: Code(3)");
        assert_eq!(ended("code 0\nexceeded wall"), "ran: Exceeded(Wall)");
        let stalled = ended("exceeded wall");
        assert!(stalled.starts_with("undecided: the compiler did not end within 3 s"), "{stalled}");
    }
}
