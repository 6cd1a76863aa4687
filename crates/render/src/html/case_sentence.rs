//! What happened on a case, as a sentence for the author of the program.

use crate::phrases::seconds_text;
use kopek_base::wording::{limit_text, one_line};
use kopek_engine::{check::Difference, plan::Trial, verdict::Verdict};
use kopek_results::{CaseReport, PackageReport, exit_text};
use kopek_sandbox::{Exit, Limit};
use maud::{Markup, html};

/// The sentence. Without full feedback it says nothing that a program can choose by its input: no time, no
/// exit code, no output.
pub(super) fn case_sentence(package: &PackageReport, case: &CaseReport, trial: &Trial) -> Markup {
    let seen = case.full_feedback && case.decided.is_none();
    let limit = limit_text(package.time_limit);
    let time = seconds_text(trial.usage.cpu);
    match (trial.verdict, &trial.difference) {
        (Verdict::Accepted, _) => html! { "Right" @if seen { ", in " (time) } "." },
        (Verdict::WrongAnswer, Some(difference)) if seen => difference_sentence(difference),
        (Verdict::WrongAnswer, _) => html! { "Your program gave a wrong answer." },
        (Verdict::TimeLimit, _) => html! {
            "Your program took longer than the limit of " (limit)
            @if seen { ": it was " @if is_stopped(trial) { "stopped" } @else { "done" } " after " (time) } "."
        },
        (Verdict::IdleLimit, _) => html! {
            "Your program waited too long without computing. Perhaps it reads more input than there is."
        },
        (Verdict::MemoryLimit, _) => {
            html! { "Your program needed more memory than the limit of " (package.memory_limit) "." }
        }
        (Verdict::OutputLimit, _) => html! { "Your program wrote more output than is allowed." },
        (Verdict::RunTimeError, _) => {
            html! { "Your program crashed" @if seen { ": " (crash_text(&trial.exit)) } "." }
        }
        (Verdict::CompileError, _) => html! { "Your program does not compile." },
        (Verdict::NoProgram, _) => html! { "There is no program to run." },
    }
}

fn is_stopped(trial: &Trial) -> bool {
    trial.exit == Exit::Exceeded(Limit::Cpu)
}

fn crash_text(exit: &Exit) -> String {
    match exit {
        Exit::Exceeded(Limit::Processes) => "it started too many processes or threads".to_owned(),
        exit => exit_text(exit),
    }
}

fn difference_sentence(difference: &Difference) -> Markup {
    let Difference { line, expected, found, error, .. } = difference;
    let token = |token: &str| html! { code { (one_line(token)) } };
    html! {
        @match (expected, found) {
            (Some(expected), Some(found)) => {
                "Your program printed " (token(found)) " where " (token(expected)) " was expected"
            }
            (Some(expected), None) => { "Your program's output ends where " (token(expected)) " was expected" }
            (None, Some(found)) => { "Your program printed " (token(found)) " after the end of the expected output" }
            (None, None) => { "Your program's output differs from the expected output" }
        }
        " (line " (line) @if let Some(error) = error { ": " (one_line(error)) } ")."
    }
}
