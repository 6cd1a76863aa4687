//! A package against its own claims.
//!
//! ```text
//! package::read ──► generate ──► package::read_tests   findings of the readers
//!   inputs, junk, bounds      inputs that the input validators accept and refuse
//!   refusal_reasons           whether invalid inputs are refused for the stated reason
//!   stated_points             points of groups, in statement and data
//!   statement_parts           samples and figures that statements ask for
//!   number_ranges             numbers in the inputs, place by place: input_columns
//!   constants                 bounds that statement, validators and data share
//!   partners                  whether the output validator survives any output of a program
//!   outputs                   outputs that the output validator accepts and refuses
//!   hard_questions            whether it refuses junk from junk_outputs
//!   twins                     duplicate cases
//!   judged, spared            results of submissions, as far as claims depend on them
//!          ──► claims, breaches   claims compared with results
//!          ──► limits, timing the room on both sides of the time limit
//!   limit_survey, fitting     all submissions against the limit, measured again; see `kopek limits`
//!          ──► memory         the room below the memory limit
//!          ──► sanitized      accepted submissions, built with sanitizers
//!          ──► strength       which case kills which wrong submission
//!          ──► pictures       whether visualizers draw
//! ```
//!
//! Combines functions of the other crates. Prints nothing; has no knowledge of single problems.

mod bounds;
mod breaches;
mod case_time;
mod claims;
mod constants;
mod fitting;
mod hard_questions;
mod input_columns;
mod inputs;
mod judged;
mod junk;
mod junk_outputs;
mod limit_rule;
mod limit_survey;
mod limit_write;
mod limits;
mod measures;
mod memory;
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
mod statement_parts;
mod strength;
mod tables;
mod timing;
mod twins;
mod verification;
mod verified;
mod whole;
mod wishes;

pub use limit_survey::{
    LimitRequest, LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission, calibrate_limit, survey_limits,
};
pub use limit_write::{LimitWritten, write_limit};
pub use measures::{
    CaseStrength, LanguageMargins, Margins, Measured, MemoryMargin, NumberRange, Strength, SubmissionStrength,
};
pub use remarks::{Check, Level, Remark, Section};
pub use verification::OnVerificationStep;
pub use verification::VerificationStep;
pub use verified::Verified;
pub use whole::verify;
pub use wishes::{Gallery, Wishes};
