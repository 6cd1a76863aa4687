//! Lateness that costs nothing: extension, grace, and the budget of a course.

use kopek_base::{deserialize_seconds, serialize_seconds};
use kopek_sentences::Said;
use serde::{Deserialize, Serialize};
use std::time::Duration;

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

    pub fn said(&self) -> Said {
        let whole = self.extension + self.grace + self.budget + self.counted;
        let mut parts = vec![Said::AfterDeadline { span: whole.into() }];
        if !self.extension.is_zero() {
            parts.push(Said::LessExtension { span: self.extension.into() });
        }
        if !self.grace.is_zero() {
            parts.push(Said::LessGrace { span: self.grace.into() });
        }
        if !self.budget.is_zero() {
            parts.push(Said::LessBudget { span: self.budget.into() });
        }
        let late = Said::LateBy { span: self.counted.into() };
        parts.push(if self.counted.is_zero() { Said::InTime } else { late });
        Said::Several { parts }
    }
}
