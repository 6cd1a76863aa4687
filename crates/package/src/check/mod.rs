//! Checks an output against the answer, in this process or with a validator program.
//!
//! [`compare`] and [`compare_files`] are the format's default output validator; [`program`] calls a custom
//! one and interprets its reply. Knows no submission, no group and no points of a group.

mod compare;
#[cfg(test)]
mod compare_tests;
mod decimal_token;
mod difference;
mod equal_bytes;
mod options;
mod output_check;
pub mod program;
mod tape;

pub use compare::{compare, compare_files};
pub use options::{BadOption, CompareOptions};
pub use output_check::{Difference, OutputCheck, Score};
