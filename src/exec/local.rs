//! Does jobs on this machine: one thread per place, a place per CPU.
//!
//! Knows nothing of what a job does: that is given as one function per place.

use super::{Executor, Work};
use crate::{
    plan::{Job, Key, Outcome, Task},
    sandbox::Fault,
};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard},
    thread::{self, Scope},
};

/// Does one job in a place. Each place has its own.
pub type Perform<'a> = Box<dyn FnMut(&Job) -> Result<Outcome, Fault> + Send + 'a>;

/// Threads of this machine, each with its own way to do a job.
pub struct Local<'a> {
    places: Vec<Mutex<Perform<'a>>>,
}

/// How often a job that failed by our fault is tried in all.
const TRIES: u32 = 3;

impl<'a> Local<'a> {
    /// One place per way to do a job; there must be at least one.
    pub fn new(places: Vec<Perform<'a>>) -> Local<'a> {
        assert!(!places.is_empty(), "an executor without places would never end");
        Local { places: places.into_iter().map(Mutex::new).collect() }
    }
}

impl Executor for Local<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        thread::scope(|scope| {
            let (done, results) = unbounded();
            let start = |(index, place)| Desk::open(scope, index, place, done.clone());
            let mut desks: Vec<Desk> = self.places.iter().enumerate().map(start).collect();
            let outcome = dispatch(&mut desks, work, &results);
            // What is still under way after an error is finished and forgotten.
            drop(desks);
            outcome
        })
    }
}

type Done = (usize, Job, Result<Outcome, Fault>);

/// The dispatcher's view of a place.
struct Desk {
    jobs: Sender<Job>,
    busy: bool,
    warm: Option<Key>,
}

impl Desk {
    fn open<'s, 'e: 's>(
        scope: &'s Scope<'s, 'e>,
        index: usize,
        place: &'e Mutex<Perform<'_>>,
        done: Sender<Done>,
    ) -> Desk {
        let (jobs, orders) = bounded::<Job>(1);
        scope.spawn(move || serve(index, place, orders, done));
        Desk { jobs, busy: false, warm: None }
    }
}

fn serve(index: usize, place: &Mutex<Perform>, orders: Receiver<Job>, done: Sender<Done>) {
    for job in orders {
        let mut perform = place.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let result = attempt(&mut perform, &job);
        if done.send((index, job, result)).is_err() {
            return;
        }
    }
}

fn attempt(perform: &mut MutexGuard<Perform>, job: &Job) -> Result<Outcome, Fault> {
    let mut once = || {
        catch_unwind(AssertUnwindSafe(|| perform(job)))
            .unwrap_or_else(|_| Err(Fault::new("a bug of kopek: a job panicked; the message is above")))
    };
    let mut result = once();
    for _ in 1..TRIES {
        if result.is_ok() {
            break;
        }
        result = once();
    }
    result
}

fn dispatch(desks: &mut [Desk], work: &mut dyn Work, results: &Receiver<Done>) -> anyhow::Result<()> {
    loop {
        for desk in desks.iter_mut().filter(|desk| !desk.busy) {
            let Some(job) = work.next(desk.warm.as_ref()) else { break };
            desk.busy = true;
            desk.warm = warmth(&job);
            desk.jobs.send(job).expect("a place serves until its orders end");
        }
        if desks.iter().all(|desk| !desk.busy) {
            return Ok(());
        }
        let (index, job, result) = results.recv().expect("a busy place will report");
        desks[index].busy = false;
        work.done(job, result)?;
    }
}

/// The build whose program a place has at hand after this job.
fn warmth(job: &Job) -> Option<Key> {
    match &job.task {
        Task::Build(_) | Task::Static(_) => None,
        Task::Trial(trial) => Some(trial.program.key()),
    }
}
