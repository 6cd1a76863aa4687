//! Two programs connected crosswise, and which of them ended first.

use super::{
    conversation::{self, PairOptions, PairSide},
    exec::Exec,
    run_request::worker_setup_for,
    run_result::{Fault, PairMember, PairResult},
    slot::{Slot, finish_run},
    worker_host::WorkerHost,
};

impl Slot {
    /// Runs two programs connected crosswise: each one's output is the other's input.
    /// What their `stdin` says is not used.
    pub fn run_pair(&mut self, first: &Exec, second: &Exec, talk: PairOptions) -> Result<PairResult, Fault> {
        let result = self.try_pair(first, second, talk);
        if result.is_err() {
            self.hosts.iter_mut().for_each(WorkerHost::drop_worker);
        }
        result
    }

    fn try_pair(&mut self, first: &Exec, second: &Exec, talk: PairOptions) -> Result<PairResult, Fault> {
        let first_setup = worker_setup_for(&self.sandbox, self.cpu, first)?;
        let second_setup = worker_setup_for(&self.sandbox, self.cpu, second)?;
        let Slot { sandbox, hosts: [first_host, second_host], spent, disk_reads, .. } = self;
        let first_worker = first_host.worker_for(sandbox.exe(), first_setup)?;
        let mut first_side =
            PairSide::start(PairMember::First, first, first_worker)?.may_write(talk.first_may_say);
        let second_worker = second_host.worker_for(sandbox.exe(), second_setup)?;
        let mut second_side = PairSide::start(PairMember::Second, second, second_worker)?;
        let conversation = conversation::hold(&mut first_side, &mut second_side, talk)?;
        let (mut first_end, mut second_end) = (first_side.ended_run()?, second_side.ended_run()?);
        conversation.correct_replies(&mut first_end.reply, &mut second_end.reply);
        first_host.end_run()?;
        second_host.end_run()?;
        let first_run = finish_run(first_host.current_worker()?, first, first_end)?;
        let second_run = finish_run(second_host.current_worker()?, second, second_end)?;
        *spent += first_run.ran.usage.cpu + second_run.ran.usage.cpu;
        *disk_reads += first_run.disk_reads + second_run.disk_reads;
        for (host, run) in [(first_host, &first_run), (second_host, &second_run)] {
            if !run.worker_reusable {
                host.drop_worker();
            }
        }
        Ok(PairResult {
            first: first_run.ran,
            second: second_run.ran,
            first_to_end: conversation.ended.unwrap_or(PairMember::First),
            transcript: conversation.transcript,
        })
    }
}
