//! Whatever dies on the way: each job has one result, and what we failed at is a fault.

use crate::{
    child::{ChildWorker, perform},
    contract::{List, job, machine},
    events::await_text,
    server::NatsServer,
    workers::{
        LoneWorker, StopAtEnd, ThreadWorker, Told, await_worker, connect, connect_with_long_leases,
        coordinator, wait_until,
    },
};
use kopek::{
    cluster::ClusterEvent,
    exec::Executor,
    plan::{Job, Task},
    store::Store,
    worker::Perform,
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

fn jobs(store: &Store, count: usize, text: &str) -> Vec<Job> {
    (0..count).map(|index| job(store, index, text)).collect()
}

/// What all jobs of a list came to: each reported once, and done.
fn assert_all_done(list: &List, count: usize) {
    assert_eq!(list.reported.len(), count);
    assert!(list.reported.values().all(|reported| reported == &[true]), "{:?}", list.reported);
}

/// Workers that run one after the other; this one runs now.
#[derive(Default)]
struct LastWorker {
    /// `None`: none runs.
    id: Mutex<Option<u32>>,
    is_over: AtomicBool,
}

impl LastWorker {
    /// Starts one, unless that is over.
    fn replace(&self, start: impl FnOnce() -> ChildWorker) -> Option<ChildWorker> {
        let mut id = self.id.lock().unwrap();
        let worker = (!self.is_over.load(Ordering::Relaxed)).then(start);
        *id = worker.as_ref().map(ChildWorker::id);
        worker
    }

    /// Ends the last one.
    fn end(&self) {
        let mut id = self.id.lock().unwrap();
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(pid) = id.take().and_then(|id| Pid::from_raw(id as i32)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Ends the last worker when a test ends, however.
struct EndAtEnd<'a>(&'a LastWorker);

impl Drop for EndAtEnd<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Caches of workers that begin one after the other.
fn caches(server: &NatsServer) -> impl FnMut() -> PathBuf {
    let (home, next) = (server.home.path().to_owned(), AtomicUsize::new(0));
    move || home.join(format!("worker-{}", next.fetch_add(1, Ordering::Relaxed)))
}

#[test]
fn jobs_of_a_killed_worker_are_done_by_another() {
    let Some(server) = NatsServer::start("") else { return };
    let (connection, mut cache) = (connect(&server), caches(&server));
    let mut here = machine(&server.home.path().join("here"));
    let count = server.home.path().join("count");
    let first = ChildWorker::start_counted(&server.url, &cache(), Some((0, &count)));
    await_worker(&connection, &mut here);
    let told = Told::default();
    thread::scope(|scope| {
        let killer = scope.spawn(|| {
            await_text(&count, |begun| begun.len() > 2);
            first.signal("-KILL");
            ChildWorker::start(&server, &cache())
        });
        let executor = coordinator(&connection, &here, &told);
        let mut list = List { jobs: jobs(&here.store, 30, "slow"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert_all_done(&list, 30);
        drop(killer.join().unwrap());
    });
}

#[test]
fn a_worker_that_stood_still_is_not_counted_twice() {
    let Some(server) = NatsServer::start("") else { return };
    let (connection, mut cache) = (connect(&server), caches(&server));
    let mut here = machine(&server.home.path().join("here"));
    let counts = [server.home.path().join("count-0"), server.home.path().join("count-1")];
    let workers =
        counts.each_ref().map(|count| ChildWorker::start_counted(&server.url, &cache(), Some((0, count))));
    await_worker(&connection, &mut here);
    let told = Told::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            // It has a second from here on until it answers.
            await_text(&counts[0], |begun| !begun.is_empty());
            workers[0].signal("-STOP");
            // What it held goes before all that is left, once its lease of two seconds has ended.
            let before = fs::read_to_string(&counts[1]).map_or(0, |begun| begun.len());
            await_text(&counts[1], |begun| begun.len() >= before + 10);
            workers[0].signal("-CONT");
        });
        let executor = coordinator(&connection, &here, &told);
        let mut list = List { jobs: jobs(&here.store, 24, "slower"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert_all_done(&list, 24);
        // What it held when it stood still had been done by then: its own answer was refused.
        let log = server.home.path().join("worker-0.log");
        await_text(&log, |log| log.contains("too late"));
    });
}

#[test]
fn a_job_that_ends_its_workers_is_a_fault_and_its_neighbours_are_done() {
    let Some(server) = NatsServer::start("") else { return };
    let (connection, mut cache) = (connect(&server), caches(&server));
    let mut here = machine(&server.home.path().join("here"));
    let last = LastWorker::default();
    thread::scope(|scope| {
        let _end = EndAtEnd(&last);
        // One worker at a time, of two slots: whatever is beside the poison dies with it.
        let keeper = scope.spawn(|| {
            let mut began = 0;
            while let Some(mut worker) = last.replace(|| ChildWorker::start(&server, &cache())) {
                began += 1;
                worker.wait();
            }
            began
        });
        await_worker(&connection, &mut here);
        let told = Told::default();
        let executor = coordinator(&connection, &here, &told);
        let mut all = jobs(&here.store, 12, "slow");
        let poison = job(&here.store, 99, "poison");
        all.insert(8, poison.clone());
        let mut list = List { jobs: all, ..List::default() };
        executor.run(&mut list).unwrap();
        assert_eq!(list.reported.len(), 13);
        for (key, reported) in &list.reported {
            assert_eq!(reported, &[*key != poison.key], "the poison is a fault, and nothing else");
        }
        let told = told.lock().unwrap().clone();
        assert!(told.iter().any(|event| matches!(event, ClusterEvent::Suspect(_))), "{told:?}");
        last.end();
        // Four deliveries ended a worker each; the last worker answered.
        assert_eq!(keeper.join().unwrap(), 5);
    });
}

#[test]
fn a_server_that_dies_and_one_that_forgets_everything_are_survived() {
    let Some(mut server) = NatsServer::start("") else { return };
    let mut worker = LoneWorker::at(&server);
    let (begun, told) = (worker.begun.clone(), Told::default());
    let heard = told.clone();
    worker.serve(2, |scope, connection, here| {
        let killer = scope.spawn(move || {
            for (at, forgets) in [(15, false), (30, true)] {
                begun.wait_until("some jobs are begun", |begun| begun.len() >= at);
                let troubles = |told: &[ClusterEvent]| {
                    told.iter().filter(|event| matches!(event, ClusterEvent::ServerTrouble(_))).count()
                };
                // A loss is reported once, so it must be over before the next one.
                heard.wait_until("the server is there", |told| {
                    let last = told.iter().rfind(|event| {
                        matches!(event, ClusterEvent::ServerTrouble(_) | ClusterEvent::ServerBack)
                    });
                    !matches!(last, Some(ClusterEvent::ServerTrouble(_)))
                });
                let before = troubles(&heard.lock().unwrap());
                server.kill();
                if forgets {
                    server.lose_everything();
                }
                heard.wait_until("it is missed", |told| troubles(told) > before);
                server.start_again();
            }
            server
        });
        let executor = coordinator(connection, here, &told);
        let mut list = List { jobs: jobs(&here.store, 60, "slow"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert_all_done(&list, 60);
        killer.join().unwrap()
    });
}

/// After this many jobs have begun, the server forgets their numbers, but not how many it gave away.
fn forgets_numbers_of_jobs(after: usize) {
    let Some(mut server) = NatsServer::start("") else { return };
    let mut worker = LoneWorker::at(&server);
    let begun = worker.begun.clone();
    worker.serve(2, |scope, connection, here| {
        let told = Told::default();
        let executor = coordinator(connection, here, &told);
        let damager = scope.spawn(move || {
            begun.wait_until("some jobs are begun", |begun| begun.len() >= after);
            // SIGKILL can lose the count of delivered jobs, too. The server then delivers all jobs again.
            server.stop();
            fs::remove_dir_all(server.store_dir().join("jetstream/$G/streams/JOBS/msgs")).unwrap();
            server.start_again();
            server
        });
        let mut list = List { jobs: jobs(&here.store, 40, "slow"), ..List::default() };
        let error = executor.run(&mut list).unwrap_err().to_string();
        assert!(error.contains("holds jobs that it delivers to no worker"), "{error}");
        let mut server = damager.join().unwrap();
        // What the message says.
        server.kill();
        fs::remove_dir_all(server.store_dir().join("jetstream")).unwrap();
        server.start_again();
        let mut list = List { jobs: jobs(&here.store, 40, "slow"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert_all_done(&list, 40);
        drop(executor);
        let seen = connection.status().unwrap();
        assert_eq!(seen.workers.len(), 1, "what workers say is kept again: {seen:?}");
        server
    });
}

#[test]
fn a_server_that_passes_all_jobs_over_is_named_with_the_remedy() {
    forgets_numbers_of_jobs(20);
}

#[test]
fn a_server_that_passes_some_jobs_over_is_named_with_the_remedy() {
    // As many are queued again as were given away: only later ones have numbers that it waits for.
    forgets_numbers_of_jobs(2);
}

#[test]
fn a_worker_ends_on_request_although_the_server_is_gone() {
    let Some(mut server) = NatsServer::start("") else { return };
    LoneWorker::at(&server).serve(2, |_, connection, here| {
        let executor = coordinator(connection, here, &Told::default());
        let mut all = jobs(&here.store, 3, "slower");
        all.push(job(&here.store, 3, "quick"));
        // Ends with the first result, while others are under way.
        executor.run(&mut List { jobs: all, refuse: true, ..List::default() }).unwrap_err();
        server.kill();
    });
}

#[test]
fn a_toolchain_missing_on_all_workers_is_reported_once() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    let (mut here, there) = (machine(&home.join("here")), machine(&home.join("there")));
    let stop = AtomicBool::new(false);
    let connections = [connect_with_long_leases(&server), connect_with_long_leases(&server)];
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let slots = || vec![Box::new(|job: &Job| perform(&there.store, job)) as Perform];
        let worker = |at: usize, name| ThreadWorker {
            name,
            connection: &connections[at],
            machine: &there,
            stop: &stop,
        };
        worker(0, "bare").start(scope, slots(), |_| Some("there is no compiler".into()));
        worker(1, "full").start(scope, slots(), |job| {
            let Task::Build(build) = &job.task else { return None };
            (build.files[0].size.0 == 4).then(|| "it is slow here".into())
        });
        let connection = connect_with_long_leases(&server);
        wait_until("both are there", || connection.status().is_ok_and(|status| status.workers.len() == 2));
        await_worker(&connection, &mut here);
        let told = Told::default();
        let executor = coordinator(&connection, &here, &told);
        let mut list = List { jobs: jobs(&here.store, 10, "quick"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert_all_done(&list, 10);
        let mut list = List { jobs: jobs(&here.store, 3, "slow"), ..List::default() };
        executor.run(&mut list).unwrap();
        assert!(list.reported.len() == 3 && list.reported.values().all(|reported| reported == &[false]));
        let told = told.lock().unwrap().clone();
        let [ClusterEvent::Declined(why)] = &told[..] else { panic!("{told:?}") };
        assert_eq!(why, "bare: there is no compiler; full: it is slow here");
    });
}

#[test]
fn results_of_a_run_that_was_cut_off_are_taken_over() {
    let Some(server) = NatsServer::start("") else { return };
    LoneWorker::at(&server).serve(1, |_, connection, here| {
        let told = Told::default();
        let executor = coordinator(connection, here, &told);
        let all = jobs(&here.store, 20, "fine");
        let keys: Vec<_> = all.iter().map(|job| job.key).collect();
        executor.run(&mut List { jobs: all, ..List::default() }).unwrap();
        // As a process that was killed: nothing is cleared away.
        std::mem::forget(executor);
        let mut other = machine(&server.home.path().join("other"));
        other.kind = here.kind.clone();
        let told = Told::default();
        let _executor = coordinator(connection, &other, &told);
        assert!(keys.iter().all(|key| other.store.get(key).unwrap().is_some()));
        assert_eq!(*told.lock().unwrap(), [ClusterEvent::TakenOver(20)]);
    });
}

#[test]
fn a_run_that_ends_leaves_the_jobs_of_another_in_the_queue() {
    let Some(server) = NatsServer::start("") else { return };
    let mut worker = LoneWorker::at(&server);
    let begun = worker.begun.clone();
    worker.serve(1, |scope, connection, here| {
        let run = |jobs: Vec<Job>| {
            let count = jobs.len();
            let mut list = List { jobs, ..List::default() };
            coordinator(connection, here, &Told::default()).run(&mut list).unwrap();
            assert_all_done(&list, count);
        };
        let long = jobs(&here.store, 20, "slow");
        let other = scope.spawn(move || run(long));
        begun.wait_until("the long run has begun", |begun| !begun.is_empty());
        run(jobs(&here.store, 1, "quick"));
        other.join().unwrap();
    });
}
