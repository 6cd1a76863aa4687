//! What to run, in what surroundings and under which limits: plain data.

use kopek_base::Bytes;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};

/// One program to run.
#[derive(Debug, Clone)]
pub struct Exec {
    /// Program and arguments. The program is an absolute path inside the box, or
    /// a bare name that is looked up in `PATH` inside.
    pub argv: Vec<String>,
    /// Added to the clean environment (`PATH`, `HOME=/box`, `LANG=C.UTF-8`).
    pub env: Vec<(String, String)>,
    /// What it can see besides its box. Runs with equal views share a warm worker.
    pub view: SandboxView,
    /// Where it starts: `/box`, or the inside path of something shown.
    pub cwd: String,
    /// Put into `/box` before the run. The box is empty otherwise.
    pub files: Vec<BoxFile>,
    /// Its standard input.
    pub stdin: Input,
    /// All its limits.
    pub limits: Limits,
    /// How far a busy machine may prolong its wall limit; `None`: by five times that limit.
    pub extension: Option<Duration>,
    /// What is taken out of `/box` after the run.
    pub keep: Keep,
    /// Whether it maps far more memory than it uses, as sanitizers do: no single process has a limit of its own then.
    pub reserves: bool,
}

impl Exec {
    /// A program that reads nothing, sees only the system's basis and leaves nothing behind. All fields can be changed.
    pub fn new(argv: impl IntoIterator<Item = impl Into<String>>, limits: Limits) -> Exec {
        Exec {
            argv: argv.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            view: SandboxView::default(),
            cwd: "/box".into(),
            files: Vec::new(),
            stdin: Input::Nothing,
            limits,
            extension: None,
            keep: Keep::Nothing,
            reserves: false,
        }
    }
}

/// What a program can see besides `/box`: the system's read-only basis (`/usr`
/// and the libraries, `/dev/null` and its kin) and these.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SandboxView {
    /// Host paths shown read-only.
    pub mounts: Vec<ReadOnlyMount>,
    /// Whether `/proc` is there (only its own processes): some runtimes need it.
    pub proc: bool,
    /// Whether `/box` can be written to.
    pub writable: bool,
}

/// A host file or directory shown read-only at a path inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReadOnlyMount {
    /// Where it lies on the host; symbolic links in it are followed once, by us.
    pub host: PathBuf,
    /// Absolute path inside: `/exe`, `/data`, `/usr/lib/rustlib`.
    pub inside: PathBuf,
}

/// Something put into `/box` before a run; paths are relative to `/box`.
#[derive(Debug, Clone)]
pub enum BoxFile {
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
#[derive(Debug, Clone)]
pub enum Input {
    /// Empty.
    Nothing,
    /// A host file, opened read-only by us.
    Path(PathBuf),
    /// These bytes.
    Bytes(Vec<u8>),
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

/// Charges are made in batches of up to this much; less than it above a limit is not above it.
const CHARGE_BATCH: u64 = 1 << 20;

impl Limits {
    /// The most memory that is not surely more than allowed.
    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.0.saturating_add(CHARGE_BATCH)
    }

    /// The most that its files may have added to it: they are charged alike, and have a limit of their own.
    pub(crate) fn most_memory_and_files(&self) -> u64 {
        self.most_memory().saturating_add(self.files.0)
    }

    /// What its cgroup may hold above what was there before: the program's memory, and its output and files, which
    /// are memory too but have limits of their own.
    pub(crate) fn group_capacity(&self) -> u64 {
        let parts = [self.memory, self.output, self.output, self.files];
        parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.0))
    }

    /// More than this must have been taken back late by the kernel to cast doubt on a lack of memory. A program that
    /// needs too much may start others as well: in quiet, what these leave stays below this part of usual limits. It
    /// is small, for some is taken back between the kill and our first look.
    pub(crate) fn doubtful_release(&self) -> u64 {
        self.group_capacity() / 8
    }
}
