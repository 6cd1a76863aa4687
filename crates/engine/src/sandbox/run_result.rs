//! How a run ended and what it left: plain data.

use crate::base::{Bytes, nanoseconds};
use serde::{Deserialize, Serialize};
use std::{fmt, fs::File, io, sync::Arc, time::Duration};

/// Which limit was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// CPU time.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory.
    Memory,
    /// Standard output or standard error.
    Output,
    /// Written files.
    Files,
    /// Processes and threads.
    Processes,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with a code.
    Code(i32),
    /// A signal killed it that was not ours.
    Signal(i32),
    /// It was stopped at a limit.
    Exceeded(Limit),
}

/// What a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time, user and system together, of all its processes.
    #[serde(with = "nanoseconds")]
    pub cpu: Duration,
    /// Wall time from start to end.
    #[serde(with = "nanoseconds")]
    pub wall: Duration,
    /// Peak memory of all processes together; without a memory cgroup the largest resident set of one
    /// of them, or of the worker that executed it (less than 1 MiB), whichever is more.
    pub memory: Bytes,
    /// Retired user instructions where the machine counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
    /// The cycles that they took, where the machine counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// Processes still alive when the main one ended; they were killed.
    #[serde(default, skip_serializing_if = "is_none_left")]
    pub left: u32,
}

fn is_none_left(left: &u32) -> bool {
    *left == 0
}

impl Usage {
    /// More of it for the same instructions means that something slowed them down.
    pub fn cycles_per_instruction(&self) -> Option<f64> {
        let instructions = self.instructions.filter(|instructions| *instructions > 0)?;
        Some(self.cycles? as f64 / instructions as f64)
    }
}

/// What the processor counted; nothing where it does not.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CountedEvents {
    pub(crate) instructions: Option<u64>,
    pub(crate) cycles: Option<u64>,
}

impl CountedEvents {
    /// What came since then.
    pub(crate) fn since(&self, before: &CountedEvents) -> CountedEvents {
        let since = |now: Option<u64>, before: Option<u64>| now?.checked_sub(before?);
        CountedEvents {
            instructions: since(self.instructions, before.instructions),
            cycles: since(self.cycles, before.cycles),
        }
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct RunResult {
    /// How it ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// Further CPU time that child processes may have used unseen; zero with a cgroup. Without one the kernel reports
    /// nothing of a child whose parent ignores its end.
    pub unseen: Duration,
    /// What it wrote to standard output.
    pub stdout: CapturedOutput,
    /// What it wrote to standard error.
    pub stderr: CapturedOutput,
    /// Remarks for the reader: "process limit hit", "forbidden system call".
    pub notes: Vec<String>,
}

/// Output kept in memory by the kernel, not by us.
#[derive(Debug, Clone)]
pub struct CapturedOutput {
    file: Arc<File>,
    /// How large it is, where nobody can write to it any more.
    final_size: Option<u64>,
}

impl CapturedOutput {
    /// What lies in a file.
    pub fn new(file: File) -> CapturedOutput {
        CapturedOutput { file: Arc::new(file), final_size: None }
    }

    /// What nobody can write to any more.
    pub(crate) fn ended(file: Arc<File>, size: u64) -> CapturedOutput {
        CapturedOutput { file, final_size: Some(size) }
    }

    /// Where it lies; the file's own position is neither used nor moved.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// How many bytes were written.
    pub fn size(&self) -> io::Result<Bytes> {
        match self.final_size {
            Some(size) => Ok(Bytes(size)),
            None => Ok(Bytes(self.file.metadata()?.len())),
        }
    }

    /// All of it.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        self.head(usize::MAX)
    }

    /// At most the first `most` bytes.
    pub fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        self.read_part(0, (most as u64).min(self.size()?.0))
    }

    /// At most the last `most` bytes.
    pub(crate) fn tail(&self, most: usize) -> io::Result<Vec<u8>> {
        let size = self.size()?.0;
        let length = (most as u64).min(size);
        self.read_part(size - length, length)
    }

    fn read_part(&self, from: u64, length: u64) -> io::Result<Vec<u8>> {
        use std::os::unix::fs::FileExt;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, from)?;
        Ok(bytes)
    }
}

/// The result of two programs connected crosswise.
#[derive(Debug)]
pub struct PairResult {
    /// The first program: its standard output went to the second's input.
    pub first: RunResult,
    /// The second.
    pub second: RunResult,
    /// Which of them ended first by itself.
    pub first_to_end: PairMember,
    /// Whether one may have said more than it may: all that it wrote was more, which is not only what it said. With
    /// a transcript it is known, and this is false.
    pub may_exceed: bool,
    /// What they wrote to each other, in order, if asked for.
    pub transcript: Vec<PairMessage>,
}

/// Which of a pair ended first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairMember {
    /// The first program.
    First,
    /// The second program.
    Second,
}

/// A piece of what one of a pair wrote to the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairMessage {
    /// Who wrote it.
    pub speaker: PairMember,
    /// When, since the start.
    pub at: Duration,
    /// What.
    pub bytes: Vec<u8>,
}

/// *We* failed: never a verdict, never stored, tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What failed, naming the act and the thing.
    pub what: String,
    /// Whose failure it was.
    #[serde(default)]
    pub source: FaultSource,
}

/// Whose failure a fault was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultSource {
    /// This program's, or the machine's.
    #[default]
    Machine,
    /// Of a trusted program that was asked about what an untrusted one did, and stumbled over it.
    TrustedProgram,
    /// Of whatever else ran: it disturbed the measuring. To wait helps, not to try again at once.
    Disturbance,
}

impl Fault {
    /// A fault with this text.
    pub fn new(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::Machine }
    }

    /// The failure of a trusted program.
    pub(crate) fn of_trusted_program(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::TrustedProgram }
    }

    /// Others disturbed the measuring.
    pub fn disturbed(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), source: FaultSource::Disturbance }
    }

    /// A time above the limit that the machine's noise may explain.
    pub fn undecided(measured: &str) -> Fault {
        Fault::disturbed(format!("undecided: {measured}"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
