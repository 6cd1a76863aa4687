//! A setter's tools: check a package against its own claims, find inputs on which programs fail, and find mutants
//! that the tests miss.
//!
//! Modules are listed in the order of the flow, and each uses only modules above it.

// The form of the inputs of a package.
mod case_form;

// Searches that found nothing.
mod fruitless;

pub use case_form::form_of_tests;
pub use kopek_hunt::{InputForm, NoForm};

// Finds inputs on which programs fail, and shrinks them.
pub mod stress;

// Inputs on which programs are too slow, and how their time grows.
pub mod slow;

// A package against its own claims.
pub mod verify;

// Small mistakes in accepted submissions; reports those that the tests miss.
pub mod mutate;
