//! A box on the host's file system has no size limit of its own. While a program runs in it, the judge checks
//! its size now and then, and stops the run before the disk is full.

use crate::{
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    run::{messages::Isolation, worker_handle::WorkerHandle},
};
use std::time::{Duration, Instant};

/// The interval between checks, as long as they are fast.
const INTERVAL: Duration = Duration::from_millis(20);

/// The inverse of the share of time that checks may take.
const SHARE: u32 = 20;

/// Deleted files that are still open cannot be counted by name, so this much of the disk stays free.
const RESERVE: u64 = 1 << 30;

/// The watch on a box during a run.
pub(crate) struct BoxWatch {
    most_bytes: u64,
    /// The space on the disk that must stay free.
    reserve: u64,
    next: Instant,
}

impl BoxWatch {
    /// `None` if the box has its own file system, which enforces the limit, or is not writable. `placed` is
    /// the number of bytes that it already contains.
    pub(crate) fn start(worker: &WorkerHandle, exec: &Exec, placed: u64) -> Result<Option<BoxWatch>, Fault> {
        if worker.setup.isolation == Isolation::Namespaces || !exec.view.writable {
            return Ok(None);
        }
        let free = free_space(worker)?;
        let most_bytes = placed.saturating_add(exec.limits.files.0);
        Ok(Some(BoxWatch { most_bytes, reserve: RESERVE.min(free / 2), next: Instant::now() + INTERVAL }))
    }

    /// The time until the next check.
    pub(crate) fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Checks if it is time to, and stops the run if its box is too large: its contents then show the reason.
    pub(crate) fn look(&mut self, worker: &WorkerHandle) -> Result<(), Fault> {
        let start = Instant::now();
        if start < self.next {
            return Ok(());
        }
        // A program that makes and removes files in the meantime can make this fail; the next check may
        // succeed.
        if worker.box_dir.usage().is_ok_and(|usage| usage.full || usage.bytes > self.most_bytes) {
            worker.stop_run();
        }
        if free_space(worker)? < self.reserve {
            worker.stop_run();
            let place = worker.setup.host_box.display();
            return Err(fault_in(
                format!("run in {place}"),
                "its disk is nearly full; make room, or set TMPDIR to a place with more",
            ));
        }
        self.next = Instant::now() + INTERVAL.max(start.elapsed() * SHARE);
        Ok(())
    }
}

fn free_space(worker: &WorkerHandle) -> Result<u64, Fault> {
    let stat = rustix::fs::fstatvfs(&worker.box_dir.box_part).map_err(|e| fault_in("look at the disk", e))?;
    Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
}
