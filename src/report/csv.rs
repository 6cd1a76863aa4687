//! For spreadsheets: RFC 4180, a row per participant.
//!
//! One package: `name,submission,language,<a column per group>,total,max,verdict,slowest_seconds`.
//! Several: `name,<points and verdict per package>,total,max`. What is unknown is
//! empty. A text that a spreadsheet would take for a formula gets a `'` in front.

use super::{
    Kind, PackageReport, Report, RowReport,
    json::verdict,
    text::{by_name, grand_total},
};
use crate::points::Points;
use ::csv::{Terminator, WriterBuilder};

/// Renders all of it.
pub fn render(report: &Report) -> String {
    match report.packages.as_slice() {
        [only] => package(only),
        several => summary(several),
    }
}

/// A row per participant, a column per group.
pub fn package(package: &PackageReport) -> String {
    let mut head = vec!["name".to_owned(), "submission".to_owned(), "language".to_owned()];
    head.extend(package.groups.iter().map(|group| guarded(&group.name)));
    head.extend(["total", "max", "verdict", "slowest_seconds"].map(str::to_owned));
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let rows = rows.iter().map(|row| record(package, row));
    written(std::iter::once(head).chain(rows))
}

fn record(package: &PackageReport, row: &RowReport) -> Vec<String> {
    let card = &row.card;
    let language = row.language.as_deref().unwrap_or_default();
    let mut record = vec![guarded(&card.name), guarded(&row.submission), guarded(language)];
    for head in &package.groups {
        let group = card.groups.iter().find(|group| group.name == head.name);
        record.push(match (group, package.kind) {
            (Some(group), Kind::Scoring) => number(group.points.as_ref()),
            (Some(group), Kind::PassFail) => verdict(&group.state).unwrap_or_default().to_owned(),
            (None, _) => String::new(),
        });
    }
    record.push(number(card.points.as_ref()));
    record.push(number(card.max.as_ref()));
    record.push(verdict(&card.state).unwrap_or_default().to_owned());
    let slowest = card.slowest.as_ref();
    record.push(slowest.map_or(String::new(), |(_, time)| format!("{:.3}", time.as_secs_f64())));
    record
}

fn summary(packages: &[PackageReport]) -> String {
    let mut head = vec!["name".to_owned()];
    for package in packages {
        head.extend([guarded(&package.name), guarded(&format!("{} verdict", package.name))]);
    }
    head.extend(["total", "max"].map(str::to_owned));
    let rows = by_name(packages).into_iter().map(|(name, rows)| {
        let mut record = vec![guarded(name)];
        for row in &rows {
            let card = row.map(|row| &row.card);
            record.push(number(card.and_then(|card| card.points.as_ref())));
            record.push(card.and_then(|card| verdict(&card.state)).unwrap_or_default().to_owned());
        }
        let (got, max) = grand_total(&rows, packages);
        record.extend([number(got.as_ref()), number(max.as_ref())]);
        record
    });
    written(std::iter::once(head).chain(rows))
}

/// Up to six decimals; empty if unknown.
fn number(points: Option<&Points>) -> String {
    points.map_or(String::new(), |points| format!("{points:.6}"))
}

/// Texts come from participants: none may become a formula.
fn guarded(text: &str) -> String {
    // Also after spaces: some spreadsheets trim before they look.
    let formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if formula { format!("'{text}") } else { text.to_owned() }
}

fn written(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("records of equal length go into memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts stay texts")
}
