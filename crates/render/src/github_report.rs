//! For GitHub's workflows: a line for each group that was not passed, shown beside the program's file, and the
//! summary of a job.

use super::{
    class_cells::text_of_group,
    phrases::{group_title, points_of_max},
};
use kopek_base::{
    PersonName,
    wording::{escape_markup, one_line, without_control_characters},
};
use kopek_package::{package::Audience, verdict::Verdict};
use kopek_plan::score::State;
use kopek_results::{OpenCase, PackageReport, Report, ResultKind, RowReport, public_report, row_remarks};
use kopek_sentences::Said;

pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    for package in &report.packages {
        package.rows.iter().for_each(|row| text += &row_lines(package, row));
    }
    for rule in report.all_rules() {
        text += &annotation("notice", "", "rule", &rule.to_string());
    }
    for fault in &report.notices.faults {
        text += &annotation("error", "", "not judged", &fault.to_string());
    }
    text
}

fn row_lines(package: &PackageReport, row: &RowReport) -> String {
    let place = match &row.hand_in.entry {
        Some(entry) => place_property(entry, None),
        None => String::new(),
    };
    let title = |what: &str| format!("{} on {}: {what}", row.card.name, package.name);
    let mut text = String::new();
    for group in &row.card.groups {
        if group.state != State::Decided(Verdict::Accepted) {
            text += &annotation("error", &place, &title(&group.name), &group.state.to_string());
        }
    }
    for remark in row_remarks(row, Audience::Everyone) {
        text += &annotation("warning", &place, &title("remark"), &remark.said.to_string());
    }
    let worth = points_of_max(row.worth().as_ref(), row.card.max.as_ref());
    text + &annotation("notice", &place, &title("points"), &worth)
}

/// A workflow command that GitHub shows at a place, see [`place_property`].
pub(super) fn annotation(level: &str, place: &str, title: &str, text: &str) -> String {
    format!("::{level} {place}title={}::{}\n", escape_property(title), escape_data(text))
}

/// The place of an annotation.
pub(super) fn place_property(file: &str, line: Option<u32>) -> String {
    let line = line.map(|line| format!("line={line},")).unwrap_or_default();
    format!("file={},{line}", escape_property(file))
}

fn escape_data(text: &str) -> String {
    without_control_characters(text).replace('%', "%25").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// For `$GITHUB_STEP_SUMMARY`: a table in Markdown for each package.
pub fn github_summary(report: &Report) -> String {
    let report = public_report(report);
    let mut text = String::new();
    for package in &report.packages {
        text += &format!("## {}\n\n{}\n", cell_text(&package.name), package_table(package));
    }
    let rules: Vec<String> = report.all_rules().iter().map(Said::to_string).collect();
    let faults: Vec<String> = report.notices.faults.iter().map(OpenCase::to_string).collect();
    let warnings = report.notices.warning_texts();
    let notes = rules.iter().chain(&warnings).chain(&faults);
    text + &notes.map(|note| format!("* {}\n", cell_text(note))).collect::<String>()
}

fn package_table(package: &PackageReport) -> String {
    let groups: Vec<String> = package.groups.iter().map(|group| cell_text(&group_title(group))).collect();
    let head = [vec!["name".to_owned()], groups, vec!["result".to_owned()]].concat();
    let line = format!("|{}\n", " --- |".repeat(head.len()));
    let mut rows: Vec<&RowReport> = package.rows.iter().collect();
    rows.sort_by_key(|row| PersonName(&row.card.name));
    let rows = rows.into_iter().map(|row| table_line(&row_cells(package, row)));
    std::iter::once(table_line(&head) + &line).chain(rows).collect()
}

fn row_cells(package: &PackageReport, row: &RowReport) -> Vec<String> {
    let result = match package.kind {
        ResultKind::Scoring => points_of_max(row.worth().as_ref(), row.card.max.as_ref()),
        ResultKind::PassFail => row.card.state.to_string(),
    };
    let mut cells = vec![cell_text(&row.card.name)];
    cells.extend(package.groups.iter().map(|group| text_of_group(package, row, group)));
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
