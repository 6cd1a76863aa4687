//! Directories of submissions that make claims by their names.

use super::{Format, manifest::Manifest};
use crate::verdict::Class::{self, Ac, Rte, Tle, Wa};

/// Default directories: name, permitted, required.
pub type Row = (&'static str, Option<&'static [Class]>, Option<&'static [Class]>);

/// Of 2025-09.
pub const MODERN: &[Row] = &[
    ("accepted", Some(&[Ac]), None),
    ("rejected", None, Some(&[Rte, Tle, Wa])),
    ("wrong_answer", Some(&[Ac, Wa]), Some(&[Wa])),
    ("time_limit_exceeded", Some(&[Ac, Tle]), Some(&[Tle])),
    ("run_time_error", Some(&[Ac, Rte]), Some(&[Rte])),
    ("brute_force", Some(&[Ac, Rte, Tle]), Some(&[Rte, Tle])),
];

/// Only the score says something: less than the best.
const PARTIALLY: Row = ("partially_accepted", None, None);

const LEGACY: &[Row] = &[
    ("accepted", Some(&[Ac]), None),
    PARTIALLY,
    ("wrong_answer", Some(&[Ac, Wa]), Some(&[Wa])),
    ("time_limit_exceeded", Some(&[Ac, Wa, Tle]), Some(&[Tle])),
    ("run_time_error", None, Some(&[Rte])),
];

/// The directories that say something in a package.
pub fn rows(said: &Manifest) -> Vec<Row> {
    match (said.format, said.data) {
        (Format::V2025_09, Format::V2025_09) => MODERN.to_vec(),
        (Format::V2025_09, Format::Legacy) => [MODERN, &[PARTIALLY]].concat(),
        (Format::Legacy, _) => LEGACY.to_vec(),
    }
}
