//! Notes on features that a target lacks.

use serde::Serialize;

/// A feature of the package that the target lacks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Note {
    /// The effect on results.
    pub weight: NoteEffect,
    /// A file or directory of the package.
    pub place: String,
    /// The feature.
    pub what: String,
    /// The replacement.
    pub instead: String,
}

/// The effect of a loss on results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteEffect {
    /// The package is not packed.
    Refused,
    /// Verdicts or points may change.
    Results,
    /// The target decides it, for every problem.
    Theirs,
    /// Results stay the same.
    Looks,
}

impl NoteEffect {
    /// For the table of the page.
    pub fn word(self) -> &'static str {
        match self {
            NoteEffect::Refused => "refused",
            NoteEffect::Results => "other results",
            NoteEffect::Theirs => "set there",
            NoteEffect::Looks => "same results",
        }
    }
}
