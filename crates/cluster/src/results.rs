//! Reads the results of a run. A task of the connection resumes where it stopped when the server was away.

use super::{connection::Connection, streams::RESULTS};
use anyhow::{Result, anyhow};
use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
};
use futures_util::StreamExt;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
    time::{sleep, timeout},
};

/// A result on the server.
pub(super) struct ArrivedResult {
    pub subject: String,
    pub payload: Vec<u8>,
}

/// Why results cannot be read now, if so.
pub(super) type ReadingTrouble = Arc<Mutex<Option<String>>>;

/// Results of one run.
pub(super) struct ResultReader {
    pub arrived: UnboundedReceiver<ArrivedResult>,
    /// Why none can be read now, if so.
    pub trouble: ReadingTrouble,
    task: JoinHandle<()>,
}

impl Drop for ResultReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Duration of one request for results.
const REQUEST: Duration = Duration::from_secs(5);

/// Number of empty requests after which the consumer may be gone with the server.
const QUIET_REQUESTS: u32 = 2;

impl ResultReader {
    pub(super) fn start(connection: &Connection, subjects: String) -> ResultReader {
        let (sender, arrived) = unbounded_channel();
        let jetstream = connection.jetstream.clone();
        let trouble = ReadingTrouble::default();
        let place = Place { jetstream, subjects, next: 1, trouble: trouble.clone() };
        ResultReader { arrived, trouble, task: connection.runtime().spawn(place.read_all(sender)) }
    }
}

struct Place {
    jetstream: jetstream::Context,
    subjects: String,
    next: u64,
    trouble: ReadingTrouble,
}

impl Place {
    async fn read_all(mut self, sender: UnboundedSender<ArrivedResult>) {
        while !sender.is_closed() {
            let opened = self.open().await;
            let trouble = opened.as_ref().err().map(ToString::to_string);
            *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
            match opened {
                Ok(consumer) => self.read(&consumer, &sender).await,
                Err(_) => sleep(Duration::from_millis(500)).await,
            }
        }
    }

    async fn open(&mut self) -> Result<PullConsumer> {
        let stream = self.jetstream.get_stream(RESULTS).await;
        let stream = stream.map_err(|error| anyhow!("open the stream {RESULTS}: {error}"))?;
        // A server that lost everything numbers from one again.
        if stream.cached_info().state.last_sequence + 1 < self.next {
            self.next = 1;
        }
        let config = pull::Config {
            filter_subject: self.subjects.clone(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next },
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(60),
            ..Default::default()
        };
        stream.create_consumer(config).await.map_err(|error| anyhow!("read results: {error}"))
    }

    /// Reads until the consumer seems to be gone.
    async fn read(&mut self, consumer: &PullConsumer, sender: &UnboundedSender<ArrivedResult>) {
        let mut quiet = 0;
        while quiet < QUIET_REQUESTS {
            quiet += 1;
            let Ok(mut batch) = consumer.batch().max_messages(500).expires(REQUEST).messages().await else {
                return;
            };
            while let Ok(Some(message)) = timeout(REQUEST * 2, batch.next()).await {
                let Ok(message) = message else { return };
                quiet = 0;
                self.next = message.info().map_or(self.next, |info| info.stream_sequence + 1);
                let subject = message.subject.to_string();
                let payload = message.payload.to_vec();
                if sender.send(ArrivedResult { subject, payload }).is_err() {
                    return;
                }
            }
        }
    }
}
