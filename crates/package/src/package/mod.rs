//! Reads and checks a problem package.
//!
//! [`read()`] turns a directory into a [`Package`], [`read_tests`] its `data/` into a [`TestSet`]. Both list
//! all problems as [`Message`]s and continue as far as they can. This module runs nothing, and knows only the
//! codes of languages.

mod about;
mod arguments;
mod attachments;
mod cause;
mod claim;
mod codes;
mod constants;
mod default_directories;
mod default_validator_args;
mod disk;
mod field_reader;
mod file_pairs;
mod glob;
mod legacy_manifest;
mod loose;
mod manifest_languages;
mod manifest_limits;
mod message;
mod missing_path;
pub mod model;
mod modern_manifest;
mod named_files;
mod nearest;
mod number;
mod package_programs;
mod participant;
mod read;
mod read_manifest;
pub mod shell_words;
mod source_tags;
mod submissions;
mod submissions_yaml;
mod testset;
pub mod yaml;

pub use arguments::CaseArguments;
pub use cause::{and_more_cases, cause_of, merge_by_cause, one_per_cause};
pub use claim::{Claim, ClaimOrigin, Expectation, TimeBound, UseForTimeLimit, VerdictWord};
pub use constants::fill_constants;
pub use disk::LinkReach;
pub use file_pairs::{FilePair, FilePairs, PAIRED_FOLDERS, pair_files, pair_folders};
pub use glob::{glob_fault, glob_matches};
pub use loose::{LooseCase, LooseCases, find_loose_cases, loose_package, loose_tests};
pub use message::{Audience, Level, Message, Place, Subject};
pub use missing_path::missing_path;
pub use model::*;
pub use nearest::nearest_word;
pub use package_programs::TOOL_CODE_LIMIT;
pub use participant::{
    CaseDecision, HandIn, Lateness, NoSubmission, Participant, PointsByHand, PointsChange, RowPlace,
    TimeFactor,
};
pub use read::{PackageReading, files_below, read, read_linked};
pub use testset::{Extras, NoCases, case_extras, data_beside_cases, read_tests};
