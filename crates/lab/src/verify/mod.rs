//! A package against its own claims.
//!
//! ```text
//! package::read ──► generate ──► package::read_tests   what the readers find odd
//!   inputs, junk, bounds      what the input validators accept and refuse
//!   refusal_reasons           whether invalid inputs are refused for the reason that is stated
//!   named_bounds              bounds of constants, validators and generators that disagree
//!   stated_points             what groups are worth, in statement and data
//!   number_ranges             which numbers the inputs have, and which bounds none reaches
//!   partners                  how the output validator takes whatever a program may say
//!   outputs                   what the output validator accepts and refuses
//!   hard_questions            whether it refuses junk, made by junk_outputs
//!   twins                     cases that are there twice
//!   judged, spared            what submissions did, as far as claims want to know it
//!          ──► claims, breaches   what submissions were claimed to do, and did
//!          ──► limits, timing the room on both sides of the time limit
//!   limit_survey, fitting     all submissions against the limit, measured again; see `kopek limits`
//!          ──► memory         the room below the memory limit
//!          ──► sanitized      accepted submissions, built to find mistakes
//!          ──► strength       which case kills whom
//!          ──► pictures       whether visualizers draw
//! ```
//!
//! Combines what the other rooms can do. Prints nothing; knows no single problem.

mod bounds;
mod breaches;
mod build_formats;
mod case_time;
mod claims;
mod fitting;
mod hard_questions;
mod inputs;
mod judged;
mod junk;
mod junk_outputs;
mod limit_picture;
mod limit_rule;
mod limit_survey;
mod limit_write;
mod limits;
mod measures;
mod memory;
mod named_bounds;
mod number_ranges;
mod outputs;
mod partial;
mod partners;
mod pictures;
mod refusal_reasons;
mod remarks;
mod sanitized;
mod spared;
mod stated_points;
mod strength;
mod tables;
mod text;
mod timing;
mod twins;
mod verification;
mod verified;
mod whole;
mod wishes;

pub use build_formats::{render_verified_github, render_verified_junit, render_verified_lines};
pub use limit_picture::render_survey;
pub use limit_survey::{
    LimitRequest, LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission, calibrate_limit, survey_limits,
};
pub use limit_write::{LimitWritten, record_survey, write_limit};
pub use measures::{
    CaseStrength, LanguageMargins, Margins, Measured, MemoryMargin, NumberRange, Strength, SubmissionStrength,
};
pub use remarks::{Check, Level, Remark, Section};
pub use text::render_verified;
pub use verification::OnVerificationStep;
pub use verification::VerificationStep;
pub use verified::Verified;
pub use whole::verify;
pub use wishes::{Gallery, TimesInLock, Wishes};
