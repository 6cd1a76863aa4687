//! Small inputs on which programs of a class fail, and the participants whose programs they are.
//!
//! No input is made from a hidden case, so a participant may see everything of their own failure.

use kopek_package::verdict::{Verdict, short_verdict};
use kopek_sandbox::Exit;
use serde::{Deserialize, Serialize};

/// The inputs for one package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexamples {
    /// The package's short name.
    pub package: String,
    /// At most a dozen, those that explain the most programs first.
    pub inputs: Vec<Counterexample>,
    /// For the teacher only: inputs on which programs with all points print something else than others.
    pub missed: Vec<Counterexample>,
    /// For the teacher only: programs with all points that use a variable before it has a value.
    pub unset: Vec<UnsetVariable>,
    /// Failing programs without an input.
    pub unexplained: Vec<UnexplainedProgram>,
    /// Participants of different programs that fail on the same inputs in the same way.
    pub same_mistake: Vec<Vec<String>>,
    /// Accepted submissions that could not run, so that the expected outputs are not compared with theirs.
    pub accepted_not_run: Vec<String>,
    /// How many distinct programs have a wrong answer or a run-time error.
    pub failing: usize,
    /// How many of them fail on a shown input.
    pub explained: usize,
    /// The budget for each program.
    pub seconds: u64,
    pub seed: u64,
    /// Valid inputs that were tried.
    pub tried: u64,
    /// Runs of programs of the class.
    pub runs: u64,
    /// Whether the hunt was interrupted.
    pub interrupted: bool,
    pub valid_by: ValidBy,
}

/// What decides which inputs are valid.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidBy {
    #[default]
    Validator,
    /// There is no input validator: valid inputs have the form of the cases.
    Form { cases: usize, description: String },
}

/// An input on which programs fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    pub input: TextExcerpt,
    /// The answer of the reference; `None`: a conversation has none.
    pub expected: Option<TextExcerpt>,
    /// The name of the sample that it is; `None`: it is new.
    pub sample: Option<String>,
    /// Programs by how they fail, most participants first.
    pub failures: Vec<AlikeFailure>,
}

/// Programs that fail on an input in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeFailure {
    #[serde(with = "short_verdict")]
    pub verdict: Verdict,
    /// How the programs ended.
    pub exit: Exit,
    /// Their output; `None`: not known, or it does not matter.
    pub printed: Option<TextExcerpt>,
    /// The end of their conversation with the judge, without times; `None`: not known, or there is none.
    #[serde(default)]
    pub conversation: Option<TextExcerpt>,
    /// Distinct programs, in order of their participants.
    pub programs: Vec<FailedProgram>,
    /// Where the failure of all of these programs begins, if it needs a large input.
    pub boundary: Option<Boundary>,
}

/// A distinct program that fails on an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedProgram {
    pub participants: Vec<String>,
    /// The beginning of its standard error.
    pub stderr: String,
}

/// A text, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextExcerpt {
    pub text: String,
    /// Whether the text continues.
    pub cut: bool,
    /// Size of the whole text; `None`: not known.
    pub bytes: Option<usize>,
}

/// The number of items with which programs fail, while they pass with one less. It is the first number of the input,
/// or of its only test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boundary {
    pub fails: u64,
    pub passes: u64,
}

/// A failing program without an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnexplainedProgram {
    pub participants: Vec<String>,
    pub why: Unexplained,
}

/// A program with all points that is right only where memory happens to be zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsetVariable {
    pub participants: Vec<String>,
    /// The case on which it fails with other values.
    pub case: String,
    /// What it does: `uses a variable before it has a value: …`
    pub what: String,
}

/// Why a program has no input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unexplained {
    /// None was found within the budget.
    NoneFound,
    /// Right programs print different answers on the inputs that were found.
    Disputed,
    /// It fails on an input that is not shown, because others explain more programs.
    TooMany,
    /// It could not run in the hunt.
    NotRun,
    /// It only exceeds the time or memory limit.
    Slow {
        /// How it grows.
        growth: Option<String>,
        /// An input on which it is too slow.
        example: Option<String>,
    },
    /// It only exceeds the time or memory limit.
    OnlyLimits {
        growth: NoGrowth,
        /// Whether an input on which it is too slow was searched.
        searched: bool,
    },
}

/// Why the growth of a program is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoGrowth {
    /// Its runs show none.
    NotShown,
    /// Equal runs took unlike times.
    Busy,
    NotMeasured,
}

/// What a participant sees.
#[derive(Debug, Clone, Copy)]
pub struct OwnCounterexample<'a> {
    pub example: &'a Counterexample,
    pub failure: &'a AlikeFailure,
    pub program: &'a FailedProgram,
    pub valid_by: &'a ValidBy,
}

/// Whether an input is shown instead of a sample of a size: most people find a mistake sooner with half as much to read.
pub fn is_much_smaller(input: usize, sample: usize) -> bool {
    2 * input <= sample
}

impl Counterexamples {
    /// What participants may read: not what the tests miss.
    pub(super) fn public(&self) -> Counterexamples {
        Counterexamples { missed: Vec::new(), unset: Vec::new(), ..self.clone() }
    }

    /// The input for a participant: the smallest, or a sample that is not much larger.
    pub fn of_participant(&self, name: &str) -> Option<OwnCounterexample<'_>> {
        let own = || self.inputs.iter().filter_map(|example| example.of_participant(name, &self.valid_by));
        let size = |own: &OwnCounterexample| own.example.input.bytes.unwrap_or(usize::MAX);
        let smallest = own().map(|own| size(&own)).min()?;
        let readable = own().filter(|own| !is_much_smaller(smallest, size(own)));
        readable.min_by_key(|own| (own.example.sample.is_none(), size(own)))
    }
}

impl Counterexample {
    fn of_participant<'a>(&'a self, name: &str, valid_by: &'a ValidBy) -> Option<OwnCounterexample<'a>> {
        for failure in &self.failures {
            for program in &failure.programs {
                if program.participants.iter().any(|participant| participant == name) {
                    return Some(OwnCounterexample { example: self, failure, program, valid_by });
                }
            }
        }
        None
    }
}
