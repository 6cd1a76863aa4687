//! Arguments of the default output validator, where a package declares them:
//! [`check`](crate::check) says what they mean, here it gets its line.

use crate::{
    check::{BadOption, Options},
    package::{Format, nearest::nearest, sheet::Sheet},
};

const WORDS: &[&str] = &[
    "case_sensitive",
    "space_change_sensitive",
    "float_tolerance",
    "float_relative_tolerance",
    "float_absolute_tolerance",
];

/// Tells arguments that make no sense.
pub fn check(args: &[String], format: Format, line: u32, sheet: &mut Sheet) {
    let read = match format {
        Format::V2025_09 => Options::parse(args),
        Format::Legacy => Options::parse_legacy(args),
    };
    let Err(error) = read else { return };
    sheet.error(line, error.to_string());
    if let BadOption::Unknown(word) = &error
        && let Some(near) = nearest(word, WORDS)
    {
        sheet.hint(format!("did you mean `{near}`?"));
    }
}
