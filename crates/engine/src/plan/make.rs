//! A test case to be made: generator, copies, contents, links, validators, answer.

use super::{
    key::{JobKind, Key, bytes_of},
    program::Program,
};
use crate::package::{CaseArguments, NamedFiles};
use kopek_base::{Bytes, Digest, DigestFields};
use kopek_sandbox::Limits;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// How a test case is made. Files are named by extension (`in`, `ans.download`), those below `.files`
/// as `files/…`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MakeTask {
    /// Below `data/`, without extension: for people.
    pub name: String,
    /// Which kind of data it is: the first part of its path.
    pub root: String,
    /// First: what a generator writes.
    pub generator: Option<GeneratorCall>,
    /// Second: copies of files.
    pub copies: BTreeMap<String, Digest>,
    /// Third: contents.
    pub literals: BTreeMap<String, String>,
    /// Fourth: extension to the extension that it is the same as.
    pub links: BTreeMap<String, String>,
    /// Who writes the answer if nothing else does.
    pub answer: AnswerSource,
    /// The places where it will stand, its own first: each may have arguments of its own.
    pub places: Vec<MakePlace>,
    /// Every one must accept the input.
    pub input_validators: Vec<Arc<Program>>,
    /// Every one must accept the answer.
    pub output_validators: Vec<Arc<Program>>,
    /// File names instead of standard streams, for the solution.
    pub named_files: Option<NamedFiles>,
}

/// A generator, its arguments, and how closely it is looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GeneratorCall {
    /// The generator.
    pub program: Arc<Program>,
    /// The command as people wrote it.
    pub command: String,
    /// The command with its first seed, for messages.
    pub shown: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where the seed stands in them, if it has one.
    pub seed: Option<SeedPlace>,
    /// How often it is tried where it fails, each time with the next seed.
    pub tries: u32,
    /// How closely it is looked at.
    pub scrutiny: Scrutiny,
}

/// Where a seed stands in the arguments of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedPlace {
    /// Which argument.
    pub arg: usize,
    /// What stands before it there.
    pub prefix: String,
    /// What stands behind it there.
    pub suffix: String,
    /// The seed of the first try.
    pub first: u32,
}

/// How closely a generator is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scrutiny {
    /// It is believed.
    Trust,
    /// It is run again, and with other seeds.
    Doubt,
}

impl GeneratorCall {
    /// The arguments of a try: the first is try 0, each further one has the next seed.
    pub(crate) fn args_of_try(&self, further: u32) -> Vec<String> {
        let mut args = self.args.clone();
        if let Some(SeedPlace { arg, prefix, suffix, first }) = &self.seed {
            // Below 2³¹, so that a generator that reads a signed 32-bit number can take any seed.
            let seed = first.wrapping_add(further) % (1 << 31);
            args[*arg] = format!("{prefix}{seed}{suffix}");
        }
        args
    }
}

/// Who writes the answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// There is none, and needs none.
    None,
    /// It is empty: the validator is talked with.
    Empty,
    /// A solution writes it, with the arguments of the first place.
    Solution(Arc<Program>),
    /// Nobody: if the case has none by itself, this is wrong.
    Missing(String),
}

/// A place where a case will stand.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MakePlace {
    /// Below `data/`, without extension: for people.
    pub path: String,
    /// What input validators must say of it there.
    pub input: InputRule,
    /// What its directories say; its own `.yaml` may say otherwise.
    pub inherited: CaseArguments,
}

/// What input validators must say of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRule {
    /// All must accept it.
    Accepted,
    /// One must refuse it.
    Refused,
    /// They are not asked.
    Unchecked,
}

/// Limits of generators, of solutions that write answers, and of input validators.
pub const MAKE_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory: Bytes::mib(2048),
    output: Bytes::mib(256),
    files: Bytes::mib(256),
    processes: 64,
};

impl MakeTask {
    /// Everything that can change the case: not how closely its generator is looked at.
    pub fn identity(&self) -> Digest {
        let mut fields = DigestFields::new("made case").with("root", self.root.as_bytes());
        let mut add = |name: &str, value: &[u8]| fields = fields.clone().with(name, value);
        if let Some(call) = &self.generator {
            add("generator", call.program.identity().as_bytes());
            add("generator args", &bytes_of(&(&call.args, &call.seed, call.tries)));
        }
        add("files", &bytes_of(&(&self.copies, &self.literals, &self.links)));
        match &self.answer {
            AnswerSource::None => add("no answer", b""),
            AnswerSource::Empty => add("empty answer", b""),
            // The text is for people only; another wording makes no other case.
            AnswerSource::Missing(_) => add("missing answer", b""),
            AnswerSource::Solution(program) => add("solution", program.identity().as_bytes()),
        }
        for place in &self.places {
            add("place", &bytes_of(&(place.input, &place.inherited)));
        }
        for validator in &self.input_validators {
            // Arguments may be meant for one validator by its name.
            add("input validator", validator.name.as_bytes());
            add("its program", validator.identity().as_bytes());
        }
        for validator in &self.output_validators {
            add("output validator", validator.identity().as_bytes());
        }
        add("named files", &bytes_of(&self.named_files));
        fields.digest()
    }

    /// The key of the job.
    pub(crate) fn key(&self) -> Key {
        let scrutiny = self.generator.as_ref().map(|call| call.scrutiny);
        let fields = JobKind::MakeCase.fields().with("case", self.identity().as_bytes());
        fields.with("scrutiny", &bytes_of(&scrutiny)).digest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::program::tests::program;

    #[test]
    fn a_retry_has_the_next_seed() {
        let seed = SeedPlace { arg: 1, prefix: "x".into(), suffix: "y".into(), first: 7 };
        let call = |seed| GeneratorCall {
            program: Arc::new(program()),
            command: String::new(),
            shown: String::new(),
            args: vec!["5".into(), "x{seed}y".into()],
            seed: Some(seed),
            tries: 3,
            scrutiny: Scrutiny::Trust,
        };
        assert_eq!(call(seed.clone()).args_of_try(1), ["5", "x8y"]);
        let last = SeedPlace { first: (1 << 31) - 1, ..seed };
        assert_eq!(call(last).args_of_try(1), ["5", "x0y"]);
    }
}
