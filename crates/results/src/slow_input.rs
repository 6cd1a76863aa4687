//! An input on which a program is slow.

use super::exact_seconds::{exact_seconds, read_seconds};
use kopek_base::wording::short_seconds;
use kopek_package::package::is_sample;
use kopek_sentences::{Decimal, PageLanguage, Said, serialize_all_said};
use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlowInput {
    /// The case that was changed.
    pub case: String,
    /// How it was changed.
    #[serde(serialize_with = "serialize_all_said")]
    pub changes: Vec<Said>,
    #[serde(skip)]
    pub input: Vec<u8>,
    /// CPU time of the program; at least this if it was stopped.
    #[serde(rename = "seconds", serialize_with = "exact_seconds", deserialize_with = "read_seconds")]
    pub time: Duration,
    #[serde(rename = "limit_seconds", serialize_with = "exact_seconds", deserialize_with = "read_seconds")]
    pub limit: Duration,
    /// CPU time of the slowest accepted submission.
    #[serde(
        rename = "accepted_seconds",
        serialize_with = "exact_seconds",
        deserialize_with = "read_seconds"
    )]
    pub accepted: Duration,
}

impl SlowInput {
    /// `secret/small (n = 46875; line 2: counting up)`.
    pub fn origin(&self) -> String {
        if self.changes.is_empty() {
            return self.case.clone();
        }
        format!("{} ({})", self.case, PageLanguage::English.say_all(&self.changes))
    }

    /// Completes `solution.py …` and names no case.
    pub fn sentence(&self) -> Said {
        let time = Decimal::new(short_seconds(self.accepted.max(Duration::from_millis(1))));
        Said::ExceedsWith { changes: self.changes.clone(), time }
    }

    /// Only inputs made of samples are public. On parts of a hidden case, a program could be slow from a size on that is one of
    /// its values.
    pub fn public(&self) -> Option<SlowInput> {
        is_sample(&self.case).then(|| self.clone())
    }
}

impl fmt::Display for SlowInput {
    /// `1.73 of 1 s; accepted submissions: at most 0.012 s`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [time, limit, accepted] = [self.time, self.limit, self.accepted].map(short_seconds);
        write!(f, "{time} of {limit} s; accepted submissions: at most {accepted} s")
    }
}
