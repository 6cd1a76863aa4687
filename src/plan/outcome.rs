//! Facts about jobs.

use crate::{
    base::{Bytes, Digest},
    check::{Difference, Score},
    sandbox::{Exit, Usage},
    verdict::Verdict,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A fact about a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Of a build.
    Build(Build),
    /// Of a trial.
    Trial(Trial),
}

/// What came of building a program.
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

/// What came of one submission on one case.
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
    /// CPU times of the tries, if it was tried again near the time limit.
    pub tries: Vec<Duration>,
    /// Whether the tries disagreed about the verdict.
    pub unstable: bool,
    /// What the validator gave.
    pub score: Option<Score>,
    /// Why it was wrong.
    pub difference: Option<Difference>,
    /// The validator's word to the judges.
    pub judge_message: String,
    /// The validator's word to the team.
    pub team_message: String,
    /// The end of standard error, and remarks of the sandbox.
    pub notes: Vec<String>,
    /// The conversation with the validator, shortened; kept where the trial was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<Said>,
}

impl Trial {
    /// One of which only the end is known.
    pub fn ended(verdict: Verdict, exit: Exit) -> Trial {
        Trial {
            verdict,
            exit,
            usage: Usage::default(),
            output: Bytes(0),
            tries: vec![],
            unstable: false,
            score: None,
            difference: None,
            judge_message: String::new(),
            team_message: String::new(),
            notes: vec![],
            transcript: vec![],
        }
    }
}

/// A piece of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
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
