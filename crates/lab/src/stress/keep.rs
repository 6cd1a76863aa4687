//! Selects counterexamples to keep: as few as catch all hunted submissions.

use super::{
    campaign::{StressFinding, StressReport},
    counter_example::InputOrigin,
    hunting_ground::is_claimed_right,
};
use anyhow::{Result, bail};
use kopek_engine::{
    exec::Engine,
    package::{Package, Participant, TestSet},
    score::LegacyReading,
    verdict::Verdict,
};
use kopek_judge::{
    generate::{AddedCase, CaseToKeep, keep_case},
    grade::{FailedValidator, GradeSession, Thoroughness, TimePolicy},
};
use kopek_results::OpenCase;
use std::collections::BTreeSet;

/// The names of kept cases.
#[derive(Debug, Clone)]
pub struct KeepRequest {
    /// Name of the first case; later ones get a number.
    pub name: String,
    /// Path of their group below `data/`.
    pub group: String,
}

/// A kept example.
#[derive(Debug, Clone, serde::Serialize)]
pub struct AddedExample {
    /// The case.
    #[serde(flatten)]
    pub kept: AddedCase,
    /// Size of its input.
    pub bytes: usize,
    /// Submissions that fail on it and on no earlier test.
    pub newly_caught: Vec<String>,
}

/// The example submissions that should fail but that no test catches.
pub fn uncaught_submissions(engine: &Engine, package: &Package, tests: &TestSet) -> Result<Vec<Participant>> {
    let wrong = package.submissions.iter().filter(|one| !is_claimed_right(package, &one.name));
    let mut members: Vec<Participant> = wrong.map(Participant::from).collect();
    let caught = caught_before(engine, package, tests, &members)?;
    members.retain(|member| !caught.contains(&member.name));
    Ok(members)
}

/// The submissions that fail on an existing test.
pub fn caught_before(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
) -> Result<BTreeSet<String>> {
    let session = GradeSession {
        engine: *engine,
        thoroughness: Thoroughness::Needed,
        reading: LegacyReading::Kattis,
        failed_validator: FailedValidator::Undecided,
        timing: TimePolicy::default(),
    };
    let judged = session.judge(package, tests, members, &mut |_| ())?;
    if let Some(fault) =
        judged.open_cases("").iter().map(OpenCase::to_string).chain(judged.machine_faults()).next()
    {
        bail!("try the submissions on the tests: {fault}");
    }
    let mut caught = BTreeSet::new();
    for row in &judged.plan.rows {
        let Ok(program) = row.program else { continue };
        if judged.graded.trials[program].values().any(|trial| trial.verdict != Verdict::Accepted) {
            caught.insert(row.participant.name.clone());
        }
    }
    Ok(caught)
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
        let newly_caught = failing.iter().filter(|one| !caught.contains(*one)).cloned().collect();
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
