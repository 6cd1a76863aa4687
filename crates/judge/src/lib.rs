//! Drives the engine over a whole cohort: makes the data of a package, and grades submissions on it.
//!
//! A driver is a plan, the engine and a fold. It has no threads, no cache and no retries of its own.
//! Modules are listed in the order of the flow, and each uses only modules above it.

// Recipe to test set.
pub mod generate;

// A cohort on a test set: waves of jobs, then scorecards.
pub mod grade;

// Packages that are found and read, with all of their cases.
pub mod loading;

// One solution, on the cases of its problem and of its author.
pub mod solution;
