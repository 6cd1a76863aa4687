//! An executor that generates test data, and judges nothing: the facts of the parts must be enough.

use crate::{
    exec::{Executor, JobResult, Work},
    plan::{Job, Key},
    sandbox::Fault,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Refuses each job once judging has begun.
pub struct FoldOnly<'a> {
    executor: &'a dyn Executor,
    is_judging: AtomicBool,
    refused: AtomicUsize,
}

impl FoldOnly<'_> {
    /// Runs jobs with this executor until judging begins.
    pub fn new(executor: &dyn Executor) -> FoldOnly<'_> {
        FoldOnly { executor, is_judging: AtomicBool::new(false), refused: AtomicUsize::new(0) }
    }

    /// From now on, jobs are refused.
    pub fn begin_judging(&self) {
        self.is_judging.store(true, Ordering::Relaxed);
    }

    /// Counts refused jobs from zero.
    pub fn forget_refused(&self) {
        self.refused.store(0, Ordering::Relaxed);
    }

    /// The number of refused jobs: those without a fact.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }
}

impl Executor for FoldOnly<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        if !self.is_judging.load(Ordering::Relaxed) {
            return self.executor.run(work);
        }
        while let Some(job) = work.next(None::<&Key>) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            refuse(work, job)?;
        }
        Ok(())
    }
}

fn refuse(work: &mut dyn Work, job: Job) -> anyhow::Result<()> {
    let result: JobResult = Err(Fault::new("not judged: its part has no result; the same command continues"));
    work.done(job, result)
}
