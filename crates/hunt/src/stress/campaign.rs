//! A hunt from start to end: find inputs, shrink them, and find the other submissions that fail on them.

use super::{
    hunt::hunt,
    hunt_result::{HuntLimits, HuntResult, HuntUntil, OnHuntStep},
    smaller::{ShrinkBounds, is_large_case, shrink},
};
use crate::bench::{Batch, Bench, HuntingGround, Until};
use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_plan::plan::{ProbeHit, UnusedInput};
use kopek_results::{Found, FoundFailure, NotFound, ShrinkEnd, Shrinking, StressGoal, StressReport};
use std::{
    cmp::Reverse,
    collections::HashMap,
    time::{Duration, Instant},
};

/// The time limits of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct CampaignLimits {
    /// The limits of the hunt.
    pub hunt: HuntLimits,
    /// The end of the whole campaign, including shrinking, measured from its start.
    pub time: Duration,
}

/// Hunts, and shrinks the findings.
pub fn run_campaign(
    engine: &Engine,
    ground: &HuntingGround,
    limits: CampaignLimits,
    tell: &mut OnHuntStep,
) -> Result<StressReport> {
    let clock = &engine.machine.clock;
    let start = clock.now();
    let end = start + limits.time;
    let mut result = hunt(engine, ground, limits.hunt, tell)?;
    let took = clock.now() - start;
    if !engine.is_stopped() {
        result.faults.extend(why_nothing_new(ground, &result));
    }
    result.found.sort_by_key(Found::program);
    let bench = Bench { engine, ground };
    let mut findings = Vec::new();
    let mut left = result.found.len() as u32;
    for found in result.found {
        let now = clock.now();
        let share = end.saturating_duration_since(now) / left;
        findings.push(finish(bench, now + share, found, tell)?);
        left -= 1;
    }
    add_others(bench, &mut findings, end)?;
    sort_findings(&mut findings);
    let is_found = |at: usize| findings.iter().any(|found: &Found| found.program() == Some(at));
    let left = ground.subjects.iter().enumerate().filter(|(at, _)| !is_found(*at));
    let not_found: Vec<NotFound> = left
        .map(|(_, one)| NotFound { name: one.name.clone(), claimed_right: one.claimed_right, slowest: None })
        .collect();
    let ends_at_first = limits.hunt.until == HuntUntil::First;
    Ok(StressReport {
        goal: StressGoal::Failures,
        title: ground.title.clone(),
        programs: ground.programs(),
        seed: limits.hunt.seed,
        ended_at_first: ends_at_first && !findings.is_empty() && !not_found.is_empty(),
        findings,
        not_found,
        skipped: ground.skipped.clone(),
        counts: result.counts,
        took,
        complaints: result.complaints.values().map(|why| why.reason().to_owned()).collect(),
        failed_call: result.complaints.into_values().find_map(|why| match why {
            UnusedInput::NotMade(why) => Some(why),
            UnusedInput::Unusable(_) => None,
        }),
        doubt: result.doubt,
        faults: result.faults,
    })
}

/// The package's mistakes first, then the inputs that explain the most submissions. Equal inputs stay together.
fn sort_findings(findings: &mut [Found]) {
    let mut first: HashMap<Vec<u8>, usize> = HashMap::new();
    for (at, found) in findings.iter().enumerate() {
        first.entry(found.input.clone()).or_insert(at);
    }
    findings
        .sort_by_key(|found| (found.program().is_some(), Reverse(found.failures.len()), first[&found.input]));
}

/// Why no submission ran on a new input, if nothing was found before.
fn why_nothing_new(ground: &HuntingGround, result: &HuntResult) -> Option<String> {
    let HuntResult { found, counts, complaints, doubt, faults } = result;
    if !found.is_empty() || !faults.is_empty() || (counts.valid > 0 && counts.trials > counts.undecided) {
        return None;
    }
    if let (true, Some(why)) = (counts.is_hopeless(), complaints.values().next()) {
        let why = why.reason();
        let calls = counts.failed_calls;
        return Some(format!(
            "no new input was tried: all {calls} calls of generators failed: {why}; make this call by hand and fix \
             the generator, or give other numbers with --gen"
        ));
    }
    let why = match (doubt.as_deref(), complaints.values().next().map(UnusedInput::reason)) {
        (Some(why), _) | (None, Some(why)) => why,
        (None, None) if ground.templates.is_empty() && ground.cases.is_empty() => {
            "there is no recipe and no small case; give --gen"
        }
        (None, None) if counts.refused > 0 => "the input validators reject all of them",
        (None, None) => "time was up",
    };
    Some(format!("no new input was tried: {why}"))
}

/// Shrinks an input. Without a validator a smaller text may not be an input at all.
fn finish(bench: Bench, until: Instant, found: Found, tell: &mut OnHuntStep) -> Result<Found> {
    let ground = bench.ground;
    let is_ruled = !ground.grounds[found.ground].input_validators.is_empty() || ground.form.is_ok();
    if is_large_case(&found) {
        let shrinking = Shrinking { end: ShrinkEnd::TooLarge, ..found.shrinking };
        return Ok(Found { shrinking, ..found });
    }
    if !is_ruled {
        return Ok(found);
    }
    let is_refused = &|input: &[u8]| Ok(ground.is_malformed(input));
    let bounds = ShrinkBounds { until: Some(until), tries: usize::MAX, is_refused };
    shrink(bench, found, bounds, tell)
}

/// Adds the other submissions that fail on each input.
fn add_others(bench: Bench, findings: &mut [Found], deadline: Instant) -> Result<()> {
    let subjects = &bench.ground.subjects;
    if subjects.len() < 2 || bench.engine.is_stopped() {
        return Ok(());
    }
    let batch = |found: &Found| {
        bench.batch_of(vec![found.input.clone()], found.ground, (0..subjects.len()).collect())
    };
    let batches: Vec<Batch> = findings.iter().map(batch).collect();
    let until = Until { deadline: Some(deadline), interrupt: true, ..Until::END };
    for (found, result) in findings.iter_mut().zip(bench.try_batches(&batches, until)?) {
        let first = found.program();
        for hit in result.tried().into_iter().flat_map(|tried| tried.hits) {
            let ProbeHit { subject, failure, message, trial, .. } = hit;
            let program = subject.map(|at| at as usize);
            if program.is_some() && program != first {
                found.failures.push(FoundFailure { program, failure, message, trial, printed: None });
            }
        }
    }
    Ok(())
}
