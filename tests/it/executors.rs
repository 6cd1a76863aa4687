//! The contract of every executor: each job that was taken is reported done exactly once. And jobs
//! are portable: carried as bytes to a store elsewhere and done there, they come to the same.

mod carried;
pub mod contract;

use crate::scratch;
use carried::Carried;
use contract::{
    List, copy_sources, job, machine, report_every_job_once, report_what_was_taken, results,
    stop_with_the_driver,
};
use kopek::{
    exec::{Engine, Executor, KnownFacts, Local, Perform, fake},
    plan::{Job, Outcome},
    sandbox::Fault,
    store::Store,
};
use std::{
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

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
        report_every_job_once(&name, &*executor, &stores.here);
    }
}

#[test]
fn an_interrupted_run_ends_and_reports_what_was_taken() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        report_what_was_taken(&name, &*executor, &stores.here);
    }
}

#[test]
fn a_driver_that_cannot_go_on_stops_the_run() {
    let stores = Stores::open();
    for (name, executor) in stores.executors() {
        stop_with_the_driver(&name, &*executor, &stores.here);
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

#[test]
fn a_fact_of_another_kind_is_no_fact() {
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path());
    let (executor, stop) = (fake::Fake::new(&machine.store), AtomicBool::new(false));
    let engine = Engine::new(&machine, &executor, &stop);
    let job = job(&machine.store, 0, "fine");
    machine.store.put(&job.key, &Outcome::Grade("100".into())).unwrap();
    let done = engine.run_all(vec![job], KnownFacts::Use, &mut |_, _| Ok(())).unwrap();
    assert!(matches!(done[..], [Some(Ok(Outcome::Build(_)))]), "{done:?}");
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

        // What others found out about equal packages says as much as what would be found out anew.
        let local = machine(&scratch::store());
        let expected = results(&local, &local.executor(), &one);

        let (here, there) = (machine(&home.path().join("here")), machine(&home.path().join("there")));
        let performers = there.cpus.iter().map(|&cpu| there.performer(cpu)).collect();
        let carried = Carried::new(&here.store, &there.store, performers);
        assert_eq!(results(&here, &carried, &other), expected, "{kind}");
        assert!(carried.jobs() > 10, "{kind}: {} jobs were carried", carried.jobs());
    }
}
