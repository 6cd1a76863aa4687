//! Facts about jobs.

use super::{
    job::{BlobName, Task},
    key::Key,
    probe::ProbeFailure,
};
use crate::{
    check::{Difference, Score},
    verdict::Verdict,
};
use kopek_base::{Bytes, Digest, nanoseconds};
use kopek_sandbox::{Exit, Usage};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, time::Duration};

/// A fact about a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Of a build.
    Build(Build),
    /// Of making a case.
    Case(CaseResult),
    /// Of a question to validators.
    Validation(ValidatorReply),
    /// Of a trial, and of a static validation.
    Trial(Trial),
    /// What a custom grader printed.
    Grade(String),
    /// Of drawing.
    Drawing(Drawing),
    /// Of a batch of new inputs.
    Probe(ProbeResult),
}

impl Outcome {
    /// Whether it is a fact that a later run may use. A program of the package that was stopped or
    /// failed may do better next time, or be repaired by what no key holds.
    pub fn is_lasting(&self) -> bool {
        match self {
            Outcome::Case(case) => matches!(case, CaseResult::Made { .. }),
            Outcome::Validation(reply) => !reply.failed,
            Outcome::Drawing(drawing) => drawing.problems.is_empty(),
            Outcome::Probe(result) => !result.cut && result.undecided.is_empty(),
            Outcome::Build(_) | Outcome::Trial(_) | Outcome::Grade(_) => true,
        }
    }

    /// Whether it is one of such a task: drivers rely on it.
    pub fn answers(&self, task: &Task) -> bool {
        match task {
            Task::Build(_) => matches!(self, Outcome::Build(_)),
            Task::MakeCase(_) => matches!(self, Outcome::Case(_)),
            Task::CheckInput(_) | Task::CheckOutput(_) => matches!(self, Outcome::Validation(_)),
            Task::Trial(_) | Task::CheckSource(_) => matches!(self, Outcome::Trial(_)),
            Task::Grade(_) => matches!(self, Outcome::Grade(_)),
            Task::Draw(_) => matches!(self, Outcome::Drawing(_)),
            Task::Probe(_) => matches!(self, Outcome::Probe(_)),
        }
    }

    /// All blobs that it names. A fact whose blobs are gone is worth nothing.
    pub fn blobs(&self) -> Vec<BlobName> {
        match self {
            Outcome::Build(Build::Program { blob, .. }) => vec![BlobName::Tree(*blob)],
            Outcome::Case(CaseResult::Made { files, .. }) => {
                files.values().map(|file| BlobName::File(file.digest)).collect()
            }
            Outcome::Drawing(drawing) => drawing.pictures.values().copied().map(BlobName::File).collect(),
            Outcome::Probe(result) => {
                let contents = result.hits.iter().filter_map(|hit| hit.contents);
                contents.map(|file| BlobName::File(file.digest)).collect()
            }
            Outcome::Build(Build::Refused { .. })
            | Outcome::Case(CaseResult::Refused { .. })
            | Outcome::Validation(_)
            | Outcome::Trial(_)
            | Outcome::Grade(_) => vec![],
        }
    }
}

/// The result of making a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseResult {
    /// It was made, and the validators agree.
    Made {
        /// Its files by extension.
        files: BTreeMap<String, CaseFile>,
        /// What is odd without being wrong.
        remarks: Vec<String>,
    },
    /// It was not, and the package is to blame.
    Refused {
        /// What is wrong.
        problem: String,
        /// At which place of the case, if not everywhere.
        place: Option<String>,
    },
}

/// A file of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFile {
    /// Names the blob.
    pub digest: Digest,
    /// Its size.
    pub size: Bytes,
}

/// What validators answered to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidatorReply {
    /// Whether all accepted.
    pub accepted: bool,
    /// Whether one failed instead of answering.
    pub failed: bool,
    /// Whether an output was accepted, but for no points.
    pub scored_zero: bool,
    /// How it ended and what it wrote, for people.
    pub message: String,
}

/// The result of drawing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// File names, as the visualizer chose them, and the blobs with the pictures.
    pub pictures: BTreeMap<String, Digest>,
    /// What is wrong, each the rest of a sentence about the visualizer.
    pub problems: Vec<String>,
}

/// The result of building a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Build {
    /// It was built; the blob holds its files.
    Program {
        /// Name of the blob.
        blob: Digest,
        /// The file or class that is run; nothing for what a compiler linked.
        entry: String,
        /// What the compiler said.
        message: String,
    },
    /// It was not.
    Refused {
        /// What the compiler said, or why it was not even tried.
        message: String,
    },
}

/// The result of one submission on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// What it ended in.
    pub verdict: Verdict,
    /// How the program ended.
    pub exit: Exit,
    /// What it used; of several tries, the one that counts.
    pub usage: Usage,
    /// Size of its output.
    pub output: Bytes,
    /// How long its witness took right after it, if its own time was above the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessTime>,
    /// CPU times of the runs, if it was run again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Duration>,
    /// What each of these runs ended in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub try_verdicts: Vec<Verdict>,
    /// Whether these runs disagreed about the verdict.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// The pairs that decided a time above the limit. A fold over facts, and no part of one.
    #[serde(skip)]
    pub pairs: Vec<AdjustedTime>,
    /// What the validator gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Why it was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The validator's word to the judges.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub judge_message: String,
    /// The validator's word to the team.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team_message: String,
    /// Remarks of the sandbox, and on the output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it wrote on standard error: the beginning and the end of it, if it is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The conversation with the validator, shortened; kept where the trial was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<TranscriptPiece>,
}

/// How long a witness took right after a run above the limit, on the same CPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessTime {
    /// Names the witness.
    pub witness: Key,
    /// The witness's name, for people.
    pub name: String,
    /// The machine: least times on one say nothing about another.
    pub machine: String,
    /// CPU time of one run; the mean where it was run several times.
    pub time: Duration,
}

/// A run above the limit, adjusted by its witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdjustedTime {
    /// CPU time as measured.
    pub measured: Duration,
    /// CPU time had the witness taken its least time.
    pub adjusted: Duration,
    /// How much slower than its least time the witness was.
    pub slowdown: Slowdown,
}

/// How much slower than at best the machine was, in thousandths: 1000 is as fast as ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slowdown(pub u32);

impl Slowdown {
    /// As fast as ever.
    pub const NONE: Slowdown = Slowdown(1000);

    /// As a factor; never less than 1.
    pub fn factor(self) -> f64 {
        f64::from(self.0.max(1000)) / 1000.0
    }
}

impl fmt::Display for Slowdown {
    /// `1.40x`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.2}x", self.factor())
    }
}

impl Trial {
    /// One of which only the end is known.
    pub fn ended(verdict: Verdict, exit: Exit) -> Trial {
        Trial {
            verdict,
            exit,
            usage: Usage::default(),
            output: Bytes(0),
            witness: None,
            tries: vec![],
            try_verdicts: vec![],
            unstable: false,
            pairs: vec![],
            score: None,
            difference: None,
            judge_message: String::new(),
            team_message: String::new(),
            notes: vec![],
            stderr: String::new(),
            transcript: vec![],
        }
    }
}

/// The result of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeResult {
    /// Inputs that the validators accept.
    pub valid: u32,
    /// Inputs that they refuse.
    pub refused: u32,
    /// Calls of the generator that failed.
    pub failed_calls: u32,
    /// Which calls of the generator failed, or came to inputs that the validators refuse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<u32>,
    /// The call that did not end in time, of the generator or of the solution on its input: it ends the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hung: Option<u32>,
    /// CPU time of the longest call of the generator that made an input.
    #[serde(default, with = "nanoseconds", skip_serializing_if = "Duration::is_zero")]
    pub longest_call: Duration,
    /// Inputs that the batch had before.
    pub repeated: u32,
    /// Runs of subjects.
    pub trials: u32,
    /// Why the first input that was not used was not.
    pub complaint: Option<String>,
    /// Who failed on what, in order.
    pub hits: Vec<ProbeHit>,
    /// Whether time was up before its end: such a result is no fact.
    pub cut: bool,
    /// Why trials could not be decided on a disturbed machine, one for each: such a result is no fact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

impl ProbeResult {
    /// How many inputs of the batch were looked at.
    pub fn looked_at(&self) -> usize {
        [self.valid, self.refused, self.failed_calls, self.repeated].iter().map(|&count| count as usize).sum()
    }
}

/// An input that shows a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeHit {
    /// Which input of the batch.
    pub input: u32,
    /// Which subject; `None`: nobody's fault but the package's.
    pub subject: Option<u32>,
    /// In which way.
    pub failure: ProbeFailure,
    /// What went wrong, for people.
    pub message: String,
    /// The input, where a generator wrote it.
    pub contents: Option<CaseFile>,
    /// The beginning of the answer.
    pub answer: String,
    /// The subject's trial.
    pub trial: Option<Trial>,
}

/// A piece of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptPiece {
    /// The validator said this.
    Judge {
        /// When, since the pass began.
        at: Duration,
        /// What.
        text: String,
    },
    /// The submission said this.
    Submission {
        /// When, since the pass began.
        at: Duration,
        /// What.
        text: String,
    },
    /// The pass of this number begins.
    Pass(u32),
    /// Something was left out here.
    Cut,
}
