//! The contract of every executor: each job that was taken is told done exactly once.

use kopek::{
    base::{Bytes, Digest},
    exec::{Executor, Local, Perform, Work, fake},
    language::{Source, Table, Toolchain},
    plan::{BuildTask, Job, Key, Outcome, Task},
    sandbox::{Fault, Limits},
};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

fn limits() -> Limits {
    let second = Duration::from_secs(1);
    let size = Bytes::mib(1);
    Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 }
}

/// A build job whose source says what must become of it.
fn job(dir: &Path, index: usize, text: &str) -> Job {
    let file = format!("{index}.txt");
    std::fs::write(dir.join(&file), text).unwrap();
    let language = Table::embedded().get("bash").expect("bash has a row").clone();
    let toolchain = Toolchain {
        code: "text".into(),
        program: "/bin/true".into(),
        tools: BTreeMap::new(),
        extras: BTreeMap::new(),
        version: "1".into(),
        digest: Digest::of(b"1"),
        roots: vec![],
        warm: None,
    };
    let task = BuildTask {
        digest: Digest::of(format!("{index} {text}").as_bytes()),
        source: Source { root: dir.to_owned(), files: vec![file.into()] },
        language,
        toolchain,
        entry: None,
        include: None,
        limits: limits(),
        code: Bytes::kib(1),
        isolation: "none".into(),
        cached: Default::default(),
    };
    Job { key: task.key(), task: Task::Build(Arc::new(task)) }
}

/// Hands out a list, notes what is told.
#[derive(Default)]
struct List {
    jobs: Vec<Job>,
    told: BTreeMap<Key, Vec<bool>>,
    stop_after: Option<usize>,
    refuse: bool,
}

impl Work for List {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        let done: usize = self.told.values().map(Vec::len).sum();
        if self.stop_after.is_some_and(|limit| done >= limit) {
            return None;
        }
        self.jobs.pop()
    }

    fn done(&mut self, job: Job, result: Result<Outcome, Fault>) -> anyhow::Result<()> {
        self.told.entry(job.key).or_default().push(result.is_ok());
        anyhow::ensure!(!self.refuse, "the store is full");
        Ok(())
    }
}

fn local(places: usize) -> Local<'static> {
    Local::new((0..places).map(|_| -> Perform { Box::new(fake::perform) }).collect())
}

fn executors() -> Vec<(String, Box<dyn Executor>)> {
    let mut all: Vec<(String, Box<dyn Executor>)> = vec![("fake".into(), Box::<fake::Fake>::default())];
    for places in 1..=4 {
        all.push((format!("local with {places} places"), Box::new(local(places))));
    }
    all
}

#[test]
fn every_job_is_told_done_exactly_once() {
    let dir = tempfile::tempdir().unwrap();
    for (name, executor) in executors() {
        let jobs: Vec<Job> = (0..200).map(|i| job(dir.path(), i, "fine")).collect();
        let keys: Vec<Key> = jobs.iter().map(|job| job.key).collect();
        let mut list = List { jobs, ..List::default() };
        executor.run(&mut list).unwrap();
        assert_eq!(list.told.len(), 200, "{name}");
        assert!(keys.iter().all(|key| list.told[key] == [true]), "{name}");
    }
}

#[test]
fn an_interrupted_run_ends_and_tells_what_was_taken() {
    let dir = tempfile::tempdir().unwrap();
    for (name, executor) in executors() {
        let jobs = (0..50).map(|i| job(dir.path(), i, "fine")).collect();
        let mut list = List { jobs, stop_after: Some(10), ..List::default() };
        executor.run(&mut list).unwrap();
        let told = list.told.len();
        assert!((10..20).contains(&told), "{name}: {told}");
        assert_eq!(told + list.jobs.len(), 50, "{name}: a job was taken and never told");
    }
}

#[test]
fn a_driver_that_cannot_go_on_stops_the_run() {
    let dir = tempfile::tempdir().unwrap();
    for (name, executor) in executors() {
        let jobs = (0..50).map(|i| job(dir.path(), i, "fine")).collect();
        let mut list = List { jobs, refuse: true, ..List::default() };
        let error = executor.run(&mut list).unwrap_err();
        assert_eq!(error.to_string(), "the store is full", "{name}");
        assert_eq!(list.told.len(), 1, "{name}");
    }
}

#[test]
fn our_fault_is_tried_again_and_then_told() {
    let dir = tempfile::tempdir().unwrap();
    let calls = AtomicUsize::new(0);
    let perform = |job: &Job| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Err(Fault::new("a worker vanished")),
        1 => panic!("on purpose"),
        _ => fake::perform(job),
    };
    let executor = Local::new(vec![Box::new(perform)]);
    let mut list = List { jobs: vec![job(dir.path(), 0, "fine")], ..List::default() };
    executor.run(&mut list).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    assert!(list.told.values().all(|told| told == &[true]));

    let hopeless = Local::new(vec![Box::new(|_: &Job| Err(Fault::new("no disk")))]);
    let mut list = List { jobs: vec![job(dir.path(), 0, "fine")], ..List::default() };
    hopeless.run(&mut list).unwrap();
    assert!(list.told.values().all(|told| told == &[false]));
}
