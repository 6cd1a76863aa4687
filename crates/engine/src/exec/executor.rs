//! The interface between drivers and executors.

use kopek_plan::plan::{Job, Key, Outcome};
use kopek_sandbox::Fault;
use std::time::Instant;

/// The result of a job.
pub type JobResult = Result<Outcome, Fault>;

/// A source of jobs. Only one thread at a time takes and reports jobs, though not always the same one:
/// drivers need no locks.
pub trait Work: Send {
    /// The next job, if one is available now. `warm` is the build whose program the slot ran last: another of
    /// its trials is cheapest there.
    fn next(&mut self, warm: Option<&Key>) -> Option<Job>;

    /// Reports a job that was taken as done. An error stops the run.
    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()>;

    /// The same, for a caller that calls [`Work::keep`] when it is [`Work::due`]: storing results together is cheaper
    /// than one by one. The driver sees the result once it is stored.
    fn done_soon(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.done(job, result)
    }

    /// When reported results must be stored, if some are waiting.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Stores everything that was reported so far.
    fn keep(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Does all the work. Every job that was taken is reported exactly once.
pub trait Executor: Sync {
    /// The order in which these jobs cost least.
    fn sort(&self, jobs: Vec<Job>) -> Vec<Job> {
        jobs
    }

    /// Works until no job is available and none is running.
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()>;
}
