//! For spreadsheets: RFC 4180, a row per participant.
//!
//! One package: `name,submission,language,<a column per group>,total,max,verdict,slowest_seconds`.
//! Several: `name,<points and verdict per package>,total,max`. What is unknown is
//! empty. A text that a spreadsheet would take for a formula gets a `'` in front.

use super::{
    phrases::verdict_key,
    results::{PackageReport, Report, ResultKind, RowReport},
    totals::{RowsOfParticipant, greatest_total, rows_by_name, total_points},
};
use crate::points::Points;
use ::csv::{Terminator, WriterBuilder};

/// Renders all of it.
pub(super) fn render(report: &Report) -> String {
    match report.packages.as_slice() {
        [only] => render_package(only),
        several => render_summary(several),
    }
}

/// A row per participant, a column per group.
pub(super) fn render_package(package: &PackageReport) -> String {
    let mut head = vec!["name".to_owned(), "submission".to_owned(), "language".to_owned()];
    head.extend(package.groups.iter().map(|group| guard_formula(&group.name)));
    head.extend(["total", "max", "verdict", "slowest_seconds"].map(str::to_owned));
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let rows = rows.iter().map(|row| package_record(package, row));
    write_records(std::iter::once(head).chain(rows))
}

fn package_record(package: &PackageReport, row: &RowReport) -> Vec<String> {
    let card = &row.card;
    let language = row.language.as_deref().unwrap_or_default();
    let mut record = vec![guard_formula(&card.name), guard_formula(&row.file), guard_formula(language)];
    for head in &package.groups {
        let group = card.groups.iter().find(|group| group.name == head.name);
        record.push(match (group, package.kind) {
            (Some(group), ResultKind::Scoring) => points_cell(group.points.as_ref()),
            (Some(group), ResultKind::PassFail) => verdict_key(&group.state).unwrap_or_default().to_owned(),
            (None, _) => String::new(),
        });
    }
    record.push(points_cell(card.points.as_ref()));
    record.push(points_cell(card.max.as_ref()));
    record.push(verdict_key(&card.state).unwrap_or_default().to_owned());
    let slowest = card.slowest.as_ref();
    record.push(slowest.map_or(String::new(), |(_, time)| format!("{:.3}", time.as_secs_f64())));
    record
}

fn render_summary(packages: &[PackageReport]) -> String {
    let mut head = vec!["name".to_owned()];
    for package in packages {
        head.extend([guard_formula(&package.name), guard_formula(&format!("{} verdict", package.name))]);
    }
    head.extend(["total", "max"].map(str::to_owned));
    let rows = rows_by_name(packages);
    let rows = rows.into_iter().map(|(name, rows)| summary_record(name, &rows, packages));
    write_records(std::iter::once(head).chain(rows))
}

fn summary_record(name: &str, rows: &RowsOfParticipant, packages: &[PackageReport]) -> Vec<String> {
    let mut record = vec![guard_formula(name)];
    for row in rows {
        let card = row.map(|row| &row.card);
        record.push(points_cell(card.and_then(|card| card.points.as_ref())));
        record.push(card.and_then(|card| verdict_key(&card.state)).unwrap_or_default().to_owned());
    }
    record.push(points_cell(total_points(rows).as_ref()));
    record.push(points_cell(greatest_total(packages).as_ref()));
    record
}

/// Up to six decimals; empty if unknown.
fn points_cell(points: Option<&Points>) -> String {
    points.map_or(String::new(), |points| format!("{points:.6}"))
}

/// Texts come from participants: a spreadsheet must not run one as a formula.
fn guard_formula(text: &str) -> String {
    // Also after spaces: some spreadsheets trim before they look.
    let formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if formula { format!("'{text}") } else { text.to_owned() }
}

/// RFC 4180 wants CRLF at line ends.
fn write_records(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("records of equal length go into memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts stay texts")
}
