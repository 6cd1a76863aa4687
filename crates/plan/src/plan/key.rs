//! Keys: digests of everything that can change a job's outcome, and of what the job means.

use kopek_base::{Digest, DigestFields};
use serde::Serialize;

/// A digest of everything that can change a job's outcome.
pub type Key = Digest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Build,
    /// Make a test case.
    MakeCase,
    CheckInput,
    CheckOutput,
    /// Run a submission on a case.
    Trial,
    /// Validate a submission's files.
    CheckSource,
    /// Ask a custom grader.
    Grade,
    Draw,
    /// Try programs on a batch of new inputs.
    Probe,
}

/// The current meaning of each kind of job. **Raise the number whenever equal tasks of the kind may come to
/// another outcome than before**: old facts are then unknown, and the jobs are done again. A test holds one
/// key and one outcome of each kind, so that every change is noticed.
pub const MEANINGS: [(JobKind, &str, u32); 9] = [
    (JobKind::Build, "build", 6),
    (JobKind::MakeCase, "make case", 4),
    (JobKind::CheckInput, "check input", 3),
    (JobKind::CheckOutput, "check output", 4),
    (JobKind::Trial, "trial", 14),
    (JobKind::CheckSource, "check source", 3),
    (JobKind::Grade, "grade", 2),
    (JobKind::Draw, "draw", 2),
    (JobKind::Probe, "probe", 9),
];

impl JobKind {
    /// The beginning of every key of this kind.
    pub(super) fn fields(self) -> DigestFields {
        // The number is part of every key: raising it makes all older facts of the kind unknown.
        let (_, name, meaning) =
            MEANINGS.iter().find(|(kind, ..)| *kind == self).expect("every kind has its row");
        DigestFields::new(name).with("meaning", &meaning.to_le_bytes())
    }
}

/// A value as bytes for a key: its JSON is unique, and changes only with the type.
pub(super) fn bytes_of(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data without maps of odd keys becomes JSON")
}
