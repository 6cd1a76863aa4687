//! For spreadsheets: RFC 4180, a row per participant.
//!
//! One package: `name,id,email,group,late,attempt,time_factor,submission,entry,language,<points and verdict
//! of each group>,deduction,deduction_reason,total,max,verdict,slowest_seconds,rules,decided`.
//! Several: `name,id,email,group,late,time_factor,<points and verdict per package>,deduction,total,max,rules,decided`.
//! `rules` has the rulings for the whole class, `decided` the cases that a person decided. Unknown values are
//! empty. A text that a spreadsheet would take for a formula gets a `'` in front.

use super::{
    change_words::change_words,
    class_cells::ClassRow,
    class_columns::{cells, heads},
    csv_cells::{guard_formula, write_records},
    html::frame::ClassView,
};
use kopek_base::PersonName;
use kopek_package::points::Points;
use kopek_results::{
    CourseTotals, PackageReport, Report, ReportChanges, RowReport, RowsOfParticipant, changed_points,
    rows_by_name,
};
use kopek_sentences::{PageLanguage, Said};
use std::slice;

pub(super) fn render(report: &Report) -> String {
    match report.packages.as_slice() {
        [only] => render_package(only, report.sheet.as_ref(), &report.all_rules()),
        several => {
            let rows = rows_by_name(several).into_values();
            render_table(several, rows, report.sheet.as_ref(), &report.all_rules())
        }
    }
}

/// A row per participant, a column per group. The sheet has the totals, if this is its only package.
pub(super) fn render_package(
    package: &PackageReport,
    sheet: Option<&CourseTotals>,
    rules: &[Said],
) -> String {
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by_key(|row| PersonName(&row.card.name));
    render_table(slice::from_ref(package), rows.into_iter().map(|row| vec![Some(row)]), sheet, rules)
}

fn render_table<'a>(
    packages: &[PackageReport],
    rows: impl Iterator<Item = RowsOfParticipant<'a>>,
    sheet: Option<&CourseTotals>,
    rules: &[Said],
) -> String {
    let head = heads(packages, |formats| &formats.csv, str::to_owned);
    let records = rows.map(|rows| {
        let row = ClassRow { packages, rows: &rows, rules, sheet, view: ClassView::default() };
        cells(row, |formats| &formats.csv)
    });
    write_records(std::iter::once(head).chain(records))
}

/// `changes.csv`: a row for each participant with a change; without a package, it is one of the total.
pub(super) fn render_changes(since: &ReportChanges) -> String {
    let head = ["name", "package", "before", "after", "why", "id", "email"].map(str::to_owned).to_vec();
    let rows = since.changes.iter().map(|change| {
        let number = |points: &Option<Points>| changed_points(points.as_ref()).unwrap_or_default();
        vec![
            guard_formula(&change.name),
            guard_formula(change.package.as_deref().unwrap_or_default()),
            number(&change.before),
            number(&change.after),
            guard_formula(&change_words(change, PageLanguage::English)),
            guard_formula(change.id.as_deref().unwrap_or_default()),
            guard_formula(change.email.as_deref().unwrap_or_default()),
        ]
    });
    write_records(std::iter::once(head).chain(rows))
}
