//! Imports packages of other systems, and packs packages for other judges.
//!
//! Every loss is reported. Modules are in the order of the flow, and a module uses only modules above it.

// Packages of other systems.
pub mod import;

// Packages for other judges.
pub mod pack;

// Files for TeX and pandoc.
pub mod typeset;
