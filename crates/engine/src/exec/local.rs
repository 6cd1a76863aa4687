//! Does jobs on this machine: one thread per slot, a slot per CPU. The only place that starts threads
//! for foreign programs.
//!
//! Knows nothing of what a job does: that is given as one function per slot.

use super::executor::{Executor, JobResult, Work};
use crate::{
    machine::Machine,
    plan::{Job, Key, Task},
    worker::{Perform, perform_patiently, performer},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// Threads of this machine, each with its own way to do a job.
pub struct Local<'a> {
    slots: Vec<Mutex<Perform<'a>>>,
    foresee: Foresee<'a>,
}

/// Hears of jobs that the next run may hand out.
type Foresee<'a> = Box<dyn Fn(&[Job]) + Sync + 'a>;

impl<'a> Local<'a> {
    /// One slot per way to do a job; there must be at least one.
    pub fn new(slots: Vec<Perform<'a>>) -> Local<'a> {
        assert!(!slots.is_empty(), "an executor without slots would never end");
        Local { slots: slots.into_iter().map(Mutex::new).collect(), foresee: Box::new(|_| ()) }
    }
}

/// The executor that does jobs on this machine.
pub fn local_executor(machine: &Machine) -> Local<'_> {
    let slots = machine.cpus.iter().map(|&cpu| performer(machine, cpu)).collect();
    Local {
        foresee: Box::new(|jobs| machine.toolchains.headers.foresee(&machine.store, jobs)),
        ..Local::new(slots)
    }
}

impl Executor for Local<'_> {
    fn foresee(&self, jobs: &[Job]) {
        (self.foresee)(jobs);
    }

    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        // Most calls find everything known: a look at the work is cheaper than threads.
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

/// How long an outcome may wait for others to be kept with it.
const KEPT_WITHIN: Duration = Duration::from_millis(5);

/// Where slots report and take their jobs themselves: a thread between them and the work would be two more changes of
/// threads per job, and would disturb what is measured on the CPU that it runs on.
struct Dispatcher<'w> {
    state: Mutex<DispatcherState<'w>>,
    /// A slot that idles has a job, or the run has ended.
    given: Vec<Condvar>,
    /// Something waits to be kept, or the run has ended.
    reported: Condvar,
}

/// What only one thread has at a time.
struct DispatcherState<'w> {
    work: &'w mut dyn Work,
    slots: Vec<SlotState>,
    /// When what was reported since must be kept.
    due: Option<Instant>,
    /// How the run ended; what is still under way then is finished and forgotten.
    ended: Option<thread::Result<anyhow::Result<()>>>,
}

#[derive(Default)]
struct SlotState {
    /// Given, not yet taken.
    order: Option<Job>,
    is_busy: bool,
    /// The build whose program it has at hand.
    warm: Option<Key>,
}

impl<'w> Dispatcher<'w> {
    fn new(slots: usize, work: &'w mut dyn Work) -> Dispatcher<'w> {
        let state = DispatcherState {
            work,
            slots: (0..slots).map(|_| SlotState::default()).collect(),
            due: None,
            ended: None,
        };
        let given = (0..slots).map(|_| Condvar::new()).collect();
        Dispatcher { state: Mutex::new(state), given, reported: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, DispatcherState<'w>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the jobs of a slot until the run has ended.
    fn serve(&self, slot: usize, perform: &Mutex<Perform>) {
        let mut perform = perform.lock().unwrap_or_else(PoisonError::into_inner);
        self.change(Some(slot), DispatcherState::hand_out);
        while let Some(job) = self.next_order(slot) {
            let result = perform_patiently(&mut perform, &job);
            self.change(Some(slot), |state| state.report(slot, job, result));
        }
    }

    /// The next job of a slot; none when the run has ended.
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

    /// Keeps what was reported when it is time, until the run has ended.
    fn keep_in_time(&self) {
        let mut state = self.lock();
        while state.ended.is_none() {
            let left = state.due.map(|due| due.saturating_duration_since(Instant::now()));
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

    /// Changes the state unless the run has ended, and wakes whom that concerns; `slot` is awake already.
    fn change(
        &self,
        slot: Option<usize>,
        action: impl FnOnce(&mut DispatcherState<'w>) -> anyhow::Result<()>,
    ) {
        let mut state = self.lock();
        if state.ended.is_some() {
            return;
        }
        let was_due = state.due.is_some();
        // A thread that dies of the work's panic would leave the others waiting.
        match catch_unwind(AssertUnwindSafe(|| action(&mut state))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => state.ended = Some(Ok(Err(error))),
            Err(panic) => state.ended = Some(Err(panic)),
        }
        let has_ended = state.ended.is_some();
        let concerned =
            |&index: &usize| Some(index) != slot && (has_ended || state.slots[index].order.is_some());
        let wakes: Vec<usize> = (0..self.given.len()).filter(concerned).collect();
        let wakes_keeper = has_ended || (!was_due && state.due.is_some());
        // Not under the lock: who is woken wants it at once.
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

    /// Gives jobs to slots that idle. Where there are none and nothing is under way, the run has ended.
    fn hand_out(&mut self) -> anyhow::Result<()> {
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_busy {
                continue;
            }
            // Nothing now does not mean nothing more: a result may let the driver plan further jobs.
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
        self.due.get_or_insert_with(|| Instant::now() + KEPT_WITHIN);
        self.work.done_soon(job, result)?;
        self.hand_out()
    }

    fn keep(&mut self) -> anyhow::Result<()> {
        self.due = None;
        self.work.keep()?;
        // What the driver has heard of now may let it plan further jobs.
        self.hand_out()
    }
}

/// The build whose program a slot has at hand after this job.
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
