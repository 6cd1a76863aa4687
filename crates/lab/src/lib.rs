//! A setter's tools: check a package against its own claims, and find mutants that the tests miss.
//!
//! Modules are listed in the order of the flow, and each uses only modules above it.

// A package against its own claims.
pub mod verify;

// Small mistakes in accepted submissions; reports those that the tests miss.
pub mod mutate;
