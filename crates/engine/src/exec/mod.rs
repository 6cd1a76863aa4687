//! Runs jobs: the engine and its executors. The executor owns the concurrency, and the driver owns the
//! meaning: only one thread at a time takes and reports jobs.
//!
//! ```text
//! Engine: known facts, equal jobs once, new facts        what a driver calls
//!   Executor: local (a thread per CPU)                   does the jobs
//! ```

mod engine;
mod executor;
mod job_queue;
mod local;
mod recorded;

pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest};
pub use executor::{Executor, JobResult, Work};
#[cfg(test)]
pub(crate) use local::with_headers;
pub use local::{Local, executor_on, local_executor};
