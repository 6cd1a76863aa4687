//! The status that workers and runs publish every few seconds.

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

/// How often a worker publishes its status.
pub(super) const BEAT: Duration = Duration::from_secs(2);

/// A worker that was silent for this long does not count.
const SILENCE: Duration = Duration::from_secs(10);

/// The status of a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerStatus {
    pub form: u32,
    /// Its name, unique in the cluster.
    pub name: String,
    /// Its class, as given on its command line.
    pub class: String,
    pub version: String,
    /// Its isolation and kind of machine.
    pub kind: MachineKind,
    /// The number of points in which its isolation could be stronger.
    pub weak_points: usize,
    /// The number of jobs that it does at the same time.
    pub slots: usize,
    pub doing: Vec<String>,
    /// The number of jobs that it answered.
    pub done: u64,
    /// When it started, in seconds since 1970.
    pub since: u64,
    /// Why it declined jobs.
    pub lacks: Vec<String>,
    /// Why it cannot send results, if so.
    pub trouble: Option<String>,
    /// Whether it takes no more jobs.
    pub leaving: bool,
}

#[cfg(test)]
impl WorkerStatus {
    /// A worker with this name and no other properties.
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

/// The last status of a worker.
struct HeardWorker {
    status: WorkerStatus,
    at: Instant,
}

impl HeardWorker {
    /// Whether it takes jobs now.
    fn takes_jobs(&self, now: Instant) -> bool {
        !self.status.leaving && now.saturating_duration_since(self.at) < SILENCE
    }
}

/// Workers that reported lately.
#[derive(Clone, Default)]
pub(super) struct Roster {
    heard: Arc<Mutex<BTreeMap<String, HeardWorker>>>,
    clock: Clock,
}

impl Roster {
    /// All workers of a class that take jobs.
    pub(super) fn live(&self) -> Vec<WorkerStatus> {
        let now = self.clock.now();
        let heard = self.lock();
        let live = heard.values().filter(|heard| heard.takes_jobs(now));
        live.map(|heard| heard.status.clone()).collect()
    }

    /// The number of jobs that they do at the same time. Read with every result, so nothing is copied.
    pub(super) fn slots(&self) -> usize {
        let now = self.clock.now();
        let heard = self.lock();
        let live = heard.values().filter(|heard| heard.takes_jobs(now));
        live.map(|heard| heard.status.slots).sum()
    }

    fn note(&self, bytes: &[u8]) {
        if let Some(status) = read_status(bytes) {
            self.lock().insert(status.name.clone(), HeardWorker { status, at: self.clock.now() });
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, HeardWorker>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the workers of a class until the connection ends.
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

/// The last message of each subject that has not expired.
async fn last_messages(connection: &Connection, subject: &str) -> Result<Vec<Vec<u8>>> {
    let stream = match connection.jetstream.get_stream(WORKERS).await {
        Ok(stream) => stream,
        // No worker has started yet.
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
    // A worker that reports meanwhile is in the batch twice; its later report counts.
    let mut last = BTreeMap::new();
    while let Some(Ok(message)) = batch.next().await {
        last.insert(message.subject.to_string(), message.payload.to_vec());
    }
    Ok(last.into_values().collect())
}

/// The last message of each subject that this version understands.
pub(super) async fn all_reports<T: DeserializeOwned>(
    connection: &Connection,
    subject: &str,
) -> Result<Vec<T>> {
    let all = last_messages(connection, subject).await?;
    Ok(all.iter().filter_map(|bytes| serde_json::from_slice(bytes).ok()).collect())
}

/// Publishes a status without waiting for an acknowledgement.
pub(super) async fn say(connection: &Connection, subject: String, what: &impl Serialize) {
    // A lost status is published again soon.
    let _ = connection.client.publish(subject, to_bytes(what).into()).await;
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The status of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunReport {
    pub form: u32,
    pub run: String,
    pub class: String,
    pub since: u64,
    pub done: u64,
    pub outstanding: usize,
    /// Jobs of this stage that have not ended, if known.
    pub left: Option<usize>,
    /// Jobs that ended per second, lately.
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
