//! An input on which a submission or the package fails.

use super::hunting_ground::LARGE;
use kopek_engine::worker::ANSWER_REPORTED;
use kopek_package::verdict::{Class, Verdict};
use kopek_plan::plan::{ProbeFailure, Trial};
use std::time::Duration;

/// An input that shows a mistake.
#[derive(Debug, Clone)]
pub struct CounterExample {
    /// Index of the subject in the ground; `None`: it is the package's mistake.
    pub subject: Option<usize>,
    pub failure: ProbeFailure,
    /// The package's mistake, in words.
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
    Command(String),
    /// It is the case of this name.
    Case(String),
    /// A variation of the case of this name.
    ChangedCase(String),
}

impl InputOrigin {
    /// The command, or the name of the case.
    pub fn text(&self) -> &str {
        match self {
            InputOrigin::Command(text) | InputOrigin::Case(text) | InputOrigin::ChangedCase(text) => text,
        }
    }
}

impl CounterExample {
    /// Whether it is a case of the package that is too large to shrink.
    pub(super) fn is_large_case(&self) -> bool {
        matches!(self.origin, InputOrigin::Case(_)) && self.input.len() as u64 > LARGE
    }

    /// Whether a small input may show the same mistake: time and memory run out on large ones.
    pub(super) fn may_be_small(&self) -> bool {
        match self.failure {
            ProbeFailure::Verdict(verdict) => {
                verdict.class() != Some(Class::Tle) && verdict != Verdict::MemoryLimit
            }
            ProbeFailure::ValidatorFailed
            | ProbeFailure::SolutionFailed
            | ProbeFailure::AnswerRefused
            | ProbeFailure::ValidatorFailedOnAnswer => true,
        }
    }

    /// The right answer, if all of it is known.
    pub fn whole_answer(&self) -> Option<&str> {
        let is_whole = self.answer.len() < ANSWER_REPORTED && !self.answer.contains('\u{fffd}');
        let is_known = self.subject.is_some() && !self.answer.is_empty();
        if is_whole && is_known { Some(&self.answer) } else { None }
    }
}
