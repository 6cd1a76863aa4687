//! Over a cluster everything comes to the same as here.

use crate::{
    contract::{
        copy_sources, machine, report_every_job_once, report_what_was_taken, results, stop_with_the_driver,
    },
    server::NatsServer,
    workers::{StopAtEnd, ThreadWorker, Told, await_worker, connect, coordinator},
};
use kopek::{
    exec::{Perform, fake},
    plan::Job,
};
use std::{path::Path, sync::atomic::AtomicBool, thread};

fn nothing_is_refused(_: &Job) -> Option<String> {
    None
}

#[test]
fn the_contract_of_executors_holds() {
    let Some(server) = NatsServer::start("") else { return };
    let [here, there] = ["here", "there"].map(|name| machine(&server.home.path().join(name)));
    let (mut here, stop) = (here, AtomicBool::new(false));
    let for_worker = connect(&server);
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let slot = |_| -> Perform { Box::new(|job| fake::perform(&there.store, job)) };
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(scope, (0..2).map(slot).collect(), nothing_is_refused);
        let connection = connect(&server);
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
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/start/interactive");
    let [one, other] = ["one", "other"].map(|name| home.join(name).join("package"));
    copy_sources(&template, &one);
    copy_sources(&template, &other);
    let local = machine(&home.join("local"));
    let expected = results(&local, &local.executor(), &one);
    let (mut here, there, stop) =
        (machine(&home.join("here")), machine(&home.join("there")), AtomicBool::new(false));
    let for_worker = connect(&server);
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(scope, there.cpus.iter().map(|&cpu| there.performer(cpu)).collect(), nothing_is_refused);
        let connection = connect(&server);
        await_worker(&connection, &mut here);
        let told = Told::default();
        let executor = coordinator(&connection, &here, &told);
        assert_eq!(results(&here, &executor, &other), expected);
        assert_eq!(*told.lock().unwrap(), []);
    });
}
