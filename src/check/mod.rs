//! Output against answer, in this process or by a validator program.
//!
//! [`compare`] and [`compare_files`] are the format's default output validator;
//! [`program`] is how a custom one is called and understood.
//! Knows no submission, no group and no points of a group.

mod compare;
mod difference;
mod number;
mod options;
pub mod program;
mod tape;
#[cfg(test)]
mod tests;
mod words;

pub use compare::{compare, compare_files};
pub use number::{Number, Tolerance, is_number};
pub use options::{BadOption, Options};
pub use words::{Checked, Difference, Score};
