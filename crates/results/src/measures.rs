//! Measured properties of a package: the memory it needs, numbers, and the strength of its tests. Plain data.

use serde::Serialize;
use std::collections::BTreeMap;

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
