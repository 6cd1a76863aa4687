//! Workers of a test: threads of this process, or processes that can be killed.

use crate::{child::perform, contract::machine, server::NatsServer};
use kopek::{
    base::Bytes,
    cluster::{
        ClusterAddress, ClusterEvent, Connection, Coordinator, DEFAULT_LEASE, WorkerClass, WorkerEnd,
        WorkerHands, WorkerPlace, serve,
    },
    machine::Machine,
    plan::{Job, Key},
    worker::Perform,
};
use std::{
    sync::{
        Arc, Condvar, LockResult, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, Scope},
    time::{Duration, Instant},
};

pub const KOPEK: &str = env!("CARGO_BIN_EXE_kopek");

/// Short, so that what a worker held is given to another soon.
pub const LEASE: Duration = Duration::from_secs(2);

pub fn connect(server: &NatsServer) -> Connection {
    connect_to(&server.url)
}

/// Connects where no worker dies: a busy machine ends no lease then.
pub fn connect_with_long_leases(server: &NatsServer) -> Connection {
    connect_with(&server.url, DEFAULT_LEASE)
}

pub fn connect_to(url: &str) -> Connection {
    connect_with(url, LEASE)
}

fn connect_with(url: &str, lease: Duration) -> Connection {
    let connection = Connection::open(&ClusterAddress::parse(url).unwrap(), "a test").unwrap();
    connection.set_up("default", lease).unwrap();
    connection
}

/// A list that others wait for.
pub struct SharedList<T>(Arc<(Mutex<Vec<T>>, Condvar)>);

/// What was told while something ran.
pub type Told = SharedList<ClusterEvent>;

impl<T> Default for SharedList<T> {
    fn default() -> SharedList<T> {
        SharedList(Arc::default())
    }
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> SharedList<T> {
        SharedList(self.0.clone())
    }
}

impl<T> SharedList<T> {
    pub fn lock(&self) -> LockResult<MutexGuard<'_, Vec<T>>> {
        self.0.0.lock()
    }

    pub fn push(&self, entry: T) {
        self.lock().unwrap().push(entry);
        self.0.1.notify_all();
    }

    /// Waits until the list fits.
    #[track_caller]
    pub fn wait_until(&self, what: &str, fits: impl Fn(&[T]) -> bool) {
        let (minute, list) = (Duration::from_secs(60), self.lock().unwrap());
        let (list, _) = self.0.1.wait_timeout_while(list, minute, |list| !fits(list)).unwrap();
        assert!(fits(&list), "not in a minute: {what}");
    }
}

/// Waits for a worker; jobs are planned for its kind of machine then.
pub fn await_worker(connection: &Connection, machine: &mut Machine) {
    let stop = AtomicBool::new(false);
    machine.kind = connection.await_kind("default", &machine.sandbox, &stop, &|_| ()).unwrap().unwrap();
}

/// An executor for the workers that are there.
pub fn coordinator<'a>(connection: &'a Connection, machine: &'a Machine, told: &Told) -> Coordinator<'a> {
    let told = told.clone();
    let on_event = move |event: &ClusterEvent| told.push(event.clone());
    let class = WorkerClass { name: "default", kind: machine.kind.clone() };
    Coordinator::start(connection, &machine.store, class, Box::new(on_event)).unwrap()
}

/// Why a job is left to others, if it is.
pub type Refuse = fn(&Job) -> Option<String>;

/// A worker in a thread, whose slots do what they are given.
pub struct ThreadWorker<'a> {
    pub name: &'a str,
    pub connection: &'a Connection,
    pub machine: &'a Machine,
    pub stop: &'a AtomicBool,
}

impl<'a> ThreadWorker<'a> {
    pub fn start<'s>(self, scope: &'s Scope<'s, 'a>, slots: Vec<Perform<'a>>, refusal: Refuse) {
        scope.spawn(move || {
            let place = WorkerPlace {
                connection: self.connection,
                machine: self.machine,
                class: "default",
                name: self.name,
                stop: self.stop,
                exit_when_idle: None,
                most_fetched: Bytes::mib(1024),
            };
            let hands = WorkerHands { slots, refusal: Box::new(refusal) };
            assert_eq!(serve(place, hands, &|_| ()).unwrap(), WorkerEnd::Asked);
        });
    }
}

/// A worker that does whatever it is given, and the machine that gives it jobs.
pub struct LoneWorker {
    here: Machine,
    there: Machine,
    connection: Connection,
    for_worker: Connection,
    stop: AtomicBool,
    /// The jobs that the worker began.
    pub begun: SharedList<Key>,
}

impl LoneWorker {
    /// Connects both. That does not hold the server: it may be killed meanwhile.
    pub fn at(server: &NatsServer) -> LoneWorker {
        let home = server.home.path();
        LoneWorker {
            here: machine(&home.join("here")),
            there: machine(&home.join("there")),
            connection: connect(server),
            for_worker: connect(server),
            stop: AtomicBool::new(false),
            begun: SharedList::default(),
        }
    }

    /// Does something on the machine here while the worker serves with so many slots. What it returns lives until
    /// the worker has ended.
    pub fn serve<'e, T>(
        &'e mut self,
        slots: usize,
        act: impl for<'s> FnOnce(&'s Scope<'s, 'e>, &'e Connection, &'e Machine) -> T,
    ) -> T {
        let LoneWorker { here, there, connection, for_worker, stop, begun } = self;
        let (there, connection): (&'e Machine, &'e Connection) = (there, connection);
        let begun: &'e SharedList<Key> = begun;
        thread::scope(move |scope| {
            let _stop = StopAtEnd(stop);
            let slot = |_| -> Perform {
                Box::new(|job| {
                    begun.push(job.key);
                    perform(&there.store, job)
                })
            };
            let worker = ThreadWorker { name: "one", connection: for_worker, machine: there, stop };
            worker.start(scope, (0..slots).map(slot).collect(), |_| None);
            await_worker(connection, here);
            act(scope, connection, here)
        })
    }
}

/// Sets a flag when a test ends, however: workers in its scope would wait for ever.
pub struct StopAtEnd<'a>(pub &'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits for something that must come.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for(what, || is_so().then_some(()).ok_or_else(|| "it did not come".to_owned()));
}

/// Waits for a text in what is said again and again; the last of it stands in the failure.
#[track_caller]
pub fn await_answer(what: &str, part: &str, mut say: impl FnMut() -> String) {
    wait_for(what, || Some(say()).filter(|text| !text.contains(part)).map_or(Ok(()), Err));
}

/// What is looked at says what it sees instead.
#[track_caller]
fn wait_for(what: &str, mut look: impl FnMut() -> Result<(), String>) {
    let since = Instant::now();
    while let Err(seen) = look() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what}: {seen}");
        thread::sleep(Duration::from_millis(50));
    }
}
