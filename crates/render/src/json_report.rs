//! For programs: a stable schema.
//!
//! One object for one package, an array of them for several:
//!
//! ```text
//! {
//!   "version": 2,                     of this format; `--since` refuses others
//!   "package": "nim",                 short name
//!   "uuid": "…",                      null if the package has none
//!   "title": "Nim",
//!   "kind": "scoring",                or "pass_fail"
//!   "time_limit_seconds": 1,          CPU time per case
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
//!       "by_hand": {"automatic_points": 60, "changes": [   only if a person gave points or a comment
//!         {"group": "secret/2", "before": 20, "after": 35, "comment": "…", "by": "…"}
//!       ]},                           group: null for the whole package; comment: null if there is none; "excused": true
//!       "late_steps": {"extension_seconds": 0, "grace_seconds": 900, "budget_seconds": 0, "counted_seconds": 60},
//!                                     lateness that costs nothing; null if there is none
//!       "deduction": {"points": 5, "reason": {…}},   points taken off; else null
//!       "points": 20,                 null while something that counts is unknown;
//!                                     1 or 0 if the problem is pass-fail
//!       "max": 100,                   null if unbounded
//!       "verdict": "WA",              see below
//!       "slowest_seconds": 0.31,      CPU time of the slowest trial; null if there was none
//!       "slowest_case": "secret/2/07",
//!       "groups": [                   as above, with the group's slowest trial
//!         {"name": "secret/1", "points": 20, "max": 20, "verdict": "AC", "slowest_seconds": 0.02, "slowest_case": "secret/1/03"}
//!       ],
//!       "decided": [                  cases that a person decided because no run did
//!         {"case": "secret/2/07", "verdict": "TLE", "reason": "…", "by": "…"}
//!       ],
//!       "notes": [{…}]                repeated trials, equal hand-ins, judge errors: sentences, see below
//!     }
//!   ],
//!   "data": "…",                      changes with the cases, limits and validators
//!   "setting": "…",                   changes with the limits and validators
//!   "case_digests": {"secret/1/03": "…"},   change with the case; those that count
//!   "excluded_cases": ["secret/2/07"],   that the teacher ruled out
//!   "changes": [                      points that are others than in the report of --since; null: not asked
//!     {"name": "ada", "before": 60, "after": 100, "reasons": ["program"], "groups": ["secret/2"]}
//!   ],
//!   "sheet": {…},                     the totals of all packages: the fields of `CourseTotals`; null: the sums of points
//!   "rules": [{…}],                   what the teacher ruled that changes points
//!   "anonymous": false,               whether participants have numbers instead of names
//!   "isolation": "…", "machine": "…",
//!   "warnings": ["…"],                to be read before the points are believed
//!   "undecided": [                    cases that no run decided, and the ways to close one
//!     {"participants": ["ada"], "case": "secret/2/07", "found": "3.2 to 3.5 s of 2 s in 4 runs, …"}
//!   ],
//!   "ways_to_close": ["…"],
//!   "faults": ["…"],                  not empty: not everything was judged; undecided cases among them
//!   "counterexamples": {…}            only with --counterexamples: the fields of `Counterexamples`
//! }
//! ```
//!
//! A verdict is `AC`, `WA`, `TLE` (CPU time), `ILE` (idle), `MLE`, `OLE`, `RTE`, `CE`, `NP` (no program);
//! `skipped` (the group `needs` was not passed); or null (not judged yet: `missing_trials`).
//! Points are exact: a number, a text if it has more than 15 digits, or a fraction such as "140/3" if its decimals do not end.
//! A sentence is `{"code": "group-skipped", "arguments": {"group": {…}}, "text": "skipped: Group 2 was not passed"}`: the key
//! in kopek's tables, its arguments, which may be sentences, and the English text. The code `foreign` has a text only.
//! What [`StoredPackage`] has is read again, by `--since`.

use super::{open_cases::ways_to_close, phrases::json_text};
use kopek_results::{Counterexamples, PackageReport, Report, StoredPackage, UndecidedCase};
use kopek_sentences::{Said, serialize_all_said};
use serde::Serialize;

/// A package, with what people read beside it.
#[derive(Serialize)]
struct JsonPackage<'a> {
    #[serde(flatten)]
    stored: StoredPackage<'a>,
    #[serde(serialize_with = "serialize_all_said")]
    rules: Vec<Said>,
    isolation: &'a str,
    machine: &'a str,
    warnings: Vec<String>,
    undecided: Vec<&'a UndecidedCase>,
    ways_to_close: Vec<String>,
    faults: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexamples: Option<&'a Counterexamples>,
}

pub(super) fn render(report: &Report) -> String {
    let packages: Vec<JsonPackage> = report.packages.iter().map(|p| json_package(p, report)).collect();
    match packages.as_slice() {
        [only] => json_text(only),
        several => json_text(&several),
    }
}

fn json_package<'a>(package: &'a PackageReport, report: &'a Report) -> JsonPackage<'a> {
    let undecided: Vec<&UndecidedCase> =
        report.notices.undecided.iter().filter(|case| case.package == package.name).collect();
    JsonPackage {
        stored: StoredPackage::of(package, report),
        rules: report.all_rules(),
        isolation: &report.isolation,
        machine: &report.machine,
        warnings: report.notices.warning_texts(),
        ways_to_close: undecided.first().map(|first| ways_to_close(first)).into_iter().flatten().collect(),
        undecided,
        faults: report.all_faults(),
        counterexamples: report.counterexamples_of(&package.name),
    }
}
