//! Shrinks inputs with jobs: candidates run on the same programs, a few per job.

use super::{
    experiment::{Batch, BatchResult, Experiment, Until},
    hunt_result::{HuntStep, OnHuntStep},
    hunting_ground::LARGE,
    shrinking::{ShrinkReply, shrink_input},
};
use anyhow::Result;
use kopek_package::verdict::Class;
use kopek_plan::plan::{ProbeFailure, ProbeHit, ProbeUntil};
use kopek_results::{CounterExample, InputOrigin, ShrinkEnd, ShrinkStep};
use std::time::Instant;

/// A window is split into this number of jobs, independent of the number of CPUs, so that the steps do not depend on
/// it.
const JOBS: usize = 4;

/// Bytes of an input that take as long as the start of a program.
const LONG: usize = 32 << 10;
/// The time of a usual try.
const USUAL_MILLISECONDS: usize = 5;

/// Whether it is a case of the package that is too large to shrink.
pub(super) fn is_large_case(example: &CounterExample) -> bool {
    matches!(example.origin, InputOrigin::Case(_)) && example.input.len() as u64 > LARGE
}

/// An input on which a program fails.
#[derive(Debug, Clone)]
pub(super) struct KnownFailure {
    /// Index of the subject; `None`: it is the package's mistake.
    pub program: Option<usize>,
    pub failure: ProbeFailure,
    pub input: Vec<u8>,
    pub ground: usize,
}

impl KnownFailure {
    pub fn of(example: &CounterExample) -> KnownFailure {
        let &CounterExample { subject, failure, ref input, ground, .. } = example;
        KnownFailure { program: subject, failure, input: input.clone(), ground }
    }
}

/// A failure after shrinking.
pub(super) struct ShrunkFailure {
    pub input: Vec<u8>,
    /// How the program fails on it; `None`: the input is as it was.
    pub hit: Option<ProbeHit>,
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    pub end: ShrinkEnd,
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

/// Shrinks an input while it shows the same kind of mistake, within the bounds. A smaller input that cannot be tried is
/// no error, so the finding is not lost.
pub(super) fn shrink(
    experiment: Experiment,
    failure: &KnownFailure,
    bounds: ShrinkBounds,
    tell: &mut OnHuntStep,
) -> Result<ShrunkFailure> {
    let name = experiment.ground.name_of(failure.program);
    let mut target = ShrinkTarget { experiment, failure, bounds, is_undecided: false };
    let mut hit = None;
    let shrunk = shrink_input(&failure.input, &mut |candidates| {
        if target.is_over() {
            return Ok(ShrinkReply::Stop);
        }
        let Some((which, smaller)) = target.first_that_fails(&candidates)? else {
            return Ok(if target.is_over() { ShrinkReply::Stop } else { ShrinkReply::NoneFails });
        };
        tell(HuntStep::Shrinking { name, bytes: candidates[which].len() });
        hit = Some(smaller);
        Ok(ShrinkReply::Fails(which))
    })?;
    let end = match (shrunk.is_minimal, target.is_undecided) {
        (false, _) => ShrinkEnd::TimeUp,
        (true, true) => ShrinkEnd::Undecided,
        (true, false) => ShrinkEnd::Minimal,
    };
    Ok(ShrunkFailure { input: shrunk.bytes, hit, steps: shrunk.steps, tried: shrunk.tried, end })
}

struct ShrinkTarget<'a> {
    experiment: Experiment<'a>,
    failure: &'a KnownFailure,
    bounds: ShrinkBounds<'a>,
    /// Whether some smaller input could not be tried.
    is_undecided: bool,
}

impl ShrinkTarget<'_> {
    fn is_over(&self) -> bool {
        self.bounds.tries == 0
            || self.experiment.is_late(self.bounds.until)
            || self.experiment.engine.is_stopped()
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
            self.experiment.batch_of(inputs, self.failure.ground, self.failure.program.into_iter().collect())
        };
        let batches: Vec<Batch> = allowed.chunks(size).map(batch).collect();
        let seen = ProbeUntil::Failure(self.failure.failure);
        let until = Until { seen, deadline: self.bounds.until, interrupt: true };
        for (number, result) in self.experiment.try_batches(&batches, until)?.into_iter().enumerate() {
            if let Some(hit) = self.hit_of(result) {
                return Ok(Some((allowed[number * size + hit.input as usize], hit)));
            }
        }
        Ok(None)
    }

    /// The first input that fails in the same way.
    fn hit_of(&mut self, result: BatchResult) -> Option<ProbeHit> {
        let Ok(batch) = result? else {
            // Without it, the example is larger than necessary, but correct.
            self.is_undecided = true;
            return None;
        };
        self.is_undecided |= !batch.undecided.is_empty();
        let trials = batch.hits.iter().filter_map(|hit| hit.trial.as_ref());
        let late = trials.filter(|trial| trial.verdict.class() == Some(Class::Tle)).count();
        let program = self.failure.program.map(|at| &self.experiment.ground.subjects[at].program);
        let limit = program.map_or(0, |program| program.limits.cpu.as_millis() as usize);
        self.bounds.tries = self.bounds.tries.saturating_sub(late * limit / USUAL_MILLISECONDS);
        let is_meant = |hit: &ProbeHit| {
            hit.failure == self.failure.failure && hit.subject.is_none() == self.failure.program.is_none()
        };
        batch.hits.into_iter().find(is_meant)
    }
}
