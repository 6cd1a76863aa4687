//! What people ask of a cluster, and when workers end by themselves.

use crate::{
    contract::{List, copy_sources, job},
    security::{WorkerProcess, both_streams, kopek},
    server::NatsServer,
    workers::{LoneWorker, Told, await_answer, connect, coordinator, wait_until},
};
use kopek::{exec::Executor, plan::Job};
use std::{fs, path::Path, sync::Barrier, thread};

#[test]
fn a_run_that_is_cancelled_ends_and_goes_on_when_it_is_started_again() {
    let Some(server) = NatsServer::start("") else { return };
    LoneWorker::at(&server).serve(1, |scope, connection, here| {
        // More than are done before it is cancelled, however busy this machine is.
        let jobs: Vec<Job> = (0..1000).map(|index| job(&here.store, index, "slow")).collect();
        let mut list = List { jobs, ..List::default() };
        let canceller = scope.spawn(|| {
            let status = || both_streams(&kopek(&["cluster", "status", "--cluster", &server.url], None));
            // Some are done, and it is known how many are left. A worker says every two seconds what it does
            // at that moment: at another it may be about to take a job or to answer one.
            await_answer("a run says how it goes", " a second, about ", status);
            await_answer("a worker says what it does", "    does build of main.txt", status);
            let unknown = kopek(&["cluster", "cancel", "nobody", "--cluster", &server.url], None);
            assert!(both_streams(&unknown).contains("no run is called nobody"), "{}", both_streams(&unknown));
            let cancelled = kopek(&["cluster", "cancel", "--cluster", &server.url], None);
            assert!(both_streams(&cancelled).contains(": cancelled"), "{}", both_streams(&cancelled));
        });
        let error = coordinator(connection, here, &Told::default()).run(&mut list).unwrap_err();
        assert!(error.to_string().contains("the same command continues"), "{error:#}");
        canceller.join().unwrap();
        assert!(!list.reported.is_empty() && list.reported.len() < 1000, "{}", list.reported.len());
        wait_until("no run and no job is left", || {
            let status = connection.status().unwrap();
            status.runs.is_empty()
                && status.classes.iter().all(|class| class.waiting + class.under_way as u64 == 0)
        });
        list.jobs.truncate(5);
        let before = list.reported.len();
        coordinator(connection, here, &Told::default()).run(&mut list).unwrap();
        assert_eq!(list.reported.len(), before + 5);
    });
}

#[test]
fn a_worker_without_work_ends_by_itself() {
    let Some(server) = NatsServer::start("") else { return };
    let (log, cache) = (server.home.path().join("log-of-worker"), server.home.path().join("cache"));
    let args = ["--cluster", &server.url, "--exit-when-idle", "1", "--cache", cache.to_str().unwrap()];
    let mut worker = WorkerProcess::start(&log, &args, "");
    let status = worker.0.wait().unwrap();
    let text = fs::read_to_string(log).unwrap();
    assert!(status.success() && text.contains("takes jobs") && text.contains("ended"), "{text}");
    let gone = kopek(&["cluster", "status", "--cluster", &server.url], None);
    assert!(both_streams(&gone).contains("no workers, no runs"), "{}", both_streams(&gone));
}

/// Bytes of all files below a directory.
fn size_below(dir: &Path) -> u64 {
    let files = walkdir::WalkDir::new(dir).into_iter().filter_map(Result::ok);
    files.filter_map(|entry| entry.metadata().ok()).filter(fs::Metadata::is_file).map(|file| file.len()).sum()
}

#[test]
fn the_cache_of_a_worker_stays_within_its_size() {
    let Some(server) = NatsServer::start("") else { return };
    let home = server.home.path();
    let (package, class) = (home.join("package"), home.join("class"));
    copy_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/pass-fail"), &package);
    fs::create_dir_all(&class).unwrap();
    for index in 0..32 {
        let text = format!(
            "# {index} {}\nimport sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n",
            "x".repeat(100_000)
        );
        fs::write(class.join(format!("student-{index}.py")), text).unwrap();
    }
    let (log, cache) = (home.join("log-of-worker"), home.join("cache"));
    // One MiB; sources alone are three, and programs as many.
    let args = [
        "--cluster",
        &server.url,
        "--slots",
        "1",
        "--cache-size",
        "0.001",
        "--cache",
        cache.to_str().unwrap(),
    ];
    let mut worker = WorkerProcess::start(&log, &args, "");
    let store = home.join("store").display().to_string();
    let args = ["grade", package.to_str().unwrap(), class.to_str().unwrap(), "--store", &store];
    let graded = kopek(&[&args[..], &["--format", "csv", "--cluster", &server.url]].concat(), None);
    let text = both_streams(&graded);
    let judged = text.lines().filter(|line| line.contains(",python3,AC,")).count();
    assert!(graded.status.success() && judged == 32, "{text}");
    let drained = kopek(&["cluster", "drain", "--cluster", &server.url], None);
    assert!(drained.status.success(), "{}", both_streams(&drained));
    worker.0.wait().unwrap();
    let log = fs::read_to_string(log).unwrap();
    assert!(log.matches("takes jobs").count() > 2, "it began anew with a smaller cache: {log}");
    assert!(!log.contains("stays as large"), "{log}");
    // Not blobs alone: the table of facts, and what toolchains keep.
    assert!(size_below(&cache) < 3 << 20, "{} bytes", size_below(&cache));
}

#[test]
fn options_for_a_cluster_are_never_ignored() {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("store").display().to_string();
    let template = concat!(env!("CARGO_MANIFEST_DIR"), "/src/templates/package/pass-fail");
    let grade = ["grade", template, "."];
    for (begin, args, why) in [
        (&grade[..], &["--token-file", "secret"][..], "name it with --cluster or KOPEK_CLUSTER"),
        (&grade, &["--ca", "ca.pem"], "name it with --cluster or KOPEK_CLUSTER"),
        (&grade, &["--class", "old"], "--cluster <URL>"),
        (&grade, &["--cluster", "http://127.0.0.1"], "nats://HOST"),
        (&grade, &["--cluster", "nats://127.0.0.1:1", "--token-file", "/nowhere"], "read the token /nowhere"),
        (
            &["verify", template, "--watch"],
            &["--cluster", "nats://127.0.0.1:1"],
            "--watch runs on this machine only",
        ),
        (&["generate", template], &["--cluster", "nats://127.0.0.1:1/x"], "nats://HOST[:PORT]"),
    ] {
        let output = kopek(&[begin, args, &["--store", &store]].concat(), None);
        let text = both_streams(&output);
        assert!(output.status.code() == Some(2) && text.contains(why), "{begin:?} {args:?}: {text}");
        assert!(!Path::new(&store).exists(), "{begin:?} {args:?}: nothing was begun");
    }
}

#[test]
fn many_who_come_first_at_once_set_the_cluster_up_together() {
    for _ in 0..5 {
        let Some(server) = NatsServer::start("") else { return };
        let together = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    together.wait();
                    connect(&server)
                });
            }
        });
    }
}
