//! Runs jobs: the engine and its executors. The executor owns the concurrency, and the driver owns the
//! meaning: only one thread at a time takes and reports jobs.
//!
//! ```text
//! Engine: known facts, equal jobs once, new facts        what a driver calls
//!   Executor: local (a thread per CPU)                   does the jobs
//! ```

mod engine;
mod executor;
mod local;
mod recorded;

pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest, StoppedEarly};
pub use executor::{Executor, JobResult, Work};
#[cfg(test)]
pub(crate) use local::with_headers;
pub use local::{Local, executor_on, local_executor};

#[cfg(test)]
use {
    crate::machine::{TOOL_BUILD_LIMITS, no_toolchain, row_of_answers},
    kopek_base::Digest,
    kopek_plan::plan::{BuildTask, ToolchainId},
};

/// A build that nobody does.
#[cfg(test)]
fn build_of_test() -> BuildTask {
    BuildTask {
        files: Vec::new(),
        digest: Digest::of(b"layout"),
        entry: "main".into(),
        language: row_of_answers(),
        toolchain: ToolchainId::from(&no_toolchain()),
        limits: TOOL_BUILD_LIMITS,
        isolation: "namespaces".into(),
        cached: Default::default(),
    }
}
