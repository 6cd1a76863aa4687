//! Outcomes: facts about jobs.

use super::{
    job::{BlobName, Task},
    key::Key,
    probe::ProbeFailure,
};
use kopek_base::{Bytes, Digest, nanoseconds};
use kopek_package::{
    check::{Difference, Score},
    verdict::Verdict,
};
use kopek_sandbox::{Exit, Usage};
use kopek_sentences::Said;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, time::Duration};

/// A fact about a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Build(Build),
    Case(CaseResult),
    Validation(ValidatorReply),
    /// Of a trial, and of a static validation.
    Trial(Trial),
    /// The output of a custom grader.
    Grade(String),
    Drawing(Drawing),
    /// Of a batch of new inputs.
    Probe(ProbeResult),
}

impl Outcome {
    /// Whether a later run may use this fact. A program of the package that was stopped or failed may succeed
    /// the next time, or be repaired by a change that no key covers.
    pub fn is_lasting(&self) -> bool {
        match self {
            Outcome::Case(case) => matches!(case, CaseResult::Made { .. }),
            Outcome::Validation(reply) => !reply.failed,
            Outcome::Drawing(drawing) => drawing.problems.is_empty(),
            Outcome::Probe(result) => !result.cut && result.undecided.is_empty(),
            Outcome::Build(_) | Outcome::Trial(_) | Outcome::Grade(_) => true,
        }
    }

    /// Whether this is a trial that no output validator could change: the program was stopped or crashed.
    pub fn is_failure_by_itself(&self) -> bool {
        let Outcome::Trial(trial) = self else { return false };
        let is_failure = match trial.verdict {
            Verdict::TimeLimit
            | Verdict::IdleLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RunTimeError => true,
            Verdict::Accepted | Verdict::WrongAnswer | Verdict::CompileError | Verdict::NoProgram => false,
        };
        is_failure && trial.exit != Exit::Code(0)
    }

    /// Whether this kind of outcome belongs to the task: drivers rely on it.
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

    /// All blobs that it names. A fact whose blobs are gone is useless.
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
    /// The case was made, and the validators accept it.
    Made {
        files: BTreeMap<String, CaseFile>,
        /// Warnings about the case.
        remarks: Vec<String>,
    },
    /// The package has a mistake, so the case was not made.
    Refused {
        problem: String,
        /// The place of the case, if it is not everywhere.
        place: Option<String>,
    },
}

/// A file of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFile {
    pub digest: Digest,
    pub size: Bytes,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidatorReply {
    pub accepted: bool,
    /// Whether one failed instead of replying.
    pub failed: bool,
    /// Whether an output was accepted, but for no points.
    pub scored_zero: bool,
    /// How it ended and its output, for messages.
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// The pictures by the file names that the visualizer chose.
    pub pictures: BTreeMap<String, Digest>,
    /// Mistakes of the visualizer: each completes a sentence about it.
    pub problems: Vec<String>,
}

/// The result of building a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Build {
    /// The program was built.
    Program {
        /// The blob with its files.
        blob: Digest,
        /// The file or class to run; empty for a linked program.
        entry: String,
        message: String,
    },
    /// The program was not built.
    Refused {
        /// Messages of the compiler, or why it was not run.
        message: String,
    },
}

/// The result of one submission on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    pub verdict: Verdict,
    /// How the program ended.
    pub exit: Exit,
    /// The resources of the run that counts.
    pub usage: Usage,
    pub output: Bytes,
    /// The time of the witness right after it, if its own time was above the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessTime>,
    /// CPU times of all runs, if it was repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Duration>,
    /// Verdicts of these runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub try_verdicts: Vec<Verdict>,
    /// The pairs that decided a time above the limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<AdjustedTime>,
    /// The score from the validator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The first difference to the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The validator's message to the judges.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub judge_message: String,
    /// The validator's message to the team.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team_message: String,
    /// Notes of the sandbox and about the output, such as [`Said::RightOutput`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Said>,
    /// Its standard error; the beginning and the end if it is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The conversation with the validator, shortened; kept only if the trial was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<TranscriptPiece>,
}

/// The time of a witness right after a run above the limit, on the same CPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessTime {
    pub witness: Key,
    /// The witness's name, for messages.
    pub name: String,
    /// The machine: least times of one say nothing about another.
    pub machine: String,
    /// Whether the witness is in the suspect's language.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_alike: bool,
    /// The CPU time of one run, or the mean of several.
    pub time: Duration,
}

/// A run above the limit, adjusted by its witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjustedTime {
    /// CPU time as measured.
    pub measured: Duration,
    /// The CPU time if the witness had taken its least time.
    pub adjusted: Duration,
    /// The time of the witness divided by its least time.
    pub slowdown: Slowdown,
}

/// How much slower than at best the machine was, in thousandths: 1000 is full speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slowdown(pub u32);

impl Slowdown {
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
    /// A trial of which only the end is known.
    pub fn ended(verdict: Verdict, exit: Exit) -> Trial {
        Trial {
            verdict,
            exit,
            usage: Usage::default(),
            output: Bytes(0),
            witness: None,
            tries: vec![],
            try_verdicts: vec![],
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
    pub valid: u32,
    /// Inputs that the validators refuse.
    pub refused: u32,
    /// Failed calls of the generator.
    pub failed_calls: u32,
    /// The calls of the generator that failed or gave an input that the validators refuse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<u32>,
    /// The call of the generator, or of the solution on its input, that did not end in time: it ends the
    /// batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hung: Option<u32>,
    /// The longest CPU time of a generator call that made an input.
    #[serde(default, with = "nanoseconds", skip_serializing_if = "Duration::is_zero")]
    pub longest_call: Duration,
    /// Inputs that occurred earlier in the batch.
    pub repeated: u32,
    pub trials: u32,
    /// Why the first unused input was not used.
    pub complaint: Option<UnusedInput>,
    /// Mistakes in the order in which they were found.
    pub hits: Vec<ProbeHit>,
    /// Whether the deadline cut the batch short: such a result is not a fact.
    pub cut: bool,
    /// The reasons of trials that a disturbed machine left undecided: such a result is not a fact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

impl ProbeResult {
    /// The number of inputs that were tried.
    pub fn looked_at(&self) -> usize {
        [self.valid, self.refused, self.failed_calls, self.repeated].iter().map(|&count| count as usize).sum()
    }
}

/// Why an input was not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnusedInput {
    /// The call of the generator failed.
    NotMade(String),
    /// A validator refuses it, or the solution takes too long.
    Unusable(String),
}

impl UnusedInput {
    pub fn reason(&self) -> &str {
        match self {
            UnusedInput::NotMade(why) | UnusedInput::Unusable(why) => why,
        }
    }
}

/// The first bytes of an answer are reported, up to this size.
pub const ANSWER_REPORTED: usize = 2 << 10;

/// An input that shows a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeHit {
    /// The index of the input.
    pub input: u32,
    /// The index of the subject; `None` for a mistake in the package.
    pub subject: Option<u32>,
    pub failure: ProbeFailure,
    /// A message about the mistake.
    pub message: String,
    /// The input, if a generator wrote it.
    pub contents: Option<CaseFile>,
    /// The beginning of the answer: [`ANSWER_REPORTED`].
    pub answer: String,
    pub trial: Option<Trial>,
}

/// A piece of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptPiece {
    /// A message of the validator.
    Judge {
        /// The time since the pass began.
        at: Duration,
        text: String,
    },
    /// A message of the submission.
    Submission {
        /// The time since the pass began.
        at: Duration,
        text: String,
    },
    /// The pass with this number begins.
    Pass(u32),
    /// A part was left out here.
    Cut,
}

impl TranscriptPiece {
    /// Its lines, where `<` is output of the judge and `>` of the submission, as in the samples of a statement.
    pub fn lines(&self) -> Vec<String> {
        let (arrow, text) = match self {
            TranscriptPiece::Judge { text, .. } => ('<', text),
            TranscriptPiece::Submission { text, .. } => ('>', text),
            TranscriptPiece::Pass(number) => return vec![format!("--- pass {number}")],
            TranscriptPiece::Cut => return vec!["…".into()],
        };
        text.lines().map(|line| format!("{arrow} {line}")).collect()
    }

    /// When it was sent.
    pub fn at(&self) -> Option<Duration> {
        match self {
            TranscriptPiece::Judge { at, .. } | TranscriptPiece::Submission { at, .. } => Some(*at),
            TranscriptPiece::Pass(_) | TranscriptPiece::Cut => None,
        }
    }
}
