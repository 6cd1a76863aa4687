//! The result of checking an output.

use crate::points::Points;
use kopek_sentences::Said;
use serde::{Deserialize, Serialize};

/// The result of checking one output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputCheck {
    pub accepted: bool,
    /// The contents of a score file.
    pub score: Option<Score>,
    /// The first difference, if the default validator compared.
    pub difference: Option<Difference>,
    /// `judgemessage.txt`.
    pub judge_message: String,
    /// `teammessage.txt`.
    pub team_message: String,
    /// Whether the validator wrote `nextpass.in`: the submission must run again with it.
    pub next_pass: bool,
}

impl OutputCheck {
    /// The result of [`super::compare`].
    pub fn compared(difference: Option<Difference>) -> OutputCheck {
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
    /// `score.txt`: points.
    Points(Points),
    /// `score_multiplier.txt`: a fraction of the maximum score.
    Multiplier(Points),
}

/// The first difference between output and answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Line of the output, from 1.
    pub line: u64,
    /// Column of the output in bytes, from 1: the start of the token, or the first byte that differs if the
    /// token is too long to show.
    pub column: u64,
    /// The text in the answer, shortened and escaped; `None` if there is none.
    pub expected: Option<String>,
    /// The text in the output, shortened and escaped; `None` if there is none.
    pub found: Option<String>,
    /// The numeric error, if a tolerance applied.
    pub error: Option<Said>,
    /// The lines of the answer around it, shortened and escaped.
    pub answer_lines: String,
    /// The lines of the output around it, shortened and escaped.
    pub output_lines: String,
}

impl Difference {
    /// As half a sentence.
    pub fn in_words(&self) -> String {
        let shown =
            |token: &Option<String>| token.as_ref().map_or("nothing".into(), |token| format!("`{token}`"));
        let expected = shown(&self.expected);
        let found = shown(&self.found);
        format!("line {}: expected {expected}, found {found}", self.line)
    }
}
