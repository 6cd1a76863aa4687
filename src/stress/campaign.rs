//! A hunt from its beginning to its end: find, make small, and see who else fails on it.

use super::{
    hunt::{CounterExample, HuntCounts, HuntLimits, HuntStep, OnHuntStep, hunt},
    hunting_ground::HuntingGround,
    input_text::compare_size,
    shrinking::{ShrinkEnd, ShrinkStep},
    smaller::{kill_matrix, shrink_example},
};
use crate::{exec::Engine, verify::EdgeFinding};
use anyhow::{Result, bail};
use std::{
    cmp::Ordering,
    time::{Duration, Instant},
};

/// What a campaign found.
#[derive(Debug, Clone, Default)]
pub struct StressReport {
    /// What was looked at.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// What was found, in order of the subjects; the package's mistakes first.
    pub findings: Vec<StressFinding>,
    /// Bounds of the statement that the input validators do not keep.
    pub edges: Vec<EdgeFinding>,
    /// Names of those that nothing was found for.
    pub not_found: Vec<NotFound>,
    /// Who could not be tried, and why.
    pub skipped: Vec<String>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// How long the hunt took, without shrinking.
    pub took: Duration,
    /// Why inputs were not used, for each generator.
    pub complaints: Vec<String>,
    /// Why a run of the hunt could not be decided, if there is one.
    pub doubt: Option<String>,
    /// What we failed at.
    pub faults: Vec<String>,
}

/// A submission that failed on nothing.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NotFound {
    /// Its name.
    pub name: String,
    /// Whether it should be right.
    pub claimed_right: bool,
}

/// An example after shrinking.
#[derive(Debug, Clone)]
pub struct StressFinding {
    /// Who fails; `None`: the package.
    pub name: Option<String>,
    /// Whether the package says that it is right.
    pub claimed_right: bool,
    /// The smallest input.
    pub example: CounterExample,
    /// Where the input was found.
    pub origin: String,
    /// Size of the input as it was found.
    pub found_bytes: usize,
    /// The way to the smallest.
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    /// Whether no step makes it smaller.
    pub shrinking: ShrinkEnd,
    /// Who else fails on it.
    pub also: Vec<String>,
}

/// How long a campaign may take.
#[derive(Debug, Clone, Copy)]
pub struct CampaignLimits {
    /// Of the hunt.
    pub hunt: HuntLimits,
    /// Of shrinking, for each example.
    pub shrink: Duration,
}

/// So often generators are asked for a smaller example.
const GENERATOR_TRIES: u64 = 12;

/// Hunts, and makes small what it finds.
pub fn run_campaign(
    engine: &Engine,
    ground: &HuntingGround,
    limits: CampaignLimits,
    tell: &mut OnHuntStep,
) -> Result<StressReport> {
    let start = Instant::now();
    let mut result = hunt(engine, ground, limits.hunt, tell)?;
    let took = start.elapsed();
    let complaints: Vec<String> = result.complaints.values().cloned().collect();
    if result.counts.valid == 0 && !engine.is_stopped() && result.faults.is_empty() {
        let why = complaints.first().map_or("validators refuse all of them", String::as_str);
        bail!("{}: no valid input among all that were tried: {why}", ground.title);
    }
    result.found.sort_by_key(|example| example.subject);
    let mut findings = Vec::new();
    for example in result.found {
        findings.push(finish_example(engine, ground, limits, example, tell)?);
    }
    add_others(engine, ground, &mut findings)?;
    let is_found = |at: usize| findings.iter().any(|finding| finding.example.subject == Some(at));
    let left = ground.subjects.iter().enumerate().filter(|(at, _)| !is_found(*at));
    let not_found =
        left.map(|(_, one)| NotFound { name: one.name.clone(), claimed_right: one.claimed_right }).collect();
    Ok(StressReport {
        title: ground.title.clone(),
        seed: limits.hunt.seed,
        findings,
        edges: Vec::new(),
        not_found,
        skipped: ground.skipped.clone(),
        counts: result.counts,
        took,
        complaints,
        doubt: result.doubt,
        faults: result.faults,
    })
}

fn finish_example(
    engine: &Engine,
    ground: &HuntingGround,
    limits: CampaignLimits,
    mut example: CounterExample,
    tell: &mut OnHuntStep,
) -> Result<StressFinding> {
    let (origin, found_bytes) = (example.origin.clone(), example.input.len());
    let subject = example.subject.map(|at| &ground.subjects[at]);
    let (name, claimed_right) =
        (subject.map(|one| one.name.clone()), subject.is_some_and(|one| one.claimed_right));
    let is_ruled = !ground.grounds[example.ground].input_validators.is_empty();
    let (steps, tried, shrinking) = if is_ruled {
        let (shrunk, end) =
            shrink_example(engine, ground, &mut example, Instant::now() + limits.shrink, tell)?;
        (shrunk.steps, shrunk.tried, end)
    } else {
        // Without a validator a smaller text may be no input at all.
        let tried = ask_generators(engine, ground, limits, &mut example, tell)?;
        (Vec::new(), tried, ShrinkEnd::ByGenerators)
    };
    let also = Vec::new();
    Ok(StressFinding { name, claimed_right, example, origin, found_bytes, steps, tried, shrinking, also })
}

/// Further hunts for the same subject alone: the smallest of what they find.
fn ask_generators(
    engine: &Engine,
    ground: &HuntingGround,
    limits: CampaignLimits,
    example: &mut CounterExample,
    tell: &mut OnHuntStep,
) -> Result<usize> {
    let Some(subject) = example.subject else { return Ok(0) };
    let alone = HuntingGround { subjects: vec![ground.subjects[subject].clone()], ..ground.clone() };
    let (end, mut tried) = (Instant::now() + limits.shrink, 0);
    for attempt in 1..=GENERATOR_TRIES {
        let left = end.saturating_duration_since(Instant::now());
        let seed = limits.hunt.seed.wrapping_add(attempt.wrapping_mul(0x9e37_79b9));
        let again = HuntLimits { seed, time: left.min(limits.shrink / 4), least_time: Duration::ZERO };
        if left.is_zero() || engine.is_stopped() {
            break;
        }
        let result = hunt(engine, &alone, again, &mut |_| ())?;
        tried += result.counts.valid as usize;
        let failure = example.failure;
        for found in result.found.into_iter().filter(|found| found.failure == failure) {
            if compare_size(&found.input, &example.input) == Ordering::Less {
                tell(HuntStep::Shrinking { name: &alone.subjects[0].name, bytes: found.input.len() });
                *example = CounterExample { subject: Some(subject), after: example.after, ..found };
            }
        }
    }
    Ok(tried)
}

/// Who else fails on each example.
fn add_others(engine: &Engine, ground: &HuntingGround, findings: &mut [StressFinding]) -> Result<()> {
    if ground.subjects.len() < 2 || engine.is_stopped() {
        return Ok(());
    }
    let examples: Vec<CounterExample> = findings.iter().map(|finding| finding.example.clone()).collect();
    for (finding, killed) in findings.iter_mut().zip(kill_matrix(engine, ground, &examples)?) {
        let others = killed.into_iter().filter(|at| Some(*at) != finding.example.subject);
        finding.also = others.map(|at| ground.subjects[at].name.clone()).collect();
    }
    Ok(())
}
