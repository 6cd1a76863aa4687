//! What the format of a system cannot express.

use serde::Serialize;

/// Something of the package that the target cannot express.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Note {
    /// Whether results change by it.
    pub weight: NoteEffect,
    /// A file or directory of the package.
    pub place: String,
    /// What cannot be expressed.
    pub what: String,
    /// What happens instead.
    pub instead: String,
}

/// What the loss means for results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteEffect {
    /// The package is not packed.
    Refused,
    /// Verdicts or points may change.
    Results,
    /// The target decides it by itself, for every problem.
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
