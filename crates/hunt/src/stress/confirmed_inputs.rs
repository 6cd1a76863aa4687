//! The inputs that count: which programs fail on them and how, which of them to show, and who fails alike. Pure.

use super::cover::cover;
use crate::form::{input_size, unrepeated_text};
use kopek_package::{package::Participant, verdict::Verdict};
use kopek_plan::plan::{ANSWER_REPORTED, TranscriptPiece, Trial};
use kopek_results::{
    AlikeFailure, Boundary, Counterexample, FailedProgram, Found, FoundFailure, InputOrigin, TextExcerpt,
    is_much_smaller,
};
use kopek_sandbox::Exit;
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

/// The part of a failure that must be equal for programs that fail alike. A conversation has the lines of the judge, then
/// those of the program: their order in time depends on the machine.
#[derive(PartialEq)]
struct FailureKind<'a> {
    verdict: Verdict,
    exit: Exit,
    printed: Option<&'a TextExcerpt>,
    spoken: Vec<String>,
}

/// The failures of programs have runs: only those of the package have none.
fn trial_of(failure: &FoundFailure) -> &Trial {
    failure.trial.as_ref().expect("a program fails by its run")
}

impl<'a> FailureKind<'a> {
    fn of(failure: &'a FoundFailure) -> FailureKind<'a> {
        let trial = trial_of(failure);
        let mut spoken: Vec<String> = trial.transcript.iter().flat_map(TranscriptPiece::lines).collect();
        spoken.sort_by_key(|line| line.starts_with('>'));
        FailureKind { verdict: trial.verdict, exit: trial.exit, printed: failure.printed.as_ref(), spoken }
    }
}

/// The last line of standard error of a program that crashed: its runtime names the mistake there.
fn last_words(failure: &FoundFailure) -> Option<&str> {
    let trial = trial_of(failure);
    let crashed = trial.verdict == Verdict::RunTimeError;
    trial.stderr.lines().rfind(|line| crashed && !line.trim().is_empty())
}

/// The name of the sample that an input is: hidden cases are not tried.
pub(super) fn sample_name(found: &Found) -> Option<&str> {
    match &found.origin {
        InputOrigin::Case(name) => Some(name),
        InputOrigin::Form | InputOrigin::Command(_) | InputOrigin::ChangedCase(_) => None,
    }
}

/// All inputs that count, in the order in which they were found.
#[derive(Default)]
pub(super) struct ConfirmedInputs {
    pub inputs: Vec<Found>,
}

impl ConfirmedInputs {
    /// Whether a program fails on one of them.
    pub fn explain(&self, program: usize) -> bool {
        self.inputs.iter().any(|one| one.failure_of(program).is_some())
    }

    /// Whether a program fails on an input that people can read: it is short, or its values repeat.
    pub fn explain_simply(&self, program: usize) -> bool {
        self.inputs.iter().any(|one| one.failure_of(program).is_some() && is_simple(one))
    }

    /// The smallest sample on which a program fails, unless it fails on another input that is much smaller.
    pub fn sample_of(&self, program: usize) -> Option<&Found> {
        let samples = self.inputs.iter().filter(|one| sample_name(one).is_some());
        let failed = samples.filter(|one| one.failure_of(program).is_some());
        failed.min_by_key(|one| one.input.len()).filter(|one| !self.has_much_smaller(one, program))
    }

    /// Whether a program fails on an input that is much smaller than this one.
    fn has_much_smaller(&self, sample: &Found, program: usize) -> bool {
        let mut failed = self.inputs.iter().filter(|one| one.failure_of(program).is_some());
        failed.any(|one| is_much_smaller(one.input.len(), sample.input.len()))
    }

    /// The fewest inputs that explain the most programs: samples for those that fail one and no much smaller input, if
    /// this explains as many; then new inputs, simple ones first, then those of earlier hunts, which begin at an index.
    pub fn chosen(&self, earlier: usize) -> Vec<usize> {
        let is_best =
            |one: &Found, program: usize| sample_name(one).is_none() || !self.has_much_smaller(one, program);
        let small = self.chosen_where(earlier, &is_best);
        let fewest = self.chosen_where(earlier, &|_, _| true);
        let explain_all = self.explained_by(&small).len() >= self.explained_by(&fewest).len();
        if explain_all { small } else { fewest }
    }

    /// The same, of the failures that are meant.
    fn chosen_where(&self, earlier: usize, is_meant: &dyn Fn(&Found, usize) -> bool) -> Vec<usize> {
        let stage = |at: usize, one: &Found| match () {
            () if sample_name(one).is_some() => 0,
            () if at >= earlier => 3,
            () if is_simple(one) => 1,
            () => 2,
        };
        let failing = |one: &Found| one.programs().filter(|&program| is_meant(one, program)).collect();
        let failing: Vec<BTreeSet<usize>> = self.inputs.iter().map(failing).collect();
        let rank = |at: usize, more| {
            let one = &self.inputs[at];
            (stage(at, one), Reverse(more), input_size(&one.input))
        };
        cover(&failing, rank, MAX_INPUTS)
    }

    pub fn explained_by(&self, chosen: &[usize]) -> BTreeSet<usize> {
        chosen.iter().flat_map(|&at| self.inputs[at].programs()).collect()
    }

    /// The participants of different programs that fail on the same inputs in the same way.
    pub fn same_mistakes(&self, programs: &[&ClassProgram]) -> Vec<Vec<String>> {
        let explained = (0..programs.len()).filter(|&program| self.explain(program));
        let kinds = |program: &usize| -> Vec<Option<(FailureKind, Option<&str>)>> {
            let failures = self.inputs.iter().map(|one| one.failure_of(*program));
            failures.map(|failure| Some((FailureKind::of(failure?), last_words(failure?)))).collect()
        };
        let mut mistakes = Vec::new();
        for alike in groups_of_equal(explained, kinds).into_iter().filter(|alike| alike.len() > 1) {
            mistakes.push(alike.iter().flat_map(|&at| programs[at].participants.clone()).collect());
        }
        mistakes
    }
}

fn is_simple(found: &Found) -> bool {
    sample_name(found).is_some() || unrepeated_text(&found.input).len() <= MAX_UNSHRUNK_BYTES
}

/// An input as people see it.
pub(super) fn shown_input(
    found: &Found,
    programs: &[&ClassProgram],
    boundaries: &BTreeMap<usize, Boundary>,
) -> Counterexample {
    Counterexample {
        input: text_excerpt(&found.input),
        expected: found.answer.clone().map(|answer| shortened(&answer_excerpt(answer))),
        sample: sample_name(found).map(str::to_owned),
        failures: alike_failures(found, programs, boundaries),
    }
}

/// Programs by how they fail on an input, most participants first.
fn alike_failures(
    found: &Found,
    programs: &[&ClassProgram],
    boundaries: &BTreeMap<usize, Boundary>,
) -> Vec<AlikeFailure> {
    let failure = |at: &usize| found.failure_of(*at).expect("it fails on the input");
    let program = |at: &usize| FailedProgram {
        participants: programs[*at].participants.clone(),
        stderr: text_excerpt(trial_of(failure(at)).stderr.as_bytes()).text,
    };
    let kind = |at: &usize| (FailureKind::of(failure(at)), boundaries.get(at));
    let mut failures = Vec::new();
    for alike in groups_of_equal(found.programs(), kind) {
        let (FailureKind { verdict, exit, printed, .. }, boundary) = kind(&alike[0]);
        let spoken = trial_of(failure(&alike[0])).transcript.iter().flat_map(TranscriptPiece::lines);
        failures.push(AlikeFailure {
            verdict,
            exit,
            printed: printed.map(shortened),
            conversation: last_lines(&spoken.collect::<Vec<_>>()),
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

pub(super) fn text_excerpt(bytes: &[u8]) -> TextExcerpt {
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
    use kopek_plan::plan::ProbeFailure;

    fn confirmed(bytes: &str, origin: InputOrigin, programs: std::ops::Range<usize>) -> Found {
        let trial = Trial::ended(Verdict::WrongAnswer, Exit::Code(0));
        let failure = |program| FoundFailure {
            program: Some(program),
            failure: ProbeFailure::Verdict(Verdict::WrongAnswer),
            message: String::new(),
            trial: Some(trial.clone()),
            printed: None,
        };
        Found { failures: programs.map(failure).collect(), ..Found::new(bytes.into(), 0, origin) }
    }

    #[test]
    fn equal_values_explain_a_class_rather_than_one_input_of_many_values() {
        let many: Vec<String> = (0..2000).map(|value| value.to_string()).collect();
        let zeros = "0 ".repeat(2000);
        let class = |programs: usize| {
            let values = confirmed(&many.join(" "), InputOrigin::Form, 0..programs);
            ConfirmedInputs { inputs: vec![values, confirmed(&zeros, InputOrigin::Form, 0..1)] }
        };
        let all = class(8);
        assert_eq!(all.chosen(2), [1, 0], "the other seven have no other input");
        assert_eq!([0, 1].map(|program| all.explain_simply(program)), [true, false]);
        assert_eq!(class(1).chosen(2), [1]);
    }

    #[test]
    fn a_sample_is_chosen_for_programs_without_a_much_smaller_input_or_if_these_are_too_many() {
        let sample = InputOrigin::Case("sample/1".into());
        let class = |programs: usize| {
            let small = |at: usize| confirmed(&format!("{at}\n"), InputOrigin::Form, at..at + 1);
            let whole = confirmed("4\n1 2 3 4\n", sample.clone(), 0..programs + 1);
            let inputs: Vec<Found> = std::iter::once(whole).chain((0..programs).map(small)).collect();
            ConfirmedInputs { inputs }.chosen(programs + 1)
        };
        assert_eq!(class(2), [0, 1, 2]);
        assert_eq!(class(MAX_INPUTS + 1)[0], 0);
        assert_eq!(class(MAX_INPUTS + 1).len(), MAX_INPUTS);
    }
}
