//! Shrinks inputs with jobs: candidates run on the same programs, a few per job.

use super::{
    hunt_result::{HuntStep, OnHuntStep},
    shrinking::{ShrinkReply, shrink_input},
};
use crate::bench::{Batch, BatchResult, Bench, LARGE, Until};
use anyhow::Result;
use kopek_package::verdict::Class;
use kopek_plan::plan::{ProbeFailure, ProbeHit, ProbeUntil};
use kopek_results::{Found, InputOrigin, ShrinkEnd, Shrinking};
use std::time::Instant;

/// A window is split into this number of jobs, independent of the number of CPUs, so that the steps do not depend on
/// it.
const JOBS: usize = 4;

/// Bytes of an input that take as long as the start of a program.
const LONG: usize = 32 << 10;
/// The time of a usual try.
const USUAL_MILLISECONDS: usize = 5;

/// Whether it is a case of the package that is too large to shrink.
pub(super) fn is_large_case(found: &Found) -> bool {
    matches!(found.origin, InputOrigin::Case(_)) && found.input.len() as u64 > LARGE
}

/// The bounds of shrinking.
pub(super) struct ShrinkBounds<'a> {
    /// When time is up; `None`: never.
    pub until: Option<Instant>,
    /// The number of smaller inputs to try. Long ones and runs up to the time limit count for several.
    pub tries: usize,
    /// Inputs that must not be found.
    pub is_refused: &'a dyn Fn(&[u8]) -> Result<bool>,
}

/// Shrinks an input while its first program fails in the same way, within the bounds. A smaller input that cannot be tried is
/// no error, so the finding is not lost.
pub(super) fn shrink(
    bench: Bench,
    found: Found,
    bounds: ShrinkBounds,
    tell: &mut OnHuntStep,
) -> Result<Found> {
    let name = bench.ground.name_of(found.program());
    let mut target = ShrinkTarget { bench, found: &found, bounds, is_undecided: false };
    let mut hit = None;
    let form = bench.ground.form.as_deref().ok();
    let shrunk = shrink_input(form, &found.input, &mut |candidates| {
        if target.is_over() {
            return Ok(ShrinkReply::Stop);
        }
        if candidates.is_empty() {
            return Ok(ShrinkReply::NoneFails);
        }
        let Some((which, smaller)) = target.first_that_fails(&candidates)? else {
            return Ok(if target.is_over() { ShrinkReply::Stop } else { ShrinkReply::NoneFails });
        };
        tell(HuntStep::Tried { name, bytes: candidates[which].len() });
        hit = Some(smaller);
        Ok(ShrinkReply::Fails(which))
    })?;
    let end = match (shrunk.is_minimal, target.is_undecided) {
        (false, _) => ShrinkEnd::TimeUp,
        (true, true) => ShrinkEnd::Undecided,
        (true, false) => ShrinkEnd::Minimal,
    };
    let shrinking =
        Shrinking { found_bytes: found.input.len(), steps: shrunk.steps, tried: shrunk.tried, end };
    let mut smaller = Found { input: shrunk.bytes, shrinking, ..found };
    if let (Some(ProbeHit { answer, trial, message, .. }), Some(first)) = (hit, smaller.failures.first_mut())
    {
        (first.trial, first.message) = (trial, message);
        smaller.answer = Some(answer);
    }
    Ok(smaller)
}

struct ShrinkTarget<'a> {
    bench: Bench<'a>,
    found: &'a Found,
    bounds: ShrinkBounds<'a>,
    /// Whether some smaller input could not be tried.
    is_undecided: bool,
}

impl ShrinkTarget<'_> {
    fn failure(&self) -> ProbeFailure {
        self.found.failures[0].failure
    }

    fn is_over(&self) -> bool {
        self.bounds.tries == 0 || self.bench.is_late(self.bounds.until) || self.bench.engine.is_stopped()
    }

    fn first_that_fails(&mut self, candidates: &[Vec<u8>]) -> Result<Option<(usize, ProbeHit)>> {
        let costs = candidates.iter().map(|input| 1 + input.len() / LONG);
        self.bounds.tries = self.bounds.tries.saturating_sub(costs.sum());
        let mut allowed = Vec::new();
        for (at, input) in candidates.iter().enumerate() {
            if !(self.bounds.is_refused)(input)? {
                allowed.push(at);
            }
        }
        let size = allowed.len().div_ceil(JOBS).max(1);
        let batch = |places: &[usize]| {
            let inputs = places.iter().map(|&at| candidates[at].clone()).collect();
            self.bench.batch_of(inputs, self.found.ground, self.found.program().into_iter().collect())
        };
        let batches: Vec<Batch> = allowed.chunks(size).map(batch).collect();
        let seen = ProbeUntil::Failure(self.failure());
        let until = Until { seen, deadline: self.bounds.until, interrupt: true };
        for (number, result) in self.bench.try_batches(&batches, until)?.into_iter().enumerate() {
            if let Some(hit) = self.hit_of(result) {
                return Ok(Some((allowed[number * size + hit.input as usize], hit)));
            }
        }
        Ok(None)
    }

    /// The first input that fails in the same way.
    fn hit_of(&mut self, result: BatchResult) -> Option<ProbeHit> {
        // Without it, the example is larger than necessary, but correct.
        self.is_undecided |= matches!(result, BatchResult::Failed(_));
        let batch = result.tried()?;
        self.is_undecided |= !batch.undecided.is_empty();
        let trials = batch.hits.iter().filter_map(|hit| hit.trial.as_ref());
        let late = trials.filter(|trial| trial.verdict.class() == Some(Class::Tle)).count();
        let program = self.found.program().map(|at| &self.bench.ground.subjects[at].program);
        let limit = program.map_or(0, |program| program.limits.cpu.as_millis() as usize);
        self.bounds.tries = self.bounds.tries.saturating_sub(late * limit / USUAL_MILLISECONDS);
        let is_meant = |hit: &ProbeHit| {
            hit.failure == self.failure() && hit.subject.is_none() == self.found.program().is_none()
        };
        batch.hits.into_iter().find(is_meant)
    }
}
