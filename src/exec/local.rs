//! Does jobs on this machine: one thread per slot, a slot per CPU. The only place that starts threads
//! for foreign programs.
//!
//! Knows nothing of what a job does: that is given as one function per slot.

use super::{
    executor::{Executor, JobResult, Work},
    retry::retry_faults,
};
use crate::{
    plan::{Job, Key, Task},
    sandbox::{Fault, FaultSource},
};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::{
    collections::{HashSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
    thread::{self, Scope},
};

/// Does one job in a slot. Each slot has its own.
pub type Perform<'a> = Box<dyn FnMut(&Job) -> JobResult + Send + 'a>;

/// Threads of this machine, each with its own way to do a job.
pub struct Local<'a> {
    slots: Vec<Mutex<Perform<'a>>>,
}

impl<'a> Local<'a> {
    /// One slot per way to do a job; there must be at least one.
    pub fn new(slots: Vec<Perform<'a>>) -> Local<'a> {
        assert!(!slots.is_empty(), "an executor without slots would never end");
        Local { slots: slots.into_iter().map(Mutex::new).collect() }
    }
}

impl Executor for Local<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        // Most calls find everything known: a look at the work is cheaper than threads.
        let Some(first) = work.next(None) else { return Ok(()) };
        thread::scope(|scope| {
            let (done, results) = unbounded();
            let start = |(index, slot)| SlotThread::start(scope, index, slot, done.clone());
            let mut threads: Vec<SlotThread> = self.slots.iter().enumerate().map(start).collect();
            let outcome = dispatch(first, &mut threads, work, &results);
            // What is still under way after an error is finished and forgotten.
            drop(threads);
            outcome
        })
    }
}

/// What a slot's thread reports: its number, the job, the result.
struct Done {
    slot: usize,
    job: Job,
    result: JobResult,
}

/// The dispatcher's view of a slot's thread.
struct SlotThread {
    jobs: Sender<Job>,
    is_busy: bool,
    /// The build whose program it has at hand.
    warm: Option<Key>,
}

impl SlotThread {
    fn start<'s, 'e: 's>(
        scope: &'s Scope<'s, 'e>,
        index: usize,
        slot: &'e Mutex<Perform<'_>>,
        done: Sender<Done>,
    ) -> SlotThread {
        // One at a time: a queue per slot would hold jobs back that an idle slot could do.
        let (jobs, orders) = bounded::<Job>(1);
        scope.spawn(move || serve_slot(index, slot, orders, done));
        SlotThread { jobs, is_busy: false, warm: None }
    }

    fn give(&mut self, job: Job) {
        self.is_busy = true;
        self.warm = warm_build(&job);
        self.jobs.send(job).expect("a slot serves until its orders end");
    }
}

fn serve_slot(slot: usize, perform: &Mutex<Perform>, orders: Receiver<Job>, done: Sender<Done>) {
    for job in orders {
        let mut perform = perform.lock().unwrap_or_else(PoisonError::into_inner);
        let result = perform_patiently(&mut perform, &job);
        if done.send(Done { slot, job, result }).is_err() {
            return;
        }
    }
}

/// Does a job, and again what failed through our fault. A panic is a fault.
pub(crate) fn perform_patiently(perform: &mut Perform, job: &Job) -> JobResult {
    retry_faults(|| {
        // A dead thread would leave its slot busy forever, and the dispatcher waiting for its report.
        catch_unwind(AssertUnwindSafe(|| perform(job)))
            .unwrap_or_else(|_| Err(Fault::new("a bug of kopek: a job panicked; the message is above")))
    })
}

fn dispatch(
    first: Job,
    threads: &mut [SlotThread],
    work: &mut dyn Work,
    results: &Receiver<Done>,
) -> anyhow::Result<()> {
    threads[0].give(first);
    // What was disturbed waits until nothing else is to be done: then it has the machine to itself.
    let (mut aside, mut again) = (VecDeque::new(), HashSet::new());
    loop {
        for thread in threads.iter_mut().filter(|thread| !thread.is_busy) {
            // Nothing now does not mean nothing more: a result may let the driver plan further jobs.
            let Some(job) = work.next(thread.warm.as_ref()) else { break };
            thread.give(job);
        }
        if threads.iter().all(|thread| !thread.is_busy) {
            let Some((job, fault)) = aside.pop_front() else { return Ok(()) };
            match work.is_stopped() {
                true => work.done(job, Err(fault))?,
                false => threads[0].give(job),
            }
            continue;
        }
        let Done { slot, job, result } = results.recv().expect("a busy slot will report");
        threads[slot].is_busy = false;
        match result {
            Err(fault) if fault.source == FaultSource::Disturbance && again.insert(job.key) => {
                aside.push_back((job, fault));
            }
            result => work.done(job, result)?,
        }
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
