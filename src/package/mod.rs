//! A problem as read from disk and believed.
//!
//! [`read()`] turns a directory into a [`Package`], [`tests()`] its `data/` into
//! a [`TestSet`]; both list everything odd as [`Finding`]s and go on as far as
//! they can. Runs nothing, and does not know languages, only their codes.

mod about;
mod claims;
mod codes;
mod constants;
mod directories;
mod disk;
mod finding;
mod glob;
mod legacy;
mod limits;
mod manifest;
pub mod model;
mod modern;
mod named_files;
mod nearest;
mod number;
mod programs;
mod read;
mod sheet;
mod submissions;
mod tags;
mod testset;
pub mod yaml;

pub use claims::Bound;
pub use constants::fill_constants;
pub use finding::{Finding, Severity};
pub use glob::{Pattern, glob_fault, glob_matches};
pub use model::*;
pub use nearest::nearest;
pub use read::{Reading, files_below, read};
pub use testset::{Extras, NoCases, extras, tests};
