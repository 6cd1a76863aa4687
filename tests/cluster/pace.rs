//! Machines of one class that differ: times come from those that agree.

use crate::{
    child::perform,
    contract::machine,
    course::Course,
    server::NatsServer,
    workers::{StopAtEnd, ThreadWorker, Told, await_worker, connect, coordinator, wait_until},
};
use kopek::{
    cluster::ClusterEvent,
    exec::{Machine, Perform, fake},
    plan::Task,
    sandbox::{PARTS, YardstickTimes},
};
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// A slot that counts what it tries.
fn slot<'a>(machine: &'a Machine, tried: &'a AtomicUsize) -> Perform<'a> {
    Box::new(move |job| {
        tried.fetch_add(usize::from(matches!(job.task, Task::Trial(_))), Ordering::Relaxed);
        perform(&machine.store, job)
    })
}

#[test]
fn a_slower_machine_of_a_class_builds_and_tries_nothing() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    let course = Course::new(&home.join("test"), 2);
    let local = machine(&home.join("local"));
    let plan = course.plan(&local.store, 20);
    let (expected, _) = course.judge(&plan, (&local.store, &fake::Fake::new(&local.store)), &mut || ());

    let machines = ["quick", "alike", "slow"].map(|name| machine(&home.join(name)));
    let tried: [AtomicUsize; 3] = Default::default();
    let connections = [connect(&server), connect(&server), connect(&server)];
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        for (at, (name, time)) in [("quick", 1000), ("alike", 1100), ("slow", 1500)].into_iter().enumerate() {
            let worker =
                ThreadWorker { name, connection: &connections[at], machine: &machines[at], stop: &stop };
            let yardstick = YardstickTimes::from_parts([time; PARTS]);
            let slots = vec![slot(&machines[at], &tried[at])];
            worker.start_with_yardstick(scope, (slots, |_| None), Some(yardstick));
        }
        let connection = connect(&server);
        wait_until("all are there", || connection.status().is_ok_and(|status| status.workers.len() == 3));
        let (mut here, told) = (machine(&home.join("here")), Told::default());
        await_worker(&connection, &mut here);
        let executor = coordinator(&connection, &here, &told);
        let plan = course.plan(&here.store, 20);
        let (cards, _) = course.judge(&plan, (&here.store, &executor), &mut || ());
        assert_eq!(cards, expected);
        let [quick, alike, slow] = tried.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert!(quick > 0 && alike > 0 && slow == 0, "{quick}, {alike}, {slow}");
        let told = told.lock().unwrap().clone();
        let [ClusterEvent::Uneven(what)] = &told[..] else { panic!("{told:?}") };
        assert!(what.starts_with("slow is 1.50 times slower"), "{what}");
    });
}
