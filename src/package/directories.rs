//! Directories of submissions that make claims by their names.

use super::Format;
use crate::verdict::Class::{self, Ac, Rte, Tle, Wa};

/// Default directories: name, permitted, required.
pub type Row = (&'static str, Option<&'static [Class]>, Option<&'static [Class]>);

const MODERN: &[Row] = &[
    ("accepted", Some(&[Ac]), None),
    ("rejected", None, Some(&[Rte, Tle, Wa])),
    ("wrong_answer", Some(&[Ac, Wa]), Some(&[Wa])),
    ("time_limit_exceeded", Some(&[Ac, Tle]), Some(&[Tle])),
    ("run_time_error", Some(&[Ac, Rte]), Some(&[Rte])),
    ("brute_force", Some(&[Ac, Rte, Tle]), Some(&[Rte, Tle])),
];

/// Of `partially_accepted` only the score says something: less than the best.
const LEGACY: &[Row] = &[
    ("accepted", Some(&[Ac]), None),
    ("partially_accepted", None, None),
    ("wrong_answer", Some(&[Ac, Wa]), Some(&[Wa])),
    ("time_limit_exceeded", Some(&[Ac, Wa, Tle]), Some(&[Tle])),
    ("run_time_error", None, Some(&[Rte])),
];

/// The directories of a version.
pub fn rows(format: Format) -> &'static [Row] {
    match format {
        Format::V2025_09 => MODERN,
        Format::Legacy => LEGACY,
    }
}

/// Names of the directories that make claims.
pub fn names(format: Format) -> Vec<&'static str> {
    rows(format).iter().map(|row| row.0).collect()
}
