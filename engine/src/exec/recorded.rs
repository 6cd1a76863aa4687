//! Work whose new facts lie in the store before its driver hears of them: what is shown survives a kill.
//!
//! Facts about trials that went well are kept together, as a commit costs more than all else that is done about a
//! fact here. Any other outcome may decide what is to be done next: the driver hears of it at once, and of all
//! that came before it.

use super::executor::{JobResult, Work};
use crate::{
    plan::{Job, Key, Outcome},
    store::Store,
    verdict::Verdict,
};
use anyhow::{Error, Result};
use std::{
    mem,
    sync::atomic::{AtomicBool, Ordering},
};

/// So many are kept together at most.
const MOST_WAITING: usize = 64;

/// Work whose facts are recorded.
pub(super) struct RecordedWork<'a, 'w> {
    store: &'a Store,
    /// Set from outside to stop handing out jobs.
    stop: &'a AtomicBool,
    work: &'w mut dyn Work,
    /// Reported to us, neither kept nor passed on.
    waiting: Vec<(Job, JobResult)>,
    /// Why something could not be kept when that could not be said.
    failure: Option<Error>,
}

impl<'a, 'w> RecordedWork<'a, 'w> {
    pub(super) fn new(store: &'a Store, stop: &'a AtomicBool, work: &'w mut dyn Work) -> Self {
        RecordedWork { store, stop, work, waiting: Vec::new(), failure: None }
    }
}

impl Work for RecordedWork<'_, '_> {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        if self.is_stopped() || self.failure.is_some() {
            return None;
        }
        let job = self.work.next(warm);
        if job.is_some() || self.waiting.is_empty() {
            return job;
        }
        // What the driver has not heard of yet may let it plan further jobs.
        match self.keep() {
            Ok(()) => self.work.next(warm),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn remaining(&self) -> Option<usize> {
        self.work.remaining()
    }

    fn done(&mut self, job: Job, result: JobResult) -> Result<()> {
        self.waiting.push((job, result));
        self.keep()
    }

    fn done_soon(&mut self, job: Job, result: JobResult) -> Result<()> {
        let may_wait = went_well(&result) && self.waiting.len() + 1 < MOST_WAITING;
        self.waiting.push((job, result));
        if may_wait { Ok(()) } else { self.keep() }
    }

    fn keep(&mut self) -> Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let waiting = mem::take(&mut self.waiting);
        let facts: Vec<(Key, &Outcome)> = waiting.iter().filter_map(new_fact).collect();
        if !facts.is_empty() {
            self.store.put_many(&facts)?;
        }
        waiting.into_iter().try_for_each(|(job, result)| self.work.done(job, result))
    }
}

fn new_fact((job, result): &(Job, JobResult)) -> Option<(Key, &Outcome)> {
    let outcome = result.as_ref().ok().filter(|outcome| outcome.is_lasting())?;
    Some((job.key, outcome))
}

/// Whether it is a trial that closes nothing: nobody decides by it alone what to do next.
fn went_well(result: &JobResult) -> bool {
    matches!(result, Ok(Outcome::Trial(trial)) if trial.verdict == Verdict::Accepted && trial.score.is_none())
}
