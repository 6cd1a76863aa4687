//! What a worker holds between runs.

use super::confinement::PreopenedFiles;
use crate::{
    meters::{cgroup_meters::CgroupMeters, procfs::tasks_of_user},
    run::messages::Isolation,
    sys::ChildStack,
};
use std::{os::fd::OwnedFd, path::PathBuf};

pub(crate) struct WorkerState<'a> {
    /// Its cgroup's, if it has one.
    pub(crate) meters: Option<&'a CgroupMeters>,
    pub(crate) preopened: PreopenedFiles,
    /// The CPU that it and its programs stay on.
    pub(crate) cpu: Option<usize>,
    /// How many CPUs its programs can use at once.
    pub(crate) cpus: u32,
    /// The user its programs become, if it can change users.
    pub(crate) user: Option<u32>,
    pub(crate) isolation: Isolation,
    /// Where built programs lie.
    pub(crate) built_dirs: Vec<PathBuf>,
    /// How many descriptors a program may have.
    pub(crate) descriptors: u64,
    /// Of children between clone and exec.
    pub(crate) stack: ChildStack,
    /// The socket to the judge.
    pub(crate) judge: &'a OwnedFd,
    /// Readable when a child may have ended.
    pub(crate) child_events: OwnedFd,
}

/// How many processes the judge's user may start elsewhere during a run. With more room a bomb would grow
/// until we got no CPU to count it.
const ROOM_FOR_OTHERS: u64 = 128;

impl WorkerState<'_> {
    /// Whether the judge's user started so much elsewhere that the program may have been refused processes
    /// which it was allowed. To be asked when the run is over.
    pub(crate) fn may_have_been_refused_processes(&self) -> bool {
        let shared = self.meters.is_none() && self.isolation == Isolation::Landlock && self.user.is_none();
        shared && tasks_of_user() > self.preopened.user_tasks + ROOM_FOR_OTHERS / 2
    }

    /// Processes that a process limit counts and that are not the program's.
    pub(crate) fn resident_processes(&self) -> u64 {
        match self.isolation {
            // Supervisor and worker live in the cgroup.
            _ if self.meters.is_some() => 2,
            // The limit is of a user, and counts in its own namespace: of an ordinary user's the worker is one.
            Isolation::Namespaces => u64::from(self.user.is_none()),
            // It counts whatever else the judge's user runs on this machine.
            Isolation::Landlock if self.user.is_none() => self.preopened.user_tasks + ROOM_FOR_OTHERS,
            Isolation::Landlock => 0,
        }
    }
}
