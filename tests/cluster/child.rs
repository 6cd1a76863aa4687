//! A worker that can be killed and frozen: this test binary again, with nothing but [`entry`] in it. Its slots
//! do what the text of a job says.

use crate::{contract::machine, server::NatsServer};
use kopek::{
    base::Bytes,
    cluster::{ClusterAddress, Connection, WorkerHands, WorkerPlace, serve},
    exec::{Perform, fake},
    plan::{Job, Task},
    store::{Contents, Store},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::AtomicBool,
    thread,
    time::Duration,
};

const URL: &str = "KOPEK_TEST_CLUSTER";
const CACHE: &str = "KOPEK_TEST_CACHE";

#[test]
#[ignore = "a worker that other tests start; alone it fails"]
fn entry() {
    let url = env::var(URL).expect("only other tests start this: leave it out by `--skip child::entry`");
    let cache = PathBuf::from(env::var_os(CACHE).unwrap());
    let connection = Connection::open(&ClusterAddress::parse(&url).unwrap(), "a worker").unwrap();
    let (machine, stop) = (machine(&cache), AtomicBool::new(false));
    let name = cache.file_name().unwrap().to_string_lossy().into_owned();
    let slots = (0..2).map(|_| -> Perform { Box::new(|job| perform(&machine.store, job)) }).collect();
    let (class, exit_when_idle, most_fetched) = ("default", None, Bytes::mib(64));
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

/// What a job's text wants beside what the fake executor reads in it.
pub fn perform(store: &Store, job: &Job) -> kopek::exec::JobResult {
    let Task::Build(build) = &job.task else { panic!("only builds are tried here") };
    let text = match store.contents(&build.files[0].digest).unwrap() {
        Contents::Bytes(bytes) => bytes.to_vec(),
        Contents::File(path) => fs::read(path).unwrap(),
    };
    match &*String::from_utf8_lossy(&text) {
        "poison" => std::process::abort(),
        "slow" => thread::sleep(Duration::from_millis(150)),
        _ => {}
    }
    fake::perform(store, job)
}

/// A worker as a process.
pub struct ChildWorker(Child);

impl ChildWorker {
    pub fn start(server: &NatsServer, cache: &Path) -> ChildWorker {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["child::entry", "--exact", "--ignored", "--nocapture"]);
        command.env(URL, &server.url).env(CACHE, cache);
        command.stdout(Stdio::null()).stderr(fs::File::create(cache.with_extension("log")).unwrap());
        ChildWorker(command.spawn().unwrap())
    }

    pub fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for ChildWorker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
