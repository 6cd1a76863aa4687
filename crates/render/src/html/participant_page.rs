//! The page for a participant: points, what happened on each case, and the program.
//!
//! [`public_report`] decides what a participant may see; this page adds only the participant's own program.

use super::{
    frame::{rule_notes, tone_class, whole_page},
    growth_chart::growth_chart,
    program_text::program_text,
    results_table::{results_table, sentence_case},
};
use crate::{
    classic_mistakes::author_remarks,
    details::has_results,
    excerpts::{SCREEN, compiler_text},
    own_counterexample::beside_results,
    phrases::{change_text, grade_text, tone_of_state},
    total_steps_text::total_steps,
};
use kopek_base::wording::{limit_text, one_line};
use kopek_package::package::{Audience, Subject};
use kopek_results::{
    FeedbackLevel, GradeChange, OwnCounterexample, PackageReport, Report, ResultKind, RowByHand, RowReport,
    deduction_text, max_total, public_report, rows_by_name, total_points,
};
use maud::{Markup, html};

/// Columns at which messages of compilers are wrapped.
const WIDTH: usize = 100;

/// Every participant's name and page, in order of the names. A page begins with what changed since the earlier report.
pub fn participant_pages(report: &Report) -> Vec<(String, String)> {
    let report = &public_report(report);
    let page = |(name, rows): (&str, Vec<Option<&RowReport>>)| {
        (name.to_owned(), participant_page(report, name, &rows))
    };
    rows_by_name(&report.packages).into_iter().map(page).collect()
}

fn change_line(report: &Report, change: &GradeChange) -> Markup {
    let package = report.packages.iter().find(|package| Some(&package.name) == change.package.as_ref());
    let title = package.filter(|_| report.packages.len() > 1).map_or("Your grade".to_owned(), package_title);
    html! {
        p class="note" {
            (title) ": " strong { (change_text(change)) } "."
            // The reason names cases.
            @if report.feedback != FeedbackLevel::Brief { " " (sentence_case(&one_line(&change.why))) "." }
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
    let date = report.dates.get(name).unwrap_or(&report.date);
    let body = html! {
        h1 { (title) }
        @for change in report.since.iter().flat_map(|since| since.of(name)) { (change_line(report, change)) }
        @if report.sheet.is_some() || several && scored {
            p class="big" { (grade_text(rows, total_points(rows, sheet).as_ref(), max_total(&report.packages, sheet).as_ref(), " points")) }
        }
        @if !steps.is_empty() { ul { @for step in &steps { li { (step) } } } }
        @for (package, row) in report.packages.iter().zip(rows) {
            section {
                h2 { (package_title(package)) }
                @match row {
                    Some(row) => {
                        @let own = report.counterexample_for(&package.name, name);
                        (row_section(&package.head_for(row), row, own))
                    }
                    None => { p { "There is no submission for this problem." } }
                }
            }
        }
        (rule_notes(&rules))
        @if !date.is_empty() { footer { p class="small soft" { "Judged " (date) " by kopek " (env!("CARGO_PKG_VERSION")) } } }
    };
    whole_page(&title, &body)
}

fn package_title(package: &PackageReport) -> String {
    one_line(if package.title.is_empty() { &package.name } else { &package.title })
}

fn row_section(package: &PackageReport, row: &RowReport, own: Option<OwnCounterexample>) -> Markup {
    // In the order in which they change the points.
    let mut steps: Vec<String> = row.by_hand.iter().flat_map(RowByHand::texts).collect();
    steps.extend(row.late_steps.map(|steps| steps.to_string()));
    steps.extend(row.deduction.as_ref().map(deduction_text));
    let mut remarks = author_remarks(row, Audience::Everyone);
    // The steps are above, and the rows of the cases say which of them a person decided.
    let is_elsewhere = |about: &Subject| matches!(about, Subject::Points | Subject::Decision);
    remarks.retain(|remark| !is_elsewhere(&remark.about));
    html! {
        (result_line(package, row))
        @for step in &steps { p class="note" { (step) } }
        @if !remarks.is_empty() { ul { @for remark in remarks { li { (remark.what) } } } }
        @if let Some(growth) = &row.growth { (growth_chart(growth, package.time_limit)) }
        @if !row.compile_message.trim().is_empty() {
            h3 { "The compiler says" }
            pre class="wrap" tabindex="0" { (compiler_text(&row.compile_message, WIDTH, SCREEN)) }
        }
        @if let Some(own) = own.and_then(|own| beside_results(own, row)) { (own.to_html()) }
        @if has_results(row) {
            h3 { "Cases" }
            p class="soft" { "time limit " (limit_text(package.time_limit)) " · memory limit " (package.memory_limit) }
            (results_table(package, row))
        }
        @if !row.source.is_empty() { h3 { "Your program" } (program_text(&row.source)) }
    }
}

fn result_line(package: &PackageReport, row: &RowReport) -> Markup {
    let state = &row.card.state;
    html! {
        p class="big" {
            @if package.kind == ResultKind::Scoring {
                (grade_text(&[Some(row)], row.worth().as_ref(), row.card.max.as_ref(), " points "))
            }
            @if package.kind == ResultKind::PassFail || !row.was_run() {
                span class=(format!("badge {}", tone_class(tone_of_state(state)))) { (state.to_string()) }
            }
        }
    }
}
