//! What distribution costs, on jobs that cost nothing.

use crate::{
    contract::{List, job, machine},
    server::{NatsServer, note},
    workers::{StopAtEnd, ThreadWorker, Told, await_worker, connect, coordinator, wait_until},
};
use kopek::{
    exec::{Executor, Local, Machine, Perform, fake},
    plan::Job,
};
use std::{
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

const JOBS: usize = 1000;

fn timed(executor: &dyn Executor, here: &Machine) -> Duration {
    let jobs: Vec<Job> = (0..JOBS).map(|index| job(&here.store, index, "fine")).collect();
    let began = Instant::now();
    let mut list = List { jobs, ..List::default() };
    executor.run(&mut list).unwrap();
    assert_eq!(list.reported.len(), JOBS);
    began.elapsed()
}

#[test]
#[ignore = "prints figures, for which the machine must be quiet"]
fn what_distribution_costs() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    let (mut here, there) = (machine(&home.join("here")), machine(&home.join("there")));
    let perform = || -> Perform { Box::new(|job| fake::perform(&there.store, job)) };
    let local = timed(&Local::new(vec![Box::new(|job: &Job| fake::perform(&here.store, job))]), &here);
    note(&format!("local, 1 slot: {:.0} jobs a second", JOBS as f64 / local.as_secs_f64()));
    for workers in [1, 2, 4] {
        let stop = AtomicBool::new(false);
        let connections: Vec<_> = (0..workers).map(|_| connect(&server)).collect();
        let names: Vec<String> = (0..workers).map(|index| format!("worker-{workers}-{index}")).collect();
        thread::scope(|scope| {
            let _stop = StopAtEnd(&stop);
            for (connection, name) in connections.iter().zip(&names) {
                let worker = ThreadWorker { name, connection, machine: &there, stop: &stop };
                worker.start(scope, vec![perform()], |_| None);
            }
            let connection = connect(&server);
            wait_until("all are there", || {
                connection.status().is_ok_and(|status| status.workers.len() == workers)
            });
            await_worker(&connection, &mut here);
            let executor = coordinator(&connection, &here, &Told::default());
            let time = timed(&executor, &here);
            let (sent, received) = executor.traffic();
            let each = time.as_secs_f64() * 1000.0 * workers as f64 / JOBS as f64;
            note(&format!(
                "{workers} workers of 1 slot: {:.0} jobs a second, {each:.2} ms for a job in a slot; contents sent {sent} B, \
                 received {received} B",
                JOBS as f64 / time.as_secs_f64()
            ));
        });
    }
}
