//! What GitHub's workflows read from files: the summary of a job, and the result for the classroom's reporter.

use super::{
    phrases::{group_cell, group_title, long_state, one_line, points_number, points_of_max, short_state},
    public_report::public_report,
    results::{PackageReport, Report, ResultKind, RowReport},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use kopek_base::wording::escape_markup;
use kopek_engine::{score::State, verdict::Verdict};
use serde_json::{Value, json};

/// For `$GITHUB_STEP_SUMMARY`: a table in Markdown for each package.
pub fn github_summary(report: &Report) -> String {
    let report = public_report(report);
    let mut text = String::new();
    for package in &report.packages {
        text += &format!("## {}\n\n{}\n", cell_text(&package.name), package_table(package));
    }
    let notes = report.rules.iter().chain(&report.warnings).chain(&report.faults);
    text + &notes.map(|note| format!("* {}\n", cell_text(note))).collect::<String>()
}

fn package_table(package: &PackageReport) -> String {
    let groups: Vec<String> = package.groups.iter().map(|group| cell_text(&group_title(group))).collect();
    let head = [vec!["name".to_owned()], groups, vec!["result".to_owned()]].concat();
    let line = format!("|{}\n", " --- |".repeat(head.len()));
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let rows = rows.into_iter().map(|row| table_line(&row_cells(package, row)));
    std::iter::once(table_line(&head) + &line).chain(rows).collect()
}

fn row_cells(package: &PackageReport, row: &RowReport) -> Vec<String> {
    let group = |head: &super::results::GroupHead| {
        let own = row.card.groups.iter().find(|own| own.name == head.name);
        own.map_or_else(|| short_state(&row.card.state).to_owned(), |own| group_cell(own, package.kind))
    };
    let result = match package.kind {
        ResultKind::Scoring => points_of_max(row.worth().as_ref(), row.card.max.as_ref()),
        ResultKind::PassFail => long_state(&row.card.state),
    };
    let mut cells = vec![cell_text(&row.card.name)];
    cells.extend(package.groups.iter().map(group));
    cells.push(result);
    cells
}

fn table_line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Names are what participants call themselves: neither a cell, nor a link, nor an image.
fn cell_text(text: &str) -> String {
    let plain = escape_markup(&one_line(text));
    plain
        .chars()
        .map(|c| if "|[]()`*_\\!~".contains(c) { format!("&#{};", u32::from(c)) } else { c.to_string() })
        .collect()
}

/// For the classroom's reporter: the groups of the only participant, in base 64. `None`: there are several, or
/// not everything is judged.
pub fn classroom_result(report: &Report) -> Option<String> {
    let report = public_report(report);
    let mut rows =
        report.packages.iter().flat_map(|package| package.rows.iter().map(move |row| (package, row)));
    let (package, row) = rows.next().filter(|_| report.faults.is_empty())?;
    if rows.next().is_some() {
        return None;
    }
    let tests: Vec<Value> = row.card.groups.iter().map(|group| group_json(package, group)).collect();
    let passed = row.card.state == State::Decided(Verdict::Accepted);
    let result = json!({
        "version": 1,
        "status": if passed { "pass" } else { "fail" },
        "max_score": row.card.max.as_ref().and_then(points_number),
        "tests": tests,
    });
    row.worth()?;
    Some(BASE64_STANDARD.encode(result.to_string()))
}

fn group_json(package: &PackageReport, group: &kopek_engine::score::GroupScore) -> Value {
    let scored = package.kind == ResultKind::Scoring;
    let number =
        |points: Option<&kopek_engine::points::Points>| points.filter(|_| scored).and_then(points_number);
    json!({
        "name": group.name,
        "status": if group.state == State::Decided(Verdict::Accepted) { "pass" } else { "fail" },
        "score": number(group.points.as_ref()).unwrap_or(0.0),
        "max_score": number(group.max.as_ref()).unwrap_or(0.0),
    })
}
