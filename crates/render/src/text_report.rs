//! A table for people: a row per participant, a column per group.

use super::{
    change_words::change_words,
    class_cells::ClassRow,
    class_columns::{cells, heads},
    counterexample_text::counterexample_lines,
    html::frame::ClassView,
    open_cases::{OpenLines, ways_to_close},
    page::Page,
    phrases::{Tone, cut_text, noise_text, paint, seconds_text},
    text_table::{Align, Column, TextTable},
};
use kopek_base::{
    PersonName,
    wording::{counted, limit_text, one_line, shortened, wrap_behind, wrap_text},
};
use kopek_package::package::Audience;
use kopek_plan::score::State;
use kopek_results::{
    CourseTotals, OpenReason, PackageReport, Report, ReportChanges, RowOfPackage, RowReport,
    RowsOfParticipant, UndecidedCase, own_remarks, points_or_dash, rows_by_name,
};
use kopek_sentences::PageLanguage;
use std::{
    collections::{BTreeMap, BTreeSet},
    slice,
};

pub(super) fn render(report: &Report, page: Page) -> String {
    render_rows(&ShownRows { tables: report, summary: report }, report, page)
}

/// Without the rows that are as they were in the earlier report; those of one participant alone stay.
pub fn render_changed_rows(report: &Report, page: Page) -> String {
    if rows_by_name(&report.packages).len() <= 1 {
        return render(report, page.usable());
    }
    let has_changed = |one: &RowOfPackage| {
        let mut changes = report.since.iter().flat_map(|since| since.of(&one.row.card.name));
        changes.any(|change| change.package.as_deref() == Some(one.package))
    };
    let tables = &report.with_rows(&has_changed);
    let summary = &report.with_rows(&|one| report.has_changed(&one.row.card.name));
    render_rows(&ShownRows { tables, summary }, report, page.usable())
}

/// Parts of a report.
struct ShownRows<'a> {
    /// The rows in the table of each package.
    tables: &'a Report,
    /// The rows in the table of all packages.
    summary: &'a Report,
}

fn render_rows(shown: &ShownRows, report: &Report, page: Page) -> String {
    // Warnings come before the points that they put in doubt; faults come last, where a terminal shows
    // them after a long table.
    let mut parts: Vec<String> = Vec::new();
    if !report.notices.warnings.is_empty() {
        parts.push(warning_lines(report, page));
    }
    if let Some(title) = &report.title {
        parts.push(paint(&cut_text(&one_line(title), page.width), Tone::Strong, page.colour) + "\n");
    }
    let rules = report.all_rules();
    if !rules.is_empty() {
        let lines =
            rules.iter().map(|rule| wrap_text(&rule.to_string(), "", 4, page.width).join("\n") + "\n");
        parts.push(lines.collect());
    }
    let tables = shown.tables.packages.iter().filter(|package| !package.rows.is_empty());
    parts.extend(tables.map(|package| package_part(package, report, page)));
    let has_summary = shown.summary.packages.iter().any(|package| !package.rows.is_empty());
    if report.packages.len() > 1 && has_summary {
        parts.push(summary_table(shown.summary, page));
    }
    parts.extend(report.since.as_ref().map(|since| change_lines(since, report, page)));
    parts.extend(counterexample_lines(shown.tables, page));
    parts.push(footer_line(report, page));
    parts.extend(open_parts(report, page));
    parts.join("\n")
}

fn change_lines(since: &ReportChanges, report: &Report, page: Page) -> String {
    let several = report.packages.len() > 1;
    let head =
        format!("points or verdicts changed since {}: {}", one_line(&since.place), since.changes.len());
    let mut lines = wrap_text(&head, "", 2, page.width);
    for change in &since.changes {
        let package = match &change.package {
            Some(package) if several => format!(" on {}", one_line(package)),
            Some(_) => String::new(),
            None => " in total".to_owned(),
        };
        let before = points_or_dash(&change.before);
        let after = points_or_dash(&change.after);
        let why = change_words(change, PageLanguage::English);
        let text = format!("{}{package}: {before} → {after}: {why}", one_line(&change.name));
        lines.extend(wrap_text(&text, "  ", 4, page.width));
    }
    lines.join("\n") + "\n"
}

fn warning_lines(report: &Report, page: Page) -> String {
    let one = |warning: &String| {
        let text = wrap_behind("WARNING: ", &one_line(warning), page.width).join("\n");
        format!("{}\n", paint(&text, Tone::Unsure, page.colour))
    };
    report.notices.warning_texts().iter().map(one).collect()
}

fn package_part(package: &PackageReport, report: &Report, page: Page) -> String {
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by_key(|row| PersonName(&row.card.name));
    let mut text = package_head(package, report, page);
    text.push('\n');
    let table = class_table(
        slice::from_ref(package),
        rows.iter().map(|row| vec![Some(*row)]),
        report.totals_of_only_package(),
    );
    text.push_str(&table.render(page));
    text + "\n" + &sign_legend(&rows, page) + &remark_lines(&rows, page) + &noise_line(package, page)
}

fn package_head(package: &PackageReport, report: &Report, page: Page) -> String {
    let name = match package.title.as_str() {
        title if title.is_empty() || title == package.name => one_line(&package.name),
        title => format!("{} ({})", one_line(title), one_line(&package.name)),
    };
    let limits = format!(
        "time limit {} · memory limit {} · isolation: {}",
        limit_text(package.time_limit),
        package.memory_limit,
        one_line(&report.isolation)
    );
    let lines = wrap_text(&limits, "", 0, page.width);
    format!("{}\n{}\n", paint(&cut_text(&name, page.width), Tone::Strong, page.colour), lines.join("\n"))
}

fn class_table<'a>(
    packages: &[PackageReport],
    rows: impl Iterator<Item = RowsOfParticipant<'a>>,
    sheet: Option<&CourseTotals>,
) -> TextTable {
    let columns = heads(packages, |formats| &formats.text, |title| Column::new(title, "", Align::Right));
    let row = |rows: RowsOfParticipant| {
        let row = ClassRow { packages, rows: &rows, rules: &[], sheet, view: ClassView::default() };
        cells(row, |formats| &formats.text)
    };
    TextTable::new(columns, rows.map(row).collect())
}

/// Explains the signs that occur.
fn sign_legend(rows: &[&RowReport], page: Page) -> String {
    let occurs = |is_shown: fn(&State) -> bool| {
        rows.iter().any(|row| {
            is_shown(&row.card.state) || row.card.groups.iter().any(|group| is_shown(&group.state))
        })
    };
    let signs = [
        (
            occurs(|state| matches!(state, State::Requires(_))),
            "–  ",
            "not run: a group that it requires was not passed",
        ),
        (occurs(|state| matches!(state, State::Unknown(_))), "?  ", "not judged"),
    ];
    let signs = signs.iter().filter(|(occurs, ..)| *occurs);
    signs.map(|(_, sign, meaning)| wrap_behind(sign, meaning, page.width).join("\n") + "\n").collect()
}

fn remark_lines(rows: &[&RowReport], page: Page) -> String {
    let of_row = |row: &RowReport| {
        let remarks = own_remarks(row, Audience::Teacher).into_iter();
        remarks.map(|remark| format!("{}: {}", one_line(&row.card.name), remark.said)).collect::<Vec<_>>()
    };
    let remarks = rows.iter().flat_map(|row| of_row(row));
    let all =
        remarks.chain(files_that_were_run(rows)).chain(attempts_that_count(rows)).chain(equal_programs(rows));
    all.map(|line| wrap_behind("*  ", &line, page.width).join("\n") + "\n").collect()
}

/// Names in one line; the pages and the CSV have all of them.
const MAX_NAMED: usize = 20;

/// The program of each hand-in that has other files, too: a line for each name of a file.
fn files_that_were_run(rows: &[&RowReport]) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.hand_in.other_files > 0) {
        if let Some(entry) = &row.hand_in.entry {
            files.entry(entry).or_default().push(one_line(&row.card.name));
        }
    }
    let line = |(file, names): (&str, Vec<String>)| {
        format!("of several files, {} was run: {}", one_line(file), shortened(&names, MAX_NAMED, ", "))
    };
    files.into_iter().map(line).collect()
}

/// The number of the attempt of each hand-in with several.
fn attempts_that_count(rows: &[&RowReport]) -> Option<String> {
    let attempt = |row: &&RowReport| Some(one_line(&format!("{} {}", row.card.name, row.hand_in.attempt?)));
    let attempts: Vec<String> = rows.iter().filter_map(attempt).collect();
    (!attempts.is_empty()).then(|| format!("attempt that counts: {}", shortened(&attempts, MAX_NAMED, ", ")))
}

/// A line for each program that several participants handed in.
fn equal_programs(rows: &[&RowReport]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    // In a completed report, only the later of two rows may name the other.
    let twins: BTreeSet<&str> = rows.iter().filter_map(|row| row.same_as.as_deref()).collect();
    for row in rows.iter().filter(|row| row.same_as.is_some() || twins.contains(row.card.name.as_str())) {
        let (program, name) = (row.program.as_deref().unwrap_or_default(), one_line(&row.card.name));
        match groups.iter_mut().find(|(known, _)| *known == program) {
            Some((_, names)) => names.push(name),
            None => groups.push((program, vec![name])),
        }
    }
    groups
        .into_iter()
        .map(|(_, names)| format!("same program: {}", shortened(&names, MAX_NAMED, ", ")))
        .collect()
}

fn noise_line(package: &PackageReport, page: Page) -> String {
    let text = noise_text(&package.noise);
    text.map(|text| wrap_behind("*  ", &text, page.width).join("\n") + "\n").unwrap_or_default()
}

/// Participants by packages, with the grand total.
fn summary_table(report: &Report, page: Page) -> String {
    let title = paint("All packages", Tone::Strong, page.colour);
    let rows = rows_by_name(&report.packages).into_values();
    let table = class_table(&report.packages, rows, report.sheet.as_ref()).render(page);
    let mut changes = String::new();
    for total in report.sheet.iter().flat_map(|sheet| &sheet.totals) {
        if let Some(change) = total.by_hand_said() {
            let line = format!("{}: {change}", one_line(&total.name));
            changes += &(wrap_behind("*  ", &line, page.width).join("\n") + "\n");
        }
    }
    format!("{title}\n\n{table}{changes}")
}

fn footer_line(report: &Report, page: Page) -> String {
    let all = rows_by_name(&report.packages);
    let is_graded = |row: &RowReport| !matches!(row.card.state, State::Unknown(_));
    let graded = all.values().filter(|rows| rows.iter().flatten().all(|row| is_graded(row))).count();
    let participants = counted(all.len(), "participant");
    let some_of = if graded == all.len() { String::new() } else { format!("{graded} of ") };
    let line = format!(
        "{some_of}{participants} graded in {} · {} done, {} cached · {}",
        seconds_text(report.elapsed),
        counted(report.notices.ran, "job"),
        report.notices.reused,
        one_line(&report.machine)
    );
    wrap_text(line.trim_end_matches([' ', '·']), "", 0, page.width).join("\n") + "\n"
}

/// What was not judged, and what to do about it.
fn open_parts(report: &Report, page: Page) -> Vec<String> {
    let OpenLines { languages, cases, number } = OpenLines::of(report);
    let mut parts = Vec::new();
    if !languages.is_empty() {
        parts.push(
            languages.iter().map(|line| wrap_text(line, "", 2, page.width).join("\n") + "\n").collect(),
        );
    }
    if cases.is_empty() {
        return parts;
    }
    let title = paint(&counted(number, "open case"), Tone::Unsure, page.colour);
    let mut text = format!("{title}\n");
    for (number, line) in (1..).zip(cases) {
        text += &(wrap_behind(&format!("  {number}. "), &line, page.width).join("\n") + "\n");
    }
    let advice = report.notices.undecided.first().map(|first| how_to_decide(first, page));
    text += &advice.unwrap_or_else(|| {
        let is_machines = report.notices.faults.iter().any(|case| matches!(case.why, OpenReason::Fault(_)));
        let doctor = " If a case stays open, `kopek doctor` shows what this machine lacks.";
        let advice =
            format!("A second run keeps all results so far.{}", if is_machines { doctor } else { "" });
        wrap_text(&advice, "", 0, page.width).join("\n") + "\n"
    });
    parts.push(text);
    parts
}

fn how_to_decide(first: &UndecidedCase, page: Page) -> String {
    let ways = ways_to_close(first);
    let line = |way: &String| wrap_behind("  - ", &one_line(way), page.width).join("\n") + "\n";
    format!("To close a case:\n{}", ways.iter().map(line).collect::<String>())
}
