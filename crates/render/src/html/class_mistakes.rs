//! The mistakes of a class: the inputs on which its programs fail, and who fails alike.

use super::frame::{ClassView, name_link};
use crate::{
    counterexample_text::{LeftOut, boundary_text, form_text, left_out, not_compared, summary},
    excerpts::TextRoom,
};
use kopek_base::wording::{counted, one_line};
use kopek_package::verdict::Verdict;
use kopek_results::{AlikeFailure, Counterexample, Counterexamples, TextExcerpt, UnsetVariable, exit_text};
use kopek_sentences::{PageLanguage, Said};
use maud::{Markup, html};

/// Lines of a text that a cell shows.
const CELL_LINES: usize = 10;
/// The longest line of a cell.
const CELL_WIDTH: usize = 36;

pub(super) fn class_mistakes(found: &Counterexamples, view: ClassView) -> Markup {
    html! {
        details open {
            summary { h3 { "Mistakes of the class" } " " span class="soft" { (summary(found)) } }
            @for (at, example) in found.inputs.iter().enumerate() {
                (one_input(example, &format!("Who fails on input {} of {}", at + 1, one_line(&found.package)), view))
            }
            @for names in &found.same_mistake {
                p { @if is_doubtful(found, names) { "Perhaps" } @else { "Probably" } " the same mistake: " (name_links(names, view)) "." }
            }
            @for LeftOut { names, why, .. } in left_out(found) { p { (name_links(&names, view)) ": " (why) "." } }
            @if let Some(text) = form_text(found) { p class="small soft" { (text) "." } }
            @if let Some(note) = not_compared(found) { p class="small soft" { "Note: " (note) "." } }
        }
        @if !found.missed.is_empty() || !found.unset.is_empty() { h3 { "What the tests miss" } }
        @if !found.missed.is_empty() {
            p { "These programs have all points, and print something else than most others on an input that is not one of the \
                tests. Points do not change; a new test with the input would find them." }
            @for (at, example) in found.missed.iter().enumerate() {
                (one_input(example, &format!("Who is wrong on missed input {} of {}", at + 1, one_line(&found.package)), view))
            }
        }
        @if !found.unset.is_empty() {
            p { "These programs have all points by luck: with other values in memory, they fail. Points do not change." }
            ul { @for UnsetVariable { participants, case, what } in &found.unset {
                li { (name_links(participants, view)) ": the program " (one_line(what)) "; else it fails on " (one_line(case)) "." }
            } }
        }
    }
}

/// Whether at most one input shows that these participants made the same mistake. A crash without a word shows nothing.
fn is_doubtful(found: &Counterexamples, names: &[String]) -> bool {
    let shows_it = |failure: &&AlikeFailure| {
        let mut own =
            failure.programs.iter().filter(|one| one.participants.iter().any(|one| names.contains(one)));
        own.any(|one| failure.verdict == Verdict::WrongAnswer || !one.stderr.trim().is_empty())
    };
    found.inputs.iter().filter(|example| example.failures.iter().any(|one| shows_it(&one))).count() <= 1
}

/// On a phone, the table is below the input. Only this table has the name `region`.
fn one_input(example: &Counterexample, region: &str, view: ClassView) -> Markup {
    html! {
        div class="sides mistake" {
            div {
                p class="small soft" {
                    "input" @if let Some(sample) = &example.sample { ", " (one_line(sample)) }
                }
                (excerpt(&example.input))
                @if let Some(expected) = &example.expected {
                    p class="small soft" { "expected output" }
                    (excerpt(expected))
                }
            }
            div class="scroll" tabindex="0" role="region" aria-label=(region) { table {
                thead { tr { th scope="col" { (failure_title(example)) } th scope="col" { "by" } } }
                tbody { @for failure in &example.failures { (failure_row(failure, view)) } }
            } }
        }
    }
}

fn failure_title(example: &Counterexample) -> String {
    let has_conversation = example.failures.iter().any(|one| one.conversation.is_some());
    if has_conversation { Said::Conversation.to_string() } else { "printed".to_owned() }
}

fn failure_row(failure: &AlikeFailure, view: ClassView) -> Markup {
    html! {
        tr {
            td {
                (how_it_failed(failure))
                @if let Some(conversation) = &failure.conversation { (excerpt(conversation)) }
                @if let Some(boundary) = failure.boundary { p class="small" { (boundary_text(boundary)) } }
            }
            td class="name" { (failed_names(failure, view)) }
        }
    }
}

fn how_it_failed(failure: &AlikeFailure) -> Markup {
    match (failure.verdict, &failure.printed) {
        (Verdict::WrongAnswer, Some(printed)) => excerpt(printed),
        (Verdict::WrongAnswer, None) if failure.conversation.is_some() => html! {},
        (Verdict::WrongAnswer, None) => html! { (failure.verdict) },
        (verdict, _) => html! { (verdict) ", " (exit_text(&failure.exit)) },
    }
}

fn failed_names(failure: &AlikeFailure, view: ClassView) -> Markup {
    let programs = failure.programs.iter();
    let names: Vec<&String> = programs.flat_map(|program| &program.participants).collect();
    html! {
        @if names.len() > 1 { strong { (names.len()) } ": " }
        (name_links(&names, view))
    }
}

fn name_links<S: AsRef<str>>(names: &[S], view: ClassView) -> Markup {
    html! {
        @for (at, name) in names.iter().enumerate() {
            @if at > 0 { ", " }
            (name_link(name.as_ref(), view))
        }
    }
}

/// The beginning of a text, with its size if not all is shown.
fn excerpt(shown: &TextExcerpt) -> Markup {
    let cell = TextRoom { width: CELL_WIDTH, indent: "", language: PageLanguage::English };
    let text = cell.data(&shown.text, CELL_LINES);
    let is_cut = shown.cut || text != TextRoom { width: usize::MAX, ..cell }.data(&shown.text, usize::MAX);
    html! {
        @if text.is_empty() && !is_cut { "nothing" } @else { pre { "\n" (text) } }
        @if is_cut {
            p class="small soft" {
                @if let Some(bytes) = shown.bytes { (counted(bytes, "byte")) } @else { "more follows" }
            }
        }
    }
}
