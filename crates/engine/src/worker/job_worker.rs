//! The worker: does jobs in two slots of the sandbox. Only the worker turns the digests in a task into paths
//! of this machine.

use super::{
    probe_place::{ProbePlace, ProgramSlots},
    retry::check_not_stalled,
};
use crate::{
    machine::{Machine, toolchain_of_task},
    store::Contents,
};
use kopek_base::{Digest, ScratchDir};
use kopek_package::language::{BuiltFiles, ReadyLanguage, run_exec, with_own_box};
use kopek_plan::plan::Program;
use kopek_sandbox::{BoxFile, Exec, Fault, Input, RunPrograms, RunResult};
use std::path::PathBuf;

/// Where a job runs its programs.
pub(crate) struct JobSlots {
    /// Runs submissions, and compilers.
    pub submission: Box<dyn RunPrograms>,
    /// Runs programs of the package, so that the submission's warm worker survives.
    pub judge: Box<dyn RunPrograms>,
}

/// Does jobs, one at a time.
pub(crate) struct Worker<'a> {
    pub(super) machine: &'a Machine,
    pub(super) slots: JobSlots,
    /// The directory for the inputs of a batch, one at a time.
    pub(super) place: Option<ProbePlace>,
    /// Slots of programs that run in turns.
    pub(super) programs: ProgramSlots,
    /// A copy of the last submission that ran here, if submissions could see the path of the store.
    pub(super) copied: Option<(Digest, ScratchDir)>,
}

pub(super) fn fault(error: anyhow::Error) -> Fault {
    Fault::new(format!("{error:#}"))
}

impl<'a> Worker<'a> {
    pub(super) fn new(machine: &'a Machine, slots: JobSlots, cpu: usize) -> Worker<'a> {
        Worker { machine, slots, place: None, programs: ProgramSlots::new(cpu), copied: None }
    }

    /// A run of a program, without an input and without files of a case.
    pub(super) fn exec_of(&self, program: &Program, args: &[String]) -> Result<Exec, Fault> {
        let toolchain = toolchain_of_task(self.machine, &program.build)?;
        let built = self.directory(&program.blob)?;
        let language = ReadyLanguage { row: &program.build.language, toolchain: &toolchain };
        Ok(run_exec(language, BuiltFiles { dir: &built, entry: &program.entry }, args, program.limits))
    }

    /// A run of a program that starts in a box with a copy of its own files.
    pub(super) fn exec_at_home(&self, program: &Program, args: &[String]) -> Result<Exec, Fault> {
        Ok(with_own_box(self.exec_of(program, args)?, &self.directory(&program.blob)?))
    }

    /// A run of a program that starts in an empty box.
    pub(super) fn exec_in_empty_box(&self, program: &Program, args: &[String]) -> Result<Exec, Fault> {
        let mut exec = self.exec_of(program, args)?;
        exec.view.writable = true;
        exec.cwd = "/box".into();
        Ok(exec)
    }

    /// The path of a tree.
    pub(super) fn directory(&self, digest: &Digest) -> Result<PathBuf, Fault> {
        self.machine.store.directory(digest).map_err(fault)
    }

    /// The contents of a file as input of a run.
    pub(super) fn input_of(&self, digest: &Digest) -> Result<Input, Fault> {
        Ok(match self.machine.store.contents(digest).map_err(fault)? {
            Contents::Bytes(bytes) if bytes.is_empty() => Input::Nothing,
            Contents::Bytes(bytes) => Input::Bytes(bytes.to_vec()),
            Contents::File(path) => Input::Path(path),
        })
    }

    /// The contents of a file in memory.
    pub(super) fn bytes_of(&self, digest: &Digest) -> Result<Vec<u8>, Fault> {
        self.machine.store.read(digest).map_err(fault)
    }

    /// Runs a program of the package in its own slot, so that the next case finds its worker warm whatever
    /// else runs in between.
    pub(super) fn run_in_own_slot(&mut self, program: &Program, exec: &Exec) -> Result<RunResult, Fault> {
        let mut slot = self.programs.take(self.machine, program.blob);
        let ran = self.machine.run_until_stopped(&mut *slot, exec);
        self.programs.give_back(program.blob, slot);
        let ran = ran?;
        check_not_stalled(&ran, &format!("`{}`", program.name), &program.limits)?;
        Ok(ran)
    }

    /// A tree of a case's files, to be placed in the box of a run.
    pub(super) fn placed_tree(&self, digest: Option<&Digest>) -> Result<Option<BoxFile>, Fault> {
        digest.map(|digest| Ok(BoxFile::Tree(PathBuf::new(), self.directory(digest)?))).transpose()
    }

    /// The path of a case's input.
    pub(super) fn path_of(&self, digest: &Digest) -> Result<PathBuf, Fault> {
        if let Some(path) = self.place.as_ref().and_then(|place| place.path_of(digest)) {
            return Ok(path);
        }
        match self.machine.store.contents(digest).map_err(fault)? {
            Contents::File(path) => Ok(path),
            // The null device is empty, too, but programs would see a file of another kind.
            Contents::Bytes(bytes) => {
                let digest = self.machine.store.put_bytes(&bytes).map_err(fault)?;
                match self.machine.store.file_path(&digest).map_err(fault)? {
                    Some(path) => Ok(path),
                    None => Err(Fault::new("bytes vanished from the store; run again")),
                }
            }
        }
    }
}
