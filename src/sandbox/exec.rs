//! The words of the sandbox: plain data, no behaviour.

use crate::base::Bytes;
use serde::{Deserialize, Serialize};
use std::{fmt, fs::File, io, path::PathBuf, time::Duration};

/// One program to run.
#[derive(Debug, Clone)]
pub struct Exec {
    /// Program and arguments. The program is an absolute path inside the box, or
    /// a bare name that is looked up in `PATH` inside.
    pub argv: Vec<String>,
    /// Added to the clean environment (`PATH`, `HOME=/box`, `LANG=C.UTF-8`).
    pub env: Vec<(String, String)>,
    /// What it can see besides its box. Runs with equal views share a warm worker.
    pub view: View,
    /// Where it starts: `/box`, or the inside path of something shown.
    pub cwd: String,
    /// Put into `/box` before the run. The box is empty otherwise.
    pub files: Vec<Placed>,
    /// Its standard input.
    pub stdin: Input,
    /// All its limits.
    pub limits: Limits,
    /// What is taken out of `/box` after the run.
    pub keep: Keep,
}

/// What a program can see besides `/box`: the system's read-only basis (`/usr`
/// and the libraries, `/dev/null` and its kin) and these.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct View {
    /// Host paths shown read-only.
    pub shown: Vec<Shown>,
    /// Whether `/proc` is there (only its own processes): some runtimes need it.
    pub proc: bool,
    /// Whether `/box` can be written to.
    pub writable: bool,
}

/// A host file or directory shown read-only at a path inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shown {
    /// Where it lies on the host; symbolic links in it are followed once, by us.
    pub host: PathBuf,
    /// Absolute path inside: `/exe`, `/data`, `/usr/lib/rustlib`.
    pub inside: PathBuf,
}

/// Something put into `/box` before a run; paths are relative to `/box`.
#[derive(Debug, Clone)]
pub enum Placed {
    /// An empty, writable directory.
    Dir(PathBuf),
    /// A file with these bytes.
    Bytes(PathBuf, Vec<u8>),
    /// A copy of a host file; executable if the host's is.
    File(PathBuf, PathBuf),
    /// A copy of all below a host directory (regular files and directories only).
    Tree(PathBuf, PathBuf),
}

/// Standard input.
#[derive(Debug)]
pub enum Input {
    /// Empty.
    Nothing,
    /// A host file, opened read-only by us.
    Path(PathBuf),
    /// These bytes.
    Bytes(Vec<u8>),
}

impl Clone for Input {
    fn clone(&self) -> Input {
        match self {
            Input::Nothing => Input::Nothing,
            Input::Path(path) => Input::Path(path.clone()),
            Input::Bytes(bytes) => Input::Bytes(bytes.clone()),
        }
    }
}

/// What is taken out of `/box` after the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Keep {
    /// Nothing; the box is emptied.
    #[default]
    Nothing,
    /// Regular files and directories below a path of the box (`""`: all of it) are copied
    /// into a host directory, which must exist. Links, devices and the like are left out.
    Below(PathBuf, PathBuf),
}

/// Every limit of a run. There is none without a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of all its processes together.
    pub cpu: Duration,
    /// Wall time: only against idling.
    pub wall: Duration,
    /// Memory of all its processes together; the stack has no other limit.
    pub memory: Bytes,
    /// Standard output; and, on its own account, standard error.
    pub output: Bytes,
    /// Written files in `/box`, together.
    pub files: Bytes,
    /// Processes and threads alive at once.
    pub processes: u32,
}

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
    pub cpu: Duration,
    /// Wall time from start to end.
    pub wall: Duration,
    /// Peak memory of all processes together; without a memory cgroup the largest resident set of one
    /// of them, or of the worker that executed it (less than 1 MiB), whichever is more.
    pub memory: Bytes,
    /// Retired user instructions where the machine counts them.
    pub instructions: Option<u64>,
    /// Processes still alive when the main one ended; they were killed.
    pub left: u32,
}

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// What it wrote to standard output.
    pub stdout: Captured,
    /// What it wrote to standard error.
    pub stderr: Captured,
    /// Remarks for the reader: "process limit hit", "forbidden system call".
    pub notes: Vec<String>,
}

/// Output kept in memory by the kernel, not by us.
#[derive(Debug)]
pub struct Captured(pub File);

impl Captured {
    /// How many bytes were written.
    pub fn size(&self) -> io::Result<Bytes> {
        Ok(Bytes(self.0.metadata()?.len()))
    }

    /// All of it.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        self.head(usize::MAX)
    }

    /// At most the first `most` bytes.
    pub fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        self.part(0, (most as u64).min(self.size()?.0))
    }

    /// At most the last `most` bytes.
    pub fn tail(&self, most: usize) -> io::Result<Vec<u8>> {
        let size = self.size()?.0;
        let length = (most as u64).min(size);
        self.part(size - length, length)
    }

    fn part(&self, from: u64, length: u64) -> io::Result<Vec<u8>> {
        use std::os::unix::fs::FileExt;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.0.read_exact_at(&mut bytes, from)?;
        Ok(bytes)
    }
}

/// What came of two programs connected crosswise.
#[derive(Debug)]
pub struct Pair {
    /// The first program: its standard output went to the second's input.
    pub first: Ran,
    /// The second.
    pub second: Ran,
    /// Who ended first by itself.
    pub ended: Ended,
    /// What was said, in order, if asked for.
    pub transcript: Vec<Transcript>,
}

/// Who of a pair ended first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The first program.
    First,
    /// The second program.
    Second,
}

/// A piece of what was said between a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Who said it.
    pub speaker: Ended,
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
}

impl Fault {
    /// A fault with this text.
    pub fn new(what: impl Into<String>) -> Fault {
        Fault { what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
