//! For programs: a stable schema.
//!
//! One object for one package, an array of them for several:
//!
//! ```text
//! {
//!   "package": "nim",                 short name
//!   "uuid": "…",                      null if the package has none
//!   "title": "Nim",
//!   "time_limit_seconds": 1,          CPU time per case
//!   "calibration": {"declared_seconds": 2, "submission": "accepted/a.c", "case": "secret/1/03",
//!     "seconds": 0.31, "factor": 2},  how the limit was measured; null: it is the declared one
//!   "memory_limit_bytes": 268435456,  per case
//!   "slowdown": {"worst": 1.31, "median": 1.02},   of the machine, compared with idle; null: no run was
//!                                     above its limit, so it was not measured
//!   "repeated_runs": 3,               above the limit
//!   "groups": [                       in judging order
//!     {"name": "secret/1", "max": 20}     max: null if unbounded, or if it gives no points
//!   ],
//!   "participants": [                 sorted by name
//!     {
//!       "name": "ada", "submission": "ada.py",
//!       "id": "1234521", "email": null, "group": null,   as a learning platform names them
//!       "late": true, "late_seconds": null,   null: late, but not known by how much
//!       "attempt": 2,                 null if there was only one
//!       "entry": "ada.py",            the file that was run; null if there was none
//!       "other_files": 0,             of the hand-in, without litter
//!       "language": "python3",        null if none was found
//!       "deduction": {"points": 5, "reason": "…"},   points taken off; else null
//!       "points": 20,                 null while something that counts is unknown;
//!                                     1 or 0 if the problem is pass-fail
//!       "max": 100,                   null if unbounded
//!       "verdict": "WA",              see below
//!       "slowest_seconds": 0.31,      CPU time of the slowest trial; null if there was none
//!       "slowest_case": "secret/2/07",
//!       "groups": [                   as above, with the group's slowest trial
//!         {"name": "secret/1", "points": 20, "max": 20, "verdict": "AC", "slowest_seconds": 0.02}
//!       ],
//!       "decided": [                  cases that a person decided because no run did
//!         {"case": "secret/2/07", "verdict": "TLE", "reason": "…", "by": "…"}
//!       ],
//!       "notes": ["…"]                repeated and unstable trials, equal hand-ins, judge errors
//!     }
//!   ],
//!   "data": "…",                      changes with the cases, limits and validators
//!   "setting": "…",                   changes with the limits and validators
//!   "case_digests": {"secret/1/03": "…"},   change with the case; those that count
//!   "excluded_cases": ["secret/2/07"],   that the teacher ruled out
//!   "changes": [                      points that are others than in the report of --since; null: not asked
//!     {"name": "ada", "before": 60, "after": 100, "why": "another program was handed in"}
//!   ],
//!   "rules": ["…"],                   what the teacher ruled that changes points
//!   "isolation": "…", "machine": "…",
//!   "warnings": ["…"],                to be read before the points are believed
//!   "undecided": [                    cases that no run decided, and the ways to close one
//!     {"participants": ["ada"], "case": "secret/2/07", "found": "3.2 to 3.5 s of 2 s in 4 runs, …"}
//!   ],
//!   "ways_to_close": ["…"],
//!   "faults": ["…"]                   not empty: not everything was judged; undecided cases among them
//! }
//! ```
//!
//! A verdict is `AC`, `WA`, `TLE` (CPU time), `ILE` (idle), `MLE`, `OLE`, `RTE`, `CE`, `NP` (no program);
//! `skipped` (an earlier group it needs was not passed); or null (not judged yet).
//! Points are exact: a number, or a fraction such as "140/3" if its decimals do not end. Keys are only ever added.

use super::{
    json_points::JsonPoints,
    phrases::{json_text, verdict_key, ways_to_close},
    remarks::{Audience, remark_texts},
};
use kopek_engine::{
    package::{Calibration, CaseDecision, Lateness},
    score::GroupScore,
};
use kopek_results::{
    CaseReport, Deduction, PackageReport, Report, ReportChanges, RowReport, Slowness, UndecidedCase,
};
use serde::Serialize;
use serde_json::Number;
use std::{collections::BTreeMap, time::Duration};

#[derive(Serialize)]
struct JsonPackage<'a> {
    package: &'a str,
    uuid: Option<&'a str>,
    title: &'a str,
    time_limit_seconds: Number,
    calibration: Option<JsonCalibration<'a>>,
    memory_limit_bytes: u64,
    slowdown: Option<JsonSlowdown>,
    repeated_runs: usize,
    groups: Vec<JsonGroupHead<'a>>,
    participants: Vec<JsonParticipant<'a>>,
    data: Option<&'a str>,
    setting: Option<&'a str>,
    case_digests: Option<&'a BTreeMap<String, String>>,
    excluded_cases: &'a [String],
    changes: Option<Vec<JsonChange<'a>>>,
    rules: Vec<String>,
    isolation: &'a str,
    machine: &'a str,
    warnings: &'a [String],
    undecided: Vec<JsonUndecided<'a>>,
    ways_to_close: Vec<String>,
    faults: Vec<String>,
}

#[derive(Serialize)]
struct JsonUndecided<'a> {
    participants: &'a [String],
    case: &'a str,
    found: &'a str,
}

#[derive(Serialize)]
struct JsonSlowdown {
    worst: f64,
    median: f64,
}

#[derive(Serialize)]
pub(super) struct JsonCalibration<'a> {
    declared_seconds: Option<Number>,
    submission: &'a str,
    case: &'a str,
    seconds: Number,
    factor: f64,
}

#[derive(Serialize)]
struct JsonGroupHead<'a> {
    name: &'a str,
    max: Option<JsonPoints>,
}

#[derive(Serialize)]
struct JsonParticipant<'a> {
    name: &'a str,
    submission: &'a str,
    id: Option<&'a str>,
    email: Option<&'a str>,
    group: Option<&'a str>,
    late: bool,
    late_seconds: Option<u64>,
    attempt: Option<u32>,
    entry: Option<&'a str>,
    other_files: usize,
    program: Option<&'a str>,
    language: Option<&'a str>,
    time_factor: Option<String>,
    deduction: Option<JsonDeduction<'a>>,
    points: Option<JsonPoints>,
    max: Option<JsonPoints>,
    verdict: Option<&'static str>,
    slowest_seconds: Option<Number>,
    slowest_case: Option<&'a str>,
    groups: Vec<JsonGroup<'a>>,
    decided: Vec<JsonDecision<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JsonDecision<'a> {
    case: &'a str,
    verdict: &'static str,
    reason: &'a str,
    by: &'a str,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    name: &'a str,
    before: Option<JsonPoints>,
    after: Option<JsonPoints>,
    why: &'a str,
}

#[derive(Serialize)]
struct JsonDeduction<'a> {
    points: Option<JsonPoints>,
    reason: &'a str,
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    name: &'a str,
    points: Option<JsonPoints>,
    max: Option<JsonPoints>,
    verdict: Option<&'static str>,
    slowest_seconds: Option<Number>,
}

pub(super) fn render(report: &Report) -> String {
    let packages: Vec<JsonPackage> = report.packages.iter().map(|p| json_package(p, report)).collect();
    match packages.as_slice() {
        [only] => json_text(only),
        several => json_text(&several),
    }
}

fn json_package<'a>(package: &'a PackageReport, report: &'a Report) -> JsonPackage<'a> {
    let mut participants: Vec<JsonParticipant> = package.rows.iter().map(json_participant).collect();
    let undecided = || report.undecided.iter().filter(|one| one.package == package.name);
    // In a fixed order, so that two reports can be compared line by line.
    participants.sort_by_key(|participant| participant.name);
    JsonPackage {
        package: &package.name,
        uuid: package.uuid.as_deref(),
        title: &package.title,
        time_limit_seconds: seconds_number(package.time_limit),
        calibration: package.calibration.as_ref().map(json_calibration),
        memory_limit_bytes: package.memory_limit.0,
        slowdown: package.noise.slowness.map(|Slowness { worst, median }| JsonSlowdown { worst, median }),
        repeated_runs: package.noise.repeated,
        groups: package
            .groups
            .iter()
            .map(|g| JsonGroupHead { name: &g.name, max: JsonPoints::of(g.max.as_ref()) })
            .collect(),
        participants,
        data: package.data.as_ref().map(|data| data.whole.as_str()),
        setting: package.data.as_ref().map(|data| data.setting.as_str()),
        case_digests: package.data.as_ref().map(|data| &data.cases),
        excluded_cases: &package.excluded,
        changes: report.since.as_ref().map(|since| json_changes(since, &package.name)),
        rules: report.all_rules(),
        isolation: &report.isolation,
        machine: &report.machine,
        warnings: &report.warnings,
        undecided: undecided().map(json_undecided).collect(),
        ways_to_close: undecided().next().map(ways_to_close).into_iter().flatten().collect(),
        faults: report.all_faults(),
    }
}

fn json_undecided(undecided: &UndecidedCase) -> JsonUndecided<'_> {
    let UndecidedCase { participants, case, found, .. } = undecided;
    JsonUndecided { participants, case, found }
}

pub(super) fn json_calibration(calibration: &Calibration) -> JsonCalibration<'_> {
    JsonCalibration {
        declared_seconds: calibration.declared.map(seconds_number),
        submission: &calibration.submission,
        case: &calibration.case,
        seconds: seconds_number(calibration.time),
        factor: calibration.factor,
    }
}

fn json_participant(row: &RowReport) -> JsonParticipant<'_> {
    let (card, hand_in) = (&row.card, &row.hand_in);
    JsonParticipant {
        name: &card.name,
        submission: &row.file,
        id: hand_in.id.as_deref(),
        email: hand_in.email.as_deref(),
        group: hand_in.group.as_deref(),
        late: hand_in.late.is_some(),
        late_seconds: hand_in.late.and_then(seconds_late),
        attempt: hand_in.attempt,
        entry: hand_in.entry.as_deref(),
        other_files: hand_in.other_files,
        program: row.program.as_deref(),
        language: row.language.as_deref(),
        time_factor: hand_in.time_factor.map(|factor| factor.to_string()),
        deduction: row.deduction.as_ref().map(json_deduction),
        points: JsonPoints::of(row.worth().as_ref()),
        max: JsonPoints::of(card.max.as_ref()),
        verdict: verdict_key(&card.state),
        slowest_seconds: card.slowest.as_ref().map(|(_, time)| seconds_number(*time)),
        slowest_case: card.slowest.as_ref().map(|(case, _)| case.as_str()),
        groups: card.groups.iter().map(json_group).collect(),
        decided: row.cases.iter().filter_map(json_decision).collect(),
        notes: remark_texts(row, Audience::Judge),
    }
}

fn json_decision(case: &CaseReport) -> Option<JsonDecision<'_>> {
    let CaseDecision { verdict, reason, by, .. } = case.decided.as_ref()?;
    Some(JsonDecision { case: &case.name, verdict: verdict.short(), reason, by })
}

fn json_changes<'a>(since: &'a ReportChanges, package: &str) -> Vec<JsonChange<'a>> {
    let own = since.changes.iter().filter(|change| change.package == package);
    own.map(|change| JsonChange {
        name: &change.name,
        before: JsonPoints::of(change.before.as_ref()),
        after: JsonPoints::of(change.after.as_ref()),
        why: &change.why,
    })
    .collect()
}

fn json_deduction(deduction: &Deduction) -> JsonDeduction<'_> {
    JsonDeduction { points: JsonPoints::of(Some(&deduction.points)), reason: &deduction.reason }
}

fn seconds_late(late: Lateness) -> Option<u64> {
    match late {
        Lateness::Marked => None,
        Lateness::By(time) => Some(time.as_secs()),
    }
}

fn json_group(group: &GroupScore) -> JsonGroup<'_> {
    JsonGroup {
        name: &group.name,
        points: JsonPoints::of(group.points.as_ref()),
        max: JsonPoints::of(group.max.as_ref()),
        verdict: verdict_key(&group.state),
        slowest_seconds: group.slowest.as_ref().map(|(_, time)| seconds_number(*time)),
    }
}

/// Seconds to the microsecond; whole ones as whole numbers.
pub(super) fn seconds_number(time: Duration) -> Number {
    let micros = time.as_micros();
    let whole = u64::try_from(micros / 1_000_000).unwrap_or(u64::MAX);
    if micros.is_multiple_of(1_000_000) {
        return Number::from(whole);
    }
    Number::from_f64(micros as f64 / 1e6).expect("a number of microseconds is finite")
}
