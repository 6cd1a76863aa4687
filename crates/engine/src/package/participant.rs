//! Whose submission is judged.

use super::Submission;
use crate::verdict::Verdict;
use std::{fmt, time::Duration};

/// A participant of a cohort, from the folder where the submission was found to the report.
#[derive(Debug, Clone)]
pub struct Participant {
    /// The participant's name.
    pub name: String,
    /// The submission as its folder names it: `ada.rs`, `ada/nim.py`.
    pub file: String,
    /// Who it is, and what of the hand-in is run.
    pub hand_in: HandIn,
    /// What was handed in, or why it cannot be judged.
    pub submission: Result<Submission, NoSubmission>,
}

/// What is known of a participant and the hand-in besides the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HandIn {
    /// The number or login that a learning platform gave.
    pub id: Option<String>,
    /// Where the platform says it.
    pub email: Option<String>,
    /// Who handed in together: names, in the platform's order.
    pub group: Option<String>,
    /// `None`: in time, as far as is known.
    pub late: Option<Lateness>,
    /// Which attempt is judged, counted from 1, where there are several.
    pub attempt: Option<u32>,
    /// The file that is run, below the hand-in; of a linked language the one with the entry point.
    pub entry: Option<String>,
    /// Number of the hand-in's other files, without litter.
    pub other_files: usize,
    /// How many times the time limit the participant has, if not once.
    pub time_factor: Option<TimeFactor>,
    /// What was done to the files before they were judged, and what of them was left out.
    pub notes: Vec<String>,
    /// How a person decides cases that no run decides.
    pub decisions: Vec<CaseDecision>,
}

/// How a person decides a case that no run decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseDecision {
    /// The case's name: `secret/1/03`.
    pub case: String,
    /// What it counts as.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Who decided it.
    pub by: String,
    /// The line of the table of decisions.
    pub line: u64,
}

/// So many times the time limit, exact to the thousandth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeFactor(u32);

impl TimeFactor {
    /// Reads `1.5`: from 0.1 to 100, with at most three decimals.
    pub fn parse(text: &str) -> Option<TimeFactor> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |text: &str| !text.is_empty() && text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(part) {
            return None;
        }
        let thousandths = whole.parse::<u32>().ok()? * 1000 + format!("{part:0<3}").parse::<u32>().ok()?;
        (100..=100_000).contains(&thousandths).then_some(TimeFactor(thousandths))
    }

    /// The limit of who has this factor.
    pub fn of(self, limit: Duration) -> Duration {
        limit * self.0 / 1000
    }
}

impl fmt::Display for TimeFactor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// How late a hand-in is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// The platform marks it as late, without a time.
    Marked,
    /// So long after the deadline.
    By(Duration),
}

/// Why there is nothing to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSubmission {
    /// Nothing was handed in for this package.
    #[error("{0}")]
    Absent(String),
    /// What was handed in is no program: the participant's own affair.
    #[error("{0}")]
    Refused(String),
    /// A person must decide which program is meant: never a verdict. Names the remedy.
    #[error("{0}")]
    Undecided(String),
}

/// An example submission takes part under its own name.
impl From<&Submission> for Participant {
    fn from(submission: &Submission) -> Participant {
        let name = submission.name.clone();
        let hand_in = HandIn::default();
        Participant { file: name.clone(), name, hand_in, submission: Ok(submission.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_factor_is_a_plain_number() {
        let limit = |text: &str| TimeFactor::parse(text).map(|factor| factor.of(Duration::from_secs(2)));
        assert_eq!(limit("1.5"), Some(Duration::from_secs(3)));
        assert_eq!(limit("0.125"), Some(Duration::from_millis(250)));
        assert_eq!(TimeFactor::parse("2").unwrap().to_string(), "2");
        assert_eq!(TimeFactor::parse("1.25").unwrap().to_string(), "1.25");
        for bad in ["", "1.", ".5", "0", "0.05", "101", "-1", "1e3", "1,5", "1.2345"] {
            assert_eq!(TimeFactor::parse(bad), None, "{bad}");
        }
    }
}
