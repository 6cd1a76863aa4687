//! The standard streams of programs: read-only inputs, write-only outputs in memory, and a cache of reusable
//! ones.
//!
//! An output is a file in memory, not a pipe: it needs no reader and no wake-ups, its size is known at once,
//! and the file size limit is the output limit.

use super::messages::Isolation;
use crate::{
    captured_output::CapturedOutput,
    errors::fault_in,
    exec::{Exec, Input},
    fault::Fault,
    machine::program_ids::ProgramUsers,
};
use rustix::{
    fs::{MemfdFlags, Mode, OFlags, SealFlags, fcntl_add_seals, fcntl_getfl, fstat, memfd_create},
    path::DecInt,
};
use std::{
    fs::{File, Metadata},
    io,
    os::{
        fd::OwnedFd,
        unix::fs::{FileTypeExt, MetadataExt},
    },
    sync::{Arc, OnceLock},
};

/// Reusable streams: creating new ones costs a tenth of a run.
#[derive(Debug, Default)]
pub(crate) struct StreamCache {
    /// Outputs to which nothing was written.
    blank_outputs: [Option<OutputFile>; 2],
    empty_input: Option<EmptyInput>,
    /// The file that callers get for an empty output; no program ever has it.
    empty_output: Option<Arc<File>>,
}

#[derive(Debug)]
struct EmptyInput {
    file: File,
    flags: OFlags,
}

/// An output in memory, and the end to which a program writes.
#[derive(Debug)]
pub(crate) struct OutputFile {
    file: File,
    pub(crate) write_end: File,
    state_when_new: OutputState,
}

/// The output of a program that has ended.
pub(crate) struct EndedOutput {
    pub(crate) captured: CapturedOutput,
    pub(crate) size: u64,
}

/// Changes that a program can make to an output without writing: flags that the next program would see, and
/// everything that changes the ctime.
#[derive(Debug, PartialEq)]
struct OutputState {
    flags: OFlags,
    size: u64,
    changed_at: (i64, u64),
}

impl OutputState {
    fn read(file: &File, write_end: &File) -> Result<OutputState, Fault> {
        let stat = fstat(file).map_err(|e| fault_in("look at an output", e))?;
        Ok(OutputState {
            flags: flags_of(write_end)?,
            size: stat.st_size as u64,
            changed_at: (stat.st_ctime, stat.st_ctime_nsec),
        })
    }
}

fn flags_of(file: &File) -> Result<OFlags, Fault> {
    fcntl_getfl(file).map_err(|e| fault_in("look at a stream", e))
}

fn open_null() -> Result<File, Fault> {
    File::open("/dev/null").map_err(|e| fault_in("open /dev/null", e))
}

impl StreamCache {
    /// A program's standard input, read-only.
    pub(crate) fn open_input(&mut self, exec: &Exec, isolation: Isolation) -> Result<File, Fault> {
        match &exec.stdin {
            Input::Nothing => self.empty_input(),
            Input::Bytes(bytes) => copy_to_memory(&mut bytes.as_slice()),
            Input::Path(path) => {
                let act = || format!("open the input {}", path.display());
                let mut file = File::open(path).map_err(|e| fault_in(act(), e))?;
                let metadata = file.metadata().map_err(|e| fault_in(act(), e))?;
                if !metadata.is_file() && !is_null(&metadata) {
                    return Err(fault_in(act(), "it is not a regular file"));
                }
                // Not copied if possible: 16 MiB take 1.7 ms to read and 8 ms more to copy. But with /proc, a
                // descriptor shows the path of its file. Landlock does not hide /proc.
                let shows_path = exec.view.proc || isolation == Isolation::Landlock;
                if shows_path || is_changeable(&metadata) { copy_to_memory(&mut file) } else { Ok(file) }
            }
        }
    }

    fn empty_input(&mut self) -> Result<File, Fault> {
        let input = match self.empty_input.take() {
            Some(input) => input,
            None => {
                let file = open_null()?;
                let metadata = file.metadata().map_err(|e| fault_in("look at /dev/null", e))?;
                if is_of_programs(&metadata) {
                    // A program could make it unusable for the whole machine.
                    return copy_to_memory(&mut io::empty());
                }
                EmptyInput { flags: flags_of(&file)?, file }
            }
        };
        let copy = self.empty_input.insert(input).file.try_clone();
        copy.map_err(|e| fault_in("open the input", e))
    }

    /// Discards an empty input if a program changed its flags, which could carry a message to the next.
    pub(crate) fn check_empty_input(&mut self) -> Result<(), Fault> {
        if let Some(input) = &self.empty_input
            && flags_of(&input.file)? != input.flags
        {
            self.empty_input = None;
        }
        Ok(())
    }

    /// An empty output. `which` is 0 for standard output, 1 for standard error.
    pub(crate) fn take_output(&mut self, which: usize) -> Result<OutputFile, Fault> {
        if let Some(output) = self.blank_outputs[which].take() {
            return Ok(output);
        }
        let file = memory_file("output")?;
        let write_end = reopen_for_writing(&file)?;
        let state_when_new = OutputState::read(&file, &write_end)?;
        Ok(OutputFile { file, write_end, state_when_new })
    }

    /// The output for the caller. For an empty output the caller gets a substitute, and the output is reused.
    pub(crate) fn return_output(
        &mut self,
        which: usize,
        mut output: OutputFile,
    ) -> Result<EndedOutput, Fault> {
        let state = OutputState::read(&output.file, &output.write_end)?;
        if state.size > 0 {
            let size = state.size;
            return Ok(EndedOutput { captured: CapturedOutput::ended(Arc::new(output.file), size), size });
        }
        if state == output.state_when_new {
            // The program may have moved its position without writing.
            io::Seek::rewind(&mut output.write_end).map_err(|e| fault_in("keep an output", e))?;
            self.blank_outputs[which] = Some(output);
        }
        Ok(EndedOutput { captured: self.empty_output()?, size: 0 })
    }

    fn empty_output(&mut self) -> Result<CapturedOutput, Fault> {
        let empty = match &self.empty_output {
            Some(file) => file.clone(),
            None => self.empty_output.insert(Arc::new(open_null()?)).clone(),
        };
        Ok(CapturedOutput::ended(empty, 0))
    }
}

/// Whether a program that can only read a file could change its metadata: mode and times if the judge's user
/// owns it and programs run as that user; times if everyone may write to it.
fn is_changeable(metadata: &Metadata) -> bool {
    is_of_programs(metadata) || metadata.mode() & 0o022 != 0
}

/// Whether it is owned by the judge's user, and programs run as that user.
fn is_of_programs(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && ProgramUsers::find() != ProgramUsers::Own
}

/// Whether this is the null device: an empty output is returned as the null device, and may become an input
/// again.
fn is_null(metadata: &Metadata) -> bool {
    metadata.file_type().is_char_device() && metadata.rdev() == rustix::fs::makedev(1, 3)
}

/// An empty file in memory.
pub(crate) fn memory_file(name: &str) -> Result<File, Fault> {
    memory_file_with(name, MemfdFlags::empty())
}

fn memory_file_with(name: &str, flags: MemfdFlags) -> Result<File, Fault> {
    let made = memfd_create(name, flags | MemfdFlags::CLOEXEC);
    made.map(File::from).map_err(|e| fault_in("make a file in memory", e))
}

/// A copy that cannot be changed, not even by opening it again.
fn copy_to_memory(from: &mut dyn io::Read) -> Result<File, Fault> {
    let mut file = memory_file_with("input", MemfdFlags::ALLOW_SEALING)?;
    io::copy(from, &mut file).map_err(|e| fault_in("copy the input", e))?;
    let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    fcntl_add_seals(&file, seals).map_err(|e| fault_in("seal the input", e))?;
    reopen(&file, OFlags::RDONLY).map_err(|e| fault_in("open the copied input", e))
}

/// A write-only descriptor: a program must not read its own output, or that of an earlier program.
pub(crate) fn reopen_for_writing(file: &File) -> Result<File, Fault> {
    let write_end = reopen(file, OFlags::WRONLY);
    write_end.map_err(|e| fault_in("open a file in memory for writing", e))
}

/// Opens the same file with its own position and rights, which a duplicate would share.
fn reopen(file: &File, how: OFlags) -> io::Result<File> {
    // Every run needs one: a lookup from the root directory would take twice as long.
    static OWN_DESCRIPTORS: OnceLock<OwnedFd> = OnceLock::new();
    let dir = match OWN_DESCRIPTORS.get() {
        Some(dir) => dir,
        None => {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let opened = rustix::fs::open("/proc/self/fd", flags, Mode::empty())?;
            OWN_DESCRIPTORS.get_or_init(|| opened)
        }
    };
    let number = DecInt::from_fd(file);
    Ok(rustix::fs::openat(dir, number, how | OFlags::CLOEXEC, Mode::empty())?.into())
}
