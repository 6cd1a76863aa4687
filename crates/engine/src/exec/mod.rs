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

// What drivers plan with and what has it done are named together.
pub use crate::{
    machine::{
        BuildRules, LeastTimes, Machine, MachineKind, SourceRole, TOOL_BUILD_LIMITS, TOOL_CODE_LIMIT,
        UnevenMachines, available_cpus, machine_class, read_package, remember_files,
    },
    worker::{ANSWER_REPORTED, Perform, in_words, one_line, perform_patiently, performer},
};
pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest};
pub use executor::{Executor, JobResult, Work};
pub use local::{Local, local_executor};
