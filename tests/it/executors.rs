//! The contract of every executor: each job that was taken is reported done exactly once. And jobs
//! are portable: carried as bytes to a store elsewhere and done there, they come to the same.

mod carried;

use carried::Carried;
use kopek::{
    base::{Bytes, Digest},
    exec::{Engine, Executor, JobResult, Local, Machine, Perform, Work, available_cpus, fake},
    generate::{self, GenerationMode},
    grade::{FailedValidator, GradeSession, Thoroughness},
    language::{LanguageTable, Search},
    package::{self, Participant},
    plan::{BuildTask, Job, Key, LaidFile, Task, ToolchainId},
    sandbox::{Fault, Limits, Sandbox},
    score::LegacyReading,
    store::Store,
    verify::{self, Gallery, TimesInLock, Wishes},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

fn limits() -> Limits {
    let second = Duration::from_secs(1);
    let size = Bytes::mib(1);
    Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 }
}

/// A build job whose source says what must become of it.
fn job(store: &Store, index: usize, text: &str) -> Job {
    let digest = store.hold(&text.as_bytes().into()).unwrap();
    let size = Bytes(text.len() as u64);
    let task = BuildTask {
        files: vec![LaidFile { path: "main.txt".into(), digest, executable: false, size }],
        digest: Digest::of(format!("{index} {text}").as_bytes()),
        entry: String::new(),
        language: LanguageTable::embedded().get("bash").expect("bash has a row").clone(),
        toolchain: ToolchainId { code: "text".into(), version: "1".into(), digest: Digest::of(b"1") },
        limits: limits(),
        isolation: "none".into(),
        cached: Default::default(),
    };
    Job::new(Task::Build(Arc::new(task)))
}

/// Hands out a list, notes what is reported.
#[derive(Default)]
struct List {
    jobs: Vec<Job>,
    reported: BTreeMap<Key, Vec<bool>>,
    stop_after: Option<usize>,
    refuse: bool,
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

/// A store, and one in another directory to which jobs are carried.
struct Stores {
    _home: tempfile::TempDir,
    here: Store,
    there: Store,
}

impl Stores {
    fn open() -> Stores {
        let home = tempfile::tempdir().unwrap();
        let open = |name: &str| Store::open(&home.path().join(name)).unwrap();
        Stores { here: open("here"), there: open("there"), _home: home }
    }

    fn local(&self, slots: usize) -> Local<'_> {
        let perform = |_| -> Perform { Box::new(|job| fake::perform(&self.here, job)) };
        Local::new((0..slots).map(perform).collect())
    }

    fn executors(&self) -> Vec<(String, Box<dyn Executor + '_>)> {
        let mut all: Vec<(String, Box<dyn Executor + '_>)> =
            vec![("fake".into(), Box::new(fake::Fake::new(&self.here)))];
        for slots in 1..=4 {
            all.push((format!("local with {slots} slots"), Box::new(self.local(slots))));
        }
        let perform = |_| -> Perform { Box::new(|job| fake::perform(&self.there, job)) };
        let carried = Carried::new(&self.here, &self.there, (0..2).map(perform).collect());
        all.push(("carried to another store".into(), Box::new(carried)));
        all
    }
}

#[test]
fn every_job_is_reported_done_exactly_once() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        let jobs: Vec<Job> = (0..200).map(|i| job(&stores.here, i, "fine")).collect();
        let keys: Vec<Key> = jobs.iter().map(|job| job.key).collect();
        let mut list = List { jobs, ..List::default() };
        executor.run(&mut list).unwrap();
        assert_eq!(list.reported.len(), 200, "{name}");
        assert!(keys.iter().all(|key| list.reported[key] == [true]), "{name}");
    }
}

#[test]
fn an_interrupted_run_ends_and_reports_what_was_taken() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        let jobs = (0..50).map(|i| job(&stores.here, i, "fine")).collect();
        let mut list = List { jobs, stop_after: Some(10), ..List::default() };
        executor.run(&mut list).unwrap();
        let reported = list.reported.len();
        assert!((10..20).contains(&reported), "{name}: {reported}");
        assert_eq!(reported + list.jobs.len(), 50, "{name}: a job was taken and never reported");
    }
}

#[test]
fn a_driver_that_cannot_go_on_stops_the_run() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        let jobs = (0..50).map(|i| job(&stores.here, i, "fine")).collect();
        let mut list = List { jobs, refuse: true, ..List::default() };
        let error = executor.run(&mut list).unwrap_err();
        assert_eq!(error.to_string(), "the store is full", "{name}");
        assert_eq!(list.reported.len(), 1, "{name}");
    }
}

#[test]
fn our_fault_is_retried_and_then_reported() {
    let stores = Stores::open();
    let calls = AtomicUsize::new(0);
    let perform = |job: &Job| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Err(Fault::new("a worker vanished")),
        1 => panic!("on purpose"),
        _ => fake::perform(&stores.here, job),
    };
    let executor = Local::new(vec![Box::new(perform)]);
    let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], ..List::default() };
    executor.run(&mut list).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    assert!(list.reported.values().all(|reported| reported == &[true]));

    let hopeless = Local::new(vec![Box::new(|_: &Job| Err(Fault::new("no disk")))]);
    let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], ..List::default() };
    hopeless.run(&mut list).unwrap();
    assert!(list.reported.values().all(|reported| reported == &[false]));
}

#[test]
fn what_is_disturbed_is_done_once_more_alone_when_the_rest_is_done() {
    let stores = Stores::open();
    let (order, under_way) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let perform = |_| -> Perform {
        Box::new(|job: &Job| {
            let others = under_way.fetch_add(1, Ordering::SeqCst);
            let mut order = order.lock().unwrap();
            let again = order.iter().any(|(key, _)| *key == job.key);
            order.push((job.key, others));
            drop(order);
            std::thread::sleep(Duration::from_millis(1));
            under_way.fetch_sub(1, Ordering::SeqCst);
            let name = fake::perform(&stores.here, job)?;
            if again || job.key.as_bytes()[0].is_multiple_of(2) {
                Ok(name)
            } else {
                Err(Fault::disturbed("busy"))
            }
        })
    };
    let executor = Local::new((0..3).map(perform).collect());
    let jobs: Vec<Job> = (0..20).map(|i| job(&stores.here, i, "fine")).collect();
    let odd = jobs.iter().filter(|job| job.key.as_bytes()[0] % 2 == 1).count();
    let mut list = List { jobs, ..List::default() };
    executor.run(&mut list).unwrap();
    assert!(list.reported.len() == 20 && list.reported.values().all(|reported| reported == &[true]));
    let order = order.lock().unwrap().clone();
    assert!(odd > 0 && order.len() == 20 + odd, "{order:?}");
    assert!(order[20..].iter().all(|(_, others)| *others == 0), "alone: {order:?}");

    // What stays disturbed is a fault; after an interrupt it is not even tried.
    let busy = Local::new(vec![Box::new(|_: &Job| Err(Fault::disturbed("busy")))]);
    for (stop_after, calls) in [(None, 2), (Some(0), 0)] {
        let mut list = List { jobs: vec![job(&stores.here, 0, "fine")], stop_after, ..List::default() };
        busy.run(&mut list).unwrap();
        assert_eq!(list.reported.len(), usize::from(calls > 0));
        assert!(list.reported.values().all(|reported| reported == &[false]));
    }
}

/// A machine with a store of its own.
fn machine(store: &Path) -> Machine {
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
    let search = Search {
        path: std::env::var_os("PATH").unwrap(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        rustup_toolchain: None,
        rustup_home: std::env::var_os("RUSTUP_HOME").map(PathBuf::from),
    };
    Machine::new(sandbox, Store::open(store).unwrap(), LanguageTable::embedded(), search, available_cpus())
}

/// What people learn about a package by all three drivers, without times.
fn results(machine: &Machine, executor: &dyn Executor, dir: &Path) -> Vec<String> {
    let stop = AtomicBool::new(false);
    let engine = Engine::new(machine, executor, &stop);
    let package = package::read(dir).unwrap().package.expect("a sound package");
    let made = generate::generate(&package, &engine, GenerationMode::Again, &mut |_| ()).unwrap();
    let mut all = vec![format!("{} cases, {:?} {:?}", made.made, made.findings, made.faults)];
    all.extend(made.files.iter().map(|(file, digest)| format!("{file} {digest}")));
    generate::generate(&package, &engine, GenerationMode::Stale, &mut |_| ()).unwrap();

    let (tests, _) = package::read_tests(&package).unwrap();
    let cohort: Vec<Participant> = package.submissions.iter().map(Participant::from).collect();
    let session = GradeSession {
        engine,
        thoroughness: Thoroughness::All,
        reading: LegacyReading::Kattis,
        failed_validator: FailedValidator::Undecided,
    };
    let judged = session.judge(&package, &tests, &cohort, &mut |_| ()).unwrap();
    assert_eq!(judged.graded.faults, []);
    all.extend(judged.cards.iter().map(|card| {
        let groups: Vec<String> = card
            .groups
            .iter()
            .map(|group| format!("{}: {:?} {:?}", group.name, group.points, group.state))
            .collect();
        format!("{}: {:?} {:?} {groups:?}", card.name, card.points, card.state)
    }));

    let (strength, gallery, times) = (false, Gallery::Specimens, TimesInLock::Keep);
    let wishes = Wishes { strength, gallery, excluded: &[], times };
    let verified = verify::verify(dir, &session, wishes, &mut |_| ()).unwrap();
    all.extend(verified.faults.clone());
    all.extend(verified.checks.iter().map(|check| check.what.clone()));
    // What depends on times is told of the limits.
    let remarks = verified.remarks.iter().filter(|remark| remark.section != verify::Section::Limits);
    all.extend(remarks.map(|remark| format!("{:?} {}", remark.level, remark.what)));
    all
}

/// Copies a problem without what it has generated.
fn copy_sources(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).follow_links(true).into_iter().map(Result::unwrap) {
        let below = entry.path().strip_prefix(from).unwrap();
        if entry.file_type().is_file() && !below.starts_with("data/secret") {
            let target = to.join(below);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Grading, verifying and generating over jobs that were carried as bytes to a machine that has
/// nothing but what the jobs name gives the same as here. One package of each way to judge.
#[test]
fn jobs_that_are_carried_to_another_store_come_to_the_same() {
    for kind in ["pass-fail", "scoring", "interactive", "multi-pass"] {
        let home = tempfile::tempdir().unwrap();
        let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/start").join(kind);
        let [one, other] = ["one", "other"].map(|name| home.path().join(name).join("package"));
        copy_sources(&template, &one);
        copy_sources(&template, &other);

        let local = machine(&home.path().join("local"));
        let expected = results(&local, &local.executor(), &one);

        let (here, there) = (machine(&home.path().join("here")), machine(&home.path().join("there")));
        let performers = there.cpus.iter().map(|&cpu| there.performer(cpu)).collect();
        let carried = Carried::new(&here.store, &there.store, performers);
        assert_eq!(results(&here, &carried, &other), expected, "{kind}");
        assert!(carried.jobs() > 10, "{kind}: {} jobs were carried", carried.jobs());
    }
}
