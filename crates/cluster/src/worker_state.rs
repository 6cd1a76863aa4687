//! The shared state of a worker's slots, and its status.

use super::{
    connection::Connection,
    contents::SharedContents,
    messages::FORM,
    roster::{BEAT, WorkerStatus, now, say},
};
use anyhow::Result;
use async_nats::jetstream::consumer::PullConsumer;
use kopek_base::Bytes;
use kopek_engine::{
    machine::{Machine, refusal_of},
    worker::{Perform, performer},
};
use kopek_plan::plan::Job;
use std::{
    collections::BTreeSet,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// The place of a worker.
#[derive(Clone, Copy)]
pub struct WorkerPlace<'a> {
    /// The connection to its cluster.
    pub connection: &'a Connection,
    /// The machine; its store is a cache of contents.
    pub machine: &'a Machine,
    /// The name of its class.
    pub class: &'a str,
    /// Its name, unique in the cluster.
    pub name: &'a str,
    /// Set from outside to take no more jobs.
    pub stop: &'a AtomicBool,
    /// Ends after idling for this long.
    pub exit_when_idle: Option<Duration>,
    /// Ends after fetching and building this much.
    pub most_fetched: Bytes,
}

/// Why a job is left to other workers, if it is.
pub type Refusal<'a> = Box<dyn Fn(&Job) -> Option<String> + Sync + 'a>;

/// The slots of a worker, and its reasons to refuse jobs.
pub struct WorkerHands<'a> {
    /// One per slot.
    pub slots: Vec<Perform<'a>>,
    /// Why a job is left to other workers.
    pub refusal: Refusal<'a>,
}

impl<'a> WorkerHands<'a> {
    /// A slot per CPU of a machine; refuses jobs planned for another kind or other toolchains.
    pub fn of(machine: &'a Machine) -> WorkerHands<'a> {
        let slots = machine.cpus.iter().map(|&cpu| performer(machine, cpu)).collect();
        WorkerHands { slots, refusal: Box::new(|job| refusal_of(machine, job)) }
    }
}

/// Why a worker took no more jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerEnd {
    /// It was asked to end, here or by the cluster.
    Asked,
    /// It had nothing to do.
    Idle,
    /// Its cache is full: after a restart with a smaller one it can go on.
    CacheFull,
}

/// An event of a worker worth a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerEvent {
    /// It takes jobs now.
    Ready,
    /// The queue of its class does not exist, and the worker may not create it.
    NoQueue(Option<String>),
    Declined(String),
    /// A job failed through our fault.
    Failed(String),
    /// A result was late: another worker had got the job.
    Late(String),
    /// The server does not take its messages.
    ServerTrouble(String),
    /// It could not publish a result; another worker gets the job.
    LeftBehind(String),
}

impl fmt::Display for WorkerEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WorkerEvent::Ready => write!(f, "takes jobs"),
            WorkerEvent::NoQueue(why) => {
                write!(f, "waits for the first `kopek grade --cluster` of its class")?;
                why.iter().try_for_each(|why| write!(f, ": {why}"))
            }
            WorkerEvent::Declined(why) => write!(f, "declined a job: {why}"),
            WorkerEvent::Failed(why) => write!(f, "failed: {why}"),
            WorkerEvent::Late(job) => write!(f, "was too late with {job}: another worker had got it"),
            WorkerEvent::ServerTrouble(why) => write!(f, "{why}; retrying"),
            WorkerEvent::LeftBehind(why) => write!(f, "leaves a job to another worker: {why}"),
        }
    }
}

/// The shared state of a worker's slots.
pub(super) struct SharedWorker<'a> {
    pub place: WorkerPlace<'a>,
    pub contents: SharedContents<'a>,
    pub consumer: PullConsumer,
    pub lease: Duration,
    /// Held shared by every job, exclusively by a suspected one.
    pub alone: RwLock<()>,
    pub refusal: Refusal<'a>,
    pub on_event: &'a (dyn Fn(&WorkerEvent) + Sync),
    state: Mutex<WorkerState>,
    pub drained: Arc<AtomicBool>,
    /// When the worker noticed that it must end.
    ending: OnceLock<Instant>,
}

struct WorkerState {
    doing: Vec<Option<String>>,
    done: u64,
    lacks: BTreeSet<String>,
    since: u64,
    idle_since: Instant,
    /// Why a slot cannot publish its result.
    trouble: Vec<Option<String>>,
}

impl<'a> SharedWorker<'a> {
    pub(super) fn new(
        place: WorkerPlace<'a>,
        consumer: PullConsumer,
        slots: usize,
        refusal: Refusal<'a>,
        on_event: &'a (dyn Fn(&WorkerEvent) + Sync),
    ) -> SharedWorker<'a> {
        let state = WorkerState {
            doing: vec![None; slots],
            done: 0,
            lacks: BTreeSet::new(),
            since: now(),
            idle_since: Instant::now(),
            trouble: vec![None; slots],
        };
        SharedWorker {
            contents: SharedContents::new(place.connection, &place.machine.store),
            lease: consumer.cached_info().config.ack_wait,
            consumer,
            alone: RwLock::new(()),
            refusal,
            on_event,
            state: Mutex::new(state),
            drained: Arc::default(),
            ending: OnceLock::new(),
            place,
        }
    }

    /// Why no more jobs are taken, if so.
    pub(super) fn end(&self) -> Option<WorkerEnd> {
        let is_idle = |max: Duration| {
            let state = self.state();
            state.doing.iter().all(Option::is_none) && state.idle_since.elapsed() >= max
        };
        let is_refused = self.place.connection.check_known().is_err();
        if self.is_to_end() || is_refused {
            Some(WorkerEnd::Asked)
        } else if self.contents.bytes_added() > self.place.most_fetched.0 {
            Some(WorkerEnd::CacheFull)
        } else if self.place.exit_when_idle.is_some_and(is_idle) {
            Some(WorkerEnd::Idle)
        } else {
            None
        }
    }

    /// Whether the worker was asked to end.
    pub(super) fn is_to_end(&self) -> bool {
        self.place.stop.load(Ordering::Relaxed) || self.drained.load(Ordering::Relaxed)
    }

    /// Time since the worker was asked to end; zero if it was not.
    pub(super) fn ending_for(&self) -> Duration {
        if !self.is_to_end() {
            return Duration::ZERO;
        }
        self.ending.get_or_init(Instant::now).elapsed()
    }

    pub(super) fn begin(&self, slot: usize, what: String) {
        self.state().doing[slot] = Some(what);
    }

    pub(super) fn finish(&self, slot: usize, answered: &Result<()>) {
        let mut state = self.state();
        state.doing[slot] = None;
        state.done += u64::from(answered.is_ok());
        state.idle_since = Instant::now();
    }

    /// Notes why a job was declined; whether the reason is new.
    pub(super) fn note_lack(&self, why: &str) -> bool {
        let mut state = self.state();
        state.lacks.len() < MAX_LACKS && state.lacks.insert(why.to_owned())
    }

    /// Notes whether a slot can publish its result; whether its trouble is new.
    pub(super) fn note_trouble(&self, slot: usize, why: Option<String>) -> bool {
        let mut state = self.state();
        let is_new = why.is_some() && state.trouble[slot].is_none();
        state.trouble[slot] = why;
        is_new
    }

    pub(super) fn say_until_end(&self) {
        while self.end().is_none() || self.is_busy() {
            self.place.connection.wait(async {
                say(self.place.connection, self.subject(), &self.status(self.end())).await;
                // Short sleeps, so that an end is noticed soon.
                for _ in 0..10 {
                    sleep(BEAT / 10).await;
                    if self.end().is_some() && !self.is_busy() {
                        break;
                    }
                }
            });
        }
    }

    fn is_busy(&self) -> bool {
        self.state().doing.iter().any(Option::is_some)
    }

    pub(super) fn subject(&self) -> String {
        format!("worker.{}.{}", self.place.class, self.place.name)
    }

    pub(super) fn status(&self, end: Option<WorkerEnd>) -> WorkerStatus {
        let WorkerPlace { machine, class, name, .. } = self.place;
        let state = self.state();
        WorkerStatus {
            form: FORM,
            name: name.to_owned(),
            class: class.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kind: machine.kind.clone(),
            weak_points: machine.sandbox.warnings().len(),
            slots: state.doing.len(),
            doing: state.doing.iter().flatten().cloned().collect(),
            done: state.done,
            since: state.since,
            lacks: state.lacks.iter().cloned().collect(),
            trouble: state.trouble.iter().flatten().next().cloned(),
            leaving: end.is_some(),
        }
    }

    fn state(&self) -> MutexGuard<'_, WorkerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The most reasons that are kept.
const MAX_LACKS: usize = 20;
