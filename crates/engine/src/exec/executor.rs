//! The seam between drivers and what does their jobs.

use crate::plan::{Job, Key, Outcome};
use kopek_sandbox::Fault;

/// What became of a job.
pub type JobResult = Result<Outcome, Fault>;

/// Jobs, taken and reported by one thread at a time, if not always by the same: drivers need no locks.
pub trait Work: Send {
    /// The next job, if any can be given now. `warm` names the build whose program the slot ran
    /// last: another of its trials is cheapest there.
    fn next(&mut self, warm: Option<&Key>) -> Option<Job>;

    /// Whether no more is to be begun, not even what was put aside.
    fn is_stopped(&self) -> bool {
        false
    }

    /// How many jobs are still to be given out at most, if that is known: people want to know how long it takes.
    fn remaining(&self) -> Option<usize> {
        None
    }

    /// A job that was taken is done. An error stops the run.
    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()>;

    /// The same, from who calls [`Work::keep`] within some milliseconds: what is kept together costs less
    /// than one by one. The driver hears of it when it is kept.
    fn done_soon(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.done(job, result)
    }

    /// Keeps everything that was reported so far.
    fn keep(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Does all the work. Every job that was taken is reported done exactly once.
pub trait Executor: Sync {
    /// Hears of jobs that the next run may hand out.
    fn foresee(&self, _jobs: &[Job]) {}

    /// Works until there is no job to be given and none under way.
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()>;
}
