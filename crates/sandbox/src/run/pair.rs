//! Two programs with crossed pipes, and which of them ended first.

use super::{carried_pair, finished_run::finish_run, slot_workers::SlotWorkers, talk::PairOptions};
use crate::{exec::Exec, fault::Fault, run_result::PairResult};

/// Runs the conversation of two programs.
pub(crate) fn run_pair(
    workers: &mut SlotWorkers,
    [first, second]: [&Exec; 2],
    options: PairOptions,
) -> Result<PairResult, Fault> {
    let first_setup = workers.setup_for(first)?;
    let second_setup = workers.setup_for(second)?;
    let SlotWorkers { sandbox, hosts: [first_host, second_host], .. } = workers;
    let first_worker = sandbox.worker(first_host, first_setup)?;
    let second_worker = sandbox.worker(second_host, second_setup)?;
    let talked = carried_pair::hold([(first, first_worker), (second, second_worker)], options)?;
    first_host.end_run()?;
    second_host.end_run()?;
    let [first_end, second_end] = talked.runs;
    let first_run = finish_run(first_host.current_worker()?, first, first_end)?;
    let second_run = finish_run(second_host.current_worker()?, second, second_end)?;
    for (host, run) in [(first_host, &first_run), (second_host, &second_run)] {
        if !run.worker_reusable {
            host.drop_worker();
        }
    }
    Ok(PairResult {
        first: first_run.ran,
        second: second_run.ran,
        first_to_end: talked.first_to_end,
        transcript: talked.transcript,
    })
}
