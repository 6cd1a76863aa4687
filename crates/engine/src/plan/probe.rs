//! Programs on inputs that no case has: a batch of inputs, and who fails on which.
//!
//! One job looks at many inputs, because a hunt looks at thousands: what is stored is one outcome
//! for all of them, and inputs are kept only where somebody failed.

use super::{
    key::{JobKind, Key, MEANINGS, bytes_of},
    program::Program,
    trial::{CaseFiles, Setting},
};
use crate::verdict::Verdict;
use kopek_base::{Digest, DigestFields};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Instant};

/// A batch of inputs, and the programs that are tried on them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbeTask {
    /// The inputs.
    pub inputs: ProbeInputs,
    /// Who is tried.
    pub subjects: Vec<Arc<Program>>,
    /// What is the same for all inputs.
    pub ground: Arc<ProbeGround>,
    /// When the rest of the batch is left out.
    pub until: ProbeUntil,
    /// When time is up; not part of the key, because a batch that was cut is no fact.
    #[serde(skip)]
    pub deadline: Option<Instant>,
}

/// Where the inputs of a batch come from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeInputs {
    /// A generator writes them, one per call.
    Generated {
        /// The generator.
        program: Arc<Program>,
        /// Its arguments, seeds filled in.
        calls: Vec<Vec<String>>,
    },
    /// These.
    Given(Vec<Vec<u8>>),
}

/// What is the same for all inputs of a hunt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbeGround {
    /// Every one must accept an input, or it is not used.
    pub input_validators: Vec<InputRuling>,
    /// Who writes the answer; `None`: it is empty.
    pub solution: Option<Arc<Program>>,
    /// Name and arguments of the case that every input is tried as; its digests are not used.
    pub case: CaseFiles,
    /// How trials run and are checked.
    pub setting: Arc<Setting>,
}

/// An input validator with its arguments.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InputRuling {
    /// Who is asked.
    pub validator: Arc<Program>,
    /// Its arguments.
    pub args: Vec<String>,
}

/// When the rest of a batch is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeUntil {
    /// Once an input shows a mistake.
    FirstHit,
    /// Once every subject has failed; each is tried until it fails.
    EachFailed,
    /// Once somebody has failed in this way.
    Failure(ProbeFailure),
    /// Never.
    End,
}

/// In which way an input shows a mistake. Failures of one kind are equal.
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
    pub(crate) fn key(&self) -> Key {
        // A batch is made of jobs of other kinds: it means something else as soon as one of them does.
        let meanings = MEANINGS.map(|(_, _, meaning)| meaning);
        let fields = JobKind::Probe.fields().with("meanings", &bytes_of(&meanings));
        let fields = fields.with("ground", self.ground.digest().as_bytes());
        let fields = fields.with("until", &bytes_of(&self.until));
        let fields = match &self.inputs {
            ProbeInputs::Generated { program, calls } => {
                let fields = fields.with("generator", program.identity().as_bytes());
                fields.with("calls", &bytes_of(calls))
            }
            ProbeInputs::Given(inputs) => inputs.iter().fold(fields, |all, input| all.with("input", input)),
        };
        let subjects = self.subjects.iter();
        subjects.fold(fields, |all, one| all.with("subject", one.build.key().as_bytes())).digest()
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

    /// The case that an input with this answer is tried as.
    pub(crate) fn case_of(&self, input: &[u8], answer: &[u8]) -> CaseFiles {
        CaseFiles { input: Digest::of(input), answer: Digest::of(answer), ..self.case.clone() }
    }
}
