//! Measured properties of a package: margins, numbers, and the strength of its tests. Plain data.

use super::exact_seconds::exact_seconds;
use serde::Serialize;
use std::{collections::BTreeMap, time::Duration};

/// The room on both sides of the time limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Margins {
    /// The limit, in seconds.
    #[serde(serialize_with = "exact_seconds")]
    pub limit: Duration,
    /// Whether the package has no limit, and this is our proposal.
    pub proposed: bool,
    /// The limit must be at least this factor times the slowest run that must fit.
    pub ac_to_time_limit: f64,
    /// The fastest run that must not fit must take at least this factor times the limit.
    pub time_limit_to_tle: f64,
    pub languages: Vec<LanguageMargins>,
}

/// The runs that bound the limit in one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageMargins {
    pub language: String,
    /// The slowest run that must fit.
    pub slowest: Option<Measured>,
    /// The fastest run that must not fit.
    pub fastest: Option<Measured>,
}

/// A submission's slowest run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The name of the submission.
    pub submission: String,
    /// The name of the case.
    pub case: String,
    /// The time, in seconds.
    #[serde(serialize_with = "exact_seconds")]
    pub time: Duration,
    /// Whether it was stopped at that time, and would take longer.
    pub stopped: bool,
}

/// The accepted submission that uses the most memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryMargin {
    /// The limit, in bytes.
    pub limit: u64,
    /// Its use, in bytes.
    pub used: u64,
    /// The name of the submission.
    pub submission: String,
    /// The name of the case.
    pub case: String,
}

/// The range of numbers of a group in one place of its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberRange {
    /// The group: `sample`, `secret/1`, or `secret`.
    pub group: String,
    /// The place in the inputs.
    pub place: String,
    /// The least number.
    pub min: i128,
    pub max: i128,
}

/// The cases that each wrong submission fails.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Every wrong submission.
    pub submissions: Vec<SubmissionStrength>,
    pub cases: Vec<CaseStrength>,
    /// Groups in which no wrong submission fails.
    pub idle_groups: Vec<String>,
}

/// The cases that a wrong submission fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubmissionStrength {
    pub name: String,
    /// Names of all cases that it fails, in judging order.
    pub killers: Vec<String>,
}

/// The wrong submissions that fail a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseStrength {
    pub name: String,
    /// How many wrong submissions fail it.
    pub kills: usize,
    /// Submissions that fail no other case (except equal ones).
    pub alone: Vec<String>,
    /// Submissions that fail no other case of its group.
    pub alone_in_group: Vec<String>,
}

impl Strength {
    /// Wrong submissions that nothing kills.
    pub fn survivors(&self) -> Vec<String> {
        let alive = self.submissions.iter().filter(|one| one.killers.is_empty());
        alive.map(|one| one.name.clone()).collect()
    }

    /// The number of cases by their number of kills.
    pub fn histogram(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        self.cases.iter().for_each(|case| *counts.entry(case.kills).or_default() += 1);
        counts
    }
}
