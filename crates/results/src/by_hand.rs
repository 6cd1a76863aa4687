//! What points and comments by hand changed in a row.

use super::group_names::group_heading;
use kopek_base::wording::one_line;
use kopek_package::points::{Points, exact_json};
use serde::{Deserialize, Serialize};

/// What a person changed in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowByHand {
    /// The points of the package without it; `None`: not known.
    #[serde(with = "exact_json")]
    pub automatic_points: Option<Points>,
    /// The groups first.
    pub changes: Vec<HandChange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandChange {
    /// Path below `data/`; `None`: the whole package.
    pub group: Option<String>,
    #[serde(with = "exact_json")]
    pub before: Option<Points>,
    /// The same points as before: only a comment.
    #[serde(with = "exact_json")]
    pub after: Option<Points>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
    pub comment: Option<String>,
    pub by: String,
}

impl HandChange {
    /// `Group 2: 20 → 35 points, by hand: Noether: good idea`.
    pub fn text(&self) -> String {
        let number = |points: &Option<Points>| match points {
            Some(points) => points.to_string(),
            None => "not known".to_owned(),
        };
        let group =
            self.group.as_ref().map(|group| format!("{}: ", group_heading(group))).unwrap_or_default();
        let points = if self.excused {
            "excused, ".to_owned()
        } else if self.before == self.after {
            String::new()
        } else {
            format!("{} → {} points, ", number(&self.before), number(&self.after))
        };
        let comment = self.comment.as_ref().map(|text| format!(": {}", one_line(text))).unwrap_or_default();
        format!("{group}{points}by hand: {}{comment}", one_line(&self.by))
    }
}

impl RowByHand {
    /// A line for each change.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.changes.iter().map(HandChange::text)
    }
}
