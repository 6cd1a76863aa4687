//! A failing input for its participant: on the page, and in feedback for a platform.

use super::{
    classic_mistakes::number_at_boundary, counterexample_text::boundary_text, document::Document,
    phrases::CONVERSATION,
};
use kopek_base::wording::counted;
use kopek_package::{package::is_sample, verdict::Verdict};
use kopek_results::{CaseReport, OwnCounterexample, RowReport, TextExcerpt, exit_text};

/// As [`own_counterexample`]; `None`: the results show it, because it is the first sample that fails.
pub(super) fn beside_results<'a>(own: OwnCounterexample, row: &RowReport) -> Option<Document<'a>> {
    let is_wrong =
        |case: &&CaseReport| case.trial.as_ref().is_some_and(|trial| trial.verdict != Verdict::Accepted);
    let first = row.cases.iter().filter(|case| is_sample(&case.name)).find(is_wrong);
    let is_shown =
        first.is_some_and(|case| case.full_feedback && Some(&case.name) == own.example.sample.as_ref());
    if is_shown { None } else { Some(own_counterexample(own, row)) }
}

/// What a program does on its input.
pub(super) fn own_counterexample<'a>(own: OwnCounterexample, row: &RowReport) -> Document<'a> {
    let OwnCounterexample { example, failure, program } = own;
    let mut document = Document::default();
    document.title("A failing input");
    document.item(
        "",
        &match &example.sample {
            Some(sample) => format!("Your program fails on this sample, {sample}."),
            None => "Your program fails on this input, which is not one of the tests.".to_owned(),
        },
    );
    if let Some(boundary) = failure.boundary {
        document.item("", &format!("It {}.", boundary_text(boundary)));
        if let Some(number) = number_at_boundary(row, boundary) {
            document.item("", &format!("The program has the number {number}: is an array too small?"));
        }
    }
    add_text(&mut document, "input", &example.input);
    if let Some(expected) = &example.expected {
        add_text(&mut document, "expected output", expected);
    }
    if failure.verdict != Verdict::WrongAnswer {
        document.item("  ", &format!("your program: {}, {}", failure.verdict, exit_text(&failure.exit)));
    }
    if let Some(printed) = &failure.printed {
        add_text(&mut document, "your output", printed);
    }
    if let Some(conversation) = &failure.conversation {
        add_text(&mut document, CONVERSATION, conversation);
    }
    if !program.stderr.trim().is_empty() {
        // Python's name for the program.
        let file = row.hand_in.entry.as_deref().unwrap_or("your program");
        document.data("your standard error", &program.stderr.replace("/exe/__main__.py", file));
    }
    document
}

fn add_text(document: &mut Document, name: &str, shown: &TextExcerpt) {
    if shown.text.trim().is_empty() && !shown.cut {
        document.item("  ", &format!("{name}: nothing"));
        return;
    }
    let title = match (shown.cut, shown.bytes) {
        (false, _) => name.to_owned(),
        (true, Some(bytes)) => format!("{name}, the first lines of {}", counted(bytes, "byte")),
        (true, None) => format!("{name}, the first lines"),
    };
    document.data(&title, &shown.text);
}
