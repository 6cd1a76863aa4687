//! What the server lets a worker do that it knows by a key, as the guide configures it.

use crate::{
    contract::copy_sources,
    events,
    security::{
        SUM, TOKEN, WorkerProcess, assert_no_violations, assert_refused, both_streams, ends_when_asked,
        guide_block, kopek, make_certificate,
    },
    server::NatsServer,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::channel,
    time::Duration,
};

/// Made for this test alone.
const NKEY_SEED: &str = "SUAAWMCVPKP4J2IOGNMH3IWH5QITMW4AUXFO6FBZL2B2RTPSC46GDBQN2I";
const NKEY_PUBLIC: &str = "UASMHJEU7IRJSYTGIS4WLKITFWTZZ7THCUP5YQW6MAGPBEEX3OBEPN24";

#[test]
fn a_server_that_knows_users_by_their_keys_takes_the_seed_of_one() {
    let users = format!("authorization {{ users: [ {{ nkey: {NKEY_PUBLIC} }} ] }}");
    let Some(server) = NatsServer::start(&users) else { return };
    let status = ["cluster", "status", "--cluster", &server.url];
    let file = server.home.path().join("seed");
    fs::write(&file, format!("{NKEY_SEED}\n")).unwrap();
    let known = kopek(&[&status[..], &["--token-file", file.to_str().unwrap()]].concat(), None);
    assert!(both_streams(&known).contains("no workers, no runs"), "{}", both_streams(&known));
    let damaged = NKEY_SEED.replace('4', "5");
    for (secret, why) in
        [(None, "wants a token"), (Some("wrong-token"), "the server refuses"), (Some(&*damaged), "damaged")]
    {
        assert_refused(&status, secret, why);
    }
    let log = fs::read_to_string(server.home.path().join("log")).unwrap();
    assert!(!log.contains(NKEY_SEED), "the server never hears it");
}

/// What only who grades may publish: to queue jobs, to end and to change queues, to read what others answered, to end
/// workers and runs, and to speak for runs.
const NOT_FOR_WORKERS: [&str; 16] = [
    "job.default.run.key",
    "run.name",
    "control.worker.all",
    "control.run.all",
    "$JS.API.INFO",
    "$JS.API.STREAM.CREATE.OTHER",
    "$JS.API.STREAM.UPDATE.JOBS",
    "$JS.API.STREAM.DELETE.JOBS",
    "$JS.API.STREAM.PURGE.RESULTS",
    "$JS.API.STREAM.MSG.DELETE.JOBS",
    "$JS.API.STREAM.MSG.GET.RESULTS",
    "$JS.API.STREAM.NAMES",
    "$JS.API.CONSUMER.DURABLE.CREATE.JOBS.other",
    "$JS.API.CONSUMER.CREATE.RESULTS",
    "$JS.API.CONSUMER.DELETE.JOBS.w-default",
    "$JS.API.CONSUMER.MSG.NEXT.RESULTS.other",
];

/// What the server refuses to who has this seed: to publish and to listen under these subjects.
fn refusals((server, ca): (&NatsServer, &Path), subjects: &[&str], listened: &[&str]) -> Vec<String> {
    let (sender, refused) = channel();
    let options =
        async_nats::ConnectOptions::with_nkey(NKEY_SEED.into()).add_root_certificates(ca.to_owned());
    let options = options.event_callback(move |event| {
        if let async_nats::Event::ServerError(error) = event {
            let _ = sender.send(error.to_string());
        }
        async {}
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let client = runtime.block_on(options.connect(&server.url)).unwrap();
    let mut listening = Vec::new();
    runtime.block_on(async {
        for subject in subjects {
            client.publish((*subject).to_owned(), "x".into()).await.unwrap();
        }
        for subject in listened {
            listening.push(client.subscribe((*subject).to_owned()).await.unwrap());
        }
        client.flush().await.unwrap();
    });
    let next = |_| refused.recv_timeout(Duration::from_secs(60)).expect("all of it is refused");
    (0..subjects.len() + listened.len()).map(next).collect()
}

/// A server as the guide configures it, with a worker that is known by its key; and the certificate of its authority.
fn server_of_the_guide() -> Option<(NatsServer, PathBuf)> {
    let certificate = make_certificate()?;
    let home = certificate.path();
    let by_password = "user: worker, password: \"A-LONG-SECRET\"";
    let configuration = guide_block("authorization {\n");
    assert!(configuration.contains(by_password), "{configuration}");
    let configuration = configuration
        .replace(by_password, &format!("nkey: {NKEY_PUBLIC}"))
        .replace("ANOTHER-LONG-SECRET", TOKEN)
        .replace("/etc/nats", &home.display().to_string())
        .replace("\"/var/lib/nats\"", "\"HOME/js\"");
    let server = NatsServer::start_as_configured(&configuration)?;
    let ca = server.home.path().join("ca.pem");
    // The others are read once at its start.
    fs::copy(home.join("ca.pem"), &ca).unwrap();
    Some((server, ca))
}

#[test]
fn a_worker_that_is_known_by_its_key_does_its_work_and_may_do_nothing_else() {
    let Some((server, ca)) = server_of_the_guide() else { return };
    let home = server.home.path();
    let cluster = ["--cluster", &server.url, "--ca", ca.to_str().unwrap()];
    let (package, class, cache) = (home.join("package"), home.join("class"), home.join("cache"));
    copy_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package/pass-fail"), &package);
    fs::create_dir_all(&class).unwrap();
    fs::write(class.join("ada.py"), SUM).unwrap();
    let args = [&cluster[..], &["--slots", "1", "--cache", cache.to_str().unwrap()]].concat();
    let worker = WorkerProcess::start(&home.join("worker.log"), &args, NKEY_SEED);
    // Before somebody makes the queue: this account may not.
    let waits = "waits for the first `kopek grade --cluster` of its class\n";
    events::await_text(&home.join("worker.log"), |log| log.contains(waits));
    let store = home.join("store").display().to_string();
    let args = ["grade", package.to_str().unwrap(), class.to_str().unwrap(), "--store", &store];
    let teacher = format!("teacher:{TOKEN}");
    let grade = [&args[..], &["--format", "csv"], &cluster].concat();
    let graded = kopek(&grade, Some(&teacher));
    let text = both_streams(&graded);
    assert!(graded.status.success() && text.lines().any(|line| line.contains(",AC,")), "{text}");
    assert_no_violations(&server);

    let listened = ["job.>", "result.>", "run.>", "worker.>", "control.run.>", ">"];
    let refused = refusals((&server, &ca), &NOT_FOR_WORKERS, &listened);
    for subject in NOT_FOR_WORKERS.iter().chain(&listened) {
        assert!(refused.iter().any(|why| why.contains(&format!("\"{subject}\""))), "{subject}: {refused:#?}");
    }
    // Commands that need more say so, instead of that the server is slow.
    for request in ["status", "cancel", "drain"] {
        let args = [&["cluster", request][..], &cluster].concat();
        assert_refused(&args, Some(NKEY_SEED), "the account of this token may not do this");
    }
    assert_refused(&grade, Some(NKEY_SEED), "the account of this token may not do this");
    ends_when_asked(&cluster, &teacher, worker);
}
