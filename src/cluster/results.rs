//! Results of a run as they arrive. A task of the connection reads them and begins again where it was
//! when the server was away.

use super::{connection::Connection, streams::RESULTS};
use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
    time::{sleep, timeout},
};

/// A result as it lies on the server.
pub(super) struct ArrivedResult {
    pub subject: String,
    pub payload: Vec<u8>,
}

/// Results of one run.
pub(super) struct ResultReader {
    pub arrived: UnboundedReceiver<ArrivedResult>,
    task: JoinHandle<()>,
}

impl Drop for ResultReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// How long one request for results lasts.
const REQUEST: Duration = Duration::from_secs(5);

/// After so long without any the consumer may have gone with the server.
const QUIET_REQUESTS: u32 = 3;

impl ResultReader {
    pub(super) fn start(connection: &Connection, subjects: String) -> ResultReader {
        let (sender, arrived) = unbounded_channel();
        let place = Place { jetstream: connection.jetstream.clone(), subjects, next: 1 };
        ResultReader { arrived, task: connection.runtime().spawn(place.read_all(sender)) }
    }
}

struct Place {
    jetstream: jetstream::Context,
    subjects: String,
    next: u64,
}

impl Place {
    async fn read_all(mut self, sender: UnboundedSender<ArrivedResult>) {
        while !sender.is_closed() {
            match self.open().await {
                Some(consumer) => self.read(&consumer, &sender).await,
                None => sleep(Duration::from_millis(500)).await,
            }
        }
    }

    async fn open(&mut self) -> Option<PullConsumer> {
        let stream = self.jetstream.get_stream(RESULTS).await.ok()?;
        // A server that lost everything counts from one again.
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
        stream.create_consumer(config).await.ok()
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
                let (subject, payload) = (message.subject.to_string(), message.payload.to_vec());
                if sender.send(ArrivedResult { subject, payload }).is_err() {
                    return;
                }
            }
        }
    }
}
