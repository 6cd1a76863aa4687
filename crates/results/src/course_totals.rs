//! The total of several problems: weighted, scaled and rounded, with every step.

use super::{by_hand::HandChange, row_report::RowReport};
use kopek_package::points::{Points, exact_json};
use kopek_sentences::Said;
use serde::{Deserialize, Serialize};

/// The totals of a class, with the rules of its course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseTotals {
    /// The greatest total.
    #[serde(serialize_with = "exact_json::serialize", deserialize_with = "exact_json::known")]
    pub max: Points,
    /// The greatest sum of weighted points, which is scaled to `max`.
    #[serde(serialize_with = "exact_json::serialize", deserialize_with = "exact_json::known")]
    pub max_sum: Points,
    /// Totals are rounded to multiples of it.
    #[serde(with = "exact_json")]
    pub round: Option<Points>,
    /// Sorted by name.
    pub totals: Vec<CourseTotal>,
}

/// A participant's total, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseTotal {
    pub name: String,
    /// In the order of the packages.
    pub parts: Vec<TotalPart>,
    /// The weighted points of the parts that count. All points are `None` while one of them is not known.
    #[serde(with = "exact_json")]
    pub sum: Option<Points>,
    #[serde(with = "exact_json")]
    pub scaled: Option<Points>,
    /// What a person changed after rounding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_hand: Option<HandChange>,
    /// What the total would be, if it is above the maximum and may not.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "exact_json")]
    pub uncapped: Option<Points>,
    /// After rounding, changes by hand and the cap: the points that count.
    #[serde(with = "exact_json")]
    pub points: Option<Points>,
}

/// What a package adds to a total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotalPart {
    pub package: String,
    #[serde(with = "exact_json")]
    pub points: Option<Points>,
    #[serde(serialize_with = "exact_json::serialize", deserialize_with = "exact_json::known")]
    pub weight: Points,
    /// Whether it is among the best ones that count.
    pub counts: bool,
}

impl CourseTotal {
    /// `the total: 7.5 → 8 points, by hand: Noether: oral exam`.
    pub fn by_hand_said(&self) -> Option<Said> {
        Some(Said::OfTotal { reason: self.by_hand.as_ref()?.said().into() })
    }
}

impl CourseTotals {
    pub fn total(&self, name: &str) -> Option<&CourseTotal> {
        self.totals.iter().find(|total| total.name == name)
    }

    /// The total of the participant of these rows.
    pub fn total_of_rows(&self, rows: &[Option<&RowReport>]) -> Option<&CourseTotal> {
        self.total(&rows.iter().flatten().next()?.card.name)
    }
}
