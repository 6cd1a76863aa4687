//! The shared state of runs in one place: the sandbox, a CPU, and a supervisor for each of two programs.

use super::{messages::WorkerSetup, run_request::worker_setup_for, worker_host::WorkerHost};
use crate::{exec::Exec, fault::Fault, machine::modes::Sandbox};

#[derive(Debug)]
pub(crate) struct SlotWorkers {
    // Before the sandbox: their cgroups must be gone when it leaves its own.
    pub(crate) hosts: [WorkerHost; 2],
    pub(crate) sandbox: Sandbox,
    pub(crate) cpu: Option<usize>,
}

impl SlotWorkers {
    /// The setup of a worker for this program.
    pub(crate) fn setup_for(&self, exec: &Exec) -> Result<WorkerSetup, Fault> {
        worker_setup_for(&self.sandbox, self.cpu, exec)
    }

    pub(crate) fn drop_workers(&mut self) {
        self.hosts.iter_mut().for_each(WorkerHost::drop_worker);
    }
}
