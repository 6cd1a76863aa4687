//! The judge's side of a run: slots, pairs and conversations, their streams, and the messages to a worker.

mod carried_pair;
mod finished_run;
pub(super) mod messages;
pub(super) mod pair;
mod pair_events;
pub(super) mod partner;
pub(super) mod person;
pub(super) mod run_programs;
mod run_request;
pub(super) mod slot;
mod slot_workers;
pub(super) mod streams;
pub(super) mod talk;
pub(super) mod wire;
pub(super) mod worker_handle;
pub(super) mod worker_host;
