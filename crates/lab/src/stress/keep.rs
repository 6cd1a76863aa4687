//! Selects counterexamples to keep: as few as catch all hunted submissions.

use super::{cover::cover, hunting_ground::is_claimed_right};
use anyhow::{Result, bail};
use kopek_engine::exec::Engine;
use kopek_judge::{
    generate::{AddedCase, CaseToKeep, keep_case},
    grade::{GradeSession, OnGradeEvent, Thoroughness},
};
use kopek_package::{
    package::{Package, Participant, TestSet},
    verdict::Verdict,
};
use kopek_results::{InputOrigin, StressFinding, StressReport};
use std::{cmp::Reverse, collections::BTreeSet};

/// The names of kept cases.
#[derive(Debug, Clone)]
pub struct KeepRequest {
    /// Name of the first case; later ones get a number.
    pub name: String,
    /// Path of their group below `data/`.
    pub group: String,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct AddedExample {
    #[serde(flatten)]
    pub kept: AddedCase,
    pub bytes: usize,
    /// Submissions that fail on it and on no earlier test.
    pub newly_caught: Vec<String>,
}

/// The example submissions, by what the tests say of them.
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
    let (right, others) = package.submissions.iter().map(Participant::from).partition(is_right);
    let others: Vec<Participant> = others;
    let KnownResults { caught, open } = known_results(engine, package, tests, &others, tell)?;
    let passes = |one: &Participant| !caught.contains(&one.name) && !open.contains(&one.name);
    let uncaught = others.into_iter().filter(passes).collect();
    let [caught, open] = [caught, open].map(|names| names.into_iter().collect());
    Ok(TestedExamples { right, uncaught, caught, open })
}

/// The submissions that fail on an existing test.
pub fn caught_before(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
) -> Result<BTreeSet<String>> {
    let known = known_results(engine, package, tests, members, &mut |_| ())?;
    if let Some(name) = known.open.first() {
        bail!("try {name} on the tests: undecided; run again on an idle machine");
    }
    Ok(known.caught)
}

/// Names of submissions by their results on the tests.
struct KnownResults {
    caught: BTreeSet<String>,
    open: BTreeSet<String>,
}

fn known_results(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
    tell: &mut OnGradeEvent,
) -> Result<KnownResults> {
    let session = GradeSession::usual(*engine, Thoroughness::Needed);
    let judged = session.judge(package, tests, members, tell)?;
    if let Some(fault) = judged.machine_faults().into_iter().next() {
        bail!("try the submissions on the tests: {fault}");
    }
    let mut known = KnownResults { caught: BTreeSet::new(), open: BTreeSet::new() };
    for row in &judged.plan.rows {
        let Ok(program) = row.program else { continue };
        let name = row.participant.name.clone();
        if judged.graded.trials[program].values().any(|trial| trial.verdict != Verdict::Accepted) {
            known.caught.insert(name);
        } else if !judged.open_cases_of(program).is_empty() {
            known.open.insert(name);
        }
    }
    Ok(known)
}

/// Keeps the fewest examples that catch all hunted submissions.
pub fn keep_examples(
    engine: &Engine,
    package: &Package,
    report: &StressReport,
    request: &KeepRequest,
    mut caught: BTreeSet<String>,
) -> Result<Vec<AddedExample>> {
    let is_new =
        |one: &&StressFinding| !matches!(one.example.origin, InputOrigin::Case(_)) || !one.steps.is_empty();
    let wanted = report.findings.iter().filter(|one| one.name.is_some() && !one.claimed_right);
    let findings: Vec<&StressFinding> = wanted.filter(is_new).collect();
    let failing = |one: &&StressFinding| one.also.iter().chain(&one.name).cloned().collect();
    let failing: Vec<BTreeSet<String>> = findings.iter().map(failing).collect();
    let rank = |at: usize, more| (Reverse(more), findings[at].example.input.len(), at);
    let mut kept: Vec<AddedExample> = Vec::new();
    for at in cover(&failing, rank, usize::MAX) {
        let number = kept.len() + 1;
        let name = if number == 1 { request.name.clone() } else { format!("{}-{number}", request.name) };
        let StressFinding { example, steps, .. } = findings[at];
        let command = match &example.origin {
            InputOrigin::Command(text) if steps.is_empty() => Some(text.clone()),
            InputOrigin::Command(_) | InputOrigin::Case(_) | InputOrigin::ChangedCase(_) => None,
        };
        let input = example.input.clone();
        let case = CaseToKeep { name, group: request.group.clone(), input, command };
        let mut newly_caught: Vec<String> =
            findings[at].also.iter().chain(&findings[at].name).cloned().collect();
        newly_caught.retain(|one| !caught.contains(one));
        let case = keep_case(package, engine, &case)?;
        kept.push(AddedExample { kept: case, bytes: example.input.len(), newly_caught });
        caught.extend(failing[at].iter().cloned());
    }
    Ok(kept)
}
