//! Jobs that make a test case: generator, copies, contents, links, validators, answer.

use super::{
    key::{JobKind, Key, bytes_of},
    program::Program,
};
use kopek_base::{Bytes, Digest, DigestFields};
use kopek_package::package::{CaseArguments, NamedFiles};
use kopek_sandbox::Limits;
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// The rule of a test case. Files are named by extension (`in`, `ans.download`), those in `.files` as
/// `files/…`.
#[derive(Debug, Clone)]
pub struct MakeTask {
    /// Below `data/`, without extension, for messages.
    pub name: String,
    /// The kind of data: the first part of its path.
    pub root: String,
    /// First: the files from a generator.
    pub generator: Option<GeneratorCall>,
    /// Second: copies of files.
    pub copies: BTreeMap<String, Digest>,
    /// Third: literal contents.
    pub literals: BTreeMap<String, String>,
    /// Fourth: extensions that are links to other extensions.
    pub links: BTreeMap<String, String>,
    /// The source of the answer if no step above makes it.
    pub answer: AnswerSource,
    /// The places of the case in the package, its own first; each may have its own arguments.
    pub places: Vec<MakePlace>,
    /// Every validator must accept the input.
    pub input_validators: Vec<Arc<Program>>,
    /// Every validator must accept the answer.
    pub output_validators: Vec<Arc<Program>>,
    /// File names instead of standard streams, for the solution.
    pub named_files: Option<NamedFiles>,
}

/// A generator with its arguments and checks.
#[derive(Debug, Clone)]
pub struct GeneratorCall {
    pub program: Arc<Program>,
    /// The command as written in the recipe.
    pub command: String,
    /// The command with its first seed, for messages.
    pub shown: String,
    pub args: Vec<String>,
    /// The place of the seed in the arguments, if it has one.
    pub seed: Option<SeedPlace>,
    /// The largest number of attempts, each with the next seed.
    pub tries: u32,
    /// How thoroughly the generator is checked.
    pub scrutiny: Scrutiny,
}

/// A seed's place in the arguments of a generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeedPlace {
    /// The index of the argument.
    pub arg: usize,
    /// The text before the seed.
    pub prefix: String,
    /// The text after the seed.
    pub suffix: String,
    /// The seed of the first attempt.
    pub first: u32,
}

/// How thoroughly a generator is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scrutiny {
    /// Not at all.
    Trust,
    /// It is run again, with the same seed and with others.
    Doubt,
}

impl GeneratorCall {
    /// The arguments of an attempt: the first is attempt 0, and each further one has the next seed.
    pub fn args_of_try(&self, further: u32) -> Vec<String> {
        let mut args = self.args.clone();
        if let Some(SeedPlace { arg, prefix, suffix, first }) = &self.seed {
            // Below 2³¹, so that a generator that reads a signed 32-bit number can take any seed.
            let seed = first.wrapping_add(further) % (1 << 31);
            args[*arg] = format!("{prefix}{seed}{suffix}");
        }
        args
    }
}

/// The source of the answer.
#[derive(Debug, Clone)]
pub enum AnswerSource {
    /// There is none, and needs none.
    None,
    /// The answer is empty: the validator talks with the submission.
    Empty,
    /// A solution writes it, with the arguments of the first place.
    Solution(Arc<Program>),
    /// There is none: an error if the case has no answer of its own.
    Missing(String),
}

/// A case's place in the package.
#[derive(Debug, Clone)]
pub struct MakePlace {
    /// Below `data/`, without extension, for messages.
    pub path: String,
    /// The reply that input validators must give there.
    pub input: InputRule,
    /// Arguments of its directories; its own `.yaml` may override them.
    pub inherited: CaseArguments,
}

/// The reply that input validators must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InputRule {
    /// All must accept it.
    Accepted,
    /// One must refuse it.
    Refused,
    /// They are not run.
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
    /// The digest of everything that can change the case; the checks of its generator cannot.
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
            // The text is only for messages: another wording makes the same case.
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
