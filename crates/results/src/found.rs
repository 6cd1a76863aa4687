//! An input on which programs fail or are too slow, as a search finds it. Plain data.

use super::{counterexamples::TextExcerpt, slow_input::SlowInput};
use kopek_plan::plan::{ANSWER_REPORTED, ProbeFailure, Trial};
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Found {
    pub input: Vec<u8>,
    /// Index of the arguments that it has, in the ground of the search.
    pub ground: usize,
    pub origin: InputOrigin,
    /// The beginning of the right answer; `None`: a conversation has none.
    pub answer: Option<String>,
    /// The one for which the input was found comes first.
    pub failures: Vec<FoundFailure>,
    /// The times of the first failure, if slow inputs were looked for.
    pub slow: Option<SlowInput>,
    /// The time until it was found.
    pub after: Duration,
    pub shrinking: Shrinking,
}

/// How a program fails on an input.
#[derive(Debug, Clone)]
pub struct FoundFailure {
    /// Index of the program in the ground of the search; `None`: it is the package's mistake.
    pub program: Option<usize>,
    pub failure: ProbeFailure,
    /// The package's mistake in words, or the times of a slow run.
    pub message: String,
    pub trial: Option<Trial>,
    /// Its output, if it was asked for.
    pub printed: Option<TextExcerpt>,
}

/// How an input became smaller.
#[derive(Debug, Clone)]
pub struct Shrinking {
    /// Size of the input before.
    pub found_bytes: usize,
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    pub end: ShrinkEnd,
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

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

impl Found {
    /// An input as it is, on which nothing is known to fail.
    pub fn new(input: Vec<u8>, ground: usize, origin: InputOrigin) -> Found {
        let (found_bytes, steps, tried) = (input.len(), Vec::new(), 0);
        let shrinking = Shrinking { found_bytes, steps, tried, end: ShrinkEnd::NoValidator };
        let (answer, failures, slow, after) = Default::default();
        Found { input, ground, origin, answer, failures, slow, after, shrinking }
    }

    /// The program for which it was found; `None`: the package itself fails.
    pub fn program(&self) -> Option<usize> {
        self.failures.first().and_then(|failure| failure.program)
    }

    pub fn failure_of(&self, program: usize) -> Option<&FoundFailure> {
        self.failures.iter().find(|failure| failure.program == Some(program))
    }

    /// The programs that fail on it.
    pub fn programs(&self) -> impl Iterator<Item = usize> + '_ {
        self.failures.iter().filter_map(|failure| failure.program)
    }

    /// The right answer, if all of it is known.
    pub fn whole_answer(&self) -> Option<&str> {
        let answer = self.answer.as_deref().filter(|answer| !answer.is_empty())?;
        let is_whole = answer.len() < ANSWER_REPORTED && !answer.contains('\u{fffd}');
        (is_whole && self.program().is_some()).then_some(answer)
    }
}
