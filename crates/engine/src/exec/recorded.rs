//! Stores new facts before the driver sees them, so that everything shown survives a kill.
//!
//! Facts about successful trials are stored together, because a commit costs more than all other work on a
//! fact. Any other outcome may decide the next jobs: the driver sees it at once, together with all results
//! before it.
//!
//! A result counts only if its toolchains, and the modules that its programs may have read, are still those in its
//! key. With many modules this check is dear, so the time between two checks grows with it.

use super::{
    engine::JobRunner,
    executor::{JobResult, Work},
};
use crate::store::{Store, StoredFact};
use anyhow::{Error, Result};
use kopek_base::Digest;
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{Build, BuildTask, Job, Key, Outcome, Task};
use kopek_sandbox::Fault;
use std::{
    mem,
    time::{Duration, Instant},
};

/// At most this many facts are stored together.
const MAX_WAITING: usize = 64;

/// How long an accepted trial may wait to be stored together with others.
const KEPT_WITHIN: Duration = Duration::from_millis(5);

/// Checks of toolchains take at most this fraction of a run's time: a twentieth.
const CHECK_SHARE: u32 = 20;

/// Work that stores its facts.
pub(super) struct RecordedWork<'a, 'w> {
    jobs: JobRunner<'a>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    work: &'w mut dyn Work,
    /// Reported results that are neither stored nor passed on.
    waiting: Vec<ReportedJob>,
    /// When they must be.
    due: Option<Instant>,
    /// No check of toolchains before this moment, unless it is needed to go on.
    next_check: Instant,
    /// A failure to store results that could not be returned when it occurred.
    failure: Option<Error>,
}

struct ReportedJob {
    job: Job,
    result: JobResult,
}

impl<'a, 'w> RecordedWork<'a, 'w> {
    pub(super) fn new(
        jobs: JobRunner<'a>,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
        work: &'w mut dyn Work,
    ) -> Self {
        let (waiting, due, next_check, failure) = (Vec::new(), None, Instant::now(), None);
        RecordedWork { jobs, is_stopped, work, waiting, due, next_check, failure }
    }

    /// Makes faults of results whose toolchains may not be those in their keys.
    fn refuse_changed(&mut self, waiting: &mut [ReportedJob]) {
        let begin = Instant::now();
        let tasks = waiting.iter().map(|reported| &reported.job.task);
        let guards = tasks.flat_map(Task::builds).flat_map(|build| build.toolchain.guards.clone()).collect();
        if let Some(machine) = self.jobs.machine {
            machine.check_toolchains(&guards);
        }
        for ReportedJob { job, result } in waiting {
            let holds =
                |build: &&BuildTask| build.toolchain.guards.iter().all(|one| self.jobs.store.has_guard(one));
            if result.is_ok()
                && let Some(build) = job.task.builds().into_iter().find(|build| !holds(build))
            {
                *result = Err(Fault::new(format!(
                    "{}, or a module of it, was changed while it was in use; run again",
                    build.language.name
                )));
            }
        }
        let end = Instant::now();
        self.next_check = end + CHECK_SHARE * (end - begin);
    }
}

impl Work for RecordedWork<'_, '_> {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        if (self.is_stopped)() || self.failure.is_some() {
            return None;
        }
        let job = self.work.next(warm);
        if job.is_some() || self.waiting.is_empty() {
            return job;
        }
        // Results that the driver has not seen yet may let it plan further jobs.
        match self.keep() {
            Ok(()) => self.work.next(warm),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    fn done(&mut self, job: Job, result: JobResult) -> Result<()> {
        self.waiting.push(ReportedJob { job, result });
        self.keep()
    }

    fn done_soon(&mut self, job: Job, result: JobResult) -> Result<()> {
        let now = Instant::now();
        let wanted = if went_well(&result) { now + KEPT_WITHIN } else { now };
        let due = self.due.map_or(wanted, |due| due.min(wanted)).max(self.next_check);
        self.waiting.push(ReportedJob { job, result });
        self.due = Some(due);
        if due > now && self.waiting.len() < MAX_WAITING { Ok(()) } else { self.keep() }
    }

    fn due(&self) -> Option<Instant> {
        self.due
    }

    fn keep(&mut self) -> Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        self.due = None;
        let mut waiting = mem::take(&mut self.waiting);
        self.refuse_changed(&mut waiting);
        let mut facts: Vec<(Key, StoredFact<&Outcome>)> = Vec::new();
        let mut shared = Vec::new();
        for reported in &waiting {
            let Some(fact) = new_fact(reported) else { continue };
            if let Some(key) = shared_key(&reported.job.task, fact.outcome, self.jobs.store) {
                shared.push((key, fact.clone()));
            }
            facts.push((reported.job.key, fact));
        }
        facts.extend(shared);
        if !facts.is_empty() {
            self.jobs.store.put_many(&facts)?;
        }
        for ReportedJob { job, result } in waiting {
            // It was stopped in the middle: to the driver, it was never handed out.
            if result.is_err() && (self.is_stopped)() {
                continue;
            }
            self.work.done(job, result)?;
        }
        Ok(())
    }
}

fn new_fact(reported: &ReportedJob) -> Option<StoredFact<&Outcome>> {
    let outcome = reported.result.as_ref().ok().filter(|outcome| outcome.is_lasting())?;
    Some(StoredFact { guard: guard_of(&reported.job.task, outcome), outcome })
}

/// The key under which other output validators may use a fact. With `--fresh`, a later success replaces a
/// failure.
fn shared_key(task: &Task, outcome: &Outcome, store: &Store) -> Option<Key> {
    match task {
        Task::Trial(task) if outcome.is_failure_by_itself() || store.is_fresh() => task.failure_key(),
        _ => None,
    }
}

/// The toolchain's guard for an outcome that may depend on a missing header or module.
fn guard_of(task: &Task, outcome: &Outcome) -> Option<Digest> {
    match (task, outcome) {
        (Task::Build(task), Outcome::Build(Build::Refused { .. })) => task.toolchain.guards.first().copied(),
        (Task::Trial(task), Outcome::Trial(trial)) => {
            let build = &task.program.build;
            let guard = build.toolchain.guards.first().copied();
            guard.filter(|_| build.language.lacks_module(trial.stderr.as_bytes()))
        }
        _ => None,
    }
}

/// Whether this is an accepted trial, which by itself decides nothing about the next jobs.
fn went_well(result: &JobResult) -> bool {
    matches!(result, Ok(Outcome::Trial(trial)) if trial.verdict == Verdict::Accepted && trial.score.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{Executor, build_of_test};
    use std::sync::atomic::AtomicBool;

    struct Nothing;

    impl Executor for Nothing {
        fn run(&self, _: &mut dyn Work) -> Result<()> {
            Ok(())
        }
    }

    impl Work for Nothing {
        fn next(&mut self, _: Option<&Key>) -> Option<Job> {
            None
        }

        fn done(&mut self, _: Job, _: JobResult) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failed_build_is_known_only_while_the_toolchain_has_the_same_guard() {
        let home = tempfile::tempdir().unwrap();
        let [before, after] =
            ["before", "after a header was installed"].map(|text| Digest::of(text.as_bytes()));
        let mut task = build_of_test();
        task.toolchain.guards = vec![before];
        let job = Job::new(Task::Build(task.into()));
        let store = Store::open(home.path()).unwrap();
        store.add_guard(before);
        let message = "no such header".to_owned();
        let refused = Ok(Outcome::Build(Build::Refused { message }));
        let stop = AtomicBool::new(false);
        let jobs =
            JobRunner { store: &store, executor: &Nothing, machine: None, stop: &stop, is_going: None };
        RecordedWork::new(jobs, &|| false, &mut Nothing).done(job.clone(), refused).unwrap();
        assert!(store.get(&job.key).unwrap().is_some());
        drop(store);
        let store = Store::open(home.path()).unwrap();
        store.add_guard(after);
        assert_eq!(store.get(&job.key).unwrap(), None);
        store.add_guard(before);
        assert!(store.get(&job.key).unwrap().is_some(), "it is back to what it was");
    }
}
