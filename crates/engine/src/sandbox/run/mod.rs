//! The judge's side of a run: slots, pairs and talks, their streams, and the messages to a worker.

pub(super) mod carried_pair;
pub(super) mod joined_pair;
pub(super) mod messages;
pub(super) mod pair;
pub(super) mod pair_events;
pub(super) mod partner;
pub(super) mod person;
pub(super) mod rest_watch;
pub(super) mod run_programs;
pub(super) mod run_request;
pub(super) mod slot;
pub(super) mod streams;
pub(super) mod talk;
pub(super) mod wire;
pub(super) mod worker_handle;
pub(super) mod worker_host;
