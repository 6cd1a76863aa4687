//! For Gradescope's autograder: `results.json`, a test for each group. What students see there is what
//! `score` and the groups say; nothing of a secret case.

use super::{
    json_points::JsonPoints,
    phrases::{gives_points, json_text, long_state},
    remarks::{Audience, remark_texts},
};
use kopek_engine::{
    points::Points,
    score::{GroupScore, State},
    verdict::Verdict,
};
use kopek_results::{PackageReport, Report, ResultKind, RowReport};
use serde::Serialize;
use std::collections::BTreeMap;

/// Keys in alphabetical order.
#[derive(Serialize)]
struct GradescopeResults {
    output: String,
    /// Without a score Gradescope shows that grading failed, which is what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<JsonPoints>,
    stdout_visibility: &'static str,
    tests: Vec<GradescopeTest>,
    visibility: &'static str,
}

#[derive(Serialize)]
struct GradescopeTest {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<JsonPoints>,
    name: String,
    number: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<JsonPoints>,
    status: &'static str,
    visibility: &'static str,
}

/// The results of the only participant; of several an object by name.
pub(super) fn render(report: &Report) -> String {
    let mut all = BTreeMap::new();
    for package in &report.packages {
        for row in &package.rows {
            let name = if report.packages.len() > 1 {
                format!("{} on {}", row.card.name, package.name)
            } else {
                row.card.name.clone()
            };
            all.insert(name, results_of(report, package, row));
        }
    }
    match all.len() {
        1 => json_text(&all.first_key_value().expect("there is one").1),
        _ => json_text(&all),
    }
}

fn results_of(report: &Report, package: &PackageReport, row: &RowReport) -> GradescopeResults {
    let entry = row.hand_in.entry.iter().map(|entry| format!("judged: {entry}"));
    let remarks = remark_texts(row, Audience::Participant).into_iter().chain(report.rules_for([row]));
    let lines: Vec<String> = entry.chain([long_state(&row.card.state)]).chain(remarks).collect();
    let groups = row.card.groups.iter().enumerate();
    GradescopeResults {
        output: lines.join("\n"),
        score: number(row.worth().as_ref()),
        stdout_visibility: "hidden",
        tests: groups.map(|(at, group)| group_test(package, group, at + 1)).collect(),
        visibility: "visible",
    }
}

fn group_test(package: &PackageReport, group: &GroupScore, at: usize) -> GradescopeTest {
    let passed = group.state == State::Decided(Verdict::Accepted);
    let scored = package.kind == ResultKind::Scoring && gives_points(&group.name, group.max.as_ref());
    GradescopeTest {
        max_score: number(group.max.as_ref().filter(|_| scored)),
        name: group.name.clone(),
        number: at.to_string(),
        output: long_state(&group.state),
        score: number(group.points.as_ref().filter(|_| scored)),
        status: if passed { "passed" } else { "failed" },
        visibility: "visible",
    }
}

/// Gradescope takes no fractions.
fn number(points: Option<&Points>) -> Option<JsonPoints> {
    Some(JsonPoints(points?.rounded(6)))
}
