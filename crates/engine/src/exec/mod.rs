//! Has jobs done: the engine and its executors. An executor owns the concurrency, the driver owns the
//! meaning: jobs are taken and reported by one thread at a time.
//!
//! ```text
//! Engine: known facts, equal jobs once, new facts        what a driver calls
//!   Executor: local (a thread per CPU), fake             who has the jobs done
//! ```

mod engine;
mod executor;
pub mod fake;
mod fake_language;
mod fake_syntax;
mod local;
mod recorded;

pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest};
pub use executor::{Executor, JobResult, Work};
pub use local::{Local, local_executor};
