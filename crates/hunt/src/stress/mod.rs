//! Finds inputs on which programs fail, and shrinks them.
//!
//! ```text
//! package ───────────────► HuntingGround    subjects, templates of commands, cases, arguments
//! files   ──loose_files──┘        │ hunt            cases, then rounds of new inputs, small ones first
//!                                 │                 known_calls: which calls of generators are worth it
//!                                 ▼
//!                          CounterExample     ──smaller──► the same, shrunk under the validators
//!                                 │            shrinking: edits, reductions, smaller_numbers, input_text   pure
//!          campaign ──────────────┤            the other subjects that fail on it
//!          class_search ──────────┘            inputs that count for a class, and cover: which to show
//!                                 └─► bank      kept with the package, for programs that fail later
//! ```
//!
//! A driver. Knows the package's claims about submissions, and nothing about scores.

mod bank;
mod campaign;
mod class_hunt;
mod class_result;
mod class_search;
mod confirmed_inputs;
mod confirming;
mod cover;
mod edits;
mod hidden_cases;
mod hunt;
mod hunt_result;
mod item_count;
mod known_calls;
mod loose_files;
mod recipe_line;
mod reductions;
mod shrinking;
#[cfg(test)]
mod shrinking_tests;
mod small_changes;
mod smaller;
mod smaller_numbers;
mod tested_examples;
mod variation;

pub use bank::{Bank, is_claimed_wrong};
pub use campaign::{CampaignLimits, run_campaign};
pub(crate) use class_hunt::unhunted_kind;
pub use class_hunt::{ClassHunt, check_huntable, fill_bank};
pub use confirmed_inputs::ClassProgram;
pub use hunt::hunt;
pub use hunt_result::{HuntLimits, HuntResult, HuntStep, HuntUntil, OnHuntStep};
pub use loose_files::{LooseRequest, command_file, ground_of_files};
pub use recipe_line::recipe_line;
pub use tested_examples::{TestedExamples, test_examples};
