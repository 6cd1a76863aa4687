//! Who does the jobs. An executor owns the concurrency, the driver owns the
//! meaning: jobs are taken and reported by one thread at a time.
//!
//! ```text
//! Engine: known facts, equal jobs once, new facts        what a driver calls
//!   Executor: local (a thread per CPU), fake             who has the jobs done
//!     Worker: build, make_case, checks, trial, grader, drawing   who does one
//! ```

mod build;
mod conversation;
#[cfg(test)]
mod conversation_tests;
mod drawing;
mod engine;
mod executor;
pub mod fake;
mod fake_box;
mod fake_language;
mod fake_syntax;
#[cfg(test)]
mod fault_tests;
mod generator_call;
mod grader;
mod handed_in;
mod input_check;
mod live_talk;
mod local;
mod make_case;
mod make_error;
mod output_check;
mod output_validators;
#[cfg(test)]
mod pass_tests;
mod passes;
mod perform;
#[cfg(test)]
mod precompiled_tests;
mod probe;
mod probe_place;
#[cfg(test)]
mod probe_tests;
mod recorded;
mod retry;
#[cfg(test)]
mod retry_tests;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod scripted_ground;
mod source_check;
mod trial;
#[cfg(test)]
mod validator_tests;
#[cfg(test)]
mod witness_tests;
mod worker;

// What drivers plan with and what has it done are named together.
pub use crate::machine::{
    BuildRules, LeastTimes, Machine, MachineKind, SourceRole, TOOL_BUILD_LIMITS, TOOL_CODE_LIMIT,
    UnevenMachines, available_cpus, machine_class, read_package, remember_files,
};
pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest};
pub use executor::{Executor, JobResult, Work};
pub use input_check::one_line;
pub use local::{Local, Perform, perform_patiently};
pub use output_check::in_words;
pub use probe::ANSWER_REPORTED;
