//! Many small things at the same time: a thread and a sandbox slot for each CPU.
//! Whoever asks is told from its own thread.

use super::Workshop;
use crate::sandbox::Slot;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Does so many jobs by their numbers, the first ones first, until `stop` is set. `done` hears what
/// came of each, in the order in which they end.
pub fn side_by_side<R: Send>(
    workshop: &Workshop,
    jobs: usize,
    stop: &AtomicBool,
    work: impl Fn(&mut Slot, usize) -> R + Sync,
    mut done: impl FnMut(usize, R),
) {
    let next = AtomicUsize::new(0);
    let threads = workshop.cpus.len().clamp(1, jobs.max(1));
    let (report, reports) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (report, next, work) = (report.clone(), &next, &work);
            scope.spawn(move || {
                let mut slot = workshop.slot();
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= jobs || report.send((at, work(&mut slot, at))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(report);
        for (at, result) in reports {
            done(at, result);
        }
    });
}
