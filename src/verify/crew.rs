//! Many small runs at the same time, counted for whoever shows progress.

use super::{Bench, Step, Tell};
use crate::{
    exec::side_by_side,
    sandbox::{Fault, Slot},
};

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
    let work = |slot: &mut Slot, at: usize| work(slot, &jobs[at]);
    side_by_side(bench.workshop, jobs.len(), bench.stop, work, |at, result| {
        results[at] = Some(result);
        tell(Step::Done);
    });
    results
}
