//! Checks the arguments of the default output validator where a package declares them:
//! [`check`](crate::check) defines their meaning, this module adds the line.

use crate::{
    check::{BadOption, CompareOptions},
    package::{Format, field_reader::FieldReader, nearest::nearest_word},
};

const WORDS: &[&str] = &[
    "case_sensitive",
    "space_change_sensitive",
    "float_tolerance",
    "float_relative_tolerance",
    "float_absolute_tolerance",
];

/// Reports arguments that make no sense.
pub(super) fn check_default_args(args: &[String], format: Format, line: u32, field_reader: &mut FieldReader) {
    let read = match format {
        Format::V2025_09 => CompareOptions::parse(args),
        // Flags of a group follow those of problem.yaml there, so a repeated tolerance is no error.
        Format::Legacy => CompareOptions::parse_legacy(args),
    };
    let Err(error) = read else { return };
    field_reader.error(line, error.to_string());
    if let BadOption::Unknown(word) = &error
        && let Some(near) = nearest_word(word, WORDS)
    {
        field_reader.todo(format!("did you mean `{near}`?"));
    }
}
