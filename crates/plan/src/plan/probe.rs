//! Jobs that try programs on a batch of new inputs, and report which ones fail.
//!
//! One job tries many inputs, because a hunt tries thousands. All of them share one stored outcome, and only
//! inputs that show a mistake are kept.

use super::{
    key::{JobKind, Key, MEANINGS, bytes_of},
    program::Program,
    trial::{CaseFiles, Setting},
};
use kopek_base::{Digest, DigestFields};
use kopek_package::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Instant};

/// A batch of inputs, with the programs to try.
#[derive(Debug, Clone)]
pub struct ProbeTask {
    pub inputs: ProbeInputs,
    pub subjects: Vec<Arc<Program>>,
    /// The part that all inputs share.
    pub ground: Arc<ProbeGround>,
    /// When to stop before the end of the batch.
    pub until: ProbeUntil,
    /// The deadline. It is not part of the key, because a batch that was cut short is not a fact.
    pub deadline: Option<Instant>,
}

/// The source of a batch's inputs.
#[derive(Debug, Clone)]
pub enum ProbeInputs {
    /// A generator, which writes one input per call.
    Generated {
        program: Arc<Program>,
        /// Its arguments, seeds filled in.
        calls: Vec<Vec<String>>,
    },
    Given(Vec<Vec<u8>>),
}

/// The part that all inputs of a hunt share.
#[derive(Debug, Clone)]
pub struct ProbeGround {
    /// All of these must accept an input before it is used.
    pub input_validators: Vec<InputRuling>,
    /// The solution that writes the answer; `None` for an empty answer.
    pub solution: Option<Arc<Program>>,
    /// Name and arguments of the case with which every input is tried; its digests are not used.
    pub case: CaseFiles,
    /// How trials run and are checked.
    pub setting: Arc<Setting>,
}

/// An input validator with its arguments.
#[derive(Debug, Clone)]
pub struct InputRuling {
    pub validator: Arc<Program>,
    pub args: Vec<String>,
}

/// When to stop before the end of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeUntil {
    /// When an input shows a mistake.
    FirstHit,
    /// When every subject has failed; each is tried until it fails.
    EachFailed,
    /// When a program has failed in this way.
    Failure(ProbeFailure),
    End,
}

/// How an input shows a mistake. Failures of one kind are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeFailure {
    /// The subject was not accepted.
    Verdict(Verdict),
    /// The output validator failed instead of judging the subject.
    ValidatorFailed,
    /// The solution that writes answers failed.
    SolutionFailed,
    /// The output validator refused the answer.
    AnswerRefused,
    /// The output validator failed instead of judging the answer.
    ValidatorFailedOnAnswer,
}

impl ProbeTask {
    /// The key of the batch.
    pub fn key(&self) -> Key {
        // A batch consists of jobs of other kinds: its meaning changes with any of theirs.
        let meanings = MEANINGS.map(|(_, _, meaning)| meaning);
        let fields = JobKind::Probe.fields().with("meanings", &bytes_of(&meanings));
        let fields = fields.with("ground", self.ground.digest().as_bytes());
        let fields = fields.with("until", &bytes_of(&self.until));
        let mut fields = match &self.inputs {
            ProbeInputs::Generated { program, calls } => {
                let fields = fields.with("generator", program.identity().as_bytes());
                fields.with("calls", &bytes_of(calls))
            }
            ProbeInputs::Given(inputs) => inputs.iter().fold(fields, |all, input| all.with("input", input)),
        };
        for subject in &self.subjects {
            fields = fields.with("subject", subject.build.key().as_bytes());
        }
        fields.digest()
    }
}

impl ProbeGround {
    fn digest(&self) -> Digest {
        let mut fields = DigestFields::new("probe ground");
        for InputRuling { validator, args } in &self.input_validators {
            fields = fields.with("validator", validator.identity().as_bytes());
            fields = fields.with("its args", &bytes_of(args));
        }
        let solution = self.solution.as_ref().map(|program| program.identity());
        fields
            .with("solution", &bytes_of(&solution))
            .with("case", self.case.digest().as_bytes())
            .with("setting", self.setting.digest().as_bytes())
            .digest()
    }

    /// The case for an input with this answer.
    pub fn case_of(&self, input: &[u8], answer: &[u8]) -> CaseFiles {
        CaseFiles { input: Digest::of(input), answer: Digest::of(answer), ..self.case.clone() }
    }
}
