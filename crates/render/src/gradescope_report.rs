//! For Gradescope's autograder: `results.json`, a test for each group. What students see there is what
//! `score` and the groups say; nothing of a secret case.

use super::{
    own_counterexample::own_counterexample,
    page::Page,
    phrases::{gives_points, json_text},
};
use kopek_package::{package::Audience, points::Points, verdict::Verdict};
use kopek_plan::score::{GroupScore, State};
use kopek_results::{PackageReport, Report, ResultKind, RowReport, row_remarks};
use kopek_sentences::{PageLanguage, Said};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Keys in alphabetical order.
#[derive(Serialize)]
struct GradescopeResults {
    output: String,
    /// Without a score Gradescope shows that grading failed, which is what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Box<RawValue>>,
    stdout_visibility: &'static str,
    tests: Vec<GradescopeTest>,
    visibility: &'static str,
}

#[derive(Serialize)]
struct GradescopeTest {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<Box<RawValue>>,
    name: String,
    number: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Box<RawValue>>,
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
    let language = report.language;
    let entry = row.hand_in.entry.iter().map(|entry| Said::JudgedFile { file: entry.clone() });
    let remarks = row_remarks(row, Audience::Everyone).into_iter().map(|remark| remark.said);
    let said = entry.chain([(&row.card.state).into()]).chain(remarks).chain(report.rules_for([row]));
    let mut lines: Vec<String> = said.map(|said| language.say(&said)).collect();
    let page = Page { language, ..Page::default() };
    if let Some(own) = report.counterexample_for(&package.name, &row.card.name) {
        lines.push(format!("\n{}", own_counterexample(own, row, language).to_text(page)));
    }
    let groups = row.card.groups.iter().enumerate();
    GradescopeResults {
        output: lines.join("\n"),
        score: number(row.worth().as_ref()),
        stdout_visibility: "hidden",
        tests: groups.map(|(at, group)| group_test(package, group, at + 1, language)).collect(),
        visibility: "visible",
    }
}

fn group_test(
    package: &PackageReport,
    group: &GroupScore,
    at: usize,
    language: PageLanguage,
) -> GradescopeTest {
    let passed = group.state == State::Decided(Verdict::Accepted);
    let scored = package.kind == ResultKind::Scoring && gives_points(&group.name, group.max.as_ref());
    GradescopeTest {
        max_score: number(group.max.as_ref().filter(|_| scored)),
        name: group.name.clone(),
        number: at.to_string(),
        output: language.say(&(&group.state).into()),
        score: number(group.points.as_ref().filter(|_| scored)),
        status: if passed { "passed" } else { "failed" },
        visibility: "visible",
    }
}

/// Gradescope takes no fractions.
fn number(points: Option<&Points>) -> Option<Box<RawValue>> {
    Some(points?.rounded(6).to_json())
}
