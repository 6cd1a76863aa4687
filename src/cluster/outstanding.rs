//! Jobs that were given away and have no result yet.

use super::messages::{FORM, JobMessage, meanings};
use crate::plan::{Job, Key};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    time::{Duration, Instant},
};

/// A job that was given away.
pub(super) struct OutstandingJob {
    pub job: Job,
    /// How often it was queued anew.
    pub attempt: u32,
    /// How often the server had lost it.
    pub lost: u32,
    /// How often contents that it names or made arrived damaged.
    pub damaged: u32,
    /// Whether it is tried with nothing beside it.
    pub alone: bool,
    /// When it was queued last; `None`: it is not.
    pub queued: Option<Instant>,
    /// Its number on the server, if that said so.
    pub sequence: Option<u64>,
    /// When it is to be queued again.
    pub due: Instant,
    /// Who handed it back, and why.
    pub declined: BTreeMap<String, String>,
}

/// All of them, and those under suspicion in the order in which they are tried alone.
#[derive(Default)]
pub(super) struct Outstanding {
    pub jobs: HashMap<Key, OutstandingJob>,
    suspects: VecDeque<Key>,
}

impl OutstandingJob {
    fn new(job: Job) -> OutstandingJob {
        let due = Instant::now();
        OutstandingJob {
            job,
            attempt: 0,
            lost: 0,
            damaged: 0,
            alone: false,
            queued: None,
            sequence: None,
            due,
            declined: BTreeMap::new(),
        }
    }

    /// Queues it again after a pause that grows with the attempts.
    pub(super) fn queue_again(&mut self) {
        self.attempt += 1;
        self.queued = None;
        self.due = Instant::now() + Duration::from_millis(u64::from(self.attempt.min(10)) * 100);
    }

    pub(super) fn message(&self) -> JobMessage {
        JobMessage {
            form: FORM,
            meanings: meanings(),
            attempt: self.attempt,
            alone: self.alone,
            job: self.job.clone(),
        }
    }
}

impl Outstanding {
    pub(super) fn add(&mut self, job: Job) {
        self.jobs.insert(job.key, OutstandingJob::new(job));
    }

    /// The end of a job; `None`: it had ended before.
    pub(super) fn end(&mut self, key: &Key) -> Option<Job> {
        let ended = self.jobs.remove(key)?;
        self.suspects.retain(|suspect| suspect != key);
        Some(ended.job)
    }

    /// Puts a job among those that are tried one at a time.
    pub(super) fn suspect(&mut self, key: &Key) {
        if let Some(job) = self.jobs.get_mut(key) {
            job.alone = true;
            job.queue_again();
            self.suspects.push_back(*key);
        }
    }

    /// What is to be queued now. Of those under suspicion only the first: the others wait for its end.
    pub(super) fn due(&self) -> Vec<Key> {
        let now = Instant::now();
        let is_due = |(key, job): &(&Key, &OutstandingJob)| {
            job.queued.is_none() && job.due <= now && (!job.alone || self.suspects.front() == Some(key))
        };
        self.jobs.iter().filter(is_due).map(|(key, _)| *key).collect()
    }

    /// Whether something waits to be queued again.
    pub(super) fn has_unqueued(&self) -> bool {
        self.jobs.values().any(|job| job.queued.is_none())
    }
}
