//! What a worker holds between runs.

use super::{cgroup_meters::CgroupMeters, confinement::PreopenedFiles, messages::Isolation, sys::ChildStack};
use std::{os::fd::OwnedFd, path::PathBuf};

pub(super) struct WorkerState<'a> {
    /// Its cgroup's, if it has one.
    pub(super) meters: Option<&'a CgroupMeters>,
    pub(super) preopened: PreopenedFiles,
    /// How many CPUs its programs can use at once.
    pub(super) cpus: u32,
    /// The user its programs become, if it can change users.
    pub(super) user: Option<u32>,
    pub(super) isolation: Isolation,
    /// Where built programs lie.
    pub(super) built_dirs: Vec<PathBuf>,
    /// Of children between clone and exec.
    pub(super) stack: ChildStack,
    /// The socket to the judge.
    pub(super) judge: &'a OwnedFd,
    /// Readable when a child may have ended.
    pub(super) child_events: OwnedFd,
}

impl WorkerState<'_> {
    /// Processes that a process limit counts and that are not the program's.
    pub(super) fn resident_processes(&self) -> u64 {
        match self.isolation {
            // Supervisor and worker live in the cgroup.
            _ if self.meters.is_some() => 2,
            // The limit is of a user, and counts in its own namespace: of an ordinary user's the worker is one.
            Isolation::Namespaces => u64::from(self.user.is_none()),
            // It counts whatever else the judge's user runs on this machine.
            Isolation::Landlock => 4096,
        }
    }
}
