//! The directory for the inputs of a batch and the slots for programs of a package: one directory for the
//! whole batch, and one slot per program, so that every program keeps its warm worker.

use super::passes::directory;
use crate::{machine::Machine, store::Store};
use kopek_base::{Digest, ScratchDir};
use kopek_plan::plan::CaseFiles;
use kopek_sandbox::{Fault, RunPrograms};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A directory that validators see as the package's data, holding one input and one answer.
pub(crate) struct ProbePlace {
    dir: ScratchDir,
    /// The tree beside them, if there is one.
    data: Option<Digest>,
    /// The path of the input.
    pub input: PathBuf,
    /// The path of the answer.
    pub answer: PathBuf,
    holds: [Digest; 2],
}

/// An input and its answer, in memory.
#[derive(Clone, Copy)]
pub(crate) struct CaseBytes<'a> {
    pub input: &'a [u8],
    pub answer: &'a [u8],
}

impl ProbePlace {
    /// A place for cases with this name. `data` is the tree beside them.
    pub fn new(store: &Store, data: Option<Digest>, case: &CaseFiles) -> Result<ProbePlace, Fault> {
        let dir = directory()?;
        if let Some(data) = &data {
            let placed = store.export_tree(data, dir.path());
            placed.map_err(|error| Fault::new(format!("{error:#}")))?;
        }
        let input = dir.path().join(case.input_path());
        let answer = dir.path().join(case.answer_path());
        let parent = input.parent().unwrap_or(dir.path());
        fs::create_dir_all(parent).map_err(|e| Fault::new(format!("make a place for inputs: {e}")))?;
        Ok(ProbePlace { dir, data, input, answer, holds: [Digest::of(b""); 2] })
    }

    /// Whether a batch can use this place.
    pub fn suits(&self, data: Option<Digest>, case: &CaseFiles) -> bool {
        self.data == data && self.input == self.dir.path().join(case.input_path())
    }

    /// Writes an input and its answer to the directory.
    pub fn put(&mut self, case: CaseBytes) -> Result<(), Fault> {
        let CaseBytes { input, answer } = case;
        let write = || fs::write(&self.input, input).and_then(|()| fs::write(&self.answer, answer));
        write().map_err(|e| Fault::new(format!("write an input: {e}")))?;
        self.holds = [Digest::of(input), Digest::of(answer)];
        Ok(())
    }

    /// Whether the directory holds this case now.
    pub fn holds(&self, case: &CaseFiles) -> bool {
        self.holds == [case.input, case.answer]
    }

    /// The path of the file with this digest, if the directory holds it now.
    pub fn path_of(&self, digest: &Digest) -> Option<PathBuf> {
        let [input, answer] = &self.holds;
        if digest == input {
            return Some(self.input.clone());
        }
        if digest == answer { Some(self.answer.clone()) } else { None }
    }

    /// The directory that validators see.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }
}

/// At most this many programs keep their slots: each slot is a supervisor and a worker.
const MAX_SLOTS: usize = 24;

/// One slot for each program that runs in turns with others.
pub(crate) struct ProgramSlots {
    cpu: usize,
    /// The most recently used slot comes last.
    idle: Vec<(Digest, Box<dyn RunPrograms>)>,
}

impl ProgramSlots {
    /// An empty set of slots on this CPU.
    pub fn new(cpu: usize) -> ProgramSlots {
        ProgramSlots { cpu, idle: Vec::new() }
    }

    /// Takes the slot of a program, or a new one. Return it with [`ProgramSlots::give_back`].
    pub fn take(&mut self, machine: &Machine, program: Digest) -> Box<dyn RunPrograms> {
        match self.idle.iter().position(|(known, _)| *known == program) {
            Some(at) => self.idle.remove(at).1,
            None => machine.open_slot(Some(self.cpu)),
        }
    }

    /// Ends all slots that are not in use.
    pub fn end_idle(&mut self) {
        self.idle.clear();
    }

    /// Keeps the slot for the next run of the program.
    pub fn give_back(&mut self, program: Digest, slot: Box<dyn RunPrograms>) {
        self.idle.push((program, slot));
        if self.idle.len() > MAX_SLOTS {
            self.idle.remove(0);
        }
    }
}
