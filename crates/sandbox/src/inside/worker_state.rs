//! The state of a worker between runs.

use super::confinement::PreopenedFiles;
use crate::{
    meters::{cgroup_meters::CgroupMeters, procfs::tasks_of_user},
    run::messages::Isolation,
    sys::ChildStack,
};
use std::{os::fd::OwnedFd, path::PathBuf};

pub(crate) struct WorkerState<'a> {
    /// Those of its cgroup, if it has one.
    pub(crate) meters: Option<&'a CgroupMeters>,
    pub(crate) preopened: PreopenedFiles,
    /// The CPU of the worker and its programs.
    pub(crate) cpu: Option<usize>,
    /// The number of CPUs that its programs can use at once.
    pub(crate) cpus: u32,
    /// The user of its programs, if it can change users.
    pub(crate) user: Option<u32>,
    pub(crate) isolation: Isolation,
    /// The directories of built programs.
    pub(crate) built_dirs: Vec<PathBuf>,
    /// The largest number of descriptors of a program.
    pub(crate) descriptors: u64,
    /// The stack of children between clone and exec.
    pub(crate) stack: ChildStack,
    /// The socket to the judge.
    pub(crate) judge: &'a OwnedFd,
    /// Readable when a child may have ended.
    pub(crate) child_events: OwnedFd,
}

/// The number of processes that the judge's user may start elsewhere during a run. With more, a fork bomb
/// would grow until we got no CPU time to count it.
const ROOM_FOR_OTHERS: u64 = 128;

impl WorkerState<'_> {
    /// Whether the judge's user started so many processes elsewhere that the program may have been refused
    /// some within its limit. Call it after the run.
    pub(crate) fn may_have_been_refused_processes(&self) -> bool {
        let shared = self.meters.is_none() && self.isolation == Isolation::Landlock && self.user.is_none();
        shared && tasks_of_user() > self.preopened.user_tasks + ROOM_FOR_OTHERS / 2
    }

    /// Processes that a process limit counts but which do not belong to the program.
    pub(crate) fn resident_processes(&self) -> u64 {
        match self.isolation {
            // Supervisor and worker are in the cgroup.
            _ if self.meters.is_some() => 2,
            // The limit is per user and namespace: for an ordinary user it counts the worker, too.
            Isolation::Namespaces => u64::from(self.user.is_none()),
            // It counts all processes of the judge's user on this machine.
            Isolation::Landlock if self.user.is_none() => self.preopened.user_tasks + ROOM_FOR_OTHERS,
            Isolation::Landlock => 0,
        }
    }
}
