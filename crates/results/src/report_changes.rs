//! What differs from an earlier report, and why.

use kopek_package::points::{Points, exact_json};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Points and verdicts that differ from those of an earlier report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportChanges {
    /// The earlier report, as the teacher names it.
    pub place: String,
    /// In order of the names.
    pub changes: Vec<GradeChange>,
    /// The known totals then, by the names of now.
    pub totals: BTreeMap<String, Points>,
}

impl ReportChanges {
    /// The changes of a participant.
    pub fn of<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c GradeChange> {
        self.changes.iter().filter(move |change| change.name == name)
    }
}

/// A participant's points then and now. They are equal if only a verdict or a comment changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeChange {
    pub name: String,
    /// The number or login from the learning platform.
    pub id: Option<String>,
    pub email: Option<String>,
    /// For which package; `None`: the total of all.
    #[serde(skip)]
    pub package: Option<String>,
    /// Then; `None`: not known.
    #[serde(with = "exact_json")]
    pub before: Option<Points>,
    #[serde(with = "exact_json")]
    pub after: Option<Points>,
    /// Empty if the same program, by the same rules and data, has another result.
    pub reasons: BTreeSet<ChangeReason>,
    /// The groups with another result or other points, in the order of the package.
    pub groups: Vec<String>,
}

impl GradeChange {
    /// Makes it the change since an earlier one.
    pub fn add_earlier(&mut self, then: GradeChange) {
        self.before = then.before;
        self.reasons.extend(then.reasons);
        let more = std::mem::replace(&mut self.groups, then.groups);
        for group in more {
            if !self.groups.contains(&group) {
                self.groups.push(group);
            }
        }
    }
}

/// Why points, a verdict or a comment are others than in an earlier report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeReason {
    /// Another program, or one in place of none, or none any more.
    Program,
    /// Points, a comment or the verdict of a case, which a person gave.
    ByHand,
    /// Lateness or an extension.
    Lateness,
    /// Data or limits of the package.
    Data,
    /// Rules of the course.
    Course,
}
