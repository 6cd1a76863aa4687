//! Jobs that were queued and have no result yet.

use super::messages::{FORM, JobMessage, meanings};
use kopek_base::Clock;
use kopek_engine::exec::JobResult;
use kopek_plan::plan::{Job, Key};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    time::{Duration, Instant},
};

/// A job that was queued.
pub(super) struct OutstandingJob {
    pub job: Job,
    /// How often it was queued again.
    pub attempt: u32,
    /// How often the server lost it.
    pub lost: u32,
    /// How often it was queued while the server had nothing to deliver.
    pub passed_over: u32,
    /// How often contents that it names or made arrived damaged.
    pub damaged: u32,
    /// Whether it is retried with no other job beside it.
    pub alone: bool,
    /// When it was queued last; `None` if it is not queued.
    pub queued: Option<Instant>,
    /// When it must be queued again.
    pub due: Instant,
    clock: Clock,
    /// The workers that declined it, with their reasons.
    pub declined: BTreeMap<String, String>,
}

/// A job that is no longer outstanding.
pub(super) struct EndedJob {
    pub job: Job,
    pub result: JobResult,
}

/// All jobs, and the suspected ones in the order of their retries.
#[derive(Default)]
pub(super) struct Outstanding {
    pub jobs: HashMap<Key, OutstandingJob>,
    suspects: VecDeque<Key>,
    clock: Clock,
}

impl OutstandingJob {
    fn new(job: Job, clock: Clock) -> OutstandingJob {
        OutstandingJob {
            job,
            attempt: 0,
            lost: 0,
            passed_over: 0,
            damaged: 0,
            alone: false,
            queued: None,
            due: clock.now(),
            clock,
            declined: BTreeMap::new(),
        }
    }

    /// Queues it again after a pause that grows with the attempts.
    pub(super) fn queue_again(&mut self) {
        self.attempt += 1;
        self.queued = None;
        self.due = self.clock.now() + Duration::from_millis(u64::from(self.attempt.min(10)) * 100);
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
        self.jobs.insert(job.key, OutstandingJob::new(job, self.clock.clone()));
    }

    /// Ends a job with this result; `None` if it had ended before.
    pub(super) fn end_with(&mut self, key: &Key, result: JobResult) -> Option<EndedJob> {
        Some(EndedJob { job: self.end(key)?, result })
    }

    /// Ends a job; `None` if it had ended before.
    pub(super) fn end(&mut self, key: &Key) -> Option<Job> {
        let ended = self.jobs.remove(key)?;
        self.suspects.retain(|suspect| suspect != key);
        Some(ended.job)
    }

    /// Adds a job to those that are retried one at a time.
    pub(super) fn suspect(&mut self, key: &Key) {
        if let Some(job) = self.jobs.get_mut(key) {
            job.alone = true;
            job.queue_again();
            self.suspects.push_back(*key);
        }
    }

    /// The jobs to queue now. Of the suspected ones only the first: the others wait for its end.
    pub(super) fn due(&self) -> Vec<Key> {
        let now = self.clock.now();
        let is_due = |(key, job): &(&Key, &OutstandingJob)| {
            job.queued.is_none() && job.due <= now && (!job.alone || self.suspects.front() == Some(key))
        };
        self.jobs.iter().filter(is_due).map(|(key, _)| *key).collect()
    }

    /// Whether a job waits to be queued again.
    pub(super) fn has_unqueued(&self) -> bool {
        self.jobs.values().any(|job| job.queued.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::{Bytes, Digest};
    use kopek_package::language::LanguageTable;
    use kopek_plan::plan::{BuildTask, Task, ToolchainId};
    use kopek_sandbox::Limits;
    use std::sync::Arc;

    fn job(name: &str) -> Job {
        let (second, size) = (Duration::from_secs(1), Bytes::mib(1));
        let digest = Digest::of(name.as_bytes());
        let toolchain = ToolchainId { code: "bash".into(), version: "1".into(), digest, guard: None };
        Job::new(Task::Build(Arc::new(BuildTask {
            files: Vec::new(),
            digest,
            entry: String::new(),
            language: LanguageTable::embedded().get("bash").expect("bash has a row").clone(),
            toolchain,
            limits: Limits {
                cpu: second,
                wall: second,
                memory: size,
                output: size,
                files: size,
                processes: 1,
            },
            isolation: "none".into(),
            cached: Default::default(),
        })))
    }

    fn outstanding<const N: usize>(names: [&str; N]) -> (Outstanding, [Key; N]) {
        let mut all = Outstanding { clock: Clock::stopped(), ..Outstanding::default() };
        let keys = names.map(|name| {
            let job = job(name);
            all.add(job.clone());
            job.key
        });
        (all, keys)
    }

    #[test]
    fn a_job_is_queued_again_after_a_pause_that_grows_up_to_a_second() {
        let (mut all, [key]) = outstanding(["one"]);
        assert_eq!(all.due(), [key]);
        for attempt in 1..=12 {
            all.jobs.get_mut(&key).unwrap().queue_again();
            let pause = Duration::from_millis(100 * attempt.min(10));
            all.clock.advance(pause - Duration::from_millis(1));
            assert_eq!(all.due(), [], "attempt {attempt}");
            all.clock.advance(Duration::from_millis(1));
            assert_eq!(all.due(), [key], "attempt {attempt}");
        }
        all.jobs.get_mut(&key).unwrap().queued = Some(all.clock.now());
        assert_eq!((all.due(), all.has_unqueued()), (vec![], false));
    }

    #[test]
    fn suspects_are_queued_one_after_the_other() {
        let (mut all, [one, two]) = outstanding(["one", "two"]);
        all.suspect(&one);
        all.suspect(&two);
        all.clock.advance(Duration::from_secs(1));
        assert_eq!(all.due(), [one]);
        assert!(all.jobs[&one].message().alone);
        assert!(all.end(&one).is_some() && all.end(&one).is_none());
        assert_eq!(all.due(), [two]);
    }
}
