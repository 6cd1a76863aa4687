//! The one way to run programs on inputs: what a search knows of a package, and what it can ask.
//!
//! ```text
//! package ──ground──► HuntingGround    subjects, templates of commands, cases, arguments
//!                          │
//!                        Bench ──batches──► inputs on which programs fail
//!                          └────timed_runs─► times: what programs print is not checked
//! ```
//!
//! Knows neither which inputs are worth it nor which failures to show.

mod batches;
mod ground;
mod template_words;
mod timed_runs;

pub(crate) use batches::{Batch, Bench};
pub use batches::{BatchResult, Until, count_unknown, try_trials};
pub use ground::{
    CommandTemplate, HuntingGround, KnownInput, KnownTest, StressRequest, StressSubject, build_rows,
    ground_of_package, is_claimed_right,
};
pub(crate) use ground::{LARGE, PROBE_LIMITS, TestContents, as_solution, new_case};
pub(crate) use template_words::TemplateWords;
pub(crate) use timed_runs::{TimedRuns, is_too_slow, usual_milliseconds};
