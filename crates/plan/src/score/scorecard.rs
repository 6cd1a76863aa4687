//! The input and the result of scoring.

use super::default_grader::{Grade, GraderRun};
use crate::plan::Trial;
use kopek_base::seconds_number;
use kopek_package::{
    check::Score,
    package::{Group, Member, TestSet, is_sample},
    points::{Points, exact_json},
    verdict::Verdict,
};
use kopek_sentences::Said;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use std::{collections::BTreeMap, fmt, time::Duration};

/// The part that all submissions to a package share.
#[derive(Debug, Clone, Copy)]
pub struct ScoringRules<'a> {
    pub tests: &'a TestSet,
    /// Whether the problem gives points, instead of pass or fail only.
    pub scoring: bool,
    /// Legacy only: whether validators must write `score.txt` (`validation: custom score`).
    pub score_files: bool,
    /// Legacy only: which interpretation of the rules applies.
    pub reading: LegacyReading,
}

/// The interpretation of a legacy package: the two score the same package differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LegacyReading {
    /// Every case has a score, and the groups' graders combine them; a submission that is finally rejected
    /// has no points.
    #[default]
    Kattis,
    /// A group without subgroups gives its `accept_score` as a whole; a submission keeps its points whatever
    /// its verdict.
    Domjudge,
}

/// The known results of a submission.
pub struct ScoringFacts<'a> {
    /// By case, with the indices of [`TestSet::cases`].
    pub marks: &'a [Option<Mark>],
    /// The result of static validation, by group.
    pub statics: &'a BTreeMap<String, Mark>,
    /// Legacy only: the custom grader's reply; `None` if it has not run yet.
    pub grader: &'a dyn Fn(&GraderRun) -> Option<Grade>,
}

/// The part of a trial that scoring uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub verdict: Verdict,
    /// The contents of a score file.
    pub score: Option<Score>,
    pub cpu: Duration,
}

impl From<&Trial> for Mark {
    fn from(trial: &Trial) -> Mark {
        Mark { verdict: trial.verdict, score: trial.score.clone(), cpu: trial.usage.cpu }
    }
}

/// The score of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scorecard {
    pub name: String,
    /// Points that count; `None` while a result that counts is unknown. Pass-fail problems: 1 or 0.
    #[serde(with = "exact_json")]
    pub points: Option<Points>,
    /// Maximum score; `None` if unbounded.
    #[serde(with = "exact_json")]
    pub max: Option<Points>,
    /// The whole submission's state.
    #[serde(flatten)]
    pub state: State,
    /// Groups in judging order: the children of `secret`, or `secret` itself; `sample` first if it has cases.
    pub groups: Vec<GroupScore>,
    /// Slowest trial: case name and CPU time.
    #[serde(flatten, with = "slowest_keys")]
    pub slowest: Option<(String, Duration)>,
    /// Judge errors in the format's sense: misuse of score files, scores out of range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judge_errors: Vec<String>,
}

/// The score of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// Path below `data/`.
    pub name: String,
    /// Points; `None` if not known yet.
    #[serde(with = "exact_json")]
    pub points: Option<Points>,
    /// Maximum score; `None` if it is unbounded, or the group gives no points.
    #[serde(with = "exact_json")]
    pub max: Option<Points>,
    #[serde(flatten)]
    pub state: State,
    /// The case because of which it was rejected.
    #[serde(skip)]
    pub culprit: Option<String>,
    /// Slowest trial in it: case name and CPU time.
    #[serde(flatten, with = "slowest_keys")]
    pub slowest: Option<(String, Duration)>,
}

/// The state of a group or a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StateKeys", try_from = "StateKeys")]
pub enum State {
    Decided(Verdict),
    /// Not run because this required group was not passed.
    Requires(String),
    /// Undecided: this many trials have no fact.
    Unknown(usize),
}

impl State {
    /// The key in JSON and CSV; `None`: not judged yet.
    pub fn key(&self) -> Option<&'static str> {
        match self {
            State::Decided(verdict) => Some(verdict.short()),
            State::Requires(_) => Some("skipped"),
            State::Unknown(_) => None,
        }
    }
}

/// As reports have a state.
#[derive(Serialize, Deserialize)]
struct StateKeys {
    /// [`State::key`].
    verdict: Option<String>,
    /// The group that was not passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    needs: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing_trials: Option<usize>,
}

impl From<State> for StateKeys {
    fn from(state: State) -> StateKeys {
        let verdict = state.key().map(str::to_owned);
        let (needs, missing_trials) = match state {
            State::Decided(_) => (None, None),
            State::Requires(group) => (Some(group), None),
            State::Unknown(trials) => (None, Some(trials)),
        };
        StateKeys { verdict, needs, missing_trials }
    }
}

impl TryFrom<StateKeys> for State {
    type Error = String;

    fn try_from(StateKeys { verdict, needs, missing_trials }: StateKeys) -> Result<State, String> {
        match (verdict, needs) {
            (_, Some(group)) => Ok(State::Requires(group)),
            (Some(short), None) => {
                let verdict = Verdict::of_short(&short);
                verdict.map(State::Decided).ok_or_else(|| format!("`{short}` is not a verdict"))
            }
            (None, None) => missing_trials
                .map(State::Unknown)
                .ok_or_else(|| "no verdict and no missing trials".to_owned()),
        }
    }
}

impl From<&State> for Said {
    fn from(state: &State) -> Said {
        match state {
            State::Decided(verdict) => (*verdict).into(),
            State::Requires(group) => Said::NeedsGroup { group: group.clone() },
            State::Unknown(0) => Said::NotJudged,
            State::Unknown(trials) => Said::TrialsMissing { number: *trials },
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Said::from(self).fmt(f)
    }
}

/// As reports have the slowest trial: `"slowest_seconds": 0.31, "slowest_case": "secret/2/07"`.
mod slowest_keys {
    use super::*;

    type Slowest = Option<(String, Duration)>;

    #[derive(Serialize, Deserialize)]
    struct SlowestKeys {
        slowest_seconds: Option<Number>,
        slowest_case: Option<String>,
    }

    pub fn serialize<S: Serializer>(slowest: &Slowest, to: S) -> Result<S::Ok, S::Error> {
        let (slowest_case, slowest_seconds) =
            slowest.clone().map(|(case, time)| (case, seconds_number(time))).unzip();
        SlowestKeys { slowest_seconds, slowest_case }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Slowest, D::Error> {
        let SlowestKeys { slowest_seconds, slowest_case } = SlowestKeys::deserialize(from)?;
        let seconds = slowest_seconds.and_then(|number| number.as_f64());
        Ok(slowest_case.zip(seconds).map(|(case, seconds)| (case, Duration::from_secs_f64(seconds))))
    }
}

pub(super) fn secret_group(tests: &TestSet) -> Option<&Group> {
    tests.root.groups().find(|group| group.name == "secret")
}

/// The groups in a scorecard: `sample` if it has cases, then the groups in `secret`, or `secret` itself if it
/// has no groups, or cases beside them. Without `secret`, all groups with cases.
pub(super) fn displayed_groups(tests: &TestSet) -> Vec<&Group> {
    let with_cases = tests.root.groups().filter(|group| !group.cases().is_empty());
    let Some(secret) = secret_group(tests) else { return with_cases.collect() };
    let sample = with_cases.filter(|group| is_sample(&group.name));
    let itself = secret.members.is_empty() || secret.members.iter().any(|m| matches!(m, Member::Case(_)));
    sample.chain(itself.then_some(secret)).chain(secret.groups()).collect()
}
