//! The result of checking an output.

use crate::points::Points;
use serde::{Deserialize, Serialize};

/// The result of checking one output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputCheck {
    /// Whether it is right.
    pub accepted: bool,
    /// What the validator wrote into a score file.
    pub score: Option<Score>,
    /// The first difference, where we compared ourselves.
    pub difference: Option<Difference>,
    /// `judgemessage.txt`.
    pub judge_message: String,
    /// `teammessage.txt`.
    pub team_message: String,
    /// Whether the validator wrote `nextpass.in`: the submission must run again with it.
    pub next_pass: bool,
}

impl OutputCheck {
    /// What [`super::compare`] found.
    pub(crate) fn compared(difference: Option<Difference>) -> OutputCheck {
        OutputCheck {
            accepted: difference.is_none(),
            score: None,
            difference,
            judge_message: String::new(),
            team_message: String::new(),
            next_pass: false,
        }
    }
}

/// The contents of a score file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// `score.txt`: points as such.
    Points(Points),
    /// `score_multiplier.txt`: a share of the greatest score.
    Multiplier(Points),
}

/// The first difference between output and answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Line of the output, from 1.
    pub line: u64,
    /// Column of the output in bytes, from 1: where the token starts, or, if it is too long to be
    /// shown whole, where it first differs.
    pub column: u64,
    /// What the answer has there, cut and escaped; `None`: nothing.
    pub expected: Option<String>,
    /// What the output has there, cut and escaped; `None`: nothing.
    pub found: Option<String>,
    /// The numeric error, where a tolerance applied.
    pub error: Option<String>,
    /// A small diff of the surroundings, cut and escaped: lines of the answer (`-`), of the output
    /// (`+`), of both (` `).
    pub around: String,
}
