//! A participant's results: groups that lost points first, each with its first failing case in full, and the other cases
//! folded, with a sentence for the author of the program on what happened.

use super::frame::tone_class;
use crate::{
    details::{SettledCases, lost_first, settled_cases},
    failed_case::{CaseView, SIGNS_OF_DIFFERENCE},
    line_diff::{LineOf, diff_lines},
    page::{Colour, Page},
    phrases::{
        case_name, gives_points, group_heading, points_text, seconds_text, skipped_text, tone_of_state,
    },
};
use kopek_base::wording::{counted, limit_text, one_line};
use kopek_package::{
    check::Difference,
    package::{Audience, is_sample},
    verdict::Verdict,
};
use kopek_plan::{
    plan::Trial,
    score::{GroupScore, State},
};
use kopek_results::{CaseReport, PackageReport, ResultKind, RowReport, decision_text, exit_text};
use kopek_sandbox::{Exit, Limit};
use maud::{Markup, html};

/// Columns at which the data of a case are wrapped.
const WIDTH: usize = 100;

/// The table. The package and the row are as the participant may see them.
pub(super) fn results_table(package: &PackageReport, row: &RowReport) -> Markup {
    html! {
        table class="results" {
            caption class="hidden" { "Results by groups and cases" }
            thead { tr { th scope="col" { "case" } th scope="col" { "result" } th scope="col" { "what happened" } } }
            @for own in lost_first(package, row) { tbody { (group_rows(package, row, own)) } }
        }
    }
}

/// A group: the first failing case, and what is said of the others.
pub(super) struct GroupView<'a> {
    pub(super) own: &'a GroupScore,
    /// Most often the other cases of a group fail for the same reason.
    pub(super) first_wrong: Option<(&'a CaseReport, &'a Trial)>,
    /// Folded.
    pub(super) others: Markup,
}

pub(super) fn group_view<'a>(
    package: &PackageReport,
    row: &'a RowReport,
    own: &'a GroupScore,
) -> GroupView<'a> {
    let SettledCases { mut shown, missing, state, why } = settled_cases(row, &own.name);
    let wrong = shown.iter().position(|(_, trial)| trial.verdict != Verdict::Accepted);
    let is_said = !shown.is_empty() && missing > 0;
    let first_wrong = wrong.map(|at| shown.remove(at));
    let more = if first_wrong.is_some() { "more case" } else { "case" };
    let others = html! {
        @if !shown.is_empty() { (other_cases(package, &shown, more)) }
        @if is_said { p { (counted(missing, "more case")) " " (state) (why) } }
    };
    GroupView { own, first_wrong, others }
}

fn group_rows(package: &PackageReport, row: &RowReport, own: &GroupScore) -> Markup {
    let GroupView { own, first_wrong, others } = group_view(package, row, own);
    html! {
        tr class="group" {
            th scope="rowgroup" { (group_heading(&own.name)) }
            td { (badge(&own.state)) }
            td { (group_text(package, own)) @if first_wrong.is_none() { (others) } }
        }
        @if let Some((case, trial)) = first_wrong {
            tr {
                th scope="row" { (case_name(case)) }
                td { (badge(&State::Decided(trial.verdict))) }
                td {
                    p { (what_happened(package, case, trial)) }
                    @if let Some(hint) = &case.hint { p { "Hint: " (one_line(hint)) } }
                }
            }
            (failed_data(package, case, trial))
            @if !others.0.is_empty() { tr { td {} td colspan="2" { (others) } } }
        }
    }
}

/// Points of a group, or why it was skipped.
pub(super) fn group_text(package: &PackageReport, own: &GroupScore) -> Markup {
    let scored = package.kind == ResultKind::Scoring && gives_points(&own.name, own.max.as_ref());
    html! {
        @if scored {
            (points_text(own.points.as_ref()))
            @if let Some(max) = &own.max { " of " (max) }
            " points"
        }
        @if let State::Requires(group) = &own.state {
            @if scored { ": " } (skipped_text(group))
        }
    }
}

/// What happened to a group, in two words at most.
pub(super) fn state_text(state: &State) -> String {
    match state {
        State::Requires(_) => "skipped".to_owned(),
        State::Unknown(_) => "not judged".to_owned(),
        decided @ State::Decided(_) => decided.to_string(),
    }
}

fn badge(state: &State) -> Markup {
    let text = state_text(state);
    html! { span class=(format!("badge {}", tone_class(tone_of_state(state)))) { (text) } }
}

/// A line for each case.
fn other_cases(package: &PackageReport, cases: &[(&CaseReport, &Trial)], noun: &str) -> Markup {
    let right = cases.iter().filter(|(_, trial)| trial.verdict == Verdict::Accepted).count();
    let number = counted(cases.len(), noun);
    let talker = cases.iter().find(|(case, trial)| talks(case, trial));
    html! {
        // Participants look for mistakes with the samples.
        details open[right < cases.len() && is_sample(&cases[0].0.name)] {
            summary {
                @if right == 0 { (number) }
                @else if right == cases.len() { (number) " right" }
                @else { (number) ", " (right) " right" }
            }
            ul { @for (case, trial) in cases { li {
                strong { (case_name(case)) } " "
                @if trial.verdict != Verdict::Accepted { (badge(&State::Decided(trial.verdict))) " " }
                (what_happened(package, case, trial))
            } } }
            @if let Some((case, trial)) = talker {
                pre class="wrap" tabindex="0" { (without_indent(&view(package).accepted_text(case, trial), 2)) }
            }
        }
    }
}

pub(super) fn what_happened(package: &PackageReport, case: &CaseReport, trial: &Trial) -> Markup {
    match &case.decided {
        Some(decision) => html! { (sentence_case(&decision_text(decision))) "." },
        None => case_sentence(package, case, trial),
    }
}

pub(super) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn talks(case: &CaseReport, trial: &Trial) -> bool {
    trial.verdict == Verdict::Accepted && case.full_feedback && !trial.stderr.trim().is_empty()
}

fn view(package: &PackageReport) -> CaseView<'_> {
    CaseView { package, audience: Audience::Everyone, page: Page { width: WIDTH, colour: Colour::Plain } }
}

pub(super) fn failed_data(package: &PackageReport, case: &CaseReport, trial: &Trial) -> Markup {
    let view = view(package);
    let team = without_indent(&view.team_text(trial), 4);
    let sees = view.sees_contents(case);
    let contents = if sees { without_indent(&view.contents_text(case, trial), 4) } else { String::new() };
    let difference = trial.difference.as_ref().filter(|_| sees);
    if team.is_empty() && difference.is_none() && contents.is_empty() {
        return html! {};
    }
    data_row(&html! {
        @if !team.is_empty() { (team) "\n" }
        @if let Some(difference) = difference { (marked_lines(difference)) }
        (contents)
    })
}

fn without_indent(text: &str, columns: usize) -> String {
    let line = |line: &str| line.get(columns..).unwrap_or_default().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn data_row(data: &Markup) -> Markup {
    html! { tr class="data" { td colspan="3" { pre class="wrap" tabindex="0" { (data) } } } }
}

/// The lines around a difference; the characters that differ are marked.
fn marked_lines(difference: &Difference) -> Markup {
    html! {
        (SIGNS_OF_DIFFERENCE) "\n"
        @for line in diff_lines(difference) {
            @let (sign, class) = match line.of {
                LineOf::Both => (" ", None),
                LineOf::Answer => ("−", Some("minus")),
                LineOf::Output => ("+", Some("plus")),
            };
            "  "
            span class=[class] {
                (sign) " "
                @for piece in line.pieces {
                    @if piece.differs { mark { (one_line(&piece.text)) } } @else { (one_line(&piece.text)) }
                }
            }
            "\n"
        }
    }
}

/// What happened on a case, for the author of the program. Without full feedback it says nothing that a program can choose by its input: no time, no
/// exit code, no output.
fn case_sentence(package: &PackageReport, case: &CaseReport, trial: &Trial) -> Markup {
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
