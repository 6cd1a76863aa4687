//! Over a cluster everything comes to the same as here.

use crate::{
    contract::{
        copy_sources, machine, report_every_job_once, report_what_was_taken, results, stop_with_the_driver,
    },
    server::NatsServer,
    workers::{StopAtEnd, ThreadWorker, Told, await_worker, connect_with_long_leases, coordinator},
};
use kopek::{
    exec::{Engine, Executor, local_executor},
    grade::{GradeSession, Thoroughness},
    package::{self, Participant},
    plan::{Job, WitnessTime},
    verdict::Verdict,
    worker::{Perform, performer},
};
use kopek_fakes as fake;
use std::{fs, path::Path, sync::atomic::AtomicBool, thread, time::Duration};

fn nothing_is_refused(_: &Job) -> Option<String> {
    None
}

#[test]
fn the_contract_of_executors_holds() {
    let Some(server) = NatsServer::start("") else { return };
    let [here, there] = ["here", "there"].map(|name| machine(&server.home.path().join(name)));
    let (mut here, stop) = (here, AtomicBool::new(false));
    let for_worker = connect_with_long_leases(&server);
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let slot = |_| -> Perform { Box::new(|job| fake::perform(&there.store, job)) };
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(scope, (0..2).map(slot).collect(), nothing_is_refused);
        let connection = connect_with_long_leases(&server);
        await_worker(&connection, &mut here);
        let told = Told::default();
        for check in [report_every_job_once, report_what_was_taken, stop_with_the_driver] {
            let executor = coordinator(&connection, &here, &told);
            check("the cluster", &executor, &here.store);
        }
        assert_eq!(*told.lock().unwrap(), []);
    });
}

#[test]
fn grading_verifying_and_generating_come_to_the_same_as_here() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/interactive");
    let [one, other] = ["one", "other"].map(|name| home.join(name).join("package"));
    copy_sources(&template, &one);
    copy_sources(&template, &other);
    let local = machine(&home.join("local"));
    let expected = results(&local, &local_executor(&local), &one);
    let (mut here, there, stop) =
        (machine(&home.join("here")), machine(&home.join("there")), AtomicBool::new(false));
    let for_worker = connect_with_long_leases(&server);
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(
            scope,
            there.cpus.iter().map(|&cpu| performer(&there, cpu)).collect(),
            nothing_is_refused,
        );
        let connection = connect_with_long_leases(&server);
        await_worker(&connection, &mut here);
        let told = Told::default();
        let executor = coordinator(&connection, &here, &told);
        assert_eq!(results(&here, &executor, &other), expected);
        assert_eq!(*told.lock().unwrap(), []);
    });
}

/// A problem with a submission that never ends.
fn write_endless(dir: &Path) {
    let files = [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Test\nuuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a37\n\
             limits: {time_limit: 1}\n",
        ),
        ("statement/problem.en.md", "Test.\n"),
        ("input_validators/v.py", "exit(42)\n"),
        ("data/secret/1.in", "0\n"),
        ("data/secret/1.ans", "1\n"),
        ("submissions/accepted/a.py", "print(1)\n"),
        ("submissions/time_limit_exceeded/endless.py", "while True: pass\n"),
    ];
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_worker_judges_a_time_above_the_limit_with_a_witness_of_its_own() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    write_endless(&home.join("package"));
    let package = package::read(&home.join("package")).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    let cohort = package.submissions.iter().map(Participant::from);
    let (accepted, endless): (Vec<_>, Vec<_>) = cohort.partition(|one| one.name == "accepted/a.py");
    let (mut here, mut there, stop) =
        (machine(&home.join("here")), machine(&home.join("there")), AtomicBool::new(false));
    there.name = "a worker's machine".into();
    let (there, for_worker) = (there, connect_with_long_leases(&server));
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(
            scope,
            there.cpus.iter().map(|&cpu| performer(&there, cpu)).collect(),
            nothing_is_refused,
        );
        let connection = connect_with_long_leases(&server);
        await_worker(&connection, &mut here);
        let judge = |executor: &dyn Executor, cohort: &[Participant]| {
            let session = GradeSession::usual(Engine::new(&here, executor, &stop), Thoroughness::All);
            session.judge(&package, &tests, cohort, &mut |_| ()).unwrap()
        };
        // Built here: the worker must fetch it.
        judge(&local_executor(&here), &accepted);
        let judged = judge(&coordinator(&connection, &here, &Told::default()), &endless);
        assert_eq!(judged.graded.faults, []);
        let trial = &judged.graded.trials[0][&0];
        assert!(trial.verdict == Verdict::TimeLimit && !trial.pairs.is_empty(), "{trial:?}");
        // The least time on the worker's machine came home.
        let times = &judged.graded.witness_times;
        let is_of_worker =
            |time: &WitnessTime| time.name == "accepted/a.py" && time.machine == "a worker's machine";
        assert!(!times.is_empty() && times.iter().all(is_of_worker), "{times:?}");
        let later = WitnessTime { time: Duration::from_secs(3600), ..times[0].clone() };
        assert_eq!(
            here.least_times.min(&here.store, &later),
            times.iter().map(|time| time.time).min().unwrap()
        );
        assert_eq!(judged.uneven_machines(&here).len(), 0);
    });
}
