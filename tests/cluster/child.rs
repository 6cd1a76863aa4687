//! A worker that can be killed and frozen: this test binary again, with nothing but [`entry`] in it. Its slots
//! do what the text of a job says.

use crate::{contract::machine, server::NatsServer};
use kopek::{
    base::Bytes,
    cluster::{ClusterAddress, Connection, WorkerHands, WorkerPlace, serve},
    plan::{Job, Task},
    store::{Contents, Store},
    worker::Perform,
};
use kopek_fakes as fake;
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::AtomicBool,
    thread,
    time::Duration,
};

const URL: &str = "KOPEK_TEST_CLUSTER";
const CACHE: &str = "KOPEK_TEST_CACHE";
const PAUSE: &str = "KOPEK_TEST_PAUSE";
const COUNT: &str = "KOPEK_TEST_COUNT";
const SLOTS: &str = "KOPEK_TEST_SLOTS";

#[test]
#[ignore = "a worker that other tests start; alone it fails"]
fn entry() {
    let url = env::var(URL).expect("only other tests start this: leave it out by `--skip child::entry`");
    let cache = PathBuf::from(env::var_os(CACHE).unwrap());
    let connection = Connection::open(&ClusterAddress::parse(&url).unwrap(), "a worker").unwrap();
    let (machine, stop) = (machine(&cache), AtomicBool::new(false));
    let name = cache.file_name().unwrap().to_string_lossy().into_owned();
    let slots = env::var(SLOTS).map_or(2, |text| text.parse().unwrap());
    let slots = (0..slots).map(|_| -> Perform { Box::new(|job| counted(&machine.store, job)) }).collect();
    let (class, exit_when_idle, most_fetched) = ("default", None, Bytes::mib(1024));
    let place = WorkerPlace {
        connection: &connection,
        machine: &machine,
        class,
        name: &name,
        stop: &stop,
        exit_when_idle,
        most_fetched,
    };
    let hands = WorkerHands { slots, refusal: Box::new(|_| None) };
    serve(place, hands, &|event| crate::server::note(&format!("{name}: {event}"))).unwrap();
}

/// Does a job that somebody counts, and that takes its time.
fn counted(store: &Store, job: &Job) -> kopek::exec::JobResult {
    if let Some(millis) = env::var(PAUSE).ok().and_then(|text| text.parse().ok()) {
        take_time(millis);
    }
    if let Some(count) = env::var_os(COUNT) {
        // A byte for each: workers write side by side.
        let mut count = fs::File::options().append(true).create(true).open(count).unwrap();
        count.write_all(b".").unwrap();
    }
    perform(store, job)
}

/// What a real job does with its program.
fn take_time(millis: u64) {
    thread::sleep(Duration::from_millis(millis));
}

/// What a job's text wants beside what the fake executor reads in it.
pub fn perform(store: &Store, job: &Job) -> kopek::exec::JobResult {
    let build = match &job.task {
        Task::Build(build) => build,
        Task::Trial(trial) => &trial.program.build,
        other => panic!("only builds and trials are tried here, not {other:?}"),
    };
    let text = match store.contents(&build.files[0].digest).unwrap() {
        Contents::Bytes(bytes) => bytes.to_vec(),
        Contents::File(path) => fs::read(path).unwrap(),
    };
    match &*String::from_utf8_lossy(&text) {
        "poison" => std::process::abort(),
        "slow" => take_time(150),
        "slower" => take_time(1000),
        _ => {}
    }
    fake::perform(store, job)
}

fn command_for(url: &str, cache: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["child::entry", "--exact", "--ignored", "--nocapture"]);
    command.env(URL, url).env(CACHE, cache);
    command
}

/// A worker as a process.
pub struct ChildWorker(Child);

impl ChildWorker {
    pub fn start(server: &NatsServer, cache: &Path) -> ChildWorker {
        ChildWorker::start_counted(&server.url, cache, None)
    }

    /// As [`ChildWorker::start`]; each job takes so many milliseconds more, and a byte in a file.
    pub fn start_counted(url: &str, cache: &Path, counted: Option<(u64, &Path)>) -> ChildWorker {
        let mut command = command_for(url, cache);
        if let Some((millis, count)) = counted {
            command.env(PAUSE, millis.to_string()).env(COUNT, count);
        }
        ChildWorker::spawn(command, cache)
    }

    /// One with so many slots.
    pub fn start_slots(url: &str, cache: &Path, slots: usize) -> ChildWorker {
        let mut command = command_for(url, cache);
        command.env(SLOTS, slots.to_string());
        ChildWorker::spawn(command, cache)
    }

    fn spawn(mut command: Command, cache: &Path) -> ChildWorker {
        let log = fs::File::options().append(true).create(true).open(cache.with_extension("log"));
        command.stdout(Stdio::null()).stderr(log.unwrap());
        ChildWorker(command.spawn().unwrap())
    }

    pub fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.end().is_some()
    }

    /// Waits for its end.
    pub fn wait(&mut self) {
        self.0.wait().unwrap();
    }

    /// How it ended, if it did.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().unwrap()
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for ChildWorker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
