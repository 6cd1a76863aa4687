//! Distributes jobs to other machines over NATS JetStream. Async types stay inside this crate: a [`Connection`] has its
//! own runtime, and everything public blocks.
//!
//! ```text
//! Coordinator (an Executor) ──job.CLASS.RUN.ID──► stream JOBS ──► consumer w-CLASS ──► slot of a worker
//!       ▲                                                                                 │
//!       └──────────────── stream RESULTS ◄──────────result.RUN.ID────────────────────────┘
//! contents of files: object store `cas`, by digest      worker.CLASS.NAME: stream WORKERS
//! ```
//!
//! A stream accepts one message per subject, so a job has one result however often workers do it. A worker publishes
//! its result before it acknowledges the job: when it dies, the server delivers its jobs to another. A job that was
//! delivered too often is a fault, never a verdict. The coordinator's store is the record, so the queue may be lost at
//! any time.

mod address;
mod arrivals;
mod class_kind;
mod cluster_run;
mod connection;
mod contents;
mod control;
mod coordinator;
mod events;
mod lookout;
mod messages;
mod outstanding;
mod packed;
mod packed_tree;
mod results;
mod roster;
mod slot;
mod streams;
mod trouble;
mod worker;
mod worker_state;

pub use address::{ClusterAddress, Secret};
pub use class_kind::WorkerClass;
pub use connection::Connection;
pub use control::{ClusterStatus, RunStatus};
pub use coordinator::Coordinator;
pub use events::ClusterEvent;
pub use roster::WorkerStatus;
pub use streams::{CLASS_NAME_RULE, DEFAULT_LEASE, is_class_name};
pub use worker::serve;
pub use worker_state::{Refusal, WorkerEnd, WorkerEvent, WorkerHands, WorkerPlace};
