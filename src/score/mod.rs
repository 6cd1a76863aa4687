//! Scorecards: a fold over facts; the unknown is never a pass. Pure.
//!
//! [`score`] says what a submission is worth, as far as the facts go;
//! [`Progress`] says which cases can still change that. Both read the same
//! rules: whoever runs only what [`Progress`] wants gets the same points and
//! the same verdict as whoever runs everything.
//!
//! A *judge error* in the format's sense (a validator that misuses its score
//! files) is about the package, never about the submission: it is listed, and
//! the case counts as unknown.

mod grader;
mod legacy;
mod modern;
mod part;
mod progress;

pub use grader::{Grade, GraderRun, read_grade};
pub use progress::Progress;

use crate::{
    check::Score,
    package::{Group, Member, Rule, TestSet},
    plan::Trial,
    points::Points,
    verdict::Verdict,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, time::Duration};

/// What is the same for all submissions to a package.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// All cases and groups.
    pub tests: &'a TestSet,
    /// Whether the problem gives points, not only pass or fail.
    pub scoring: bool,
    /// Legacy only: whether validators must write `score.txt` (`validation: custom score`).
    pub score_files: bool,
    /// Legacy only: whose reading of the rules.
    pub reading: Reading,
}

/// Whose reading of a legacy package: the two score the same package differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// Every case has a score and the groups' graders fold them; a submission that is not
    /// accepted in the end has no points.
    #[default]
    Kattis,
    /// A group without groups in it is worth its `accept_score` as a whole; a submission keeps its
    /// points whatever its verdict.
    Domjudge,
}

/// What is known of a submission.
pub struct Facts<'a> {
    /// By case, as [`TestSet::cases`] counts them.
    pub marks: &'a [Option<Mark>],
    /// What the static validator said, by group.
    pub statics: &'a BTreeMap<String, Mark>,
    /// Legacy only: what the custom grader says; `None`: not yet asked.
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

/// What a submission is worth as far as the facts go.
///
/// The verdict is that of the first case, in judging order, which was not accepted; `accepted` if
/// there is none, or if the points are full (a failed sample takes none away). Points are there as
/// soon as no missing trial can change them: a group where all must pass is lost by one failure.
pub fn score(name: &str, rules: &Rules, facts: &Facts) -> Scorecard {
    let mut card = match secret(rules.tests).map(|secret| &secret.rule) {
        Some(Rule::Legacy(_)) => legacy::score(rules, facts),
        Some(Rule::Modern { .. }) | None => modern::score(rules, facts),
    };
    card.name = name.to_owned();
    for (group, score) in listed(rules.tests).iter().zip(&mut card.groups) {
        score.slowest = slowest(rules.tests, &group.cases(), facts);
    }
    let all: Vec<usize> = (0..rules.tests.cases.len()).collect();
    card.slowest = slowest(rules.tests, &all, facts);
    card
}

/// The scorecard of a submission that never ran: no points anywhere, whatever the rules.
pub fn refused(name: &str, rules: &Rules, verdict: Verdict) -> Scorecard {
    let facts = Facts { marks: &[], statics: &BTreeMap::new(), grader: &|_| None };
    let mut card = score(name, rules, &facts);
    card.points = Some(Points::zero());
    card.state = State::Decided(verdict);
    card.judge_errors.clear();
    for group in &mut card.groups {
        group.points = Some(Points::zero());
        group.state = State::Decided(verdict);
    }
    card
}

fn secret(tests: &TestSet) -> Option<&Group> {
    tests.root.groups().find(|group| group.name == "secret")
}

/// The groups a scorecard shows: `sample` if it has cases, then the groups in `secret`, or `secret`
/// itself if there are none, or cases beside them.
fn listed(tests: &TestSet) -> Vec<&Group> {
    let sample = tests.root.groups().filter(|group| group.name == "sample" && !group.cases().is_empty());
    let Some(secret) = secret(tests) else { return sample.collect() };
    let itself = secret.members.is_empty() || secret.members.iter().any(|m| matches!(m, Member::Case(_)));
    sample.chain(itself.then_some(secret)).chain(secret.groups()).collect()
}

fn slowest(tests: &TestSet, cases: &[usize], facts: &Facts) -> Option<(String, Duration)> {
    let timed = cases.iter().filter_map(|&case| Some((case, facts.marks.get(case)?.as_ref()?.cpu)));
    // Of equals the first: `max_by_key` would take the last.
    timed.rev().max_by_key(|(_, cpu)| *cpu).map(|(case, cpu)| (tests.cases[case].name.clone(), cpu))
}
