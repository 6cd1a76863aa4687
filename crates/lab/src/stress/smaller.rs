//! Shrinks counterexamples with jobs: candidates run on the same programs, a few per job.

use super::{
    hunt_result::{HuntStep, OnHuntStep},
    hunting_ground::HuntingGround,
    shrinking::{ShrinkReply, shrink_input},
};
use anyhow::Result;
use kopek_engine::exec::{Engine, JobResult, KnownFacts};
use kopek_package::verdict::Class;
use kopek_plan::plan::{Job, Outcome, ProbeHit, ProbeInputs, ProbeTask, ProbeUntil, Program, Task};
use kopek_results::{CounterExample, ShrinkEnd, ShrinkStep};
use std::{sync::Arc, time::Instant};

/// A window is split into this number of jobs, independent of the number of CPUs, so that the steps do not depend on
/// it.
const JOBS: usize = 4;

/// Bytes of an input that take as long as the start of a program.
const LONG: usize = 32 << 10;
/// The time of a usual try.
const USUAL_MILLISECONDS: usize = 5;

/// How an example was shrunk.
pub struct ExampleShrinking {
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    pub end: ShrinkEnd,
}

/// The bounds of shrinking.
pub struct ShrinkBounds<'a> {
    /// When time is up; `None`: never.
    pub until: Option<Instant>,
    /// The number of smaller inputs to try. Long ones and runs up to the time limit count for several.
    pub tries: usize,
    /// Inputs that must not be found.
    pub is_refused: &'a dyn Fn(&[u8]) -> bool,
}

impl ShrinkBounds<'_> {
    /// Only a time.
    pub fn of_time(until: Instant) -> ShrinkBounds<'static> {
        ShrinkBounds { until: Some(until), tries: usize::MAX, is_refused: &|_| false }
    }
}

/// Shrinks an example's input while it shows the same kind of mistake, within the bounds. A smaller input that cannot
/// be tried is no error, so the finding is not lost.
pub fn shrink_example(
    engine: &Engine,
    ground: &HuntingGround,
    example: &mut CounterExample,
    bounds: ShrinkBounds,
    tell: &mut OnHuntStep,
) -> Result<ExampleShrinking> {
    let subject = example.subject.map(|at| ground.subjects[at].program.clone());
    let name = ground.name_of(example.subject);
    let mut target =
        ShrinkTarget { engine, ground, example: example.clone(), subject, bounds, is_undecided: false };
    let mut last = None;
    let input = example.input.clone();
    let shrunk = shrink_input(&input, &mut |candidates| {
        if target.is_over() {
            return Ok(ShrinkReply::Stop);
        }
        let Some((which, hit)) = target.first_that_fails(&candidates)? else {
            return Ok(if target.is_over() { ShrinkReply::Stop } else { ShrinkReply::NoneFails });
        };
        tell(HuntStep::Shrinking { name, bytes: candidates[which].len() });
        last = Some(hit);
        Ok(ShrinkReply::Fails(which))
    })?;
    if let Some(hit) = last {
        example.input.clone_from(&shrunk.bytes);
        example.answer = hit.answer;
        example.trial = hit.trial;
        example.message = hit.message;
    }
    let end = match (shrunk.is_minimal, target.is_undecided) {
        (false, _) => ShrinkEnd::TimeUp,
        (true, true) => ShrinkEnd::Undecided,
        (true, false) => ShrinkEnd::Minimal,
    };
    Ok(ExampleShrinking { steps: shrunk.steps, tried: shrunk.tried, end })
}

struct ShrinkTarget<'a> {
    engine: &'a Engine<'a>,
    ground: &'a HuntingGround,
    example: CounterExample,
    subject: Option<Arc<Program>>,
    bounds: ShrinkBounds<'a>,
    /// Whether some smaller input could not be tried.
    is_undecided: bool,
}

impl ShrinkTarget<'_> {
    fn is_over(&self) -> bool {
        let is_late = self.bounds.until.is_some_and(|until| self.engine.machine.clock.now() >= until);
        is_late || self.bounds.tries == 0 || self.engine.is_stopped()
    }

    fn first_that_fails(&mut self, candidates: &[Vec<u8>]) -> Result<Option<(usize, ProbeHit)>> {
        let costs = candidates.iter().map(|input| 1 + input.len() / LONG);
        self.bounds.tries = self.bounds.tries.saturating_sub(costs.sum());
        let allowed: Vec<usize> =
            (0..candidates.len()).filter(|&at| !(self.bounds.is_refused)(&candidates[at])).collect();
        let size = allowed.len().div_ceil(JOBS).max(1);
        let inputs = |places: &[usize]| places.iter().map(|&at| candidates[at].clone()).collect();
        let jobs: Vec<Job> = allowed.chunks(size).map(|places| self.job_of(inputs(places))).collect();
        let results = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        for (number, result) in results.into_iter().enumerate() {
            if let Some(hit) = self.hit_of(result) {
                return Ok(Some((allowed[number * size + hit.input as usize], hit)));
            }
        }
        Ok(None)
    }

    fn job_of(&self, inputs: Vec<Vec<u8>>) -> Job {
        Job::new(Task::Probe(Arc::new(ProbeTask {
            inputs: ProbeInputs::Given(inputs),
            subjects: self.subject.iter().cloned().collect(),
            ground: self.ground.grounds[self.example.ground].clone(),
            until: ProbeUntil::Failure(self.example.failure),
            deadline: self.bounds.until,
        })))
    }

    /// The first input that fails in the same way.
    fn hit_of(&mut self, result: Option<JobResult>) -> Option<ProbeHit> {
        let batch = match result {
            Some(Ok(Outcome::Probe(batch))) => batch,
            Some(Ok(other)) => unreachable!("a batch has the outcome of one, not {other:?}"),
            // Without it, the example is larger than necessary, but correct.
            Some(Err(_)) => {
                self.is_undecided = true;
                return None;
            }
            None => return None,
        };
        self.is_undecided |= !batch.undecided.is_empty();
        let trials = batch.hits.iter().filter_map(|hit| hit.trial.as_ref());
        let late = trials.filter(|trial| trial.verdict.class() == Some(Class::Tle)).count();
        let limit = self.subject.as_ref().map_or(0, |program| program.limits.cpu.as_millis() as usize);
        self.bounds.tries = self.bounds.tries.saturating_sub(late * limit / USUAL_MILLISECONDS);
        let is_meant = |hit: &ProbeHit| {
            hit.failure == self.example.failure && hit.subject.is_none() == self.subject.is_none()
        };
        batch.hits.into_iter().find(is_meant)
    }
}

/// The subjects that fail on some inputs of one ground, by input, as far as there is time.
pub fn kill_matrix(
    engine: &Engine,
    ground: &HuntingGround,
    examples: &[CounterExample],
    deadline: Instant,
) -> Result<Vec<Vec<usize>>> {
    let job = |example: &CounterExample| {
        Job::new(Task::Probe(Arc::new(ProbeTask {
            inputs: ProbeInputs::Given(vec![example.input.clone()]),
            subjects: ground.subjects.iter().map(|subject| subject.program.clone()).collect(),
            ground: ground.grounds[example.ground].clone(),
            until: ProbeUntil::End,
            deadline: Some(deadline),
        })))
    };
    let results = engine.run_all(examples.iter().map(job).collect(), KnownFacts::Use, &mut |_, _| Ok(()))?;
    let killed = |result: Option<JobResult>| match result {
        Some(Ok(Outcome::Probe(result))) => {
            result.hits.iter().filter_map(|hit| hit.subject).map(|subject| subject as usize).collect()
        }
        _ => Vec::new(),
    };
    Ok(results.into_iter().map(killed).collect())
}
