//! A package against its own claims.
//!
//! ```text
//! package::read ──► test_set: generate, read_tests     findings of the readers
//!          ──► checks         the table of all checks; `whole` runs it
//!   manifest                  format, samples
//!   inputs, junk, bounds      inputs that the input validators accept and refuse
//!   statements                points, samples and figures that statements name
//!   number_ranges             numbers in the inputs, place by place: input_columns
//!   constants                 bounds that statement, validators and data share
//!   partners                  whether the output validator survives any output of a program
//!   outputs                   outputs that the output validator accepts and refuses
//!   hard_questions            whether it refuses junk from junk_outputs
//!   twins                     duplicate cases
//!   examples                  which submissions are judged
//!   judged                    their results, as far as claims depend on them
//!          ──► claims, breaches   claims compared with results
//!          ──► limits         the room on both sides of the time limit, and below the memory limit
//!   timing, fitting           times of submissions that bound the limit; surveying: `kopek limits`
//!   case_growth               how these times grow with the cases
//!          ──► sanitized      accepted submissions, built with sanitizers
//!          ──► slow_inputs    inputs that are no cases, on which submissions are too slow
//!          ──► strength       which case kills which wrong submission
//!          ──► pictures       whether visualizers draw
//! ```
//!
//! Combines functions of the other crates. Prints nothing; has no knowledge of single problems.

mod bounds;
mod breaches;
mod built_validators;
mod case_growth;
mod checked;
mod checks;
mod claims;
mod constants;
mod examples;
mod fitting;
mod hard_questions;
mod input_columns;
mod inputs;
mod judged;
mod junk;
mod junk_outputs;
mod limits;
mod manifest;
mod number_ranges;
mod outputs;
mod partners;
mod pictures;
mod sanitized;
mod slow_inputs;
mod statements;
mod strength;
mod surveying;
mod test_set;
mod timing;
mod twins;
mod verification;
mod whole;

pub use surveying::{LimitRequest, survey_limits};
pub use verification::{Gallery, OnVerificationStep, VerificationStep, Wishes};
pub use whole::verify;
