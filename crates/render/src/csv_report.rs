//! For spreadsheets: RFC 4180, a row per participant.
//!
//! One package: `name,id,email,group,late,attempt,time_factor,submission,entry,language,<points and verdict
//! of each group>,deduction,deduction_reason,total,max,verdict,slowest_seconds,rules,decided`.
//! Several: `name,id,email,group,late,time_factor,<points and verdict per package>,deduction,total,max,rules,decided`.
//! `rules` has the rulings for the whole class, `decided` the cases that a person decided. Unknown values are
//! empty. A text that a spreadsheet would take for a formula gets a `'` in front.

use super::{
    class_columns::{COLUMNS, ClassColumn, ClassRow},
    html::frame::ClassView,
    phrases::changed_points,
};
use csv::{Terminator, WriterBuilder};
use kopek_base::wording::{one_line, without_control_characters};
use kopek_engine::points::Points;
use kopek_results::{
    PackageReport, Report, ReportChanges, RowReport, RowsOfParticipant, decided_cases, max_total,
    rows_by_name, total_deduction, total_points,
};

pub(super) fn render(report: &Report) -> String {
    match report.packages.as_slice() {
        [only] => render_package(only, &report.all_rules()),
        several => render_summary(several, &report.all_rules()),
    }
}

/// A row per participant, a column per group.
pub(super) fn render_package(package: &PackageReport, rules: &[String]) -> String {
    let columns: Vec<&ClassColumn> = COLUMNS.iter().collect();
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let records = rows.into_iter().map(|row| record(&columns, class_row(package, row, rules)));
    write_records(std::iter::once(heads(&columns, package)).chain(records))
}

fn heads(columns: &[&ClassColumn], package: &PackageReport) -> Vec<String> {
    columns.iter().flat_map(|column| column.csv.heads(package, str::to_owned)).collect()
}

fn record(columns: &[&ClassColumn], row: ClassRow) -> Vec<String> {
    columns.iter().flat_map(|column| column.csv.cells(row)).collect()
}

fn class_row<'a>(package: &'a PackageReport, row: &'a RowReport, rules: &'a [String]) -> ClassRow<'a> {
    ClassRow { package, row, rules, view: ClassView::default() }
}

/// `changes.csv`: a row for each participant whose points are others than before.
pub(super) fn render_changes(since: &ReportChanges) -> String {
    let head = ["name", "package", "before", "after", "why"].map(str::to_owned).to_vec();
    let rows = since.changes.iter().map(|change| {
        let number = |points: &Option<Points>| changed_points(points.as_ref()).unwrap_or_default();
        vec![
            guard_formula(&change.name),
            guard_formula(&change.package),
            number(&change.before),
            number(&change.after),
            guard_formula(&change.why),
        ]
    });
    write_records(std::iter::once(head).chain(rows))
}

fn render_summary(packages: &[PackageReport], rules: &[String]) -> String {
    let person: Vec<&ClassColumn> = COLUMNS.iter().filter(|column| column.of_person).collect();
    let mut head = heads(&person, &packages[0]);
    for package in packages {
        head.extend([guard_formula(&package.name), guard_formula(&format!("{} verdict", package.name))]);
    }
    head.extend(["deduction", "total", "max", "rules", "decided"].map(str::to_owned));
    let rules: Vec<String> = rules.iter().map(|rule| one_line(rule)).collect();
    let rows = rows_by_name(packages).into_values();
    let records = rows.map(|rows| {
        let mut record = summary_record(&person, &rows, packages);
        record.push(list_cell(&rules));
        let mut decided = Vec::new();
        for (package, row) in packages.iter().zip(rows.iter().copied()) {
            for text in row.map(decided_cases).unwrap_or_default() {
                decided.push(format!("{}: {text}", one_line(&package.name)));
            }
        }
        record.push(list_cell(&decided));
        record
    });
    write_records(std::iter::once(head).chain(records))
}

fn summary_record(
    person: &[&ClassColumn],
    rows: &RowsOfParticipant,
    packages: &[PackageReport],
) -> Vec<String> {
    let first = rows.iter().flatten().next().expect("a participant has a row in some package");
    let mut record = record(person, class_row(&packages[0], first, &[]));
    for row in rows {
        let card = row.map(|row| &row.card);
        record.push(points_cell(row.and_then(|row| row.worth()).as_ref()));
        record.push(card.and_then(|card| card.state.key()).unwrap_or_default().to_owned());
    }
    record.push(points_cell(total_deduction(rows).as_ref()));
    record.push(points_cell(total_points(rows).as_ref()));
    record.push(points_cell(max_total(packages).as_ref()));
    record
}

/// Texts come from participants: a spreadsheet must not run one as a formula, nor a terminal obey it.
pub(super) fn guard_formula(text: &str) -> String {
    // Also after spaces: some spreadsheets trim before they look.
    let formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = without_control_characters(text);
    if formula { format!("'{text}") } else { text }
}

pub(super) fn text_cell(text: Option<&String>) -> String {
    match text {
        Some(text) => guard_formula(text),
        None => String::new(),
    }
}

/// A number or another value that no participant wrote.
pub(super) fn value_cell(value: Option<impl ToString>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

pub(super) fn list_cell(texts: &[String]) -> String {
    guard_formula(&texts.join("; "))
}

/// Up to six decimals.
pub(super) fn points_cell(points: Option<&Points>) -> String {
    value_cell(points.map(|points| format!("{points:.6}")))
}

/// RFC 4180 wants CRLF at line ends.
pub(super) fn write_records(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("records of equal length go into memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts stay texts")
}
