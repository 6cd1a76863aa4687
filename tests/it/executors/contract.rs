//! What every executor promises, and the three drivers over one.

use crate::toolchain_search::search;
use kopek::{
    base::{Bytes, Digest},
    exec::{Engine, Executor, JobResult, Work},
    generate::{self, GenerationMode},
    grade::{GradeSession, Thoroughness},
    language::LanguageTable,
    machine::{Machine, available_cpus},
    package::{self, Participant},
    plan::{BuildTask, Job, Key, LaidFile, Task, ToolchainId},
    results::Section,
    sandbox::{Limits, Sandbox},
    store::Store,
    verify::{self, Gallery, Wishes},
};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

fn limits() -> Limits {
    let second = Duration::from_secs(1);
    let size = Bytes::mib(1);
    Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 }
}

/// A build job whose source says what must become of it.
pub fn job(store: &Store, index: usize, text: &str) -> Job {
    let digest = store.hold(&text.as_bytes().into()).unwrap();
    let size = Bytes(text.len() as u64);
    let task = BuildTask {
        files: vec![LaidFile { path: "main.txt".into(), digest, executable: false, size }],
        digest: Digest::of(format!("{index} {text}").as_bytes()),
        entry: String::new(),
        language: LanguageTable::embedded().get("bash").expect("bash has a row").clone(),
        toolchain: ToolchainId {
            code: "text".into(),
            version: "1".into(),
            digest: Digest::of(b"1"),
            guards: vec![],
        },
        limits: limits(),
        isolation: "none".into(),
        cached: Default::default(),
    };
    Job::new(Task::Build(Arc::new(task)))
}

/// Hands out a list of jobs, and records the reports.
#[derive(Default)]
pub struct List {
    pub jobs: Vec<Job>,
    pub reported: BTreeMap<Key, Vec<bool>>,
    pub stop_after: Option<usize>,
    pub refuse: bool,
}

impl Work for List {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        let done: usize = self.reported.values().map(Vec::len).sum();
        if self.stop_after.is_some_and(|limit| done >= limit) {
            return None;
        }
        self.jobs.pop()
    }

    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.reported.entry(job.key).or_default().push(result.is_ok());
        anyhow::ensure!(!self.refuse, "the store is full");
        Ok(())
    }
}

/// Each job that was taken is reported done exactly once.
pub fn report_every_job_once(name: &str, executor: &dyn Executor, store: &Store) {
    let jobs: Vec<Job> = (0..200).map(|i| job(store, i, "fine")).collect();
    let keys: Vec<Key> = jobs.iter().map(|job| job.key).collect();
    let mut list = List { jobs, ..List::default() };
    executor.run(&mut list).unwrap();
    assert_eq!(list.reported.len(), 200, "{name}");
    assert!(keys.iter().all(|key| list.reported[key] == [true]), "{name}");
}

/// After an interrupt no job starts, and every job that was taken is reported.
pub fn report_what_was_taken(name: &str, executor: &dyn Executor, store: &Store) {
    let jobs = (0..50).map(|i| job(store, i, "fine")).collect();
    let mut list = List { jobs, stop_after: Some(10), ..List::default() };
    executor.run(&mut list).unwrap();
    let reported = list.reported.len();
    assert!((10..20).contains(&reported), "{name}: {reported}");
    assert_eq!(reported + list.jobs.len(), 50, "{name}: a job was taken and never reported");
}

/// A driver that cannot go on stops the run.
pub fn stop_with_the_driver(name: &str, executor: &dyn Executor, store: &Store) {
    let jobs = (0..50).map(|i| job(store, i, "fine")).collect();
    let mut list = List { jobs, refuse: true, ..List::default() };
    let error = executor.run(&mut list).unwrap_err();
    assert_eq!(error.to_string(), "the store is full", "{name}");
    assert_eq!(list.reported.len(), 1, "{name}");
}

/// A machine with a store of its own.
pub fn machine(store: &Path) -> Machine {
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
    Machine::new(sandbox, Store::open(store).unwrap(), LanguageTable::embedded(), search(), available_cpus())
}

/// What people learn about a package by all three drivers, without times.
pub fn results(machine: &Machine, executor: &dyn Executor, dir: &Path) -> Vec<String> {
    let stop = AtomicBool::new(false);
    let engine = Engine::new(machine, executor, &stop);
    let package = package::read(dir).unwrap().package.expect("a sound package");
    let made = generate::generate(&package, &engine, GenerationMode::Again, &mut |_| ()).unwrap();
    let mut all = vec![format!("{} cases, {:?} {:?}", made.made, made.findings, made.faults)];
    all.extend(made.files.iter().map(|(file, digest)| format!("{file} {digest}")));
    generate::generate(&package, &engine, GenerationMode::Stale, &mut |_| ()).unwrap();

    let (tests, _) = package::read_tests(&package).unwrap();
    let cohort: Vec<Participant> = package.submissions.iter().map(Participant::from).collect();
    let session = GradeSession::usual(engine, Thoroughness::All);
    let judged = session.judge(&package, &tests, &cohort, &mut |_| ()).unwrap();
    assert_eq!(judged.failures(), []);
    all.extend(judged.cards.iter().map(|card| {
        let groups: Vec<String> = card
            .groups
            .iter()
            .map(|group| format!("{}: {:?} {:?}", group.name, group.points, group.state))
            .collect();
        format!("{}: {:?} {:?} {groups:?}", card.name, card.points, card.state)
    }));

    let gallery = Gallery::Specimens;
    let wishes = Wishes { strength: false, slow: false, gallery, excluded: &[], sanitizing: None };
    let verified = verify::verify(dir, &session, wishes, &mut |_| ()).unwrap();
    all.extend(verified.faults.clone());
    all.extend(verified.checks.iter().map(|check| check.what.clone()));
    // Jobs whose outcome depends on times get the limits.
    let remarks = verified.remarks.iter().filter(|remark| remark.section != Section::Limits);
    all.extend(remarks.map(|remark| format!("{:?} {}", remark.finding.level, remark.finding.what)));
    all
}

/// Copies a problem without what it has generated.
pub fn copy_sources(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).follow_links(true).into_iter().map(Result::unwrap) {
        let below = entry.path().strip_prefix(from).unwrap();
        if entry.file_type().is_file() && !below.starts_with("data/secret") {
            let target = to.join(below);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
