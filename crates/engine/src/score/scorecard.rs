//! What scoring starts from and what it ends in.

use super::default_grader::{Grade, GraderRun};
use crate::{
    check::Score,
    package::{Group, Member, TestSet},
    plan::Trial,
    points::Points,
    verdict::Verdict,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, time::Duration};

/// What is the same for all submissions to a package.
#[derive(Debug, Clone, Copy)]
pub struct ScoringRules<'a> {
    /// All cases and groups.
    pub tests: &'a TestSet,
    /// Whether the problem gives points, not only pass or fail.
    pub scoring: bool,
    /// Legacy only: whether validators must write `score.txt` (`validation: custom score`).
    pub score_files: bool,
    /// Legacy only: whose reading of the rules.
    pub reading: LegacyReading,
}

/// Whose reading of a legacy package: the two score the same package differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LegacyReading {
    /// Every case has a score and the groups' graders fold them; a submission that is not
    /// accepted in the end has no points.
    #[default]
    Kattis,
    /// A group without groups in it is worth its `accept_score` as a whole; a submission keeps its
    /// points whatever its verdict.
    Domjudge,
}

/// What is known of a submission.
pub struct ScoringFacts<'a> {
    /// By case, as [`TestSet::cases`] counts them.
    pub marks: &'a [Option<Mark>],
    /// How the static validation ended, by group.
    pub statics: &'a BTreeMap<String, Mark>,
    /// Legacy only: the custom grader's reply; `None`: it has not run yet.
    pub grader: &'a dyn Fn(&GraderRun) -> Option<Grade>,
}

/// What scoring wants to know of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What it ended in.
    pub verdict: Verdict,
    /// What the validator wrote into a score file.
    pub score: Option<Score>,
    /// CPU time.
    pub cpu: Duration,
}

impl From<&Trial> for Mark {
    fn from(trial: &Trial) -> Mark {
        Mark { verdict: trial.verdict, score: trial.score.clone(), cpu: trial.usage.cpu }
    }
}

/// What a submission is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scorecard {
    /// Whose.
    pub name: String,
    /// Points; `None`: not everything that counts is known. Pass-fail problems: 1 or 0.
    pub points: Option<Points>,
    /// Greatest score possible; `None`: unbounded.
    pub max: Option<Points>,
    /// The whole submission's state.
    pub state: State,
    /// Groups in judging order: the children of `secret`, or `secret` itself; `sample` first if it has cases.
    pub groups: Vec<GroupScore>,
    /// Slowest trial: case name and CPU time.
    pub slowest: Option<(String, Duration)>,
    /// What the format calls judge errors: misuse of score files, scores out of range.
    pub judge_errors: Vec<String>,
}

/// What a group is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// Path below `data/`.
    pub name: String,
    /// Points; `None`: not yet known.
    pub points: Option<Points>,
    /// Greatest score; `None`: unbounded, or the group gives none.
    pub max: Option<Points>,
    /// Its state.
    pub state: State,
    /// The case that decided against it.
    pub culprit: Option<String>,
    /// Slowest trial in it: case name and CPU time.
    pub slowest: Option<(String, Duration)>,
}

/// What is known of a group or a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Decided.
    Decided(Verdict),
    /// Not run because this group was not passed.
    Requires(String),
    /// Not decided: so many trials have no fact.
    Unknown(usize),
}

pub(super) fn secret_group(tests: &TestSet) -> Option<&Group> {
    tests.root.groups().find(|group| group.name == "secret")
}

/// The groups a scorecard shows: `sample` if it has cases, then the groups in `secret`, or `secret`
/// itself if there are none, or cases beside them. Without `secret`: all that have cases.
pub(super) fn displayed_groups(tests: &TestSet) -> Vec<&Group> {
    let with_cases = tests.root.groups().filter(|group| !group.cases().is_empty());
    let Some(secret) = secret_group(tests) else { return with_cases.collect() };
    let sample = with_cases.filter(|group| group.name == "sample");
    let itself = secret.members.is_empty() || secret.members.iter().any(|m| matches!(m, Member::Case(_)));
    sample.chain(itself.then_some(secret)).chain(secret.groups()).collect()
}
