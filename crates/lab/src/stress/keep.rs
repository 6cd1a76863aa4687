//! Selects counterexamples to keep: as few as catch all hunted submissions.

use super::hunting_ground::is_claimed_right;
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
use std::collections::BTreeSet;

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
    let mut examples = TestedExamples::default();
    let mut others = Vec::new();
    for submission in &package.submissions {
        let is_right = is_claimed_right(package, &submission.name);
        let to = if is_right { &mut examples.right } else { &mut others };
        to.push(Participant::from(submission));
    }
    let known = known_results(engine, package, tests, &others, tell)?;
    for member in others {
        if known.caught.contains(&member.name) {
            examples.caught.push(member.name);
        } else if known.open.contains(&member.name) {
            examples.open.push(member.name);
        } else {
            examples.uncaught.push(member);
        }
    }
    Ok(examples)
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

/// Keeps examples one by one; skips those whose submission an earlier one catches.
pub fn keep_examples(
    engine: &Engine,
    package: &Package,
    report: &StressReport,
    request: &KeepRequest,
    mut caught: BTreeSet<String>,
) -> Result<Vec<AddedExample>> {
    let mut kept: Vec<AddedExample> = Vec::new();
    let mut covered: BTreeSet<String> = BTreeSet::new();
    for finding in ordered_findings(report) {
        let Some(name) = finding.name.as_ref().filter(|name| !covered.contains(*name)) else { continue };
        let number = kept.len() + 1;
        let case_name = if number == 1 { request.name.clone() } else { format!("{}-{number}", request.name) };
        let case = CaseToKeep {
            name: case_name,
            group: request.group.clone(),
            input: finding.example.input.clone(),
            command: match &finding.example.origin {
                InputOrigin::Command(text) if finding.steps.is_empty() => Some(text.clone()),
                InputOrigin::Command(_) | InputOrigin::Case(_) | InputOrigin::ChangedCase(_) => None,
            },
        };
        let case = keep_case(package, engine, &case)?;
        let failing: Vec<String> = finding.also.iter().chain([name]).cloned().collect();
        let mut newly_caught = failing.clone();
        newly_caught.retain(|one| !caught.contains(one));
        kept.push(AddedExample { kept: case, bytes: finding.example.input.len(), newly_caught });
        caught.extend(failing.iter().cloned());
        covered.extend(failing);
    }
    Ok(kept)
}

/// The examples with the most failing submissions first, to need as few as possible.
fn ordered_findings(report: &StressReport) -> Vec<&StressFinding> {
    let is_new =
        |one: &StressFinding| !matches!(one.example.origin, InputOrigin::Case(_)) || !one.steps.is_empty();
    let wanted = report.findings.iter().filter(|one| !one.claimed_right && is_new(one));
    let mut findings: Vec<&StressFinding> = wanted.collect();
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.also.len()), finding.example.input.len()));
    findings
}
