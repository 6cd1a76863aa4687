//! One solution for programs: what [`super::render_run`] shows, and every case.
//!
//! ```text
//! {
//!   "package": "nim", "submission": "ada.py", "language": "python3",
//!   "verdict": "WA",                  as in the report of a cohort; null: not judged
//!   "points": 20, "max": 100,         null for a part of the cases, and while something is unknown
//!   "time_limit_seconds": 1, "memory_limit_bytes": 268435456,
//!   "compiler": "…",                  what it said
//!   "cases": [                        in judging order
//!     {
//!       "name": "secret/1/03", "group": "secret/1",
//!       "verdict": "WA",              null: not run
//!       "points": null, "max": null,  if the validator gives a score
//!       "decided": null,              {"reason": "…", "by": "…"} where a person decided it and no run
//!       "seconds": 0.031, "memory_bytes": 9000000, "exit": "exit code 1",
//!       "input": "/path/03.in",
//!       "line": 3, "column": 5, "expected": "7", "found": "8",   where they differ first
//!       "judge_message": "…", "team_message": "…", "stderr": "…"
//!     }
//!   ],
//!   "counterexample": {…},            an input of the bank on which it fails, as in the report of a class; null: none
//!   "remarks": [{"code": "…", "arguments": {…}, "text": "…"}], "warnings": ["…"], "faults": ["…"]
//! }
//! ```

use super::phrases::json_text;
use kopek_base::{Bytes, serialize_seconds};
use kopek_package::{
    package::Audience,
    points::{Points, exact_json},
};
use kopek_plan::score::State;
use kopek_results::{CaseReport, Counterexample, PackageReport, Report, ResultKind, RowReport, row_remarks};
use kopek_sentences::{Said, serialize_all_said};
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
struct JsonRun<'a> {
    package: &'a str,
    submission: &'a str,
    language: Option<&'a str>,
    verdict: &'a State,
    #[serde(serialize_with = "exact_json::serialize")]
    points: Option<Points>,
    #[serde(serialize_with = "exact_json::serialize")]
    max: Option<Points>,
    #[serde(serialize_with = "serialize_seconds")]
    time_limit_seconds: Duration,
    memory_limit_bytes: Bytes,
    compiler: &'a str,
    cases: &'a [CaseReport],
    counterexample: Option<&'a Counterexample>,
    #[serde(serialize_with = "serialize_all_said")]
    remarks: Vec<Said>,
    warnings: Vec<String>,
    faults: Vec<String>,
}

/// Renders a run; warnings, faults and the counterexample are those of the report.
pub fn render_run_json(
    report: &Report,
    package: &PackageReport,
    row: &RowReport,
    remarks: &[String],
) -> String {
    let card = &row.card;
    let (points, max) = match package.kind {
        ResultKind::Scoring => (card.points.clone(), card.max.clone()),
        ResultKind::PassFail => (None, None),
    };
    let own = row_remarks(row, Audience::Teacher).into_iter().map(|remark| remark.said);
    let others = remarks.iter().map(Said::foreign);
    json_text(&JsonRun {
        package: &package.name,
        submission: &row.file,
        language: row.language.as_deref(),
        verdict: &card.state,
        points,
        max,
        time_limit_seconds: package.time_limit,
        memory_limit_bytes: package.memory_limit,
        compiler: &row.compile_message,
        cases: &row.cases,
        counterexample: report.counterexamples.iter().flat_map(|found| &found.inputs).next(),
        remarks: own.chain(others).collect(),
        warnings: report.notices.warning_texts(),
        faults: report.all_faults(),
    })
}
