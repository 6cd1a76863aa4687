//! The page that goes back to a participant: points, groups, and what went wrong first.
//!
//! What may be told is decided where the text feedback is made; this page adds nothing to it.

use super::{
    class_view::tone_class,
    frame::{PageFrame, whole_page},
};
use crate::{
    details::render_details,
    failed_case::SIGNS_OF_DIFFERENCE,
    page::{Colour, Page},
    phrases::{gives_points, group_cell, group_title, long_state, one_line, points_of_max, tone_of_state},
    public_report::public_report,
    remarks::Audience,
    results::{PackageReport, Report, ResultKind, RowReport},
    totals::{greatest_total, rows_by_name, total_points},
};
use maud::{Markup, html};

/// Every participant's name and page, in order of the names.
pub fn participant_pages(report: &Report) -> Vec<(String, String)> {
    let report = &public_report(report);
    let page = |(name, rows): (&str, Vec<Option<&RowReport>>)| {
        (name.to_owned(), participant_page(report, name, &rows))
    };
    rows_by_name(&report.packages).into_iter().map(page).collect()
}

fn participant_page(report: &Report, name: &str, rows: &[Option<&RowReport>]) -> String {
    let title = one_line(name);
    let scored = report.packages.iter().any(|package| package.kind == ResultKind::Scoring);
    let several = report.packages.len() > 1;
    let body = html! {
        h1 { (title) }
        @if several && scored {
            p class="big" { (points_of_max(total_points(rows).as_ref(), greatest_total(&report.packages).as_ref())) " points" }
        }
        @for rule in &report.rules { p class="note" { (one_line(rule)) } }
        @for (package, row) in report.packages.iter().zip(rows) {
            section {
                h2 { (package_title(package)) }
                @match row {
                    Some(row) => { (row_section(package, row)) }
                    None => { p { "Nothing was handed in for this problem." } }
                }
            }
        }
        @if !report.date.is_empty() { footer { p class="small soft" { "Judged " (report.date) " by kopek " (env!("CARGO_PKG_VERSION")) } } }
    };
    whole_page(PageFrame { title: &title, events: None }, &body)
}

fn package_title(package: &PackageReport) -> String {
    one_line(if package.title.is_empty() { &package.name } else { &package.title })
}

fn row_section(package: &PackageReport, row: &RowReport) -> Markup {
    let worth = points_of_max(row.worth().as_ref(), row.card.max.as_ref());
    html! {
        p class="big" {
            @match package.kind {
                ResultKind::Scoring => { (worth) " points" }
                ResultKind::PassFail => { (long_state(&row.card.state)) }
            }
        }
        @if let Some(deduction) = &row.deduction {
            p class="note" { (deduction.points) " points taken off: " (one_line(&deduction.reason)) }
        }
        (group_table(package, row))
        h3 { "What happened" }
        pre class="wrap" tabindex="0" { (coloured_details(&details_text(package, row))) }
    }
}

fn group_table(package: &PackageReport, row: &RowReport) -> Markup {
    html! {
        table {
            caption { "Groups of cases" }
            thead { tr {
                th scope="col" { "group" }
                @if package.kind == ResultKind::Scoring { th scope="col" class="n" { "points" } }
                th scope="col" { "result" }
            } }
            tbody { @for head in &package.groups {
                @if let Some(own) = row.card.groups.iter().find(|own| own.name == head.name) { tr {
                    th scope="row" { (group_title(head)) }
                    @if package.kind == ResultKind::Scoring {
                        td class="n" {
                            @if gives_points(&own.name, own.max.as_ref()) { (points_of_max(own.points.as_ref(), own.max.as_ref())) }
                        }
                    }
                    td class=(tone_class(tone_of_state(&own.state))) title=(group_cell(own, package.kind)) { (long_state(&own.state)) }
                } }
            } }
        }
    }
}

fn details_text(package: &PackageReport, row: &RowReport) -> String {
    render_details(package, row, Audience::Participant, Page { width: 100, colour: Colour::Plain })
}

/// The text; what was expected and what was found differ in sign and in colour.
fn coloured_details(text: &str) -> Markup {
    let indent = |line: &str| line.chars().take_while(|c| *c == ' ').count();
    // Only below the line that names the signs, and in their column: data may begin with one, too.
    let mut signs_at = None;
    let mut class_of = |line: &str| {
        if line.trim_start() == SIGNS_OF_DIFFERENCE {
            signs_at = Some(indent(line));
            return "";
        }
        if signs_at.is_some_and(|at| indent(line) <= at) {
            signs_at = None;
        }
        match signs_at.and_then(|at| line.chars().nth(at + 2)) {
            Some('−') => "minus",
            Some('+') => "plus",
            Some(_) | None => "",
        }
    };
    html! { @for line in text.lines() {
        @let class = class_of(line);
        @if class.is_empty() { (line) } @else { span class=(class) { (line) } }
        "\n"
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_of_a_difference_are_coloured() {
        let text = "input:\n  -5 +3\n    − expected, + yours:\n      − 7\n        +9\n      + 8\n    input:\n      + 1\n";
        let marked = coloured_details(text).into_string();
        let spans: Vec<&str> = marked.lines().filter(|line| line.contains("span")).collect();
        assert_eq!(
            spans,
            ["<span class=\"minus\">      − 7</span>", "<span class=\"plus\">      + 8</span>"]
        );
    }
}
