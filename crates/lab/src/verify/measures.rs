//! What was measured of a package: margins, numbers, and how strong its tests are. Plain data.

use serde::{Serialize, Serializer};
use std::{collections::BTreeMap, time::Duration};

/// The room on both sides of the time limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Margins {
    /// The limit, in seconds.
    #[serde(serialize_with = "serialize_seconds")]
    pub limit: Duration,
    /// Whether the package names none, and this is our proposal.
    pub proposed: bool,
    /// The slowest run from below must fit so often.
    pub ac_to_time_limit: f64,
    /// The fastest from above must take so many limits.
    pub time_limit_to_tle: f64,
    /// By language.
    pub languages: Vec<LanguageMargins>,
}

/// What bounds the limit in one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageMargins {
    /// Its code.
    pub language: String,
    /// The slowest of those that must fit.
    pub slowest: Option<Measured>,
    /// The fastest of those that must not.
    pub fastest: Option<Measured>,
}

/// A submission's slowest run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Whose.
    pub submission: String,
    /// On which case.
    pub case: String,
    /// How long, in seconds.
    #[serde(serialize_with = "serialize_seconds")]
    pub time: Duration,
    /// Whether it was stopped then, and would take longer.
    pub stopped: bool,
}

pub(super) fn serialize_seconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}

/// The accepted submission that uses the most memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryMargin {
    /// The limit, in bytes.
    pub limit: u64,
    /// What it uses, in bytes.
    pub used: u64,
    /// Which submission.
    pub submission: String,
    /// On which case.
    pub case: String,
}

/// The numbers of a group in one place of its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberRange {
    /// The group: `sample`, `secret/1`, or `secret`.
    pub group: String,
    /// Which words of the inputs.
    pub place: String,
    /// The least one.
    pub least: i128,
    /// The greatest one.
    pub greatest: i128,
}

/// Which case kills which submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Every wrong submission.
    pub submissions: Vec<SubmissionStrength>,
    /// Every case.
    pub cases: Vec<CaseStrength>,
    /// Groups in which no wrong submission fails.
    pub idle_groups: Vec<String>,
}

/// What kills a wrong submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubmissionStrength {
    /// Its name.
    pub name: String,
    /// Names of all cases that it fails, in judging order.
    pub killers: Vec<String>,
}

/// What a case kills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseStrength {
    /// Its name.
    pub name: String,
    /// How many wrong submissions fail it.
    pub kills: usize,
    /// Those that fail no other case (but equal ones).
    pub alone: Vec<String>,
    /// Those that fail no other case of its group.
    pub alone_in_group: Vec<String>,
}

impl Strength {
    /// Wrong submissions that nothing kills.
    pub fn survivors(&self) -> Vec<String> {
        let alive = self.submissions.iter().filter(|one| one.killers.is_empty());
        alive.map(|one| one.name.clone()).collect()
    }

    /// How many cases kill so many.
    pub fn histogram(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        self.cases.iter().for_each(|case| *counts.entry(case.kills).or_default() += 1);
        counts
    }
}
