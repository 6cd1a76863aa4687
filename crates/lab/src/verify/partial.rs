//! Checks of example submissions that are possible with an incomplete test set: failed builds, and verdicts that are
//! never permitted. Other results could change with the missing cases.

use super::{
    claims, judged,
    remarks::Section,
    timing,
    verification::{OnVerificationStep, Verification, VerificationStep},
    verified::Verified,
};
use anyhow::Result;
use kopek_base::wording::counted;
use kopek_engine::package::{self, NoCases, Package, TestSet};
use kopek_judge::grade::{GradeSession, check_runnable, lend_cases};

/// Judges submissions on the existing cases.
pub(super) fn judge_on_what_is_there(
    package: &Package,
    session: &GradeSession,
    verified: &mut Verified,
    tell: &mut OnVerificationStep,
) -> Result<()> {
    let can_judge = check_runnable(package).is_ok() && !package.submissions.is_empty();
    if !can_judge || session.engine.is_stopped() {
        return Ok(());
    }
    let tests = cases_on_disk(package)?;
    let engine = session.engine;
    let data = lend_cases(engine.store(), package, &tests)?;
    let verification = Verification { package, tests: &tests, engine, data };
    let all: Vec<_> = package.submissions.iter().collect();
    let patience = timing::run_timeout(package).unwrap_or_default();
    let judged =
        session.judge_patiently(patience, package, &tests, &judged::as_cohort(&all), &mut |event| {
            tell(VerificationStep::Judging(event));
        })?;
    judged::report_trouble(&judged, verified);
    claims::check_certain_claims(&verification, &judged::judged_submissions(&all, &judged), verified);
    let what = format!(
        "the test set is incomplete: {} judged on the {} it has",
        counted(all.len(), "submission"),
        counted(tests.cases.len(), "case")
    );
    verified.check(Section::Submissions, what);
    Ok(())
}

/// Ignores findings about the cases: they follow from cases that could not be made, which were reported.
fn cases_on_disk(package: &Package) -> Result<TestSet> {
    match package::read_tests(package) {
        Ok((tests, _)) => Ok(tests),
        Err(error) => Ok(*error.downcast::<NoCases>()?.tests),
    }
}
