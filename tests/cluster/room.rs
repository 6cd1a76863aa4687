//! A server without room for more, and how people hear of it.

use crate::{
    contract::{List, copy_sources, job},
    figures::likely_text,
    security::{WorkerProcess, both_streams, kopek},
    server::NatsServer,
    workers::{KOPEK, LoneWorker, Told, coordinator},
};
use kopek::{cluster::ClusterEvent, exec::Executor, plan::Job};
use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
};

fn is_full(event: &ClusterEvent) -> bool {
    let text = event.to_string();
    text.contains("no room for more") && text.contains("max_file_store")
}

#[test]
fn a_server_that_is_full_is_named_with_the_remedy_and_nothing_is_lost() {
    let Some(mut server) = NatsServer::start("jetstream { max_file_store: 3MB }") else { return };
    LoneWorker::at(&server).serve(2, |scope, connection, here| {
        let told = Told::default();
        let heard = told.clone();
        let owner = scope.spawn(move || {
            heard.wait_until("people hear that it is full", |told| told.iter().any(is_full));
            server.configure("jetstream { max_file_store: 1GB }");
            server.kill();
            server.start_again();
            server
        });
        let executor = coordinator(connection, here, &told);
        let text = |index: usize| format!("{index} {}", likely_text(index, 1_500_000));
        let jobs: Vec<Job> = (0..12).map(|index| job(&here.store, index, &text(index))).collect();
        let mut list = List { jobs, ..List::default() };
        executor.run(&mut list).unwrap();
        assert_eq!(list.reported.len(), 12);
        assert!(list.reported.values().all(|reported| reported == &[true]), "{:?}", list.reported);
        owner.join().unwrap()
    });
}

/// What stands on the screen in the end: a bar is drawn over, and a message is not.
fn lines_of_screen(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let text = console::strip_ansi_codes(&text).into_owned();
    text.lines().map(|line| line.rsplit('\r').next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn messages_of_the_cluster_stand_above_the_bar_and_not_in_it() {
    let Some(mut server) = NatsServer::start("") else { return };
    let home = server.home.path().to_owned();
    let package = home.join("package");
    copy_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/pass-fail"), &package);
    let class = home.join("class");
    fs::create_dir_all(&class).unwrap();
    for name in ["ada", "bob", "eve"] {
        // Long enough for a bar that is drawn more than once.
        let text = format!(
            "import time\nname = '{name}'\ntime.sleep(0.4)\na, b = map(int, input().split())\nprint(a + b)\n"
        );
        fs::write(class.join(format!("{name}.py")), text).unwrap();
    }
    let prepared = kopek(
        &["generate", package.to_str().unwrap(), "--store", home.join("store").to_str().unwrap()],
        None,
    );
    assert!(prepared.status.success(), "{}", both_streams(&prepared));
    let args =
        ["--cluster", &server.url, "--slots", "1", "--cache", &home.join("cache").display().to_string()];
    let _worker = WorkerProcess::start(&home.join("worker.log"), &args, "");
    let line = format!(
        "stty cols 80; {KOPEK} grade {} {} --store {} --cluster {}",
        package.display(),
        class.display(),
        home.join("store").display(),
        server.url
    );
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    let mut terminal = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut output, mut seen) = (terminal.stdout.take().unwrap(), Vec::new());
    let (mut is_down, mut is_back) = (false, false);
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = output.read(&mut buffer) {
        seen.extend(&buffer[..n]);
        let text = String::from_utf8_lossy(&seen);
        if !is_down && text.contains(" trials") {
            is_down = true;
            server.kill();
        } else if is_down && !is_back && text.contains("cannot be reached") {
            is_back = true;
            server.start_again();
        }
    }
    assert!(terminal.wait().unwrap().success(), "{}", String::from_utf8_lossy(&seen));
    let lines = lines_of_screen(&seen);
    let messages: Vec<_> = lines.iter().filter(|line| line.contains("cluster:")).collect();
    assert!(messages.iter().any(|line| line.contains("cannot be reached")), "{lines:#?}");
    assert!(messages.iter().all(|line| line.starts_with("cluster: ")), "{lines:#?}");
}
