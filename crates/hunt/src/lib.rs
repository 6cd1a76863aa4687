//! Why programs fail: inputs on which they print something wrong or are too slow, found and shrunk.
//!
//! Modules are listed in the order of the flow, and each uses only modules above it.

// What the inputs of a package look like, and new inputs of the same form.
pub mod form;

// The form of the inputs of a package, read from its files.
mod case_form;

// Runs programs on inputs.
mod bench;

// Searches that found nothing.
mod fruitless;

pub use bench::{
    BatchResult, CommandTemplate, HuntingGround, KnownInput, KnownTest, StressRequest, StressSubject, Until,
    build_rows, count_unknown, ground_of_package, is_claimed_right, try_trials,
};
pub use case_form::form_of_tests;

// Finds inputs on which programs fail, and shrinks them.
pub mod stress;

// Inputs on which programs are too slow, and how their time grows.
pub mod slow;

// Why programs fail, from both searches.
mod explain;

pub use explain::{ExplainRequest, InputsFrom, explain, is_right};
