//! Shrinks counterexamples by jobs: candidates go to the same programs, a few per job.

use super::{
    hunt::{CounterExample, HuntStep, OnHuntStep},
    hunting_ground::HuntingGround,
    shrinking::{ShrinkReply, ShrunkInput, shrink_input},
};
use crate::{
    exec::{Engine, JobResult, KnownFacts},
    plan::{Job, Outcome, ProbeHit, ProbeInputs, ProbeTask, ProbeUntil, Program, Task},
};
use anyhow::{Result, bail};
use std::{sync::Arc, time::Instant};

/// A window is split into so many jobs, whatever the number of CPUs: the way must not depend on it.
const JOBS: usize = 4;

/// Makes an example's input smaller while it shows the same kind of mistake, until time is up.
pub fn shrink_example(
    engine: &Engine,
    ground: &HuntingGround,
    example: &mut CounterExample,
    until: Instant,
    tell: &mut OnHuntStep,
) -> Result<ShrunkInput> {
    let subject = example.subject.map(|at| ground.subjects[at].program.clone());
    let name = example.subject.map_or("the package", |at| &ground.subjects[at].name).to_owned();
    let target = ShrinkTarget { engine, ground, example: example.clone(), subject };
    let mut last = None;
    let input = example.input.clone();
    let shrunk = shrink_input(&input, &mut |candidates| {
        if Instant::now() >= until || engine.is_stopped() {
            return Ok(ShrinkReply::Stop);
        }
        let Some((which, hit)) = target.first_that_fails(&candidates)? else {
            return Ok(ShrinkReply::NoneFails);
        };
        tell(HuntStep::Shrinking { name: &name, bytes: candidates[which].len() });
        last = Some(hit);
        Ok(ShrinkReply::Fails(which))
    })?;
    if let Some(hit) = last {
        example.input.clone_from(&shrunk.bytes);
        example.is_generated = false;
        (example.answer, example.trial, example.message) = (hit.answer, hit.trial, hit.message);
    }
    Ok(shrunk)
}

struct ShrinkTarget<'a> {
    engine: &'a Engine<'a>,
    ground: &'a HuntingGround,
    example: CounterExample,
    subject: Option<Arc<Program>>,
}

impl ShrinkTarget<'_> {
    fn first_that_fails(&self, candidates: &[Vec<u8>]) -> Result<Option<(usize, ProbeHit)>> {
        let size = candidates.len().div_ceil(JOBS).max(1);
        let job = |inputs: &[Vec<u8>]| {
            Job::new(Task::Probe(Arc::new(ProbeTask {
                inputs: ProbeInputs::Given(inputs.to_vec()),
                subjects: self.subject.iter().cloned().collect(),
                ground: self.ground.grounds[self.example.ground].clone(),
                until: ProbeUntil::Failure(self.example.failure),
            })))
        };
        let jobs: Vec<Job> = candidates.chunks(size).map(job).collect();
        let results = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        for (number, result) in results.into_iter().enumerate() {
            if let Some(hit) = self.hit_of(result)? {
                return Ok(Some((number * size + hit.input as usize, hit)));
            }
        }
        Ok(None)
    }

    fn hit_of(&self, result: Option<JobResult>) -> Result<Option<ProbeHit>> {
        let mut hits = match result {
            Some(Ok(Outcome::Probe(result))) => result.hits.into_iter(),
            Some(Ok(other)) => unreachable!("a batch has the outcome of one, not {other:?}"),
            Some(Err(fault)) => bail!("shrink an input: {fault}"),
            None => return Ok(None),
        };
        Ok(hits.find(|hit| {
            hit.failure == self.example.failure && hit.subject.is_none() == self.subject.is_none()
        }))
    }
}

/// Who fails on which of some inputs of one ground: by input, the subjects.
pub fn kill_matrix(
    engine: &Engine,
    ground: &HuntingGround,
    examples: &[CounterExample],
) -> Result<Vec<Vec<usize>>> {
    let job = |example: &CounterExample| {
        Job::new(Task::Probe(Arc::new(ProbeTask {
            inputs: ProbeInputs::Given(vec![example.input.clone()]),
            subjects: ground.subjects.iter().map(|subject| subject.program.clone()).collect(),
            ground: ground.grounds[example.ground].clone(),
            until: ProbeUntil::End,
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
