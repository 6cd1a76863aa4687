//! A failing input for its participant: on the page, and in feedback for a platform.

use super::{
    classic_mistakes::number_at_boundary, document::Document, page::Page, phrases::CONVERSATION, words::Words,
};
use kopek_base::wording::counted;
use kopek_package::{package::is_sample, verdict::Verdict};
use kopek_results::{Boundary, CaseReport, OwnCounterexample, RowReport, TextExcerpt, ValidBy, exit_text};

/// As [`own_counterexample`]; `None`: the results show it, because it is the first sample that fails.
pub(super) fn beside_results<'a>(
    own: OwnCounterexample,
    row: &RowReport,
    words: Words,
) -> Option<Document<'a>> {
    let is_wrong =
        |case: &&CaseReport| case.trial.as_ref().is_some_and(|trial| trial.verdict != Verdict::Accepted);
    let first = row.cases.iter().filter(|case| is_sample(&case.name)).find(is_wrong);
    let is_shown =
        first.is_some_and(|case| case.full_feedback && Some(&case.name) == own.example.sample.as_ref());
    if is_shown { None } else { Some(own_counterexample(own, row, words)) }
}

/// What a program does on its input, below the results of `kopek run`.
pub fn render_failing_input(own: OwnCounterexample, row: &RowReport, page: Page) -> String {
    match beside_results(own, row, page.words) {
        Some(document) => format!("\n{}", document.to_text(page)),
        None => String::new(),
    }
}

/// What a program does on its input.
pub(super) fn own_counterexample<'a>(own: OwnCounterexample, row: &RowReport, words: Words) -> Document<'a> {
    let OwnCounterexample { example, failure, program, valid_by } = own;
    let mut document = Document::default();
    document.title(&words.say("A failing input"));
    let what = match &example.sample {
        Some(sample) => format!("Your program fails on this sample, {sample}."),
        None if *valid_by != ValidBy::Validator => {
            "Your program fails on this input, which is not one of the tests, but of the same form."
                .to_owned()
        }
        None => "Your program fails on this input, which is not one of the tests.".to_owned(),
    };
    document.item("", &words.say(&what));
    if let Some(boundary) = failure.boundary {
        let Boundary { fails, passes } = boundary;
        let text = format!("It fails with {fails} as the first number, passes with {passes}.");
        document.item("", &words.say(&text));
        if let Some(number) = number_at_boundary(row, boundary) {
            let guess = format!("The program has the number {number}: is an array too small?");
            document.item("", &words.say(&guess));
        }
    }
    let mut add = |name: &str, text: &TextExcerpt| add_text(&mut document, name, text, words);
    add("input", &example.input);
    if let Some(expected) = &example.expected {
        add("expected output", expected);
    }
    if failure.verdict != Verdict::WrongAnswer {
        let end = format!("your program: {}, {}", failure.verdict, exit_text(&failure.exit));
        document.item("  ", &words.say(&end));
    }
    if let Some(printed) = &failure.printed {
        add_text(&mut document, "your output", printed, words);
    }
    if let Some(conversation) = &failure.conversation {
        add_text(&mut document, CONVERSATION, conversation, words);
    }
    if !program.stderr.trim().is_empty() {
        // Python's name for the program.
        let file = row.hand_in.entry.as_deref().unwrap_or("your program");
        document.data(&words.say("your standard error"), &program.stderr.replace("/exe/__main__.py", file));
    }
    document
}

fn add_text(document: &mut Document, name: &str, shown: &TextExcerpt, words: Words) {
    if shown.text.trim().is_empty() && !shown.cut {
        document.item("  ", &words.say(&format!("{name}: nothing")));
        return;
    }
    let title = match (shown.cut, shown.bytes) {
        (false, _) => name.to_owned(),
        (true, Some(bytes)) => format!("{name}, the first lines of {}", counted(bytes, "byte")),
        (true, None) => format!("{name}, the first lines"),
    };
    document.data(&words.say(&title), &shown.text);
}
