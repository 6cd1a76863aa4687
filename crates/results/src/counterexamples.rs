//! Small inputs on which programs of a class fail, and the participants whose programs they are.
//!
//! The inputs show at most a third of each hidden case, so a participant may see everything of their own failure.

use kopek_package::verdict::Verdict;
use kopek_sandbox::Exit;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeSet;

/// The inputs for one package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexamples {
    /// The package's short name.
    pub package: String,
    /// At most a dozen, those that explain the most programs first.
    pub inputs: Vec<Counterexample>,
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
}

/// An input on which programs fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    pub input: TextExcerpt,
    /// The answer of the reference.
    pub expected: TextExcerpt,
    /// The name of the sample that it is; `None`: it is new.
    pub sample: Option<String>,
    /// Programs by how they fail, most participants first.
    pub failures: Vec<AlikeFailure>,
}

/// Programs that fail on an input in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeFailure {
    #[serde(serialize_with = "short_verdict", deserialize_with = "read_short")]
    pub verdict: Verdict,
    /// How the programs ended.
    pub exit: Exit,
    /// Their output; `None`: not known, or it does not matter.
    pub printed: Option<TextExcerpt>,
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

/// Why a program has no input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unexplained {
    /// None was found within the budget.
    NoneFound,
    /// It fails on an input that is not shown, because others explain more programs.
    TooMany,
    /// It could not run in the hunt.
    NotRun,
    /// It only exceeds the time or memory limit, so it was not hunted.
    OnlyLimits,
}

/// What a participant sees.
#[derive(Debug, Clone, Copy)]
pub struct OwnCounterexample<'a> {
    pub example: &'a Counterexample,
    pub failure: &'a AlikeFailure,
    pub program: &'a FailedProgram,
}

impl Counterexamples {
    /// The input for a participant: a sample if there is one, else the smallest.
    pub fn of_participant(&self, name: &str) -> Option<OwnCounterexample<'_>> {
        let own = self.inputs.iter().filter_map(|example| example.of_participant(name));
        own.min_by_key(|own| (own.example.sample.is_none(), own.example.input.bytes))
    }

    /// Adds what an earlier run found. This run hunted for these participants, so their old inputs are dropped.
    pub fn add_others(&mut self, mut earlier: Counterexamples, new: &BTreeSet<String>) {
        earlier.remove(new);
        for example in earlier.inputs {
            match self.inputs.iter_mut().find(|own| own.input == example.input) {
                Some(own) => own.failures.extend(example.failures),
                None => self.inputs.push(example),
            }
        }
        self.unexplained.extend(earlier.unexplained);
        self.same_mistake.extend(earlier.same_mistake);
        self.tried += earlier.tried;
        self.runs += earlier.runs;
        self.interrupted |= earlier.interrupted;
        let failed = self.inputs.iter().flat_map(|example| &example.failures);
        let explained: BTreeSet<&[String]> = failed
            .flat_map(|failure| &failure.programs)
            .map(|program| program.participants.as_slice())
            .collect();
        self.explained = explained.len();
        let hunted = self.unexplained.iter().filter(|program| program.why != Unexplained::OnlyLimits);
        self.failing = self.explained + hunted.count();
    }

    fn remove(&mut self, names: &BTreeSet<String>) {
        let is_left = |participants: &mut Vec<String>, least: usize| {
            participants.retain(|name| !names.contains(name));
            participants.len() >= least
        };
        for failure in self.inputs.iter_mut().flat_map(|example| &mut example.failures) {
            failure.programs.retain_mut(|program| is_left(&mut program.participants, 1));
        }
        for example in &mut self.inputs {
            example.failures.retain(|failure| !failure.programs.is_empty());
        }
        self.inputs.retain(|example| !example.failures.is_empty());
        self.unexplained.retain_mut(|program| is_left(&mut program.participants, 1));
        self.same_mistake.retain_mut(|participants| is_left(participants, 2));
    }

    /// All texts that a program of a participant wrote.
    pub fn texts_of_programs(&mut self) -> Vec<&mut String> {
        let mut texts = Vec::new();
        for failure in self.inputs.iter_mut().flat_map(|example| &mut example.failures) {
            texts.extend(failure.printed.as_mut().map(|printed| &mut printed.text));
            texts.extend(failure.programs.iter_mut().map(|program| &mut program.stderr));
        }
        texts
    }
}

impl Counterexample {
    fn of_participant(&self, name: &str) -> Option<OwnCounterexample<'_>> {
        for failure in &self.failures {
            for program in &failure.programs {
                if program.participants.iter().any(|participant| participant == name) {
                    return Some(OwnCounterexample { example: self, failure, program });
                }
            }
        }
        None
    }
}

fn short_verdict<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.short())
}

fn read_short<'de, D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
    let text = String::deserialize(from)?;
    Verdict::of_case(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a verdict of a case")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> TextExcerpt {
        TextExcerpt { text: text.into(), cut: false, bytes: Some(text.len()) }
    }

    fn names(names: &str) -> Vec<String> {
        names.split(' ').map(str::to_owned).collect()
    }

    /// An input on which these programs fail, each of several participants.
    fn example(input: &str, programs: &[&str]) -> Counterexample {
        let program = |people: &&str| FailedProgram { participants: names(people), stderr: String::new() };
        let failure = AlikeFailure {
            verdict: Verdict::WrongAnswer,
            exit: Exit::Code(0),
            printed: None,
            programs: programs.iter().map(program).collect(),
            boundary: None,
        };
        Counterexample { input: text(input), expected: text("1"), sample: None, failures: vec![failure] }
    }

    #[test]
    fn a_hunt_for_one_keeps_what_was_found_for_the_others() {
        let unexplained = |people, why| UnexplainedProgram { participants: names(people), why };
        let earlier = Counterexamples {
            inputs: vec![example("1", &["ada bob", "cy"]), example("2", &["ada"]), example("3", &["eve cy"])],
            unexplained: vec![
                unexplained("ada", Unexplained::NoneFound),
                unexplained("dora", Unexplained::NoneFound),
                unexplained("fay", Unexplained::OnlyLimits),
            ],
            same_mistake: vec![names("ada bob"), names("ada cy eve")],
            failing: 5,
            explained: 4,
            tried: 10,
            ..Counterexamples::default()
        };
        // As the file of a report has it.
        let saved: Counterexamples = serde_json::from_str(&serde_json::to_string(&earlier).unwrap()).unwrap();
        assert_eq!(saved, earlier);
        let mut now = Counterexamples {
            inputs: vec![example("3", &["ada"])],
            failing: 1,
            explained: 1,
            tried: 5,
            ..Counterexamples::default()
        };
        now.add_others(saved, &BTreeSet::from(["ada".to_owned()]));
        let inputs: Vec<_> =
            now.inputs.iter().map(|one| (one.input.text.as_str(), one.failures.len())).collect();
        assert_eq!(inputs, [("3", 2), ("1", 1)]);
        let input = |name| now.of_participant(name).map(|own| own.example.input.text.as_str());
        assert_eq!([input("ada"), input("bob"), input("eve")], [Some("3"), Some("1"), Some("3")]);
        assert_eq!(now.same_mistake, [names("cy eve")]);
        // Four programs: ada's, bob's, cy's, and one of eve and cy. Dora has no input; fay was not hunted.
        assert_eq!((now.explained, now.failing, now.tried), (4, 5, 15));
    }
}
