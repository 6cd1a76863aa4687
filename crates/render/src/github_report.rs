//! For GitHub's workflows: a line for each group that was not passed, shown beside the program's file.

use super::{
    phrases::{long_state, points_of_max},
    remarks::{Audience, remark_texts},
};
use kopek_base::wording::without_control_characters;
use kopek_engine::{score::State, verdict::Verdict};
use kopek_results::{OpenCase, PackageReport, Report, RowReport};

/// Renders all of it.
pub(super) fn render(report: &Report) -> String {
    let faults = report.faults.iter().map(OpenCase::to_string);
    let faults = faults.map(|fault| format!("::error title=not judged::{}\n", escape_data(&fault)));
    let rows = report
        .packages
        .iter()
        .flat_map(|package| package.rows.iter().map(move |row| row_lines(package, row)));
    let rules = report.all_rules();
    let rules = rules.iter().map(|rule| format!("::notice title=rule::{}\n", escape_data(rule)));
    rows.chain(rules).chain(faults).collect()
}

fn row_lines(package: &PackageReport, row: &RowReport) -> String {
    let file = row
        .hand_in
        .entry
        .as_ref()
        .map(|entry| format!("file={},", escape_property(entry)))
        .unwrap_or_default();
    let title = |what: &str| escape_property(&format!("{} on {}: {what}", row.card.name, package.name));
    let mut text = String::new();
    for group in &row.card.groups {
        if group.state != State::Decided(Verdict::Accepted) {
            let state = escape_data(&long_state(&group.state));
            text += &format!("::error {file}title={}::{state}\n", title(&group.name));
        }
    }
    for remark in remark_texts(row, Audience::Participant) {
        text += &format!("::warning {file}title={}::{}\n", title("remark"), escape_data(&remark));
    }
    let worth = points_of_max(row.worth().as_ref(), row.card.max.as_ref());
    text + &format!("::notice {file}title={}::{worth}\n", title("points"))
}

/// A text as the message of a workflow command.
pub fn escape_data(text: &str) -> String {
    without_control_characters(text).replace('%', "%25").replace('\n', "%0A")
}

/// A text as a property of a workflow command.
pub fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}
