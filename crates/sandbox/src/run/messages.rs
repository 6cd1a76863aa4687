//! The messages between judge, supervisor and worker: plain data.

use super::wire::path_as_bytes;
use crate::{
    exec::{Limits, SandboxView},
    meters::cgroup::CgroupParents,
};
use kopek_base::Bytes;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};

/// What isolates a program from the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// Namespaces, Landlock and the filter.
    Namespaces,
    /// Landlock and the filter only.
    Landlock,
}

/// Which processes `/proc` shows to programs that need it, in namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProcOrigin {
    /// Only those of the run.
    Own,
    /// Those of the machine or of the container around us, where the kernel refuses a new one.
    Host,
}

/// The name under which `kopek` is executed again as a supervisor: `main` recognises it.
pub(crate) const SUPERVISOR_NAME: &str = "kopek: supervisor";

/// To the supervisor: kill the worker and all its processes, then confirm.
pub(crate) const END_RUN: &[u8] = b"end";

/// To the worker: stop the program. Distinguished from a [`RunRequest`] by its length.
pub(crate) const STOP_RUN: &[u8] = b"x";

/// To the supervisor: start a worker with this setup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerSetup {
    pub(crate) isolation: Isolation,
    /// Two unused host ids for worker and program (`ids`, `ids + 1`), if we are root.
    pub(crate) ids: Option<u32>,
    pub(crate) cgroups: CgroupParents,
    /// The CPU it is pinned to.
    pub(crate) cpu: Option<usize>,
    pub(crate) view: SandboxView,
    pub(crate) box_size: Bytes,
    /// The largest number of files and directories in the box.
    pub(crate) inodes: u64,
    /// The box on the host, if there is no mount namespace for it.
    #[serde(with = "path_as_bytes")]
    pub(crate) host_box: PathBuf,
}

/// To the worker: run this program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunRequest {
    pub(crate) argv: Vec<String>,
    /// The whole environment, `NAME=value`.
    pub(crate) env: Vec<String>,
    pub(crate) cwd: String,
    pub(crate) limits: Limits,
    /// Whether the judge wants the program's descriptor, to see its end itself.
    pub(crate) wants_pidfd: bool,
    /// Whether it maps far more memory than it uses.
    pub(crate) reserves: bool,
    /// How far a busy machine may extend its wall limit.
    pub(crate) extension: Duration,
}

/// Why the worker stopped the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum StopReason {
    /// It did not: the program ended by itself.
    #[default]
    NotStopped,
    Cpu,
    Wall,
    /// Memory, measured by the worker if no cgroup limits it.
    Memory,
    /// More processes at once than allowed, counted by the worker if the kernel does not.
    Processes,
    /// At the judge's request.
    Judge,
}

/// From the worker: the run has ended. Raw figures; the judge interprets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RunReply {
    /// Exit code or signal of the main process.
    pub(crate) status: i32,
    /// Whether a signal ended it.
    pub(crate) killed: bool,
    /// Why the worker stopped it.
    pub(crate) stopped: StopReason,
    /// CPU time of all processes.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Further CPU time that they may have used unseen.
    pub(crate) unseen: Duration,
    /// Peak of the cgroup during the run, or the largest resident set.
    pub(crate) peak: u64,
    /// The largest resident set of one process.
    pub(crate) resident: u64,
    /// The sum of the peak resident sets of all processes, if it is known.
    pub(crate) resident_sum: Option<u64>,
    /// The cgroup's charge before the run.
    pub(crate) before: u64,
    /// The cgroup's charge after it: files and page cache that remain.
    pub(crate) after: u64,
    /// The number of processes that the kernel killed for lack of memory.
    pub(crate) oom: u64,
    /// The decrease of the charge after all processes had ended; measured only after an `oom`.
    pub(crate) released_late: u64,
    /// The number of processes and threads that were started, if known; counted only after an `oom` or a
    /// charge above the memory limit.
    pub(crate) started: u64,
    /// Forks refused at the process limit.
    pub(crate) refused_forks: u64,
    /// Processes still alive when the main one ended.
    pub(crate) left: u64,
    /// Whether it was stopped as idle although others had the CPU, or the machine stood still.
    pub(crate) starved: bool,
}

/// The first byte of every message from supervisor or worker: its kind.
pub(crate) mod tag {
    /// A [`super::RunReply`].
    pub(crate) const REPLY: u8 = b'r';
    /// A text: a fault of ours.
    pub(crate) const FAULT: u8 = b'f';
    /// The worker is ready. Comes with the box, a descriptor for answers to changes of modes if it needs them, and a
    /// byte that is 1 if its `/proc` is its own.
    pub(crate) const READY: u8 = b'g';
    /// The program has started; comes with its descriptor.
    pub(crate) const STARTED: u8 = b's';
    /// From the supervisor: the worker and all its processes are dead.
    pub(crate) const ENDED: u8 = b'e';
    /// From the supervisor: a [`crate::meters::cgroup_meters::PeakSupport`].
    pub(crate) const PEAKS: u8 = b'p';
}

#[cfg(test)]
mod tests {
    use super::{
        super::wire::{decode, encode},
        *,
    };
    use crate::exec::ReadOnlyMount;
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    #[test]
    fn setup_and_reply_survive_the_wire() {
        let shown = vec![ReadOnlyMount { host: "/a b".into(), inside: "/exe".into() }];
        let setup = WorkerSetup {
            isolation: Isolation::Namespaces,
            ids: Some(7),
            cgroups: CgroupParents::None,
            cpu: Some(0),
            view: SandboxView { mounts: shown, proc: true, writable: false },
            box_size: Bytes(5),
            inodes: 6,
            host_box: OsStr::from_bytes(b"/tmp/\xff").into(),
        };
        assert_eq!(decode::<WorkerSetup>(&encode(&setup).unwrap()).unwrap(), setup);
        let reply = RunReply {
            status: -1,
            killed: true,
            stopped: StopReason::Memory,
            unseen: Duration::from_millis(6),
            released_late: 4,
            started: 5,
            left: 3,
            starved: true,
            resident_sum: Some(9),
            ..RunReply::default()
        };
        assert_eq!(decode::<RunReply>(&encode(&reply).unwrap()).unwrap(), reply);
        assert!(decode::<RunReply>(b"short").is_err());
    }
}
