//! Who does one job: in two slots of the sandbox, with what the store has.
//!
//! ```text
//! Job ──perform──► build, make_case, checks, trial, grader, drawing, probe ──► Outcome, or a Fault of ours
//! ```

mod build;
mod conversation;
#[cfg(test)]
mod conversation_tests;
mod drawing;
mod fake_box;
#[cfg(test)]
mod fault_tests;
mod generator_call;
mod grader;
mod handed_in;
mod input_check;
mod job_worker;
mod live_talk;
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

pub(crate) use fake_box::{box_files, captured_text, host_path, keep_file, stdin_bytes};
pub use input_check::one_line;
pub use output_check::in_words;
pub use perform::{Perform, perform_patiently, performer};
pub use probe::ANSWER_REPORTED;
