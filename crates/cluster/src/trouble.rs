//! A server that does not take messages: the reason and the remedy, which its own errors do not name.

use super::{connection::Connection, streams::RESULTS};
use anyhow::{Error, Result, anyhow};
use async_nats::{
    connection::State,
    jetstream::consumer::{AckPolicy, DeliverPolicy, pull},
};
use std::time::Duration;

/// The kind of trouble with a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It has no room.
    Full,
    /// It answers and stores nothing.
    Off,
    /// It answers and does not acknowledge messages.
    Silent,
    /// Anything else; usually it cannot be reached.
    Other,
}

/// The trouble with a server, in words that name the remedy.
pub(super) struct ServerTrouble {
    pub(super) kind: Trouble,
    pub(super) why: String,
}

/// Errors of servers without room. Their numbers differ between versions.
const FULL: [&str; 6] = [
    "insufficient resources",
    "insufficient storage",
    "resource limits exceeded",
    "resource limits for account exceeded",
    "maximum bytes exceeded",
    "no space left",
];

/// Errors without JetStream.
const OFF: [&str; 4] =
    ["JetStream does not answer", "no stream found", "no responders", "jetstream not enabled"];

impl Connection {
    /// The reason in words that name the remedy.
    pub(super) fn explain(&self, error: &Error) -> ServerTrouble {
        explain(&format!("{error:#}"), self.client.connection_state())
    }

    /// As [`Connection::explain`]; asks the server for more if the error says little. Not for workers, whose accounts
    /// may not ask.
    pub(super) async fn diagnose(&self, error: &Error) -> ServerTrouble {
        let explained = self.explain(error);
        if !matches!(explained.kind, Trouble::Other | Trouble::Silent)
            || self.client.connection_state() != State::Connected
        {
            return explained;
        }
        // A server that cannot write leaves some requests without an answer, and gives others the reason.
        match self.write_something().await {
            Err(error) if matches!(self.explain(&error).kind, Trouble::Full | Trouble::Off) => {
                self.explain(&error)
            }
            Err(_) | Ok(()) => explained,
        }
    }

    async fn write_something(&self) -> Result<()> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::New,
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(5),
            ..Default::default()
        };
        let made = self.stream(RESULTS).await?.create_consumer(config).await;
        made.map(drop).map_err(|error| anyhow!("try the server: {error}"))
    }
}

fn explain(said: &str, state: State) -> ServerTrouble {
    let says_one_of =
        |words: &[&str]| words.iter().any(|word| said.to_lowercase().contains(&word.to_lowercase()));
    if state != State::Connected {
        let why = format!("the server cannot be reached ({said})");
        return ServerTrouble { kind: Trouble::Other, why };
    }
    if says_one_of(&FULL) {
        let why = format!(
            "the server has no room for more ({said}): free space on the disk of its store_dir, or allow it more by \
             max_file_store"
        );
        return ServerTrouble { kind: Trouble::Full, why };
    }
    if says_one_of(&OFF) {
        let why = format!(
            "the server stores nothing ({said}): JetStream is off, which happens when the disk of its store_dir is full; \
             free space there and start the server again"
        );
        return ServerTrouble { kind: Trouble::Off, why };
    }
    if says_one_of(&["timed out"]) {
        // Measured with 2.9.10: a server that cannot write leaves requests without an answer for most of a minute.
        let why = format!(
            "the server does not acknowledge messages ({said}): see its log; often the disk of its \
             store_dir is full, or too slow"
        );
        return ServerTrouble { kind: Trouble::Silent, why };
    }
    ServerTrouble { kind: Trouble::Other, why: said.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_server_a_server_that_is_off_and_a_missing_one_differ() {
        let cases = [
            (
                "send to the cluster: publish failed: insufficient resources (10023)",
                Trouble::Full,
                "store_dir",
            ),
            (
                "make the stream JOBS: insufficient storage resources available",
                Trouble::Full,
                "max_file_store",
            ),
            (
                "send to the cluster: no stream found for given subject",
                Trouble::Off,
                "start the server again",
            ),
            ("open the stream JOBS: no responders", Trouble::Off, "JetStream is off"),
            ("send to the cluster: timed out: didn't receive ack in time", Trouble::Silent, "store_dir"),
            ("send to the cluster: broken pipe", Trouble::Other, "broken pipe"),
        ];
        for (said, trouble, remedy) in cases {
            let ServerTrouble { kind, why } = explain(said, State::Connected);
            assert!(kind == trouble && why.contains(remedy), "{said}: {kind:?}, {why}");
        }
        let ServerTrouble { kind, why } = explain("no responders", State::Disconnected);
        assert!(kind == Trouble::Other && why.contains("cannot be reached"), "{why}");
    }
}
