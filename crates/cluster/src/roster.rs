//! What workers and runs say of themselves, every few seconds.

use super::{
    connection::Connection,
    messages::{FORM, from_bytes, to_bytes},
    streams::WORKERS,
};
use anyhow::{Result, anyhow};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use futures_util::StreamExt;
use kopek_base::Clock;
use kopek_engine::machine::MachineKind;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// How often a worker speaks.
pub(super) const BEAT: Duration = Duration::from_secs(2);

/// Who was silent for so long is not counted on.
const SILENCE: Duration = Duration::from_secs(10);

/// What a worker says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The form of what it says.
    pub form: u32,
    /// Unlike that of any other.
    pub name: String,
    /// Its class, as its owner named it.
    pub class: String,
    /// Its version of kopek.
    pub version: String,
    /// Its isolation, and what kind of machine it is.
    pub kind: MachineKind,
    /// In how many points its isolation is weaker than it could be.
    pub weak_points: usize,
    /// How many jobs it does at the same time.
    pub slots: usize,
    /// What it does now.
    pub doing: Vec<String>,
    /// Jobs that it has answered.
    pub done: u64,
    /// Since when, in seconds since 1970.
    pub since: u64,
    /// Why it handed jobs back.
    pub lacks: Vec<String>,
    /// Why it cannot give its answers, if so.
    pub trouble: Option<String>,
    /// Whether it takes no more jobs.
    pub leaving: bool,
}

#[cfg(test)]
impl WorkerStatus {
    /// One of whom nothing is known but the name.
    pub(super) fn example(name: &str) -> WorkerStatus {
        let kind = MachineKind { isolation: "namespaces".into(), class: "new".into() };
        WorkerStatus {
            form: FORM,
            name: name.into(),
            class: "default".into(),
            version: "1".into(),
            kind,
            weak_points: 0,
            slots: 1,
            doing: vec![],
            done: 0,
            since: 0,
            lacks: vec![],
            trouble: None,
            leaving: false,
        }
    }
}

/// What a worker said last.
struct HeardWorker {
    status: WorkerStatus,
    at: Instant,
}

impl HeardWorker {
    /// Whether it is to be counted on now.
    fn takes_jobs(&self, now: Instant) -> bool {
        !self.status.leaving && now.saturating_duration_since(self.at) < SILENCE
    }
}

/// The workers that were heard of lately.
#[derive(Clone, Default)]
pub(super) struct Roster {
    heard: Arc<Mutex<BTreeMap<String, HeardWorker>>>,
    clock: Clock,
}

impl Roster {
    /// All of a class who take jobs.
    pub(super) fn live(&self) -> Vec<WorkerStatus> {
        let now = self.clock.now();
        self.lock().values().filter(|heard| heard.takes_jobs(now)).map(|heard| heard.status.clone()).collect()
    }

    /// How many jobs they do at the same time. Asked for with every result: nothing is copied.
    pub(super) fn slots(&self) -> usize {
        let now = self.clock.now();
        self.lock().values().filter(|heard| heard.takes_jobs(now)).map(|heard| heard.status.slots).sum()
    }

    fn note(&self, bytes: &[u8]) {
        if let Some(status) = read_status(bytes) {
            self.lock().insert(status.name.clone(), HeardWorker { status, at: self.clock.now() });
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, HeardWorker>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to the workers of a class, for as long as the connection lasts.
    pub(super) async fn follow(&self, connection: &Connection, class: &str) -> Result<()> {
        let subject = format!("worker.{class}.*");
        let mut said = connection.client.subscribe(subject.clone()).await?;
        let roster = self.clone();
        connection.runtime().spawn(async move {
            while let Some(message) = said.next().await {
                roster.note(&message.payload);
            }
        });
        for bytes in last_messages(connection, &subject).await? {
            self.note(&bytes);
        }
        Ok(())
    }
}

fn read_status(bytes: &[u8]) -> Option<WorkerStatus> {
    let status: WorkerStatus = from_bytes(bytes, "what a worker says").ok()?;
    (status.form == FORM).then_some(status)
}

/// The last of what was said under each subject, as far as it is not forgotten.
async fn last_messages(connection: &Connection, subject: &str) -> Result<Vec<Vec<u8>>> {
    let stream = match connection.jetstream.get_stream(WORKERS).await {
        Ok(stream) => stream,
        // Nobody has worked here yet.
        Err(error) if error.to_string().contains("stream not found") => return Ok(vec![]),
        Err(error) => return Err(anyhow!("open the stream {WORKERS}: {error}")),
    };
    let config = pull::Config {
        filter_subject: subject.to_owned(),
        deliver_policy: DeliverPolicy::LastPerSubject,
        ack_policy: AckPolicy::None,
        inactive_threshold: Duration::from_secs(10),
        ..Default::default()
    };
    let consumer = stream
        .create_consumer(config)
        .await
        .map_err(|error| anyhow!("read the stream {WORKERS}: {error}"))?;
    let batch = consumer.fetch().max_messages(10_000).messages().await;
    let mut batch = batch.map_err(|error| anyhow!("read the stream {WORKERS}: {error}"))?;
    let mut all = Vec::new();
    while let Some(Ok(message)) = batch.next().await {
        all.push(message.payload.to_vec());
    }
    Ok(all)
}

/// The last of what was said under each subject, as far as this version understands it.
pub(super) async fn all_reports<T: DeserializeOwned>(
    connection: &Connection,
    subject: &str,
) -> Result<Vec<T>> {
    let all = last_messages(connection, subject).await?;
    Ok(all.iter().filter_map(|bytes| serde_json::from_slice(bytes).ok()).collect())
}

/// Says something of a worker or a run; nobody waits for it to arrive.
pub(super) async fn say(connection: &Connection, subject: String, what: &impl Serialize) {
    // What is not heard is said again soon.
    let _ = connection.client.publish(subject, to_bytes(what).into()).await;
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A run, as it says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunReport {
    pub form: u32,
    pub run: String,
    pub class: String,
    pub since: u64,
    pub done: u64,
    pub outstanding: usize,
    /// How many have not ended of this stage, if that is known.
    pub left: Option<usize>,
    /// Jobs that ended in a second, lately.
    pub rate: f64,
    pub ended: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_counts_until_it_is_silent_or_leaves() {
        let roster = Roster { clock: Clock::stopped(), ..Roster::default() };
        let says = |status: WorkerStatus| roster.note(&to_bytes(&status));
        says(WorkerStatus { slots: 2, ..WorkerStatus::example("ada") });
        roster.clock.advance(Duration::from_secs(4));
        says(WorkerStatus { slots: 3, ..WorkerStatus::example("bo") });
        assert_eq!((roster.slots(), roster.live().len()), (5, 2));
        roster.clock.advance(SILENCE - Duration::from_secs(4));
        assert_eq!(roster.slots(), 3, "ada is silent");
        says(WorkerStatus { leaving: true, ..WorkerStatus::example("bo") });
        assert_eq!(roster.slots(), 0, "bo takes no more jobs");
        says(WorkerStatus { slots: 2, ..WorkerStatus::example("ada") });
        says(WorkerStatus { form: FORM + 1, ..WorkerStatus::example("cy") });
        assert_eq!(roster.slots(), 2, "ada is back, and cy speaks another form");
    }
}
