//! Does jobs on this machine: one thread per slot, a slot per CPU. The only place that starts threads
//! for foreign programs.
//!
//! Knows nothing of what a job does: that is given as one function per slot.

use super::{
    executor::{Executor, JobResult, Work},
    mailbox::{Mailbox, Received},
    retry::retry_faults,
};
use crate::{
    plan::{Job, Key, Task},
    sandbox::{Fault, FaultSource},
};
use std::{
    collections::{HashSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
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
        // Before the threads, which borrow them: one job at a time, for a queue per slot would hold jobs back
        // that an idle slot could do.
        let orders: Vec<Mailbox<Job>> = self.slots.iter().map(|_| Mailbox::new()).collect();
        let done = Mailbox::new();
        thread::scope(|scope| {
            let mut threads: Vec<SlotThread> = orders.iter().map(SlotThread::new).collect();
            for (index, (slot, orders)) in self.slots.iter().zip(&orders).enumerate() {
                let done = &done;
                scope.spawn(move || serve_slot(index, slot, orders, done));
            }
            let outcome = dispatch(first, &mut threads, work, &done);
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

/// The dispatcher's view of a slot's thread, which ends with it.
struct SlotThread<'a> {
    orders: &'a Mailbox<Job>,
    is_busy: bool,
    /// The build whose program it has at hand.
    warm: Option<Key>,
}

impl<'a> SlotThread<'a> {
    fn new(orders: &'a Mailbox<Job>) -> SlotThread<'a> {
        SlotThread { orders, is_busy: false, warm: None }
    }

    fn give(&mut self, job: Job) {
        self.is_busy = true;
        self.warm = warm_build(&job);
        self.orders.put(job);
    }
}

impl Drop for SlotThread<'_> {
    fn drop(&mut self) {
        self.orders.close();
    }
}

fn serve_slot(slot: usize, perform: &Mutex<Perform>, orders: &Mailbox<Job>, done: &Mailbox<Done>) {
    while let Received::Item(job) = orders.take(None) {
        let mut perform = perform.lock().unwrap_or_else(PoisonError::into_inner);
        let result = perform_patiently(&mut perform, &job);
        done.put(Done { slot, job, result });
    }
}

/// Does a job, and again what failed through our fault. A panic is a fault.
pub fn perform_patiently(perform: &mut Perform, job: &Job) -> JobResult {
    retry_faults(|| {
        // A dead thread would leave its slot busy forever, and the dispatcher waiting for its report.
        catch_unwind(AssertUnwindSafe(|| perform(job)))
            .unwrap_or_else(|_| Err(Fault::new("a bug of kopek: a job panicked; the message is above")))
    })
}

/// How long an outcome may wait for others to be kept with it.
const KEPT_WITHIN: Duration = Duration::from_millis(5);

fn dispatch(
    first: Job,
    threads: &mut [SlotThread],
    work: &mut dyn Work,
    results: &Mailbox<Done>,
) -> anyhow::Result<()> {
    threads[0].give(first);
    // What was disturbed waits until nothing else is to be done: then it has the machine to itself.
    let (mut aside, mut again) = (VecDeque::new(), HashSet::new());
    // When what was reported since must be kept.
    let mut due = None;
    loop {
        for thread in threads.iter_mut().filter(|thread| !thread.is_busy) {
            // Nothing now does not mean nothing more: a result may let the driver plan further jobs.
            let Some(job) = work.next(thread.warm.as_ref()) else { break };
            thread.give(job);
        }
        if threads.iter().all(|thread| !thread.is_busy) {
            let Some((job, fault)) = aside.pop_front() else { return work.keep() };
            match work.is_stopped() {
                true => work.done(job, Err(fault))?,
                false => threads[0].give(job),
            }
            continue;
        }
        let Some(Done { slot, job, result }) = next_result(results, work, &mut due)? else { continue };
        threads[slot].is_busy = false;
        match result {
            Err(fault) if fault.source == FaultSource::Disturbance && again.insert(job.key) => {
                aside.push_back((job, fault));
            }
            result => {
                due.get_or_insert_with(|| Instant::now() + KEPT_WITHIN);
                work.done_soon(job, result)?;
            }
        }
    }
}

/// The next result, or none after what was reported before had to be kept.
fn next_result(
    results: &Mailbox<Done>,
    work: &mut dyn Work,
    due: &mut Option<Instant>,
) -> anyhow::Result<Option<Done>> {
    // Also where results come faster than they are taken.
    if due.is_none_or(|due| Instant::now() < due) {
        match results.take(*due) {
            Received::Item(done) => return Ok(Some(done)),
            Received::Closed => unreachable!("nobody closes the results"),
            Received::Nothing => {}
        }
    }
    *due = None;
    work.keep().map(|()| None)
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
