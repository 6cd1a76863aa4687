//! Problem packages: their limits, test cases and programs, and what judges them by themselves: languages, checks,
//! verdicts, points.
//!
//! Reads files and runs nothing: calls of compilers and validators are values, which [`kopek_sandbox`] runs.
//!
//! Each module can be used alone. This compares an output with its answer:
//!
//! ```
//! use kopek_package::check::{CompareOptions, compare};
//!
//! let options = CompareOptions::parse(&["float_tolerance".into(), "1e-6".into()])?;
//! assert!(compare(b"0.5 yes\n", b"0.50000001  YES", &options).is_none());
//! let difference = compare(b"0.5 yes\n", b"0.51 yes\n", &options).expect("0.01 is too much");
//! assert_eq!(difference.found.as_deref(), Some("0.51"));
//! # Ok::<(), kopek_package::check::BadOption>(())
//! ```
//!
//! A module uses only modules listed above it.

// Each module describes its purpose in its own head. The comments and blank lines below keep rustfmt from
// sorting the modules.

// Verdicts of trials, groups and submissions.
pub mod verdict;

// Exact scores.
pub mod points;

// The table of languages; detection; commands.
pub mod language;

// Checks outputs against answers, in this process or with a validator.
pub mod check;

// Reads problem packages.
pub mod package;
