//! A setter's tools: check a package against its own claims, find inputs on which programs fail, and find mutants
//! that the tests miss.
//!
//! Modules are listed in the order of the flow, and each uses only modules above it.

// Searches that found nothing.
mod fruitless;

// Finds inputs on which programs fail, and shrinks them.
pub mod stress;

// Inputs on which programs are too slow, and how their time grows.
pub mod slow;

// A package against its own claims.
pub mod verify;

// Small mistakes in accepted submissions; reports those that the tests miss.
pub mod mutate;
