//! A failing input for its participant: on the page, and in feedback for a platform.

use super::{classic_mistakes::number_at_boundary, document::Document, page::Page};
use kopek_package::{package::is_sample, verdict::Verdict};
use kopek_results::{Boundary, CaseReport, OwnCounterexample, RowReport, TextExcerpt, ValidBy, exit_said};
use kopek_sentences::{PageLanguage, Said};

/// As [`own_counterexample`]; `None`: the results show it, because it is the first sample that fails.
pub(super) fn beside_results<'a>(
    own: OwnCounterexample,
    row: &RowReport,
    language: PageLanguage,
) -> Option<Document<'a>> {
    let is_wrong =
        |case: &&CaseReport| case.trial.as_ref().is_some_and(|trial| trial.verdict != Verdict::Accepted);
    let first = row.cases.iter().filter(|case| is_sample(&case.name)).find(is_wrong);
    let is_shown =
        first.is_some_and(|case| case.full_feedback && Some(&case.name) == own.example.sample.as_ref());
    if is_shown { None } else { Some(own_counterexample(own, row, language)) }
}

/// What a program does on its input, below the results of `kopek run`.
pub fn render_failing_input(own: OwnCounterexample, row: &RowReport, page: Page) -> String {
    match beside_results(own, row, page.language) {
        Some(document) => format!("\n{}", document.to_text(page)),
        None => String::new(),
    }
}

/// What a program does on its input.
pub(super) fn own_counterexample<'a>(
    own: OwnCounterexample,
    row: &RowReport,
    language: PageLanguage,
) -> Document<'a> {
    let OwnCounterexample { example, failure, program, valid_by } = own;
    let mut document = Document::default();
    document.title(&language.say(&Said::FailingInputTitle));
    let what = match &example.sample {
        Some(sample) => Said::FailsOnSample { sample: sample.clone() },
        None if *valid_by != ValidBy::Validator => Said::FailsOnSuchInput,
        None => Said::FailsOnInput,
    };
    document.item("", &language.say(&what));
    if let Some(boundary) = failure.boundary {
        let Boundary { fails, passes } = boundary;
        document.item("", &language.say(&Said::FailsFrom { fails, passes }));
        if let Some(number) = number_at_boundary(row, boundary) {
            document.item("", &language.say(&Said::ArrayTooSmall { number }));
        }
    }
    let mut add = |name: Said, text: &TextExcerpt| add_text(&mut document, name, text, language);
    add(Said::Input, &example.input);
    if let Some(expected) = &example.expected {
        add(Said::ExpectedOutput, expected);
    }
    if failure.verdict != Verdict::WrongAnswer {
        let reason = Box::new(exit_said(&failure.exit));
        let end = Said::ProgramEnded { state: Said::from(failure.verdict).into(), reason };
        document.item("  ", &language.say(&end));
    }
    if let Some(printed) = &failure.printed {
        add_text(&mut document, Said::YourOutput, printed, language);
    }
    if let Some(conversation) = &failure.conversation {
        add_text(&mut document, Said::Conversation, conversation, language);
    }
    if !program.stderr.trim().is_empty() {
        // Python's name for the program.
        let file = row.hand_in.entry.as_deref().unwrap_or("your program");
        let title = language.say(&Said::YourStderr);
        document.data(&title, &program.stderr.replace("/exe/__main__.py", file));
    }
    document
}

fn add_text(document: &mut Document, name: Said, shown: &TextExcerpt, language: PageLanguage) {
    if shown.text.trim().is_empty() && !shown.cut {
        document.item("  ", &language.say(&Said::NothingOf { reason: name.into() }));
        return;
    }
    let title = match (shown.cut, shown.bytes) {
        (false, _) => name,
        (true, Some(number)) => Said::FirstLinesOf { reason: name.into(), number },
        (true, None) => Said::FirstLines { reason: name.into() },
    };
    document.data(&language.say(&title), &shown.text);
}
