//! A box on the host's file system has no size of its own: while a program runs in it, the judge looks now
//! and then how much it holds, and stops the run before the disk is full.

use crate::{
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    run::{messages::Isolation, worker_handle::WorkerHandle},
};
use std::time::{Duration, Instant};

/// How often it looks, while looking is quick.
const INTERVAL: Duration = Duration::from_millis(20);

/// Looking takes at most one part in so many of the time.
const SHARE: u32 = 20;

/// Deleted files that are still open have no name to be counted by: so much of the disk stays free.
const RESERVE: u64 = 1 << 30;

/// A box to be looked at during a run.
pub(crate) struct BoxWatch {
    most_bytes: u64,
    /// What must stay free of the disk.
    reserve: u64,
    next: Instant,
}

impl BoxWatch {
    /// None where the box is a file system of its own, which holds the limit, or cannot be written to.
    /// `placed`: bytes that lie in it already.
    pub(crate) fn start(worker: &WorkerHandle, exec: &Exec, placed: u64) -> Result<Option<BoxWatch>, Fault> {
        if worker.setup.isolation == Isolation::Namespaces || !exec.view.writable {
            return Ok(None);
        }
        let free = free_space(worker)?;
        let most_bytes = placed.saturating_add(exec.limits.files.0);
        Ok(Some(BoxWatch { most_bytes, reserve: RESERVE.min(free / 2), next: Instant::now() + INTERVAL }))
    }

    /// How long until it wants to look again.
    pub(crate) fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Looks if it is time to, and stops the run if its box holds too much: what lies there then tells why.
    pub(crate) fn look(&mut self, worker: &WorkerHandle) -> Result<(), Fault> {
        let start = Instant::now();
        if start < self.next {
            return Ok(());
        }
        // A program that makes and removes files meanwhile can make this fail; the next look need not.
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
