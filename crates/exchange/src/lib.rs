//! Packages of other systems: read as packages of kopek's, and written for other judges.
//!
//! What is read or written arrives whole or is reported, point by point. Modules stand in the order of the
//! flow, and a module uses only modules above it.

// Packages of other systems.
pub mod import;

// A package as other judges take it.
pub mod pack;

// A statement as a PDF, by a TeX.
pub mod typeset;
