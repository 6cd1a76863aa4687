//! Two programs connected crosswise, and which of them ended first.

use super::{
    carried_pair, joined_pair,
    run_request::worker_setup_for,
    slot::{Slot, finish_run},
    talk::PairOptions,
    worker_host::WorkerHost,
};
use crate::sandbox::{
    exec::Exec,
    run_result::{Fault, PairResult},
};

impl Slot {
    /// Runs two programs connected crosswise: each one's output is the other's input.
    /// What their `stdin` says is not used.
    pub fn run_pair(
        &mut self,
        first: &Exec,
        second: &Exec,
        options: PairOptions,
    ) -> Result<PairResult, Fault> {
        let result = self.try_pair(first, second, options);
        if result.is_err() {
            self.hosts.iter_mut().for_each(WorkerHost::drop_worker);
        }
        result
    }

    fn try_pair(&mut self, first: &Exec, second: &Exec, options: PairOptions) -> Result<PairResult, Fault> {
        let first_setup = worker_setup_for(&self.sandbox, self.cpu, first)?;
        let second_setup = worker_setup_for(&self.sandbox, self.cpu, second)?;
        let Slot { sandbox, hosts: [first_host, second_host], .. } = self;
        let mut may_join = options.transcript.is_none();
        loop {
            let first_worker = sandbox.worker(first_host, first_setup.clone())?;
            let second_worker = sandbox.worker(second_host, second_setup.clone())?;
            may_join &= first_worker.counts_written && second_worker.counts_written;
            let programs = [(first, first_worker), (second, second_worker)];
            let (talked, transcript) = match may_join {
                true => (joined_pair::hold(programs, options)?, Vec::new()),
                false => carried_pair::hold(programs, options)?,
            };
            first_host.end_run()?;
            second_host.end_run()?;
            if !talked.is_certain {
                // Once more, from the beginning: nothing of this one may be left.
                first_host.drop_worker();
                second_host.drop_worker();
                may_join = false;
                continue;
            }
            let [first_end, second_end] = talked.runs;
            let first_run = finish_run(first_host.current_worker()?, first, first_end)?;
            let second_run = finish_run(second_host.current_worker()?, second, second_end)?;
            for (host, run) in [(first_host, &first_run), (second_host, &second_run)] {
                if !run.worker_reusable {
                    host.drop_worker();
                }
            }
            return Ok(PairResult {
                first: first_run.ran,
                second: second_run.ran,
                first_to_end: talked.first_to_end,
                may_exceed: talked.may_exceed,
                transcript,
            });
        }
    }
}
