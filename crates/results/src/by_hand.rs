//! What points and comments by hand changed in a row.

use super::group_names::group_heading;
use kopek_package::points::{Points, exact_json};
use kopek_sentences::{Decimal, Said};
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
    pub fn said(&self) -> Said {
        let by = Said::Name { name: self.by.clone() };
        let by = Box::new(match &self.comment {
            Some(comment) => Said::ByWithComment { by: self.by.clone(), comment: comment.clone() },
            None => by,
        });
        let change = if self.excused {
            Said::ExcusedByHand { by }
        } else if self.before == self.after {
            Said::ByHand { by }
        } else {
            Said::PointsByHand { before: known_points(&self.before), after: known_points(&self.after), by }
        };
        match &self.group {
            Some(group) => Said::About { place: group_heading(group).into(), reason: change.into() },
            None => change,
        }
    }
}

fn known_points(points: &Option<Points>) -> Box<Said> {
    let known = points.as_ref().map(|points| Said::Number { number: Decimal::new(points) });
    known.unwrap_or(Said::NotKnown).into()
}

impl RowByHand {
    /// One for each change.
    pub fn said(&self) -> impl Iterator<Item = Said> {
        self.changes.iter().map(HandChange::said)
    }
}
