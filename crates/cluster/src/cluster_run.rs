//! The state of a run on a cluster: its class, its listener, and its last observations.

use super::{
    connection::Connection,
    contents::SharedContents,
    events::ClusterEvent,
    results::ReadingTrouble,
    roster::Roster,
    streams::JOBS,
    trouble::{ServerTrouble, Trouble},
};
use anyhow::{Result, ensure};
use kopek_engine::{exec::Work, machine::MachineKind};
use std::{
    collections::{HashSet, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64},
    },
    time::{Duration, Instant},
};

/// A run whose jobs the workers of a class do.
pub(super) struct ClusterRun<'a> {
    pub(super) connection: &'a Connection,
    pub(super) contents: SharedContents<'a>,
    pub(super) class: String,
    pub(super) kind: MachineKind,
    pub(super) lease: Duration,
    /// Its name on the server.
    pub(super) name: String,
    pub(super) since: u64,
    pub(super) roster: Roster,
    pub(super) reading: ReadingTrouble,
    pub(super) on_event: EventListener<'a>,
    pub(super) told: Mutex<HashSet<String>>,
    pub(super) state: Mutex<State>,
    pub(super) cancelled: Arc<AtomicBool>,
    pub(super) done: AtomicU64,
    /// How often a job was delivered to another worker.
    pub(super) given_again: AtomicU64,
}

/// Receives the events of a run.
pub(super) type EventListener<'a> = Box<dyn Fn(&ClusterEvent) + Sync + 'a>;

/// The last observations and messages.
#[derive(Default)]
pub(super) struct State {
    pub(super) has_workers: Option<bool>,
    /// The present trouble with the server, and when it began.
    pub(super) trouble: Option<(Trouble, Instant)>,
    /// How many jobs had ended, at moments of the last minute.
    pub(super) recent: VecDeque<(Instant, u64)>,
    /// The sequence number of the last job that the server gave up and that was handled.
    pub(super) gave_up: Option<u64>,
}

/// The remaining wishes of the driver.
#[derive(Clone, Copy)]
pub(super) struct WorkAhead {
    /// Whether no more jobs may begin.
    pub is_stopped: bool,
    /// How many jobs are still to be queued, if known.
    pub left: Option<usize>,
}

impl WorkAhead {
    pub(super) fn of(work: &dyn Work) -> WorkAhead {
        WorkAhead { is_stopped: work.is_stopped(), left: work.remaining() }
    }
}

/// How long the server may be away.
const SERVER_PATIENCE: Duration = Duration::from_secs(15 * 60);

impl ClusterRun<'_> {
    /// Reports new trouble with the server once, and fails when it lasts too long.
    pub(super) fn note_trouble(&self, trouble: ServerTrouble, ahead: WorkAhead) -> Result<()> {
        let ServerTrouble { kind, why } = trouble;
        let before = self.state().trouble;
        let since = before.map_or_else(Instant::now, |(_, since)| since);
        ensure!(
            since.elapsed() < SERVER_PATIENCE && !ahead.is_stopped,
            "the cluster at {} does not work: {why}; finished jobs are kept, and the same command continues",
            self.connection.url
        );
        self.state().trouble = Some((kind, since));
        if before.is_none_or(|(known, _)| known != kind) {
            (self.on_event)(&ClusterEvent::ServerTrouble(why));
        }
        Ok(())
    }

    pub(super) fn server_is_there(&self) {
        if self.state().trouble.take().is_some() {
            (self.on_event)(&ClusterEvent::ServerBack);
        }
    }

    pub(super) async fn remove_jobs(&self) {
        let subjects = format!("job.{}.{}.>", self.class, self.name);
        let _ = self.connection.remove_messages(JOBS, subjects).await;
    }

    /// Whether this text was not reported yet.
    pub(super) fn is_news(&self, text: &str) -> bool {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
