//! Whose submission is judged.

use super::Submission;

/// A participant of a cohort, from the folder where the submission was found to the report.
#[derive(Debug, Clone)]
pub struct Participant {
    /// The participant's name.
    pub name: String,
    /// The submission as its folder names it: `ada.rs`, `ada/nim.py`.
    pub file: String,
    /// What was handed in, or why it cannot be judged.
    pub submission: Result<Submission, String>,
}

/// An example submission takes part under its own name.
impl From<&Submission> for Participant {
    fn from(submission: &Submission) -> Participant {
        let name = submission.name.clone();
        Participant { file: name.clone(), name, submission: Ok(submission.clone()) }
    }
}
