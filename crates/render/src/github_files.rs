//! For GitHub's workflows: the summary of a job.

use super::phrases::{group_cell, group_title, long_state, points_of_max, short_state};
use kopek_base::wording::{escape_markup, one_line};
use kopek_results::{GroupHead, OpenCase, PackageReport, Report, ResultKind, RowReport, public_report};

/// For `$GITHUB_STEP_SUMMARY`: a table in Markdown for each package.
pub fn github_summary(report: &Report) -> String {
    let report = public_report(report);
    let mut text = String::new();
    for package in &report.packages {
        text += &format!("## {}\n\n{}\n", cell_text(&package.name), package_table(package));
    }
    let rules = report.all_rules();
    let faults: Vec<String> = report.faults.iter().map(OpenCase::to_string).collect();
    let notes = rules.iter().chain(&report.warnings).chain(&faults);
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
    let group = |head: &GroupHead| {
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
