//! A setter's tools: a package against its own claims, inputs on which programs fail, and mutants that tests miss.
//!
//! Modules stand in the order of the flow, and a module uses only modules above it.

// Bounds of numbers in programs and inputs.
pub mod constraints;

// A package against its own claims.
pub mod verify;

// Inputs on which programs fail, found and made small.
pub mod stress;

// Small mistakes in accepted submissions, and which the tests miss.
pub mod mutate;

// What packages consist of, for a table over many.
pub mod package_stats;

// What was found out last of packages.
pub mod last_results;
