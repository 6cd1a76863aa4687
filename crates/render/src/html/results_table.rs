//! A participant's results: groups that lost points first, each with its first failing case in full, and the other cases
//! folded, with a sentence for the author of the program on what happened.

use super::frame::tone_class;
use crate::{
    details::settled_cases,
    failed_case::CaseView,
    line_diff::{LineOf, diff_lines},
    page::Page,
    phrases::{
        case_name, gives_points, group_heading, points_sentence, seconds_text, sentence_case, tone_of_state,
    },
};
use kopek_base::wording::{limit_text, one_line};
use kopek_package::{
    check::Difference,
    package::{Audience, is_sample},
    verdict::Verdict,
};
use kopek_plan::{
    plan::Trial,
    score::{GroupScore, State},
};
use kopek_results::{CaseReport, PackageReport, ResultKind, RowReport, decision_said, exit_said};
use kopek_sandbox::{Exit, Limit};
use kopek_sentences::{Decimal, PageLanguage, Said};
use maud::{Markup, PreEscaped, html};

/// Columns at which the data of a case are wrapped.
const WIDTH: usize = 100;

/// How a participant sees cases.
pub(super) fn participant_view<'a>(
    package: &'a PackageReport,
    row: &RowReport,
    language: PageLanguage,
) -> CaseView<'a> {
    CaseView {
        package,
        time_limit: package.time_limit_of(row),
        audience: Audience::Everyone,
        page: Page { width: WIDTH, language, ..Page::default() },
    }
}

/// The table. The package and the row are as the participant may see them.
pub(super) fn results_table(view: &CaseView, row: &RowReport) -> Markup {
    html! {
        table class="results" {
            caption class="hidden" { (view.say(&Said::ResultsByGroup)) }
            thead { tr { @for title in [Said::CaseColumn, Said::ResultColumn, Said::HappenedColumn] { th scope="col" { (view.say(&title)) } } } }
            @for own in lost_first(view.package, row) { tbody { (group_rows(view, row, own)) } }
        }
    }
}

/// The groups as their participant looks at them: those that cost something first, samples before others.
pub(super) fn lost_first<'a>(package: &PackageReport, row: &'a RowReport) -> Vec<&'a GroupScore> {
    let heads = package.samples_first().into_iter();
    let own = heads.filter_map(|head| row.card.groups.iter().find(|own| own.name == head.name));
    let mut groups: Vec<&GroupScore> = own.collect();
    groups.sort_by_key(|own| {
        let is_whole = own.points == own.max || !gives_points(&own.name, own.max.as_ref());
        own.state == State::Decided(Verdict::Accepted) && (own.max.is_none() || is_whole)
    });
    groups
}

/// A group: its first failing case, and a line for the others.
pub(super) struct GroupView<'a> {
    pub(super) own: &'a GroupScore,
    /// Most often the other cases of a group fail for the same reason.
    pub(super) first_wrong: Option<(&'a CaseReport, &'a Trial)>,
    /// Folded.
    pub(super) others: Markup,
}

pub(super) fn group_view<'a>(view: &CaseView, row: &'a RowReport, own: &'a GroupScore) -> GroupView<'a> {
    let mut settled = settled_cases(row, &own.name);
    let rest = settled.rest(Said::MoreCases { number: settled.missing });
    let shown = &mut settled.shown;
    let wrong = shown.iter().position(|(_, trial)| trial.verdict != Verdict::Accepted);
    let first_wrong = wrong.map(|at| shown.remove(at));
    let number = shown.len();
    let count = if first_wrong.is_some() { Said::MoreCases { number } } else { Said::Cases { number } };
    let others = html! {
        @if !shown.is_empty() { (other_cases(view, shown, count)) }
        @if let Some(rest) = rest { p { (view.say(&rest)) } }
    };
    GroupView { own, first_wrong, others }
}

fn group_rows(view: &CaseView, row: &RowReport, own: &GroupScore) -> Markup {
    let GroupView { own, first_wrong, others } = group_view(view, row, own);
    html! {
        tr class="group" {
            th scope="rowgroup" { (view.say(&group_heading(&own.name))) }
            td { (badge(view, &own.state)) }
            td { (group_text(view, own)) @if first_wrong.is_none() { (others) } }
        }
        @if let Some((case, trial)) = first_wrong {
            tr {
                th scope="row" { (case_name(case)) }
                td { (badge(view, &State::Decided(trial.verdict))) }
                td {
                    p { (what_happened(view, case, trial)) }
                    @if let Some(hint) = &case.hint { p { (view.say(&Said::HintOfCase { reason: hint.clone() })) } }
                }
            }
            (failed_data(view, case, trial))
            @if !others.0.is_empty() { tr { td {} td colspan="2" { (others) } } }
        }
    }
}

/// Points of a group, or why it was skipped.
pub(super) fn group_text(view: &CaseView, own: &GroupScore) -> String {
    let scored = view.package.kind == ResultKind::Scoring && gives_points(&own.name, own.max.as_ref());
    let mut parts = Vec::new();
    parts.extend(scored.then(|| view.say(&points_sentence(own.points.as_ref(), own.max.as_ref()))));
    if let State::Requires(group) = &own.state {
        parts.push(view.say(&Said::GroupSkipped { group: group_heading(group).into() }));
    }
    parts.join(view.page.language.colon())
}

/// What happened to a group, in two words at most.
pub(super) fn short_state_said(state: &State) -> Said {
    match state {
        State::Requires(_) => Said::Skipped,
        State::Unknown(_) => Said::NotJudged,
        State::Decided(verdict) => (*verdict).into(),
    }
}

fn badge(view: &CaseView, state: &State) -> Markup {
    let text = view.say(&short_state_said(state));
    html! { span class=(format!("badge {}", tone_class(tone_of_state(state)))) { (text) } }
}

/// A line for each case.
fn other_cases(view: &CaseView, cases: &[(&CaseReport, &Trial)], count: Said) -> Markup {
    let right = cases.iter().filter(|(_, trial)| trial.verdict == Verdict::Accepted).count();
    let count = Box::new(count);
    let summary = match right {
        0 => *count,
        right if right == cases.len() => Said::CasesRight { count },
        number => Said::CasesSomeRight { count, number },
    };
    let talker = cases.iter().find(|(case, trial)| talks(case, trial));
    html! {
        // Participants look for mistakes with the samples.
        details open[right < cases.len() && is_sample(&cases[0].0.name)] {
            summary { (view.say(&summary)) }
            ul { @for (case, trial) in cases { li {
                strong { (case_name(case)) } " "
                @if trial.verdict != Verdict::Accepted { (badge(view, &State::Decided(trial.verdict))) " " }
                @if let Some(own) = &case.points { (view.say(&points_sentence(Some(&own.points), own.max.as_ref()))) ". " }
                (what_happened(view, case, trial))
            } } }
            @if let Some((case, trial)) = talker {
                pre class="wrap" tabindex="0" { (without_indent(&view.accepted_text(case, trial), 2)) }
            }
        }
    }
}

pub(super) fn what_happened(view: &CaseView, case: &CaseReport, trial: &Trial) -> Markup {
    match &case.decided {
        Some(decision) => html! { (sentence_case(&view.say(&decision_said(decision)))) "." },
        None => case_sentence(view, case, trial),
    }
}

fn talks(case: &CaseReport, trial: &Trial) -> bool {
    trial.verdict == Verdict::Accepted && case.full_feedback && !trial.stderr.trim().is_empty()
}

pub(super) fn failed_data(view: &CaseView, case: &CaseReport, trial: &Trial) -> Markup {
    let team = without_indent(&view.team_text(trial), 4);
    let sees = view.sees_contents(case);
    let contents = if sees { without_indent(&view.contents_text(case, trial), 4) } else { String::new() };
    let difference = trial.difference.as_ref().filter(|_| sees);
    if team.is_empty() && difference.is_none() && contents.is_empty() {
        return html! {};
    }
    data_row(&html! {
        @if !team.is_empty() { (team) "\n" }
        @if let Some(difference) = difference { (marked_lines(view, difference)) }
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
fn marked_lines(view: &CaseView, difference: &Difference) -> Markup {
    html! {
        (view.say(&Said::SignsOfDifference)) "\n"
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
fn case_sentence(view: &CaseView, case: &CaseReport, trial: &Trial) -> Markup {
    let seen = case.full_feedback && case.decided.is_none();
    let limit = Decimal::new(limit_text(view.time_limit));
    let time = Decimal::new(seconds_text(trial.usage.cpu));
    let said = match (trial.verdict, &trial.difference) {
        (Verdict::Accepted, _) if seen => Said::RightIn { time },
        (Verdict::Accepted, _) => Said::Right,
        (Verdict::WrongAnswer, Some(difference)) if seen => return difference_sentence(view, difference),
        (Verdict::WrongAnswer, _) => Said::GaveWrongAnswer,
        (Verdict::TimeLimit, _) if seen && is_stopped(trial) => Said::TookLongerStopped { limit, time },
        (Verdict::TimeLimit, _) if seen => Said::TookLongerDone { limit, time },
        (Verdict::TimeLimit, _) => Said::TookLonger { limit },
        (Verdict::IdleLimit, _) => Said::WaitedTooLong,
        (Verdict::MemoryLimit, _) => {
            Said::NeededMoreMemory { limit: Decimal::new(view.package.memory_limit) }
        }
        (Verdict::OutputLimit, _) => Said::WroteTooMuch,
        (Verdict::RunTimeError, _) if seen => Said::CrashedBecause { reason: crash_said(&trial.exit).into() },
        (Verdict::RunTimeError, _) => Said::Crashed,
        (Verdict::CompileError, _) => Said::DoesNotCompile,
        (Verdict::NoProgram, _) => Said::NothingToRun,
    };
    html! { (view.say(&said)) }
}

fn is_stopped(trial: &Trial) -> bool {
    trial.exit == Exit::Exceeded(Limit::Cpu)
}

fn crash_said(exit: &Exit) -> Said {
    match exit {
        Exit::Exceeded(Limit::Processes) => Said::StartedTooMany,
        exit => exit_said(exit),
    }
}

fn difference_sentence(view: &CaseView, difference: &Difference) -> Markup {
    let Difference { line, expected, found, error, .. } = difference.clone();
    let what = match (expected, found) {
        (Some(expected), Some(found)) => Said::PrintedInstead { found, expected },
        (Some(expected), None) => Said::EndsBefore { expected },
        (None, Some(found)) => Said::PrintedAfterEnd { found },
        (None, None) => Said::OutputDiffers,
    };
    let place = match error {
        Some(error) => Said::AtLineBecause { line, error: error.into() },
        None => Said::AtLine { line },
    };
    let code = |token: &str| html! { code { (token) } }.0;
    // The tables hold no signs of HTML in these sentences.
    let what = PreEscaped(view.page.language.say_quoting(&what, &code));
    html! { (what) " " (view.say(&place)) }
}
