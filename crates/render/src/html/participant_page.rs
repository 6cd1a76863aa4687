//! The page for a participant: points, what happened on each case, and the program.
//!
//! [`public_report`] decides what a participant may see; this page adds only the participant's own program.

use super::{
    frame::{page_in, rule_notes, tone_class},
    growth_chart::growth_chart,
    program_text::program_text,
    results_table::{participant_view, results_table},
};
use crate::{
    classic_mistakes::author_remarks,
    excerpts::{SCREEN, compiler_text},
    failed_case::CaseView,
    own_counterexample::beside_results,
    phrases::{ChangeText, change_text, grade_said, package_title, tone_of_state},
    total_steps_text::total_steps,
};
use kopek_base::{
    PersonName,
    wording::{limit_text, one_line},
};
use kopek_package::package::{Audience, Subject};
use kopek_plan::score::State;
use kopek_results::{
    GradeChange, OwnCounterexample, Report, ResultKind, RowByHand, RowReport, deduction_said, max_total,
    public_report, rows_by_name, total_points,
};
use kopek_sentences::{Decimal, Said};
use maud::{Markup, html};

/// Columns at which messages of compilers are wrapped.
const WIDTH: usize = 100;

/// Every participant's name and page, in order of the names. A page begins with what changed since the earlier report.
pub fn participant_pages(report: &Report) -> Vec<(String, String)> {
    let report = &public_report(report);
    let page = |(PersonName(name), rows): (PersonName, Vec<Option<&RowReport>>)| {
        (name.to_owned(), participant_page(report, name, &rows))
    };
    rows_by_name(&report.packages).into_iter().map(page).collect()
}

/// The grade of all first.
fn change_lines(report: &Report, name: &str) -> Markup {
    let mut changes: Vec<&GradeChange> = report.since.iter().flat_map(|since| since.of(name)).collect();
    changes.sort_by_key(|change| change.package.is_some());
    html! {
        @for change in changes {
            @let ChangeText { title, points, why } = change_text(report, change);
            p class="note" { (title) (report.language.colon()) strong { (points) } ". " (why) }
        }
    }
}

fn participant_page(report: &Report, name: &str, rows: &[Option<&RowReport>]) -> String {
    let title = one_line(name);
    let scored = report.packages.iter().any(|package| package.kind == ResultKind::Scoring);
    let several = report.packages.len() > 1;
    let sheet = report.sheet.as_ref();
    let steps = sheet.map(|sheet| total_steps(sheet, name)).unwrap_or_default();
    let rules = report.rules_for(rows.iter().flatten().copied());
    let date = &report.date;
    let language = report.language;
    let body = html! {
        h1 { (title) }
        (change_lines(report, name))
        @if report.sheet.is_some() || several && scored {
            @let total = grade_said(rows, total_points(rows, sheet).as_ref(), max_total(&report.packages, sheet).as_ref());
            p class="big" { (language.say(&total)) }
        }
        @if !steps.is_empty() { ul { @for step in &steps { li { (language.say(step)) } } } }
        @for (package, row) in report.packages.iter().zip(rows) {
            section {
                h2 { (package_title(package)) }
                @match row {
                    Some(row) => {
                        @let own = report.counterexample_for(&package.name, name);
                        (row_section(&participant_view(package, row, language), row, own))
                    }
                    None => { p { (language.say(&Said::NoSubmissionHere)) } }
                }
            }
        }
        (rule_notes(&rules, language))
        @if !date.is_empty() { footer { p class="small soft" {
            (language.say(&Said::JudgedAt { date: date.clone(), version: env!("CARGO_PKG_VERSION").to_owned() }))
        } } }
    };
    page_in(language, &title, &body)
}

fn row_section(view: &CaseView, row: &RowReport, own: Option<OwnCounterexample>) -> Markup {
    let CaseView { package, page, .. } = view;
    let limits = Said::Limits {
        time: Decimal::new(limit_text(view.time_limit)),
        memory: Decimal::new(package.memory_limit),
    };
    // In the order in which they change the points.
    let mut steps: Vec<Said> = row.by_hand.iter().flat_map(RowByHand::said).collect();
    steps.extend(row.late_steps.map(|steps| steps.said()));
    steps.extend(row.deduction.as_ref().map(deduction_said));
    let mut remarks = author_remarks(row, Audience::Everyone);
    // The steps are above, and the rows of the cases say which of them a person decided.
    let is_elsewhere = |about: &Subject| matches!(about, Subject::Points | Subject::Decision);
    remarks.retain(|remark| !is_elsewhere(&remark.about));
    let compiler = html! {
        @if !row.compile_message.trim().is_empty() {
            h3 { (view.say(&Said::CompilerSaysTitle)) }
            pre class="wrap" tabindex="0" { (compiler_text(page.language, &row.compile_message, WIDTH, SCREEN)) }
        }
    };
    html! {
        (result_line(view, row))
        @for step in &steps { p class="note" { (view.say(step)) } }
        @if !remarks.is_empty() { ul { @for remark in remarks { li { (view.say(&remark.said)) } } } }
        @if let Some(growth) = &row.growth { (growth_chart(growth, view.time_limit, page.language)) }
        // Warnings about a program that ran cost nothing.
        @if !row.was_run() { (compiler) }
        @if let Some(own) = own.and_then(|own| beside_results(own, row, page.language)) { (own.to_html()) }
        @if has_results(row) {
            h3 { (view.say(&Said::CasesTitle)) }
            p class="soft" { (view.say(&limits)) }
            (results_table(view, row))
            (compiler)
        }
        @if !row.source.is_empty() { h3 { (view.say(&Said::YourProgramTitle)) } (program_text(&row.source, page.language)) }
    }
}

fn result_line(view: &CaseView, row: &RowReport) -> Markup {
    let CaseView { package, .. } = view;
    let state = &row.card.state;
    let grade = grade_said(&[Some(row)], row.worth().as_ref(), row.card.max.as_ref());
    html! {
        p class="big" {
            @if package.kind == ResultKind::Scoring {
                (view.say(&grade)) " "
            }
            @if package.kind == ResultKind::PassFail || !row.was_run() {
                span class=(format!("badge {}", tone_class(tone_of_state(state)))) { (view.say(&state_without_numbers(state))) }
            }
        }
    }
}

/// How many results are missing is the teacher's business.
fn state_without_numbers(state: &State) -> Said {
    match state {
        State::Unknown(_) => Said::NotJudged,
        State::Decided(_) | State::Requires(_) => state.into(),
    }
}

/// Whether its participant has results to look at.
fn has_results(row: &RowReport) -> bool {
    row.was_run() && row.card.groups.iter().any(|own| !matches!(own.state, State::Unknown(_)))
}
