//! Who does the jobs. An executor owns the concurrency, the driver owns the
//! meaning: jobs are taken and reported by one thread at a time.
//!
//! ```text
//! sources ──plan_build──► BuildTask                      what a driver plans with
//! Engine: known facts, equal jobs once, new facts        what a driver calls
//!   Executor: local (a thread per CPU), fake             who has the jobs done
//!     Worker: build, make_case, checks, trial, grader, drawing   who does one
//! ```

mod answers_row;
mod build;
mod conversation;
#[cfg(test)]
mod conversation_tests;
mod document;
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
mod least_times;
mod live_talk;
mod local;
mod machine;
mod machine_class;
mod make_case;
mod make_error;
mod output_check;
mod output_validators;
mod package_files;
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
mod refusal;
mod retry;
#[cfg(test)]
mod retry_tests;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod scripted_ground;
mod scripts;
mod source_check;
mod sources;
mod trial;
#[cfg(test)]
mod validator_tests;
mod wall_extensions;
#[cfg(test)]
mod witness_tests;
mod worker;

pub use engine::{Engine, JobRunner, KnownFacts, NoProgram, ProgramRequest};
pub use executor::{Executor, JobResult, Work};
pub use input_check::one_line;
pub use least_times::{LeastTimes, UnevenMachines};
pub use local::{Local, Perform, perform_patiently};
pub use machine::Machine;
pub use machine_class::{MachineKind, available_cpus, machine_class};
pub use output_check::in_words;
pub use package_files::{read_package, remember_files};
pub use probe::ANSWER_REPORTED;
pub use sources::{BuildRules, SourceRole, TOOL_BUILD_LIMITS, TOOL_CODE_LIMIT};
