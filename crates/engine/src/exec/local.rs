//! Does jobs on this machine: one slot per CPU, one thread per slot. The only place that starts threads for
//! untrusted programs.
//!
//! Does not know the jobs themselves: each slot has a function that does them.

use super::executor::{Executor, JobResult, Work};
use crate::{
    machine::Machine,
    worker::{Perform, perform_patiently, performer},
};
use kopek_plan::plan::{Job, Key, Task};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

/// Threads of this machine, each with its own function to do jobs.
pub struct Local<'a> {
    slots: Vec<Mutex<Perform<'a>>>,
    sort: Sort<'a>,
}

/// Puts jobs into the order in which they cost least.
type Sort<'a> = Box<dyn Fn(Vec<Job>) -> Vec<Job> + Send + Sync + 'a>;

impl<'a> Local<'a> {
    /// One slot per function; there must be at least one.
    pub fn new(slots: Vec<Perform<'a>>) -> Local<'a> {
        assert!(!slots.is_empty(), "an executor without slots would never end");
        let slots = slots.into_iter().map(Mutex::new).collect();
        Local { slots, sort: Box::new(|jobs| jobs) }
    }
}

/// The executor that does jobs on this machine.
pub fn local_executor(machine: &Machine) -> Local<'_> {
    executor_on(machine, &machine.cpus)
}

/// The same with a slot on each of these CPUs.
pub fn executor_on<'a>(machine: &'a Machine, cpus: &[usize]) -> Local<'a> {
    with_headers(machine, cpus.iter().map(|&cpu| performer(machine, cpu)).collect())
}

/// Slots that build with the precompiled headers of a machine.
pub(crate) fn with_headers<'a>(machine: &'a Machine, slots: Vec<Perform<'a>>) -> Local<'a> {
    Local {
        sort: Box::new(|jobs| machine.toolchains.headers.sort(&machine.store, jobs)),
        ..Local::new(slots)
    }
}

impl Executor for Local<'_> {
    fn sort(&self, jobs: Vec<Job>) -> Vec<Job> {
        (self.sort)(jobs)
    }

    #[expect(clippy::disallowed_methods, reason = "a thread for each slot")]
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        // In most calls everything is known: checking for work is cheaper than starting threads.
        let Some(first) = work.next(None) else { return Ok(()) };
        let dispatcher = Dispatcher::new(self.slots.len(), work);
        dispatcher.lock().give(0, first);
        thread::scope(|scope| {
            for (index, slot) in self.slots.iter().enumerate() {
                let dispatcher = &dispatcher;
                scope.spawn(move || dispatcher.serve(index, slot));
            }
            dispatcher.keep_in_time();
        });
        match dispatcher.state.into_inner().unwrap_or_else(PoisonError::into_inner).ended {
            Some(Ok(outcome)) => outcome,
            Some(Err(panic)) => resume_unwind(panic),
            None => unreachable!("threads stay until the run has ended"),
        }
    }
}

/// Slots report and take their jobs here themselves. A separate thread would cost two more context switches
/// per job, and would disturb the measurements on its CPU.
struct Dispatcher<'w> {
    state: Mutex<DispatcherState<'w>>,
    /// Signals that an idle slot has a job, or that the run has ended.
    given: Vec<Condvar>,
    /// Signals that results wait to be stored, or that the run has ended.
    reported: Condvar,
}

/// The state behind the lock.
struct DispatcherState<'w> {
    work: &'w mut dyn Work,
    slots: Vec<SlotState>,
    /// How the run ended; jobs that are still running then are finished and discarded.
    ended: Option<thread::Result<anyhow::Result<()>>>,
}

#[derive(Default)]
struct SlotState {
    /// The next job, not taken yet.
    order: Option<Job>,
    is_busy: bool,
    /// The build whose program the slot has warm.
    warm: Option<Key>,
}

impl<'w> Dispatcher<'w> {
    fn new(slots: usize, work: &'w mut dyn Work) -> Dispatcher<'w> {
        let state =
            DispatcherState { work, slots: (0..slots).map(|_| SlotState::default()).collect(), ended: None };
        let given = (0..slots).map(|_| Condvar::new()).collect();
        Dispatcher { state: Mutex::new(state), given, reported: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, DispatcherState<'w>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does a slot's jobs until the run ends.
    fn serve(&self, slot: usize, perform: &Mutex<Perform>) {
        let mut perform = perform.lock().unwrap_or_else(PoisonError::into_inner);
        self.change(Some(slot), DispatcherState::hand_out);
        while let Some(job) = self.next_order(slot) {
            let result = perform_patiently(&mut perform, &job);
            self.change(Some(slot), |state| state.report(slot, job, result));
        }
    }

    /// The next job of a slot; `None` when the run has ended.
    fn next_order(&self, slot: usize) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.ended.is_some() {
                return None;
            }
            if let Some(job) = state.slots[slot].order.take() {
                return Some(job);
            }
            state = self.given[slot].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stores reported results in time, until the run ends.
    fn keep_in_time(&self) {
        let mut state = self.lock();
        while state.ended.is_none() {
            let left = state.work.due().map(|due| due.saturating_duration_since(Instant::now()));
            state = match left {
                None => self.reported.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) if !left.is_zero() => {
                    self.reported.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                Some(_) => {
                    drop(state);
                    self.change(None, DispatcherState::keep);
                    self.lock()
                }
            };
        }
    }

    /// Changes the state unless the run has ended, and wakes the threads that need it; `slot` is already
    /// awake.
    fn change(
        &self,
        slot: Option<usize>,
        action: impl FnOnce(&mut DispatcherState<'w>) -> anyhow::Result<()>,
    ) {
        let mut state = self.lock();
        if state.ended.is_some() {
            return;
        }
        let was_due = state.work.due();
        // A panic in the work must end the run: otherwise the other threads would wait forever.
        match catch_unwind(AssertUnwindSafe(|| action(&mut state))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => state.ended = Some(Ok(Err(error))),
            Err(panic) => state.ended = Some(Err(panic)),
        }
        let has_ended = state.ended.is_some();
        let concerned =
            |&index: &usize| Some(index) != slot && (has_ended || state.slots[index].order.is_some());
        let wakes: Vec<usize> = (0..self.given.len()).filter(concerned).collect();
        let wakes_keeper = has_ended || (state.work.due().is_some() && state.work.due() != was_due);
        // After unlocking, because the woken thread needs the lock at once.
        drop(state);
        wakes.into_iter().for_each(|index| self.given[index].notify_one());
        if wakes_keeper {
            self.reported.notify_one();
        }
    }
}

impl DispatcherState<'_> {
    fn give(&mut self, slot: usize, job: Job) {
        let slot = &mut self.slots[slot];
        slot.is_busy = true;
        slot.warm = warm_build(&job);
        slot.order = Some(job);
    }

    /// Gives jobs to idle slots. If there are none and no job is running, the run has ended.
    fn hand_out(&mut self) -> anyhow::Result<()> {
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_busy {
                continue;
            }
            // No job now does not mean no more jobs: a result may let the driver plan further ones.
            let Some(job) = self.work.next(self.slots[slot].warm.as_ref()) else { break };
            self.give(slot, job);
        }
        if self.slots.iter().all(|slot| !slot.is_busy) {
            self.ended = Some(Ok(self.work.keep()));
        }
        Ok(())
    }

    fn report(&mut self, slot: usize, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.slots[slot].is_busy = false;
        self.work.done_soon(job, result)?;
        self.hand_out()
    }

    fn keep(&mut self) -> anyhow::Result<()> {
        self.work.keep()?;
        // The reported result may let the driver plan further jobs.
        self.hand_out()
    }
}

/// The build whose program a slot has warm after this job.
fn warm_build(job: &Job) -> Option<Key> {
    match &job.task {
        Task::Trial(trial) => Some(trial.program.build.key()),
        Task::Build(_)
        | Task::MakeCase(_)
        | Task::CheckInput(_)
        | Task::CheckOutput(_)
        | Task::CheckSource(_)
        | Task::Grade(_)
        | Task::Draw(_)
        | Task::Probe(_) => None,
    }
}
