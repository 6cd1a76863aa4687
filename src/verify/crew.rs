//! Many small runs at the same time: a thread and a sandbox slot for each CPU.
//! Whoever calls is told from its own thread.

use super::{Bench, Step, Tell};
use crate::sandbox::{Fault, Slot};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the work on every job; results in the order of the jobs. `None`: stopped before.
pub fn each<J: Sync, R: Send>(
    bench: &Bench,
    what: &'static str,
    jobs: &[J],
    tell: &mut Tell,
    work: impl Fn(&mut Slot, &J) -> Result<R, Fault> + Sync,
) -> Vec<Option<Result<R, Fault>>> {
    tell(Step::Begin { what, jobs: jobs.len() });
    let mut results: Vec<_> = jobs.iter().map(|_| None).collect();
    let next = AtomicUsize::new(0);
    let threads = bench.workshop.cpus.len().clamp(1, jobs.len().max(1));
    let (report, reports) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (report, next, work) = (report.clone(), &next, &work);
            scope.spawn(move || {
                let mut slot = bench.workshop.slot();
                while !bench.stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let result = work(&mut slot, job);
                    if report.send((at, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(report);
        for (at, result) in reports {
            results[at] = Some(result);
            tell(Step::Done);
        }
    });
    results
}
