//! The inputs that count: which programs fail on them and how, which of them to show, and who fails alike. Pure.

use super::{
    cover::cover,
    input_text::{input_size, unrepeated_text},
};
use kopek_package::{package::Participant, verdict::Verdict};
use kopek_plan::plan::{ANSWER_REPORTED, TranscriptPiece, Trial};
use kopek_results::{AlikeFailure, Boundary, Counterexample, FailedProgram, TextExcerpt, is_much_smaller};
use kopek_sandbox::Exit;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// A distinct program of a class.
#[derive(Debug, Clone)]
pub struct ClassProgram {
    /// All who handed it in.
    pub participants: Vec<String>,
    /// One of them, with the program.
    pub member: Participant,
    /// The cases with a wrong answer or a run-time error; none if it has all points.
    pub failed: Vec<(String, Verdict)>,
}

/// Inputs for a class.
const MAX_INPUTS: usize = 12;
/// Inputs that are tried as they were found must not be longer; longer ones are hard to read.
pub(super) const MAX_UNSHRUNK_BYTES: usize = 512;
/// Bytes of a text that is shown as a whole. Of longer ones the first lines are enough.
const SHOWN: usize = 1 << 10;
/// The first lines: their number, and their bytes together.
const FIRST_LINES: usize = 10;
const FIRST_BYTES: usize = 240;
/// Lines of a conversation that are shown.
const LAST_LINES: usize = 24;

/// An input on which a program of the class fails.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FoundInput {
    pub bytes: Vec<u8>,
    pub ground: usize,
    pub source: InputSource,
}

/// The source of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum InputSource {
    /// It is the sample of this name.
    Sample(String),
    /// It was drawn or made by a generator, or it is a sample that was changed.
    New,
}

impl FoundInput {
    /// The name of the sample that it is.
    pub fn sample(&self) -> Option<&str> {
        match &self.source {
            InputSource::Sample(name) => Some(name),
            InputSource::New => None,
        }
    }

    pub fn is_sample(&self) -> bool {
        self.sample().is_some()
    }
}

/// An input that counts.
pub(super) struct ConfirmedInput {
    pub found: FoundInput,
    /// `None`: a conversation has none.
    pub answer: Option<TextExcerpt>,
    /// By index of the program.
    pub failures: BTreeMap<usize, ProgramFailure>,
}

/// How a program fails on an input.
pub(super) struct ProgramFailure {
    pub trial: Trial,
    pub printed: Option<TextExcerpt>,
    /// The end of its conversation.
    pub conversation: Option<TextExcerpt>,
    /// The lines of the judge, then those of the program: their order in time depends on the machine.
    spoken: Vec<String>,
}

/// The part of a failure that must be equal for programs that fail alike.
type FailureKind<'a> = (Verdict, Exit, Option<&'a TextExcerpt>, &'a [String]);

impl ProgramFailure {
    fn kind(&self) -> FailureKind<'_> {
        (self.trial.verdict, self.trial.exit, self.printed.as_ref(), &self.spoken)
    }

    /// The last line of standard error of a program that crashed: its runtime names the mistake there.
    fn last_words(&self) -> Option<&str> {
        let crashed = self.trial.verdict == Verdict::RunTimeError;
        self.trial.stderr.lines().rfind(|line| crashed && !line.trim().is_empty())
    }
}

impl From<Trial> for ProgramFailure {
    fn from(trial: Trial) -> ProgramFailure {
        let mut spoken: Vec<String> = trial.transcript.iter().flat_map(TranscriptPiece::lines).collect();
        let conversation = last_lines(&spoken);
        spoken.sort_by_key(|line| line.starts_with('>'));
        ProgramFailure { trial, printed: None, conversation, spoken }
    }
}

/// All inputs that count, in the order in which they were found.
#[derive(Default)]
pub(super) struct ConfirmedInputs {
    pub inputs: Vec<ConfirmedInput>,
}

impl ConfirmedInputs {
    /// Whether a program fails on one of them.
    pub fn explain(&self, program: usize) -> bool {
        self.inputs.iter().any(|one| one.failures.contains_key(&program))
    }

    /// Whether a program fails on an input that people can read: it is short, or its values repeat.
    pub fn explain_simply(&self, program: usize) -> bool {
        self.inputs.iter().any(|one| one.failures.contains_key(&program) && one.is_simple())
    }

    /// The smallest sample on which a program fails, unless it fails on another input that is much smaller.
    pub fn sample_of(&self, program: usize) -> Option<&ConfirmedInput> {
        let samples = self.inputs.iter().filter(|one| one.found.is_sample());
        let failed = samples.filter(|one| one.failures.contains_key(&program));
        failed.min_by_key(|one| one.found.bytes.len()).filter(|one| !self.has_much_smaller(one, program))
    }

    /// Whether a program fails on an input that is much smaller than this one.
    fn has_much_smaller(&self, sample: &ConfirmedInput, program: usize) -> bool {
        let mut failed = self.inputs.iter().filter(|one| one.failures.contains_key(&program));
        failed.any(|one| is_much_smaller(one.found.bytes.len(), sample.found.bytes.len()))
    }

    /// The fewest inputs that explain the most programs: samples for those that fail one and no much smaller input, if
    /// this explains as many; then new inputs, simple ones first, then those of earlier hunts, which begin at an index.
    pub fn chosen(&self, earlier: usize) -> Vec<usize> {
        let is_best = |one: &ConfirmedInput, program: usize| {
            !one.found.is_sample() || !self.has_much_smaller(one, program)
        };
        let small = self.chosen_where(earlier, &is_best);
        let fewest = self.chosen_where(earlier, &|_, _| true);
        let explain_all = self.explained_by(&small).len() >= self.explained_by(&fewest).len();
        if explain_all { small } else { fewest }
    }

    /// The same, of the failures that are meant.
    fn chosen_where(&self, earlier: usize, is_meant: &dyn Fn(&ConfirmedInput, usize) -> bool) -> Vec<usize> {
        let stage = |at: usize, one: &ConfirmedInput| match () {
            () if one.found.is_sample() => 0,
            () if at >= earlier => 3,
            () if one.is_simple() => 1,
            () => 2,
        };
        let failing = |one: &ConfirmedInput| {
            one.failures.keys().copied().filter(|&program| is_meant(one, program)).collect()
        };
        let failing: Vec<BTreeSet<usize>> = self.inputs.iter().map(failing).collect();
        let rank = |at: usize, more| {
            let one = &self.inputs[at];
            (stage(at, one), Reverse(more), input_size(&one.found.bytes))
        };
        cover(&failing, rank, MAX_INPUTS)
    }

    pub fn explained_by(&self, chosen: &[usize]) -> BTreeSet<usize> {
        chosen.iter().flat_map(|&at| self.inputs[at].failures.keys().copied()).collect()
    }

    /// The participants of different programs that fail on the same inputs in the same way.
    pub fn same_mistakes(&self, programs: &[&ClassProgram]) -> Vec<Vec<String>> {
        let explained = (0..programs.len()).filter(|&program| self.explain(program));
        let kinds = |program: &usize| -> Vec<Option<(FailureKind, Option<&str>)>> {
            let failures = self.inputs.iter().map(|one| one.failures.get(program));
            failures.map(|failure| Some((failure?.kind(), failure?.last_words()))).collect()
        };
        let mut mistakes = Vec::new();
        for alike in groups_of_equal(explained, kinds).into_iter().filter(|alike| alike.len() > 1) {
            mistakes.push(alike.iter().flat_map(|&at| programs[at].participants.clone()).collect());
        }
        mistakes
    }
}

impl ConfirmedInput {
    fn is_simple(&self) -> bool {
        self.found.is_sample() || unrepeated_text(&self.found.bytes).len() <= MAX_UNSHRUNK_BYTES
    }

    /// As people see it.
    pub fn shown(
        &self,
        programs: &[&ClassProgram],
        boundaries: &BTreeMap<usize, Boundary>,
    ) -> Counterexample {
        Counterexample {
            input: text_excerpt(&self.found.bytes),
            expected: self.answer.as_ref().map(shortened),
            sample: self.found.sample().map(str::to_owned),
            failures: self.alike_failures(programs, boundaries),
        }
    }

    /// Programs by how they fail on it, most participants first.
    fn alike_failures(
        &self,
        programs: &[&ClassProgram],
        boundaries: &BTreeMap<usize, Boundary>,
    ) -> Vec<AlikeFailure> {
        let program = |at: &usize| FailedProgram {
            participants: programs[*at].participants.clone(),
            stderr: text_excerpt(self.failures[at].trial.stderr.as_bytes()).text,
        };
        let kind = |at: &usize| (self.failures[at].kind(), boundaries.get(at));
        let mut failures = Vec::new();
        for alike in groups_of_equal(self.failures.keys().copied(), kind) {
            let ((verdict, exit, printed, _), boundary) = kind(&alike[0]);
            failures.push(AlikeFailure {
                verdict,
                exit,
                printed: printed.map(shortened),
                conversation: self.failures[&alike[0]].conversation.clone(),
                programs: alike.iter().map(program).collect(),
                boundary: boundary.copied(),
            });
        }
        let participants = |failure: &AlikeFailure| {
            failure.programs.iter().map(|program| program.participants.len()).sum::<usize>()
        };
        failures.sort_by_key(|failure| Reverse(participants(failure)));
        failures
    }
}

/// Programs with equal values, in the order of their first ones.
fn groups_of_equal<K: PartialEq>(
    programs: impl Iterator<Item = usize>,
    value: impl Fn(&usize) -> K,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for program in programs {
        match groups.iter_mut().find(|group| value(&group[0]) == value(&program)) {
            Some(group) => group.push(program),
            None => groups.push(vec![program]),
        }
    }
    groups
}

/// An answer as a probe reports it, which may be cut.
pub(super) fn answer_excerpt(text: String) -> TextExcerpt {
    let cut = text.len() >= ANSWER_REPORTED;
    let bytes = if cut { None } else { Some(text.len()) };
    TextExcerpt { text, cut, bytes }
}

fn text_excerpt(bytes: &[u8]) -> TextExcerpt {
    let text = String::from_utf8_lossy(bytes).into_owned();
    shortened(&TextExcerpt { text, cut: false, bytes: Some(bytes.len()) })
}

/// The end of a conversation, where it went wrong, without times: those of two runs differ.
fn last_lines(lines: &[String]) -> Option<TextExcerpt> {
    let from = lines.len().saturating_sub(LAST_LINES);
    let cut = if from > 0 { "…\n" } else { "" };
    let text = format!("{cut}{}\n", lines[from..].join("\n"));
    let bytes = Some(text.len());
    (!lines.is_empty()).then_some(TextExcerpt { text, cut: false, bytes })
}

/// A long text becomes its first lines.
fn shortened(whole: &TextExcerpt) -> TextExcerpt {
    if whole.text.len() <= SHOWN {
        return whole.clone();
    }
    let lines = whole.text.split_inclusive('\n').take(FIRST_LINES);
    let mut text = lines.collect::<String>();
    text.truncate(text.floor_char_boundary(FIRST_BYTES));
    TextExcerpt { text, cut: true, bytes: whole.bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confirmed(bytes: &str, source: InputSource, programs: std::ops::Range<usize>) -> ConfirmedInput {
        let trial = Trial::ended(Verdict::WrongAnswer, Exit::Code(0));
        let failure = |program| (program, ProgramFailure::from(trial.clone()));
        ConfirmedInput {
            found: FoundInput { bytes: bytes.into(), ground: 0, source },
            answer: Some(text_excerpt(b"1")),
            failures: programs.map(failure).collect(),
        }
    }

    #[test]
    fn equal_values_explain_a_class_rather_than_one_input_of_many_values() {
        let many: Vec<String> = (0..2000).map(|value| value.to_string()).collect();
        let zeros = "0 ".repeat(2000);
        let class = |programs: usize| {
            let values = confirmed(&many.join(" "), InputSource::New, 0..programs);
            ConfirmedInputs { inputs: vec![values, confirmed(&zeros, InputSource::New, 0..1)] }
        };
        let all = class(8);
        assert_eq!(all.chosen(2), [1, 0], "the other seven have no other input");
        assert_eq!([0, 1].map(|program| all.explain_simply(program)), [true, false]);
        assert_eq!(class(1).chosen(2), [1]);
    }

    #[test]
    fn a_sample_is_chosen_for_programs_without_a_much_smaller_input_or_if_these_are_too_many() {
        let sample = InputSource::Sample("sample/1".into());
        let class = |programs: usize| {
            let small = |at: usize| confirmed(&format!("{at}\n"), InputSource::New, at..at + 1);
            let whole = confirmed("4\n1 2 3 4\n", sample.clone(), 0..programs + 1);
            let inputs: Vec<ConfirmedInput> =
                std::iter::once(whole).chain((0..programs).map(small)).collect();
            ConfirmedInputs { inputs }.chosen(programs + 1)
        };
        assert_eq!(class(2), [0, 1, 2]);
        assert_eq!(class(MAX_INPUTS + 1)[0], 0);
        assert_eq!(class(MAX_INPUTS + 1).len(), MAX_INPUTS);
    }
}
