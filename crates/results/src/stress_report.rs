//! The result of a hunt for inputs on which submissions fail. Plain data.

use super::{exact_seconds::exact_seconds, slow_input::SlowInput};
use kopek_plan::plan::{ANSWER_REPORTED, ProbeFailure, ProbeResult, Trial};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::time::Duration;

/// The result of a campaign.
#[derive(Debug, Clone, Default, Serialize)]
pub struct StressReport {
    #[serde(skip)]
    pub goal: StressGoal,
    /// The name of the package or of the files.
    pub title: String,
    pub seed: u64,
    /// The package's mistakes first, then the inputs that explain the most subjects; in their order if equal.
    pub findings: Vec<StressFinding>,
    /// Whether the hunt ended at a counterexample of one submission, with others left.
    #[serde(skip)]
    pub ended_at_first: bool,
    /// The submissions without a finding.
    pub not_found: Vec<NotFound>,
    /// Submissions that could not be tried, and why.
    pub skipped: Vec<String>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// How long the hunt took, without shrinking.
    #[serde(rename = "seconds", serialize_with = "exact_seconds")]
    pub took: Duration,
    /// Why inputs were unusable, for each generator.
    pub complaints: Vec<String>,
    /// The complaint about a call that failed, if one did.
    #[serde(skip)]
    pub failed_call: Option<String>,
    /// Why a run of the hunt is undecided, if one is.
    pub doubt: Option<String>,
    pub faults: Vec<String>,
}

/// What inputs were looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StressGoal {
    #[default]
    Failures,
    /// Inputs on which submissions exceed the time limit.
    SlowRuns,
}

/// A submission without a failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotFound {
    pub name: String,
    /// Whether it is claimed to be correct.
    pub claimed_right: bool,
    /// The slowest input, if slow ones were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowInput>,
}

/// An example after shrinking.
#[derive(Debug, Clone)]
pub struct StressFinding {
    /// The failing submission; `None`: the package.
    pub name: Option<String>,
    /// Whether the package claims that it is correct.
    pub claimed_right: bool,
    pub example: CounterExample,
    /// Its times, if slow inputs were looked for.
    pub slow: Option<SlowInput>,
    /// Size of the input before shrinking.
    pub found_bytes: usize,
    /// The steps to the smallest input.
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    /// How shrinking ended.
    pub shrinking: ShrinkEnd,
    /// Other submissions that fail on it.
    pub also: Vec<String>,
}

impl Serialize for StressFinding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let example = &self.example;
        let trial = example.trial.as_ref();
        let finding = json!({
            "submission": self.name,
            "claimed_right": self.claimed_right,
            "failure": example.failure,
            "message": example.message,
            "difference": trial.and_then(|trial| trial.difference.as_ref()).map(|difference| difference.in_words()),
            "judge_message": trial.map(|trial| &trial.judge_message),
            "input": String::from_utf8_lossy(&example.input),
            "answer": example.answer,
            "origin": example.origin.text(),
            "seconds": example.after.as_secs_f64(),
            "found_bytes": self.found_bytes,
            "bytes": example.input.len(),
            "shrinking": self.shrinking,
            "tried": self.tried,
            "steps": self.steps,
            "also": self.also,
        });
        finding.serialize(to)
    }
}

/// An input that shows a mistake.
#[derive(Debug, Clone)]
pub struct CounterExample {
    /// Index of the subject in the ground; `None`: it is the package's mistake.
    pub subject: Option<usize>,
    pub failure: ProbeFailure,
    /// The package's mistake in words, or the times of a slow run.
    pub message: String,
    pub input: Vec<u8>,
    /// The beginning of the right answer.
    pub answer: String,
    /// The run of the subject.
    pub trial: Option<Trial>,
    /// The origin of the input.
    pub origin: InputOrigin,
    pub ground: usize,
    /// The time until it was found.
    pub after: Duration,
}

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputOrigin {
    /// It was drawn; it has the form of the cases.
    Form,
    Command(String),
    /// It is the case of this name.
    Case(String),
    /// A variation of the case of this name.
    ChangedCase(String),
}

impl InputOrigin {
    /// What it was made of.
    pub fn text(&self) -> &str {
        match self {
            InputOrigin::Form => "the form of the cases",
            InputOrigin::Command(text) | InputOrigin::Case(text) | InputOrigin::ChangedCase(text) => text,
        }
    }
}

impl CounterExample {
    /// The right answer, if all of it is known.
    pub fn whole_answer(&self) -> Option<&str> {
        let is_whole = self.answer.len() < ANSWER_REPORTED && !self.answer.contains('\u{fffd}');
        let is_known = self.subject.is_some() && !self.answer.is_empty();
        if is_whole && is_known { Some(&self.answer) } else { None }
    }
}

/// A step that kept the failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShrinkStep {
    pub what: &'static str,
    /// Size of the input after it.
    pub bytes: usize,
}

/// How shrinking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShrinkEnd {
    /// No step shrinks it further.
    Minimal,
    /// It has about the fewest items with which a submission is too slow.
    FewestItems,
    /// Time was up.
    TimeUp,
    /// Some smaller inputs are undecided, because the machine was too busy or our run failed.
    Undecided,
    /// It was not shrunk: without a validator, it is unknown which smaller inputs are valid.
    NoValidator,
    /// It was not shrunk: it is a large case of the package.
    TooLarge,
}

/// How much was tried.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct HuntCounts {
    /// Inputs that the validators accept.
    pub valid: u64,
    /// Inputs that they refuse.
    pub refused: u64,
    /// Calls of generators that failed.
    pub failed_calls: u64,
    /// Inputs that occurred earlier in their batch.
    #[serde(skip)]
    pub repeated: u64,
    pub trials: u64,
    /// Undecided runs of submissions, because the machine was too busy.
    pub undecided: u64,
    pub rounds: u64,
}

/// After this many failed calls, and none that made an input, the generators are broken or their numbers are. That
/// is three rounds: numbers of all sizes were tried, for 2 s with a generator in Python.
const HOPELESS_CALLS: u64 = 256;

impl HuntCounts {
    pub fn add(&mut self, result: &ProbeResult) {
        self.valid += u64::from(result.valid);
        self.refused += u64::from(result.refused);
        self.failed_calls += u64::from(result.failed_calls);
        self.repeated += u64::from(result.repeated);
        self.trials += u64::from(result.trials);
        self.undecided += result.undecided.len() as u64;
    }

    /// Whether generators only fail.
    pub fn is_hopeless(&self) -> bool {
        self.failed_calls >= HOPELESS_CALLS && self.valid == 0 && self.refused == 0
    }
}
