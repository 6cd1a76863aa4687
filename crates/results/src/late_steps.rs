//! Lateness that costs nothing: extension, grace, and the budget of a course.

use kopek_base::{deserialize_seconds, serialize_seconds, wording::span_text};
use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// How the lateness of a hand-in is reduced before it costs points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LateSteps {
    #[serde(
        rename = "extension_seconds",
        serialize_with = "serialize_seconds",
        deserialize_with = "deserialize_seconds"
    )]
    pub extension: Duration,
    #[serde(
        rename = "grace_seconds",
        serialize_with = "serialize_seconds",
        deserialize_with = "deserialize_seconds"
    )]
    pub grace: Duration,
    /// Used up of the budget for all packages.
    #[serde(
        rename = "budget_seconds",
        serialize_with = "serialize_seconds",
        deserialize_with = "deserialize_seconds"
    )]
    pub budget: Duration,
    /// The rest, which costs points.
    #[serde(
        rename = "counted_seconds",
        serialize_with = "serialize_seconds",
        deserialize_with = "deserialize_seconds"
    )]
    pub counted: Duration,
}

impl LateSteps {
    /// Whether some lateness costs nothing.
    pub fn spare_something(&self) -> bool {
        !(self.extension + self.grace + self.budget).is_zero()
    }
}

impl fmt::Display for LateSteps {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let whole = self.extension + self.grace + self.budget + self.counted;
        write!(f, "{} after the deadline", span_text(whole))?;
        for (span, what) in
            [(self.extension, "extension"), (self.grace, "grace"), (self.budget, "the budget for lateness")]
        {
            if !span.is_zero() {
                write!(f, "; less {} of {what}", span_text(span))?;
            }
        }
        if self.counted.is_zero() {
            f.write_str("; in time")
        } else {
            write!(f, "; {} late", span_text(self.counted))
        }
    }
}
