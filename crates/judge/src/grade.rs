//! Grades a cohort on a test set: first known facts, then the missing ones, in waves.
//!
//! [`prepare()`] builds the validators and plans. [`grade()`] builds all submissions, then checks their sources, then
//! runs the trials, so that compilers do not disturb the timing of trials. A custom grader runs last. Only the
//! trials' `next` skips cases (a lost group, an unmet requirement); only the engine stops at Ctrl-C. Prints nothing
//! and starts nothing.

mod again;
mod cards;
mod checked_runs;
mod choice;
mod decided;
mod exclusion;
mod facts;
mod faults;
mod graders;
mod missing_modules;
mod noise;
mod own_names;
mod package_report;
mod pictures;
mod prepare;
mod request;
mod runner;
mod session;
mod suspects;
mod trials;
mod waves;
mod witness;

pub use again::ChangingCase;
pub use cards::scorecards;
pub use choice::{CaseChoice, only_case, part_of};
pub use exclusion::{excluded_cases, without_cases};
pub use facts::{GradeFacts, JudgedCohort};
pub use faults::NamedFault;
pub use noise::NoiseFacts;
pub use package_report::package_report;
pub use pictures::{CasePictures, PictureRequest, draw_cases, keep_outputs};
pub use prepare::{DEFAULT_TIME, run_limits, validation_limits};
pub use prepare::{check_runnable, lend_cases, prepare};
pub use request::{
    AcceptedSubmission, GradeEvent, GradeRequest, OnGradeEvent, Thoroughness, TimePolicy, WitnessSource,
};
pub use session::{GradeSession, rules};
pub use waves::grade;
