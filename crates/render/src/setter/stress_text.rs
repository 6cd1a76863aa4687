//! The findings of a hunt, for people. Strings only.

use crate::Document;
use kopek_base::{
    Bytes,
    wording::{counted, one_line, short_line, shortened},
};
use kopek_plan::plan::{ProbeFailure, TranscriptPiece, Trial};
use kopek_results::{
    Found, InputOrigin, NotFound, ShrinkEnd, ShrinkStep, Shrinking, StressGoal, StressReport,
};
use kopek_sentences::Said;
use std::collections::BTreeMap;

/// How many lines of an input are printed.
const LINES_PRINTED: usize = 30;
/// Larger inputs are too long to read on a terminal: their size is shown instead.
const MAX_PRINTED: usize = 16 << 10;
/// Longer lines are cut.
const MAX_LINE: usize = 200;

pub fn stress_document(report: &StressReport) -> Document<'static> {
    let mut document = Document::default();
    document.item("", &summary(report));
    add_findings(&mut document, report);
    add_unharmed(&mut document, report);
    add_notes(&mut document, report);
    document
}

fn add_findings(document: &mut Document, report: &StressReport) {
    for (at, finding) in report.findings.iter().enumerate() {
        document.gap();
        document.item("", &finding_title(report, finding));
        let is_same = |other: &&Found| other.input == finding.input;
        match report.findings[..at].iter().find(is_same).and_then(|other| report.program_of(other)) {
            Some(program) => document.append(repeated_document(finding, &program.name)),
            None => document.append(found_document(report, finding)),
        }
    }
}

/// The programs without a finding.
fn add_unharmed(document: &mut Document, report: &StressReport) {
    if report.ended_at_first {
        document.gap();
        let note = "stopped at the first counterexample; --all looks for one for each submission";
        document.item("note: ", note);
    } else {
        let was_tried = report.counts.valid > 0;
        let (right, other): (Vec<&NotFound>, Vec<&NotFound>) =
            report.not_found.iter().partition(|one| one.claimed_right && was_tried);
        for (head, programs) in [("correct on all inputs: ", right), ("nothing found for: ", other)] {
            if programs.is_empty() {
                continue;
            }
            let names: Vec<&str> = programs.iter().map(|one| one.name.as_str()).collect();
            document.gap();
            document.item(head, &names.join(", "));
        }
    }
    for one in &report.not_found {
        let Some(slowest) = &one.slowest else { continue };
        document.gap();
        document.item("", &format!("{}: slowest: {slowest}", one.name));
        document.item("  ", &format!("on {}", slowest.origin()));
        if slowest.time > slowest.limit {
            document.item("  ", "undecided: too near the limit for the noise of this machine");
        }
    }
}

/// Adds the programs that were skipped, and doubts about the result.
fn add_notes(document: &mut Document, report: &StressReport) {
    for skipped in &report.skipped {
        document.item("not tried: ", skipped);
    }
    let counts = &report.counts;
    if counts.refused + counts.failed_calls > counts.valid {
        let invalid = format!("most inputs were invalid: {}", shortened(&report.complaints, 2, "; "));
        document.item("note: ", &invalid);
    } else if let Some(why) = &report.failed_call {
        let calls = counted(counts.failed_calls as usize, "call");
        document.item("note: ", &format!("{calls} of generators failed, such as: {why}"));
    }
    if let Some(why) = &report.doubt {
        let runs = counted(counts.undecided as usize, "run");
        let verb = if counts.undecided == 1 { "is" } else { "are" };
        document.item("note: ", &format!("{runs} {verb} still open: {why}"));
    }
    for fault in &report.faults {
        document.item("fault: ", fault);
    }
}

fn summary(report: &StressReport) -> String {
    let counts = &report.counts;
    // Findings depend on the seed alone, so the text contains no time.
    let seconds = report.took.as_secs_f64();
    let found = match (report.goal, report.findings.len()) {
        (StressGoal::Failures, 0) => format!("no counterexample in {seconds:.1} s"),
        (StressGoal::Failures, number) => counted(number, "counterexample"),
        (StressGoal::SlowRuns, 0) => format!("no slow input in {seconds:.1} s of CPU time"),
        (StressGoal::SlowRuns, number) => counted(number, "slow input"),
    };
    format!(
        "{}: {found}; {} and {} (seed {})",
        report.title,
        counted(counts.valid as usize, "new input"),
        counted(counts.trials as usize, "run"),
        report.seed
    )
}

fn finding_title(report: &StressReport, found: &Found) -> String {
    let program = report.program_of(found);
    let name = program.map_or("the package", |program| &program.name);
    let claimed_right = program.is_some_and(|program| program.claimed_right);
    let claim = if claimed_right { ", although it should be correct" } else { "" };
    format!("{name}: {}{claim}", failure_text(found.failures[0].failure))
}

/// A finding below its title: its input, and why the submission fails on it.
pub(super) fn found_document(report: &StressReport, found: &Found) -> Document<'static> {
    let failure = &found.failures[0];
    let mut document = Document::default();
    document.item("  ", &origin_text(&found.origin));
    document.item("  ", &shrink_text(report, found));
    if found.input.len() > MAX_PRINTED {
        document.item("  ", &described(&found.input));
    } else {
        let mut lines = vec!["  input:".to_owned()];
        lines.extend(excerpt(&String::from_utf8_lossy(&found.input)));
        document.lines(lines);
    }
    if !failure.message.is_empty() {
        document.item("  ", &failure.message);
    }
    if let Some(trial) = &failure.trial {
        add_reasons(&mut document, trial);
    }
    let others = report.others_on(found);
    if !others.is_empty() {
        document.item("  also fails here: ", &shortened(&others, 6, ", "));
    }
    document
}

/// A finding whose input another one already shows.
fn repeated_document(found: &Found, shown: &str) -> Document<'static> {
    let mut document = Document::default();
    document.item("  ", &format!("fails on the same input as {shown}"));
    if let Some(trial) = &found.failures[0].trial {
        add_reasons(&mut document, trial);
    }
    document
}

fn origin_text(origin: &InputOrigin) -> String {
    match origin {
        InputOrigin::Form => "found by drawing an input of the form of the cases".to_owned(),
        InputOrigin::Command(command) => format!("found by `{command}`"),
        InputOrigin::Case(name) => format!("fails on the package's case {name}"),
        InputOrigin::ChangedCase(name) => format!("found by changing {name}"),
    }
}

/// The kind of failure, in words.
pub fn failure_text(failure: ProbeFailure) -> String {
    match failure {
        ProbeFailure::Verdict(verdict) => verdict.to_string(),
        ProbeFailure::ValidatorFailed => "the output validator fails on its output".into(),
        ProbeFailure::SolutionFailed => "the solution that writes the answers fails".into(),
        ProbeFailure::AnswerRefused => "the output validator rejects the answer of the solution".into(),
        ProbeFailure::ValidatorFailedOnAnswer => {
            "the output validator fails on the answer of the solution".into()
        }
    }
}

/// The size and the beginning of a large input.
fn described(input: &[u8]) -> String {
    let lines = input.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
    let start = String::from_utf8_lossy(&input[..input.len().min(BEGINNING)]);
    let start = start.lines().next().unwrap_or_default();
    let size = Bytes(input.len() as u64);
    format!(
        "input: {size} in {}, begins with `{}…`; --out DIR writes it",
        counted(lines, "line"),
        one_line(start)
    )
}

/// Bytes of the first line of a large input that are shown.
const BEGINNING: usize = 40;

/// Why nothing was removed in time, and a time that is probably long enough.
fn no_progress(report: &StressReport, found: &Found) -> String {
    let runs = counted(found.shrinking.tried, "run");
    let time = found.failures[0].trial.as_ref().map(|trial| trial.usage.cpu);
    let each = time.map(|time| format!(": each run takes {:.1} s", time.as_secs_f64())).unwrap_or_default();
    let longer = (2.0 * report.took.as_secs_f64() / 10.0).ceil() as u64 * 10;
    format!("{} bytes; nothing removed in {runs}{each}; --time {}", found.input.len(), longer.max(60))
}

fn shrink_text(report: &StressReport, found: &Found) -> String {
    let Shrinking { found_bytes: before, steps, tried, end } = &found.shrinking;
    let after = found.input.len();
    let ways = ways_text(steps);
    match end {
        ShrinkEnd::Minimal if steps.is_empty() => {
            format!("{after} bytes; no smaller input fails like this")
        }
        ShrinkEnd::Minimal => {
            format!("shrunk from {before} to {after} bytes in {tried} tries: {ways}")
        }
        ShrinkEnd::FewestItems => {
            format!("{after} bytes, about the smallest of {before} bytes; {tried} inputs tried")
        }
        ShrinkEnd::TimeUp if steps.is_empty() => no_progress(report, found),
        ShrinkEnd::TimeUp => {
            format!(
                "shrunk from {before} to {after} bytes until time was up: {ways}; a longer --time may help"
            )
        }
        ShrinkEnd::Undecided => {
            format!(
                "shrunk from {before} to {after} bytes: {ways}; some smaller inputs are undecided, so run \
                    again on an idle machine"
            )
        }
        ShrinkEnd::TooLarge => format!("{after} bytes, too large to shrink"),
        ShrinkEnd::NoValidator => {
            format!("{after} bytes, not shrunk: without an input validator, smaller inputs may be invalid")
        }
    }
}

/// The kinds of steps with their counts.
fn ways_text(steps: &[ShrinkStep]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps {
        *counts.entry(step.what).or_default() += 1;
        if !kinds.contains(&step.what) {
            kinds.push(step.what);
        }
    }
    let texts: Vec<String> = kinds.into_iter().map(|kind| format!("{kind} ({}×)", counts[kind])).collect();
    if texts.is_empty() { "nothing removed".into() } else { texts.join(", ") }
}

/// A text as a limited number of lines of limited length, without control characters.
fn excerpt(text: &str) -> Vec<String> {
    let shown = |line: &str| {
        let clean: String =
            line.chars().take(MAX_LINE).map(|c| if c.is_control() { '?' } else { c }).collect();
        let dots = if line.chars().count() > MAX_LINE { "…" } else { "" };
        format!("    {clean}{dots}")
    };
    let all: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
    let mut lines: Vec<String> = all.iter().take(LINES_PRINTED).map(|line| shown(line)).collect();
    if all.len() > LINES_PRINTED {
        lines.push(format!("    … and {}", counted(all.len() - LINES_PRINTED, "more line")));
    }
    lines
}

fn add_reasons(document: &mut Document, trial: &Trial) {
    if let Some(difference) = &trial.difference {
        document.item("  ", &difference.in_words());
    }
    let message = Some(trial.judge_message.clone()).filter(|message| !message.trim().is_empty());
    for text in message.into_iter().chain(trial.notes.iter().map(Said::to_string)) {
        document.item("  ", &short_line(&text));
    }
    if !trial.transcript.is_empty() {
        let mut lines = vec![format!("  {}:", Said::Conversation)];
        let said: Vec<String> = trial.transcript.iter().flat_map(TranscriptPiece::lines).collect();
        let last = &said[said.len().saturating_sub(LINES_PRINTED)..];
        lines.extend(last.iter().flat_map(|line| excerpt(line)));
        document.lines(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::verdict::Verdict;
    use kopek_results::{FoundFailure, TriedProgram};
    use kopek_sandbox::{Exit, Usage};
    use std::time::Duration;

    /// A campaign of half a minute with an input that could not be shrunk in time.
    fn report_with(input: Vec<u8>) -> StressReport {
        let usage = Usage { cpu: Duration::from_millis(1900), ..Usage::default() };
        let trial = Trial { usage, ..Trial::ended(Verdict::WrongAnswer, Exit::Code(0)) };
        let failure = FoundFailure {
            program: Some(0),
            failure: ProbeFailure::Verdict(Verdict::WrongAnswer),
            message: String::new(),
            trial: Some(trial),
            printed: None,
        };
        let found_bytes = input.len();
        let found = Found {
            input,
            ground: 0,
            origin: InputOrigin::Form,
            answer: None,
            failures: vec![failure],
            slow: None,
            after: Duration::ZERO,
            shrinking: Shrinking { found_bytes, steps: vec![], tried: 14, end: ShrinkEnd::TimeUp },
        };
        StressReport {
            programs: vec![TriedProgram { name: "a.py".into(), claimed_right: false }],
            findings: vec![found],
            took: Duration::from_secs(28),
            ..StressReport::default()
        }
    }

    #[test]
    fn a_hunt_without_progress_says_why_and_what_helps() {
        let text = stress_document(&report_with(b"3\n".to_vec())).to_text(crate::Page::default());
        let said = "  2 bytes; nothing removed in 14 runs: each run takes 1.9 s; --time 60\n";
        assert!(text.contains(said) && text.contains("input:\n    3\n"), "{text}");
    }

    #[test]
    fn a_large_input_is_described() {
        let line = "123456 ".repeat(20_000) + "\n";
        let text = stress_document(&report_with((line.clone() + &line).into_bytes()));
        let text = text.to_text(crate::Page::default()).split_whitespace().collect::<Vec<_>>().join(" ");
        let said = "input: 273.4 KiB in 2 lines, begins with `123456 123456 123456 123456 123456 12345…`; --out DIR writes it";
        assert!(text.contains(said) && text.len() < 600, "{text}");
    }
}
