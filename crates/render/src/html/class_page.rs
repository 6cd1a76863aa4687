//! The page of a class: results, hard cases, and everything that puts the results in doubt.

use super::{
    frame::{ClassView, folded, rule_notes, whole_page},
    package_section::{PackageSection, class_table},
};
use crate::{
    change_words::change_words,
    class_cells::ClassRow,
    open_cases::OpenCases,
    phrases::{points_number, seconds_text},
};
use kopek_base::wording::{counted, one_line};
use kopek_results::{
    Report, ReportChanges, ResultKind, RowReport, is_excused, max_total, points_or_dash, rows_by_name,
    total_points,
};
use kopek_sentences::PageLanguage;
use maud::{Markup, html};

/// The page of a class.
pub fn class_page(report: &Report, view: ClassView) -> String {
    let title = class_title(report);
    let open = OpenCases(report);
    let body = html! {
        h1 { (title) }
        (summary_facts(report)) (notes(report)) (open.markup())
        @if let Some(since) = &report.since { (change_table(report, since)) }
        @if report.packages.len() > 1 { (overview(report, view)) }
        @for package in &report.packages {
            (PackageSection {
                open: &open, package, sheet: report.totals_of_only_package(), view: &view,
                found: report.counterexamples_of(&package.name), alone: report.packages.len() == 1,
            }.markup())
        }
        (footer(report))
    };
    whole_page(&title, &body)
}

fn class_title(report: &Report) -> String {
    if let Some(title) = &report.title {
        return one_line(title);
    }
    match report.packages.as_slice() {
        [only] if !only.title.is_empty() => one_line(&only.title),
        [only] => one_line(&only.name),
        several => format!("Results of {}", counted(several.len(), "problem")),
    }
}

fn summary_facts(report: &Report) -> Markup {
    let by_name = rows_by_name(&report.packages);
    let whole = max_total(&report.packages, report.sheet.as_ref());
    let totals: Vec<_> = by_name.values().map(|rows| total_points(rows, report.sheet.as_ref())).collect();
    let mut known: Vec<f64> = totals.iter().flatten().filter_map(points_number).collect();
    known.sort_by(f64::total_cmp);
    let full = totals.iter().filter(|total| total.is_some() && **total == whole).count();
    let open = by_name.values().zip(&totals).filter(|(_, total)| total.is_none());
    let (excused, unknown): (Vec<_>, Vec<_>) = open.partition(|(rows, _)| is_excused(rows));
    let (excused, unknown) = (excused.len(), unknown.len());
    let all = report.packages.iter().flat_map(|package| &package.rows);
    let is_unset =
        |row: &&RowReport| row.memory_mistake.as_ref().is_some_and(|found| found.is_unset_variable);
    let unset = all.filter(is_unset).count();
    let scored = report.packages.iter().any(|package| package.kind == ResultKind::Scoring);
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    html! {
        dl class="facts" {
            dt { "Participants" } dd { (by_name.len()) }
            @if unset > 0 { dt { "Variables without a value" } dd { (counted(unset, "program")) } }
            @if excused > 0 { dt { "Excused" } dd { (excused) } }
            @if unknown > 0 { dt { "Not judged wholly" } dd { strong { (unknown) } } }
            @if scored && !known.is_empty() {
                dt { "Points" }
                dd { "mean " (rounded(mean)) ", median " (rounded(known[known.len() / 2])) @if let Some(whole) = &whole { " of " (whole) } }
                dt { "With all points" } dd { (full) }
            }
        }
    }
}

/// One decimal, or none if it is 0.
fn rounded(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn notes(report: &Report) -> Markup {
    html! {
        (rule_notes(&report.all_rules(), PageLanguage::English))
        @for warning in &report.notices.warning_texts() { p class="fault" { strong { "Warning: " } (one_line(warning)) } }
    }
}

/// Participants with changed points.
fn change_table(report: &Report, since: &ReportChanges) -> Markup {
    let several = report.packages.len() > 1 || since.changes.iter().any(|change| change.package.is_none());
    let table = html! {
        div class="scroll" tabindex="0" role="region" aria-label="Changed points" {
            table class="changes" data-sort {
                thead { tr {
                    th scope="col" class="name" { "name" } @if several { th scope="col" { "problem" } }
                    th scope="col" class="n" { "before" } th scope="col" class="n" { "now" } th scope="col" { "why" }
                } }
                tbody { @for change in &since.changes { tr {
                    th scope="row" class="name" { (one_line(&change.name)) }
                    @if several { td { (one_line(change.package.as_deref().unwrap_or("total"))) } }
                    td class="n" { (points_or_dash(&change.before)) }
                    td class="n" { (points_or_dash(&change.after)) }
                    td class="why" { (change_words(change, PageLanguage::English)) }
                } } }
            }
        }
    };
    let count = html! { (counted(since.changes.len(), "change")) };
    html! {
        section {
            h2 { "Changes since " (one_line(&since.place)) }
            @if since.changes.is_empty() { p { "All points and verdicts are as they were." } }
            @else { (folded(&count, since.changes.len(), &table)) }
        }
    }
}

fn overview(report: &Report, view: ClassView) -> Markup {
    let rows = rows_by_name(&report.packages).into_values();
    html! {
        section {
            h2 { "All problems" }
            (class_table(ClassRow { packages: &report.packages, rows: &[], rules: &[], sheet: report.sheet.as_ref(), view }, rows, "All problems"))
        }
    }
}

fn footer(report: &Report) -> Markup {
    html! {
        footer class="small soft" {
            h2 { "How it was judged" }
            dl class="facts" {
                dt { "Machine" } dd { (one_line(&report.machine)) }
                dt { "Isolation" } dd { (one_line(&report.isolation)) }
                @if !report.notices.toolchains.is_empty() {
                    dt { "Toolchains" } dd { (report.notices.toolchains.iter().map(|line| one_line(line)).collect::<Vec<_>>().join("; ")) }
                }
                dt { "Jobs" }
                dd { (counted(report.notices.ran, "job")) " done, " (report.notices.reused) " known from before, in " (seconds_text(report.elapsed)) }
                @if !report.date.is_empty() { dt { "Date" } dd { (report.date) } }
                dt { "Judge" } dd { "kopek " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }
}
