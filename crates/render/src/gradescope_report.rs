//! For Gradescope's autograder: `results.json`, a test for each group. What students see there is what
//! `score` and the groups say; nothing of a secret case.

use super::{
    phrases::{gives_points, json_text, long_state},
    remarks::{Audience, remark_texts},
};
use kopek_engine::{
    points::Points,
    score::{GroupScore, State},
    verdict::Verdict,
};
use kopek_results::{PackageReport, Report, ResultKind, RowReport};
use serde_json::{Map, Value, json};

/// The results of the only participant; of several an object by name.
pub(super) fn render(report: &Report) -> String {
    let rows: Vec<(&PackageReport, &RowReport)> = report
        .packages
        .iter()
        .flat_map(|package| package.rows.iter().map(move |row| (package, row)))
        .collect();
    let value = match rows.as_slice() {
        [(package, row)] => results_json(report, package, row),
        several => {
            let named = several.iter().map(|(package, row)| {
                let name = if report.packages.len() > 1 {
                    format!("{} on {}", row.card.name, package.name)
                } else {
                    row.card.name.clone()
                };
                (name, results_json(report, package, row))
            });
            Value::Object(named.collect::<Map<_, _>>())
        }
    };
    json_text(&value)
}

fn results_json(report: &Report, package: &PackageReport, row: &RowReport) -> Value {
    let entry = row.hand_in.entry.iter().map(|entry| format!("judged: {entry}"));
    let remarks = remark_texts(row, Audience::Participant).into_iter().chain(report.rules_for([row]));
    let lines: Vec<String> = entry.chain([long_state(&row.card.state)]).chain(remarks).collect();
    let tests: Vec<Value> =
        row.card.groups.iter().enumerate().map(|(at, group)| group_json(package, group, at + 1)).collect();
    let mut results = json!({
        "output": lines.join("\n"),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    });
    // Without a score Gradescope shows that grading failed, which is what happened.
    if let Some(points) = row.worth() {
        results["score"] = number(&points);
    }
    results
}

fn group_json(package: &PackageReport, group: &GroupScore, at: usize) -> Value {
    let passed = group.state == State::Decided(Verdict::Accepted);
    let mut test = json!({
        "name": group.name,
        "number": at.to_string(),
        "status": if passed { "passed" } else { "failed" },
        "output": long_state(&group.state),
        "visibility": "visible",
    });
    if package.kind == ResultKind::Scoring && gives_points(&group.name, group.max.as_ref()) {
        if let Some(points) = &group.points {
            test["score"] = number(points);
        }
        if let Some(max) = &group.max {
            test["max_score"] = number(max);
        }
    }
    test
}

fn number(points: &Points) -> Value {
    let decimal = format!("{points:.6}");
    decimal
        .parse::<i64>()
        .map(Value::from)
        .or_else(|_| decimal.parse::<f64>().map(Value::from))
        .unwrap_or(Value::Null)
}
