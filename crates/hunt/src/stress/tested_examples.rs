//! The example submissions, by what the tests say of them.

use crate::bench::is_claimed_right;
use anyhow::{Result, bail};
use kopek_engine::exec::Engine;
use kopek_judge::grade::{GradeSession, OnGradeEvent, Thoroughness};
use kopek_package::{
    package::{Package, Participant, TestSet},
    verdict::Verdict,
};

#[derive(Debug, Default)]
pub struct TestedExamples {
    pub right: Vec<Participant>,
    /// Not claimed to be correct, but they pass every test.
    pub uncaught: Vec<Participant>,
    /// Names of those that fail on a test.
    pub caught: Vec<String>,
    /// Names of those whose result is undecided.
    pub open: Vec<String>,
}

/// Judges the examples that are not claimed to be correct on the tests.
pub fn test_examples(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    tell: &mut OnGradeEvent,
) -> Result<TestedExamples> {
    let is_right = |one: &Participant| is_claimed_right(package, &one.name);
    let (right, others): (Vec<_>, Vec<_>) =
        package.submissions.iter().map(Participant::from).partition(is_right);
    let session = GradeSession::usual(*engine, Thoroughness::Needed);
    let judged = session.judge(package, tests, &others, tell)?;
    if let Some(fault) = judged.machine_faults().into_iter().next() {
        bail!("try the submissions on the tests: {fault}");
    }
    let mut tested = TestedExamples { right, ..TestedExamples::default() };
    for row in &judged.plan.rows {
        let one = row.participant.clone();
        let Ok(program) = row.program else {
            tested.uncaught.push(one);
            continue;
        };
        if judged.graded.trials[program].values().any(|trial| trial.verdict != Verdict::Accepted) {
            tested.caught.push(one.name);
        } else if judged.open_cases_of(program).is_empty() {
            tested.uncaught.push(one);
        } else {
            tested.open.push(one.name);
        }
    }
    Ok(tested)
}
