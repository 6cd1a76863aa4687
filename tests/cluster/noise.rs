//! A worker's account that sends something else under the digests of contents: it is replaced, and nothing else happens.

use crate::{
    contract::{List, job, machine},
    security::{TOKEN, worker_account},
    server::NatsServer,
    workers::{StopAtEnd, ThreadWorker, Told, await_worker, coordinator},
};
use base64::{Engine, prelude::BASE64_URL_SAFE};
use kopek::{
    base::Digest,
    cluster::{ClusterAddress, ClusterEvent, Connection, DEFAULT_LEASE, Secret},
    exec::{Executor, JobResult},
    plan::{Build, Job, Outcome, Task},
    store::Store,
    worker::Perform,
};
use std::{sync::atomic::AtomicBool, thread};

fn connect_as(name: &str, server: &NatsServer) -> Connection {
    let secret = Some(Secret::new(&format!("{name}:{TOKEN}")).unwrap());
    let address = ClusterAddress { secret, ..ClusterAddress::parse(&server.url).unwrap() };
    Connection::open(&address, "a test").unwrap()
}

/// What a build makes, by its source.
fn made_of(source: &Digest) -> Vec<u8> {
    format!("made of {source}").into_bytes()
}

fn build(store: &Store, job: &Job) -> JobResult {
    let Task::Build(task) = &job.task else { panic!("only builds are tried here") };
    let blob = store.put_bytes(&made_of(&task.files[0].digest)).unwrap();
    Ok(Outcome::Build(Build::Program { blob, entry: String::new(), message: String::new() }))
}

/// Puts noise under digests, and under the second of them with a check sum that is wrong, too.
async fn send_noise(url: &str, digests: &[Digest]) {
    let options = async_nats::ConnectOptions::with_user_and_password("worker".into(), TOKEN.into());
    let jetstream = async_nats::jetstream::new(options.connect(url).await.unwrap());
    let objects = jetstream.get_object_store("cas").await.unwrap();
    for (at, digest) in digests.iter().enumerate() {
        let mut noise = &b"Fnoise"[..];
        let info = objects.put(digest.to_string().as_str(), &mut noise).await.unwrap();
        if at == 1 {
            let mut info = serde_json::to_value(info).unwrap();
            info["digest"] = "SHA-256=AAAA".into();
            let mut headers = async_nats::HeaderMap::new();
            headers.insert("Nats-Rollup", "sub");
            let subject = format!("$O.cas.M.{}", BASE64_URL_SAFE.encode(digest.to_string()));
            let sent = jetstream.publish_with_headers(subject, headers, info.to_string().into()).await;
            sent.unwrap().await.unwrap();
        }
    }
}

#[test]
fn noise_under_digests_is_replaced_and_each_job_is_done() {
    let user = format!(
        "authorization {{ users: [ {{ user: teacher, password: \"{TOKEN}\" }}, {} ] }}",
        worker_account()
    );
    let Some(server) = NatsServer::start(&user) else { return };
    let home = server.home.path();
    let (mut here, there) = (machine(&home.join("here")), machine(&home.join("there")));
    let (connection, for_worker) = (connect_as("teacher", &server), connect_as("worker", &server));
    connection.set_up("default", DEFAULT_LEASE).unwrap();
    let jobs: Vec<Job> = (0..8).map(|index| job(&here.store, index, &format!("source {index}"))).collect();
    let sources: Vec<Digest> = jobs
        .iter()
        .map(|job| match &job.task {
            Task::Build(task) => task.files[0].digest,
            other => panic!("{other:?}"),
        })
        .collect();
    let made: Vec<Digest> = sources.iter().map(|source| Digest::of(&made_of(source))).collect();
    let noisy = [sources[0], sources[1], made[1], made[2]];
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(send_noise(&server.url, &noisy));

    let (stop, told) = (AtomicBool::new(false), Told::default());
    thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        let slot = || -> Perform { Box::new(|job| build(&there.store, job)) };
        let worker = ThreadWorker { name: "one", connection: &for_worker, machine: &there, stop: &stop };
        worker.start(scope, vec![slot(), slot()], |_| None);
        await_worker(&connection, &mut here);
        let executor = coordinator(&connection, &here, &told);
        let mut list = List { jobs, ..List::default() };
        executor.run(&mut list).unwrap();
        assert_eq!(list.reported.len(), 8);
        assert!(list.reported.values().all(|reported| reported == &[true]), "{:?}", list.reported);
    });
    for (source, made) in sources.iter().zip(&made) {
        assert_eq!(here.store.bytes(made).unwrap().unwrap(), made_of(source));
    }
    let told = told.lock().unwrap().clone();
    let mut damaged: Vec<String> = told
        .iter()
        .map(|event| match event {
            ClusterEvent::Damaged(contents) => contents.clone(),
            other => panic!("{other}"),
        })
        .collect();
    damaged.sort();
    let mut expected: Vec<String> = noisy.iter().map(Digest::short).collect();
    expected.sort();
    assert_eq!(damaged, expected);
}
