//! Which example submissions of a package are judged, and judging them.

use super::{
    checked::Checked, claims::undecided_submissions, judged::judged_submissions, verification::Verification,
};
use anyhow::Result;
use kopek_judge::grade::{GradeSession, JudgedCohort, Thoroughness, check_runnable};
use kopek_package::{
    language::{LanguageTable, detect_language},
    package::{Message, Package, Submission},
};
use std::time::Duration;

/// Whether the submissions can be judged, and which are left out.
pub(super) fn check_examples(bench: &Verification, excluded: &[String]) -> Checked {
    let mut checked = Checked::default();
    if let Err(why) = check_runnable(bench.package) {
        checked.fault(format!("submissions were not judged: {why}"));
        return checked;
    }
    if bench.package.submissions.is_empty() {
        let message = Message::warning("submissions", "there are no example submissions");
        checked.add(message.todo("add a correct one to submissions/accepted/"));
    }
    let table = &bench.engine().machine.table;
    for one in bench.package.submissions.iter().filter(|one| is_excluded(one, excluded, table)) {
        let what = format!("not judged: its language is left out ({})", excluded.join(", "));
        let message = Message::warning(format!("submissions/{}", one.name), what);
        checked.add(message.todo("verify it without --exclude-language"));
    }
    checked
}

/// The package with the submissions to judge; `None`: it cannot be judged, or there are none.
pub(super) fn judgeable_package(bench: &Verification, excluded: &[String]) -> Option<Package> {
    let mut package = bench.package.clone();
    package.submissions.retain(|one| !is_excluded(one, excluded, &bench.engine().machine.table));
    (check_runnable(&package).is_ok() && !package.submissions.is_empty()).then_some(package)
}

/// Whether a submission is in an excluded language.
fn is_excluded(submission: &Submission, excluded: &[String], table: &LanguageTable) -> bool {
    let language = detect_language(table, &submission.source, submission.language.as_deref(), None);
    language.is_ok_and(|language| excluded.contains(&language.code))
}

/// Judges submissions; each run gets at least `patience` of CPU time. Those with claims that depend on skipped runs
/// are judged again on all cases.
pub(super) fn judge_with_patience(
    bench: &Verification,
    patience: Duration,
    all: &[&Submission],
) -> Result<JudgedCohort> {
    let Verification { package, tests, session, .. } = *bench;
    let judged = bench.judge(session, patience, all)?;
    let undecided = undecided_submissions(package, tests, &judged_submissions(all, &judged));
    if undecided.is_empty() || session.engine.is_stopped() {
        return Ok(judged);
    }
    let whole = GradeSession { thoroughness: Thoroughness::All, ..*session };
    bench.judge(&whole, patience, &undecided)?;
    bench.judge(session, patience, all)
}
