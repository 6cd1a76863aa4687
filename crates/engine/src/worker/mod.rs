//! Does one job, in two slots of the sandbox, with the blobs of the store.
//!
//! ```text
//! Job ──perform──► build, make_case, checks, trial, grader, drawing, probe ──► Outcome, or a Fault of ours
//! ```

mod build;
mod case_paths;
mod conversation;
#[cfg(test)]
mod conversation_tests;
mod drawing;
#[cfg(test)]
mod fake_box;
#[cfg(test)]
mod fault_tests;
mod generator_call;
mod grader;
mod handed_in;
mod hidden_store;
mod job_worker;
mod live_talk;
mod make_case;
mod output_checker;
mod output_validators;
#[cfg(test)]
mod pass_tests;
mod passes;
mod perform;
mod plain_run;
#[cfg(test)]
mod precompiled_tests;
mod probe_batch;
mod probe_place;
#[cfg(test)]
mod probe_tests;
mod retry;
#[cfg(test)]
mod retry_tests;
mod run_trial;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod scripted_worker;
mod submission_run;
mod validate_input;
mod validate_output;
mod validate_source;
#[cfg(test)]
mod validator_tests;
#[cfg(test)]
mod witness_tests;
mod witnessed_trial;

pub use live_talk::{JudgeSide, talk_as_submission};
pub use perform::{Perform, perform_patiently, performer};
pub use plain_run::{PlainBuild, PlainEnd, PlainProgram, PlainRunner};
