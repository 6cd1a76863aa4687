//! One solution for programs: what [`super::render_run`] shows, and every case.
//!
//! ```text
//! {
//!   "package": "nim", "submission": "ada.py", "language": "python3",
//!   "verdict": "WA",                  as in the report of a cohort; null: not judged
//!   "points": 20, "max": 100,         null for a part of the cases, and while something is unknown
//!   "time_limit_seconds": 1, "memory_limit_bytes": 268435456,
//!   "calibration": null,              how the limit was measured, as in the report of a cohort
//!   "compiler": "…",                  what it said
//!   "cases": [                        in judging order
//!     {
//!       "name": "secret/1/03", "group": "secret/1",
//!       "verdict": "WA",              null: not run
//!       "decided": null,              {"reason": "…", "by": "…"} where a person decided it and no run
//!       "seconds": 0.031, "memory_bytes": 9000000, "exit": "exit code 1",
//!       "input": "/path/03.in",
//!       "line": 3, "column": 5, "expected": "7", "found": "8",   where they differ first
//!       "judge_message": "…", "team_message": "…", "stderr": "…"
//!     }
//!   ],
//!   "remarks": ["…"], "warnings": ["…"], "faults": ["…"]
//! }
//! ```

use super::{
    json_points::JsonPoints,
    json_report::{JsonCalibration, json_calibration, seconds_number},
    phrases::{exit_text, json_text, verdict_key},
    remarks::{Audience, remark_texts},
};
use kopek_results::{CaseReport, PackageReport, Report, ResultKind, RowReport};
use serde::Serialize;
use serde_json::Number;

#[derive(Serialize)]
struct JsonRun<'a> {
    package: &'a str,
    submission: &'a str,
    language: Option<&'a str>,
    verdict: Option<&'static str>,
    points: Option<JsonPoints>,
    max: Option<JsonPoints>,
    time_limit_seconds: Number,
    memory_limit_bytes: u64,
    calibration: Option<JsonCalibration<'a>>,
    compiler: &'a str,
    cases: Vec<JsonCase<'a>>,
    remarks: Vec<String>,
    warnings: &'a [String],
    faults: Vec<String>,
}

#[derive(Serialize)]
struct JsonCase<'a> {
    name: &'a str,
    group: &'a str,
    verdict: Option<&'static str>,
    decided: Option<JsonReason<'a>>,
    seconds: Option<Number>,
    memory_bytes: Option<u64>,
    exit: Option<String>,
    input: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    expected: Option<&'a str>,
    found: Option<&'a str>,
    judge_message: Option<&'a str>,
    team_message: Option<&'a str>,
    stderr: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonReason<'a> {
    reason: &'a str,
    by: &'a str,
}

/// Renders a run; warnings and faults are those of the report.
pub fn render_run_json(
    report: &Report,
    package: &PackageReport,
    row: &RowReport,
    remarks: &[String],
) -> String {
    let scored = package.kind == ResultKind::Scoring;
    let run = JsonRun {
        package: &package.name,
        submission: &row.file,
        language: row.language.as_deref(),
        verdict: verdict_key(&row.card.state),
        points: JsonPoints::of(row.card.points.as_ref().filter(|_| scored)),
        max: JsonPoints::of(row.card.max.as_ref().filter(|_| scored)),
        time_limit_seconds: seconds_number(package.time_limit),
        memory_limit_bytes: package.memory_limit.0,
        calibration: package.calibration.as_ref().map(json_calibration),
        compiler: &row.compile_message,
        cases: row.cases.iter().map(json_case).collect(),
        remarks: [remark_texts(row, Audience::Judge), remarks.to_vec()].concat(),
        warnings: &report.warnings,
        faults: report.all_faults(),
    };
    json_text(&run)
}

fn json_case(case: &CaseReport) -> JsonCase<'_> {
    let trial = case.trial.as_ref();
    let run = trial.filter(|_| case.decided.is_none());
    let difference = trial.and_then(|trial| trial.difference.as_ref());
    JsonCase {
        name: &case.name,
        group: &case.group,
        verdict: trial.map(|trial| trial.verdict.short()),
        decided: case.decided.as_ref().map(|one| JsonReason { reason: &one.reason, by: &one.by }),
        seconds: run.map(|trial| seconds_number(trial.usage.cpu)),
        memory_bytes: run.map(|trial| trial.usage.memory.0),
        exit: run.map(|trial| exit_text(&trial.exit)),
        input: case.input_path.as_ref().map(|path| path.to_string_lossy().into_owned()),
        line: difference.map(|difference| difference.line),
        column: difference.map(|difference| difference.column),
        expected: difference.and_then(|difference| difference.expected.as_deref()),
        found: difference.and_then(|difference| difference.found.as_deref()),
        judge_message: trial.map(|trial| trial.judge_message.as_str()).filter(|text| !text.is_empty()),
        team_message: trial.map(|trial| trial.team_message.as_str()).filter(|text| !text.is_empty()),
        stderr: trial.map(|trial| trial.stderr.as_str()).filter(|text| !text.is_empty()),
    }
}
