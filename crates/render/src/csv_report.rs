//! For spreadsheets: RFC 4180, a row per participant.
//!
//! One package: `name,id,email,group,late,attempt,time_factor,submission,entry,language,<points and verdict
//! of each group>,deduction,deduction_reason,total,max,verdict,slowest_seconds,rules,decided`.
//! Several: `name,id,email,group,late,time_factor,<points and verdict per package>,deduction,total,max,rules,decided`.
//! `rules` has the rulings for the whole class, `decided` the cases that a person decided. Unknown values are
//! empty. A text that a spreadsheet would take for a formula gets a `'` in front.

use super::{
    phrases::{gives_points, verdict_key},
    remarks::decided_cases,
};
use ::csv::{Terminator, WriterBuilder};
use kopek_base::wording::{one_line, without_control_characters};
use kopek_engine::{
    package::{HandIn, Lateness},
    points::Points,
};
use kopek_results::{
    GroupHead, PackageReport, Report, ReportChanges, ResultKind, RowReport, RowsOfParticipant,
    greatest_total, rows_by_name, total_deduction, total_points,
};

/// Renders all of it.
pub(super) fn render(report: &Report) -> String {
    match report.packages.as_slice() {
        [only] => render_package(only, &report.all_rules()),
        several => render_summary(several, &report.all_rules()),
    }
}

/// A row per participant, a column per group.
pub(super) fn render_package(package: &PackageReport, rules: &[String]) -> String {
    let person = ["name", "id", "email", "group", "late", "attempt", "time_factor"];
    let hand_in = ["submission", "entry", "language"];
    let mut head: Vec<String> = person.into_iter().chain(hand_in).map(str::to_owned).collect();
    for group in &package.groups {
        let verdict = guard_formula(&format!("{} verdict", group.name));
        let points = has_points(package, group).then(|| guard_formula(&group.name));
        head.extend(points.into_iter().chain([verdict]));
    }
    let result =
        ["deduction", "deduction_reason", "total", "max", "verdict", "slowest_seconds", "rules", "decided"];
    head.extend(result.map(str::to_owned));
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let rules = rules_cell(rules);
    let rows = rows.iter().map(|row| package_record(package, &rules, row));
    write_records(std::iter::once(head).chain(rows))
}

/// `changes.csv`: a row for each participant whose points are others than before.
pub(super) fn render_changes(since: &ReportChanges) -> String {
    let head = ["name", "package", "before", "after", "why"].map(str::to_owned).to_vec();
    let rows = since.changes.iter().map(|change| {
        let number = |text: &Option<String>| text.clone().unwrap_or_default();
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

fn package_record(package: &PackageReport, rules: &str, row: &RowReport) -> Vec<String> {
    let (card, hand_in) = (&row.card, &row.hand_in);
    let mut record = vec![guard_formula(&card.name)];
    record.extend(person_cells(hand_in));
    record.extend([late_cell(hand_in), attempt_cell(hand_in), factor_cell(hand_in)]);
    let texts = [Some(&row.file), hand_in.entry.as_ref(), row.language.as_ref()];
    record.extend(texts.map(text_cell));
    for head in &package.groups {
        let group = card.groups.iter().find(|group| group.name == head.name);
        if has_points(package, head) {
            record.push(points_cell(group.and_then(|group| group.points.as_ref())));
        }
        record.push(group.and_then(|group| verdict_key(&group.state)).unwrap_or_default().to_owned());
    }
    let taken = row.deduction.as_ref();
    record.push(taken.map_or(String::new(), |taken| points_cell(Some(&taken.points))));
    record.push(text_cell(taken.map(|taken| &taken.reason)));
    record.push(points_cell(row.worth().as_ref()));
    record.push(points_cell(card.max.as_ref()));
    record.push(verdict_key(&card.state).unwrap_or_default().to_owned());
    let slowest = card.slowest.as_ref();
    record.push(slowest.map_or(String::new(), |(_, time)| format!("{:.3}", time.as_secs_f64())));
    record.push(rules.to_owned());
    record.push(list_cell(&decided_cases(row)));
    record
}

/// Samples and groups of pass-fail problems have a verdict only.
fn has_points(package: &PackageReport, group: &GroupHead) -> bool {
    package.kind == ResultKind::Scoring && gives_points(&group.name, group.max.as_ref())
}

fn person_cells(hand_in: &HandIn) -> [String; 3] {
    [&hand_in.id, &hand_in.email, &hand_in.group].map(|text| text_cell(text.as_ref()))
}

fn text_cell(text: Option<&String>) -> String {
    text.map_or(String::new(), |text| guard_formula(text))
}

/// Seconds where they are known.
fn late_cell(hand_in: &HandIn) -> String {
    match hand_in.late {
        None => String::new(),
        Some(Lateness::Marked) => "late".to_owned(),
        Some(Lateness::By(time)) => time.as_secs().to_string(),
    }
}

fn attempt_cell(hand_in: &HandIn) -> String {
    hand_in.attempt.map_or(String::new(), |attempt| attempt.to_string())
}

fn factor_cell(hand_in: &HandIn) -> String {
    hand_in.time_factor.map_or(String::new(), |factor| factor.to_string())
}

/// The rulings for the whole class, in one cell.
fn rules_cell(rules: &[String]) -> String {
    list_cell(&rules.iter().map(|rule| one_line(rule)).collect::<Vec<_>>())
}

fn list_cell(texts: &[String]) -> String {
    guard_formula(&texts.join("; "))
}

fn render_summary(packages: &[PackageReport], rules: &[String]) -> String {
    let mut head = ["name", "id", "email", "group", "late", "time_factor"].map(str::to_owned).to_vec();
    for package in packages {
        head.extend([guard_formula(&package.name), guard_formula(&format!("{} verdict", package.name))]);
    }
    head.extend(["deduction", "total", "max", "rules", "decided"].map(str::to_owned));
    let rows = rows_by_name(packages);
    let rules = rules_cell(rules);
    let record = |(name, rows): (&str, RowsOfParticipant)| {
        let mut record = summary_record(name, &rows, packages);
        record.push(rules.clone());
        let decided = packages.iter().zip(&rows).flat_map(|(package, row)| {
            let cases = row.map(decided_cases).unwrap_or_default();
            cases.into_iter().map(|text| format!("{}: {text}", one_line(&package.name)))
        });
        record.push(list_cell(&decided.collect::<Vec<_>>()));
        record
    };
    write_records(std::iter::once(head).chain(rows.into_iter().map(record)))
}

fn summary_record(name: &str, rows: &RowsOfParticipant, packages: &[PackageReport]) -> Vec<String> {
    let mut record = vec![guard_formula(name)];
    let nothing = HandIn::default();
    let first = rows.iter().flatten().next();
    let hand_in = first.map_or(&nothing, |row| &row.hand_in);
    record.extend(person_cells(hand_in));
    record.extend([late_cell(hand_in), factor_cell(hand_in)]);
    for row in rows {
        let card = row.map(|row| &row.card);
        record.push(points_cell(row.and_then(|row| row.worth()).as_ref()));
        record.push(card.and_then(|card| verdict_key(&card.state)).unwrap_or_default().to_owned());
    }
    record.push(points_cell(total_deduction(rows).as_ref()));
    record.push(points_cell(total_points(rows).as_ref()));
    record.push(points_cell(greatest_total(packages).as_ref()));
    record
}

/// Up to six decimals; empty if unknown.
fn points_cell(points: Option<&Points>) -> String {
    points.map_or(String::new(), |points| format!("{points:.6}"))
}

/// Texts come from participants: a spreadsheet must not run one as a formula, nor a terminal obey it.
fn guard_formula(text: &str) -> String {
    // Also after spaces: some spreadsheets trim before they look.
    let formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = without_control_characters(text);
    if formula { format!("'{text}") } else { text }
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
