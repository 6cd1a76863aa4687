//! Streams, their limits and the consumer of a class of machines. The first that needs them creates them; existing ones
//! are not changed.

use super::connection::Connection;
use anyhow::{Context, Result, anyhow};
use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, pull},
    object_store,
    stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream},
};
use futures_util::StreamExt;
use std::time::Duration;

pub(super) const JOBS: &str = "JOBS";
pub(super) const RESULTS: &str = "RESULTS";
pub(super) const GAVE_UP: &str = "GAVE_UP";
pub(super) const WORKERS: &str = "WORKERS";

/// The name of the object store.
pub(super) const BUCKET: &str = "cas";

/// A worker that was silent for this long has lost its jobs.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(30);

/// A job that was delivered this often is suspected of ending its workers, and is retried once with no other job beside
/// it.
pub(super) const DELIVERIES: i64 = 3;

const DAY: Duration = Duration::from_secs(86_400);

/// Age at which contents expire, unless they are sent again.
pub(super) const CONTENTS_AGE: Duration = Duration::from_secs(7 * 86_400);

/// Age at which a status expires.
const SAID_AGE: Duration = Duration::from_secs(60);

/// The rule for names of classes: they are part of subjects.
pub const CLASS_NAME_RULE: &str = "up to 32 letters, digits, `-` and `_`";

/// Whether this is a valid name of a class.
pub fn is_class_name(name: &str) -> bool {
    (1..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The name of a class's consumer.
pub(super) fn consumer_name(class: &str) -> String {
    format!("w-{class}")
}

/// How often to try to create streams that others create at the same time.
const TRIES_BESIDE_OTHERS: usize = 10;

/// About how long a server takes to create a stream.
const MAKING_TIME: Duration = Duration::from_millis(100);

/// A request without an answer for this long may be repeated.
const SOON: Duration = Duration::from_secs(1);

/// Whether a server refuses to create a stream because it exists or is being created.
fn exists_by_now(said: &str) -> bool {
    ["subjects overlap", "already in use", "already exists"].iter().any(|why| said.contains(why))
}

impl Connection {
    /// Creates whatever is missing: streams, object store, consumer of the class.
    pub fn set_up(&self, class: &str, lease: Duration) -> Result<()> {
        self.allowed(self.wait(self.make_streams(class, lease)))
            .with_context(|| format!("set up the cluster at {}", self.url))
    }

    /// Works while others create the same: the server then reports an overlap with an existing stream.
    pub(super) async fn make_streams(&self, class: &str, lease: Duration) -> Result<()> {
        let mut tries_left = TRIES_BESIDE_OTHERS;
        loop {
            tries_left -= 1;
            match self.make_missing_streams(class, lease).await {
                Err(error) if tries_left > 0 && exists_by_now(&format!("{error:#}")) => {
                    tokio::time::sleep(MAKING_TIME).await;
                }
                made => return made,
            }
        }
    }

    /// Removes the messages of a stream with these subjects. Does not purge: a server of version 2.9 then never delivers
    /// other messages that wait for the same consumer.
    pub(super) async fn remove_messages(&self, stream: &str, subjects: String) -> Result<()> {
        let stream = self.stream(stream).await?;
        for subject in subjects_in(&stream, subjects).await? {
            // It is gone if a worker acknowledged it meanwhile.
            if let Ok(last) = stream.get_last_raw_message_by_subject(&subject).await {
                let _ = stream.delete_message(last.sequence).await;
            }
        }
        Ok(())
    }

    async fn make_missing_streams(&self, class: &str, lease: Duration) -> Result<()> {
        // Only asks whether there is an answer: its contents differ between versions of the server.
        let ask = || self.client.request("$JS.API.INFO", "".into());
        // A server that has just started may lose a request that comes together with another.
        let asked = match tokio::time::timeout(SOON, ask()).await {
            Ok(answered) => answered,
            Err(_) => ask().await,
        };
        asked.map_err(|error| {
            anyhow!("JetStream does not answer ({error}): is it switched on, as by `nats-server -js`?")
        })?;
        for config in stream_configs() {
            let name = config.name.clone();
            let made = self.jetstream.get_or_create_stream(config).await;
            made.map_err(|error| anyhow!("make the stream {name}: {error}"))?;
        }
        if self.jetstream.get_object_store(BUCKET).await.is_err() {
            let config =
                object_store::Config { bucket: BUCKET.into(), max_age: CONTENTS_AGE, ..Default::default() };
            let made = self.jetstream.create_object_store(config).await;
            made.map_err(|error| anyhow!("make the object store {BUCKET}: {error}"))?;
        }
        let jobs = self.stream(JOBS).await?;
        let name = consumer_name(class);
        let made = jobs.get_or_create_consumer(&name, consumer_config(class, lease)).await;
        made.map(drop).map_err(|error| anyhow!("make the consumer {name}: {error}"))
    }
}

/// The subjects of the messages in a stream, as far as they match.
pub(super) async fn subjects_in(stream: &Stream, matching: String) -> Result<Vec<String>> {
    let mut all = stream.info_with_subjects(matching).await.map_err(|error| anyhow!("{error}"))?;
    let mut subjects = Vec::new();
    while let Some(subject) = all.next().await {
        subjects.push(subject.map_err(|error| anyhow!("{error}"))?.0);
    }
    Ok(subjects)
}

fn stream_configs() -> [Config; 4] {
    // One message per subject, and the second is refused: a job is queued once, and has one result.
    let once = Config {
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_age: 3 * DAY,
        ..Config::default()
    };
    let advisories = format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.>");
    [
        Config {
            name: JOBS.into(),
            subjects: vec!["job.>".into()],
            retention: RetentionPolicy::WorkQueue,
            ..once.clone()
        },
        Config { name: RESULTS.into(), subjects: vec!["result.>".into()], ..once },
        Config {
            name: GAVE_UP.into(),
            subjects: vec![advisories],
            max_age: 3 * DAY,
            max_messages: 100_000,
            ..Config::default()
        },
        Config {
            name: WORKERS.into(),
            subjects: vec!["worker.>".into(), "run.>".into()],
            storage: StorageType::Memory,
            max_messages_per_subject: 1,
            max_age: SAID_AGE,
            ..Config::default()
        },
    ]
}

fn consumer_config(class: &str, lease: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(consumer_name(class)),
        filter_subject: format!("job.{class}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: DELIVERIES,
        max_ack_pending: 20_000,
        ..Default::default()
    }
}

/// The consumer of a class, if it exists.
pub(super) async fn consumer_of(
    connection: &Connection,
    class: &str,
) -> Result<jetstream::consumer::PullConsumer> {
    let found = connection.jetstream.get_consumer_from_stream(consumer_name(class), JOBS).await;
    found.map_err(|error| anyhow!("find the consumer {} of the stream {JOBS}: {error}", consumer_name(class)))
}

/// The result of publishing a message that may exist only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentOnce {
    /// There was none.
    First,
    /// There was one, which is as good.
    Late,
}

/// Publishes a message unless its subject has one.
pub(super) async fn publish_once(
    jetstream: &jetstream::Context,
    subject: String,
    payload: Vec<u8>,
) -> Result<SentOnce> {
    let sent = jetstream
        .publish(subject, payload.into())
        .await
        .map_err(|error| anyhow!("send to the cluster: {error}"))?;
    match sent.await {
        Ok(_) => Ok(SentOnce::First),
        Err(error) if is_there_already(&error) => Ok(SentOnce::Late),
        Err(error) => Err(anyhow!("send to the cluster: {error}")),
    }
}

/// Whether the server refused it because the subject has a message.
fn is_there_already(error: &jetstream::context::PublishError) -> bool {
    let text = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    text.contains("maximum messages per subject exceeded")
}
