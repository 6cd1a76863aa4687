//! Whose submission is judged.

use super::Submission;
use std::time::Duration;

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
    /// What was done to the files before they were judged, and what of them was left out.
    pub notes: Vec<String>,
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
