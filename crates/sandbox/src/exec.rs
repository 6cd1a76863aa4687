//! Plain data: the program to run, its environment and its limits.

use crate::run::wire::path_as_bytes;
use kopek_base::Bytes;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};

/// One program to run.
#[derive(Debug, Clone)]
pub struct Exec {
    /// Program and arguments. The program is an absolute path inside the sandbox, or a name that is looked up
    /// in the inner `PATH`.
    pub argv: Vec<String>,
    /// Added to the clean environment (`PATH`, `HOME=/box`, `LANG=C.UTF-8`).
    pub env: Vec<(String, String)>,
    /// The files that it sees besides its box. Runs with equal views share a warm worker.
    pub view: SandboxView,
    /// The working directory: `/box`, or the inside path of a mount.
    pub cwd: String,
    /// Files for `/box`, which is otherwise empty.
    pub files: Vec<BoxFile>,
    /// Its standard input.
    pub stdin: Input,
    /// All its limits.
    pub limits: Limits,
    /// How far a busy machine may extend its wall limit; `None` means five times that limit.
    pub extension: Option<Duration>,
    /// A run that others kept from the CPU until its wall limit is a fault, unless it used more CPU time than this.
    pub enough_cpu: Duration,
    /// The files to copy out of `/box` after the run.
    pub keep: Keep,
    /// Whether it maps far more memory than it uses, as sanitizers do: then no single process has a limit of
    /// its own.
    pub reserves: bool,
}

impl Exec {
    /// A program without input that sees only the system's basis and leaves no files. All fields can be
    /// changed.
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
            enough_cpu: Duration::MAX,
            keep: Keep::Nothing,
            reserves: false,
        }
    }
}

/// The files that a program sees besides `/box`: the system's read-only basis (`/usr`, the libraries, and
/// devices such as `/dev/null`) and these.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct SandboxView {
    /// Host paths, mounted read-only.
    pub mounts: Vec<ReadOnlyMount>,
    /// Whether `/proc` exists (with only its own processes): some runtimes need it.
    pub proc: bool,
    /// Whether `/box` is writable.
    pub writable: bool,
}

/// A host file or directory, mounted read-only at a path inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReadOnlyMount {
    /// The path on the host; its symlinks are resolved once, by us.
    #[serde(with = "path_as_bytes")]
    pub host: PathBuf,
    /// Absolute path inside: `/exe`, `/data`, `/usr/lib/rustlib`.
    #[serde(with = "path_as_bytes")]
    pub inside: PathBuf,
}

/// A file or directory for `/box`; paths are relative to `/box`.
#[derive(Debug, Clone)]
pub enum BoxFile {
    /// An empty, writable directory.
    Dir(PathBuf),
    /// A file with these bytes.
    Bytes(PathBuf, Vec<u8>),
    /// A copy of a host file; executable if the host's is.
    File(PathBuf, PathBuf),
    /// A copy of everything below a host directory (regular files and directories only).
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

/// The files to copy out of `/box` after the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Keep {
    /// Nothing; the box is emptied.
    #[default]
    Nothing,
    /// Regular files and directories below a path of the box (`""` for all of it) are copied into a host
    /// directory, which must exist. Links, devices and other files are left out.
    Below(PathBuf, PathBuf),
}

/// All limits of a run. Every run has all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of all its processes together.
    pub cpu: Duration,
    /// Wall time, only against idling.
    pub wall: Duration,
    /// Memory of all its processes together; there is no separate limit on the stack.
    pub memory: Bytes,
    /// Standard output, and separately standard error.
    pub output: Bytes,
    /// All written files in `/box` together.
    pub files: Bytes,
    /// Processes and threads that are alive at once.
    pub processes: u32,
}

/// The kernel charges memory in batches of up to this size; an excess below it does not count.
const CHARGE_BATCH: u64 = 1 << 20;

impl Limits {
    /// The seconds of CPU time after which the kernel kills a process: a second defence, in case that the worker
    /// does not. For this limit the kernel counts ticks, on a busy machine some percent more than the time that we
    /// measure.
    pub(crate) fn cpu_of_a_process(&self) -> u64 {
        self.cpu.as_secs().saturating_mul(2).saturating_add(2)
    }

    /// The largest amount of memory that may still be within the limit.
    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.0.saturating_add(CHARGE_BATCH)
    }

    /// The largest amount together with its files, which are charged alike but have their own limit.
    pub(crate) fn most_memory_and_files(&self) -> u64 {
        self.most_memory().saturating_add(self.files.0)
    }

    /// The charge of its cgroup may exceed the initial one by this: the program's memory plus its output and
    /// files, which are memory too but have limits of their own.
    pub(crate) fn group_capacity(&self) -> u64 {
        let parts = [self.memory, self.output, self.output, self.files];
        parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.0))
    }

    /// If the kernel reclaimed more than this too late, an out-of-memory stop is in doubt. A program that
    /// needs too much memory may also start processes: on an idle machine, the memory that they leave stays
    /// below this fraction of usual limits. The fraction is small, because some memory is reclaimed between
    /// the kill and our first look.
    pub(crate) fn doubtful_release(&self) -> u64 {
        self.group_capacity() / 8
    }
}
