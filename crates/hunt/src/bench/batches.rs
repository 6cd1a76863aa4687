//! Makes the jobs that try programs on inputs, runs them, and folds their results.

use super::ground::{HuntingGround, KnownTest};
use anyhow::{Context, Result};
use kopek_engine::exec::{Engine, JobResult, JobRunner, KnownFacts};
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{
    Job, Outcome, ProbeFailure, ProbeGround, ProbeHit, ProbeInputs, ProbeResult, ProbeTask, ProbeUntil, Task,
    TrialTask,
};
use kopek_sandbox::{Fault, FaultSource};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// The programs of a ground, and the engine to try them with.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub engine: &'a Engine<'a>,
    pub ground: &'a HuntingGround,
}

/// Inputs of one ground, and the programs to try on them.
pub(crate) struct Batch {
    pub ground: Arc<ProbeGround>,
    pub inputs: ProbeInputs,
    /// Indices of subjects.
    pub programs: Vec<usize>,
}

/// When to stop.
#[derive(Clone, Copy)]
pub struct Until {
    /// A batch and those after it end here.
    pub seen: ProbeUntil,
    pub deadline: Option<Instant>,
    /// Whether an interrupt stops it. Few runs without which the findings would be lost go on.
    pub interrupt: bool,
}

impl Until {
    /// All inputs are tried.
    pub const END: Until = Until { seen: ProbeUntil::End, deadline: None, interrupt: false };

    /// Whether batches after one with these hits are not needed.
    fn is_met_by(&self, hits: &[ProbeHit]) -> bool {
        match self.seen {
            ProbeUntil::FirstHit => !hits.is_empty(),
            ProbeUntil::Failure(failure) => hits.iter().any(|hit| hit.failure == failure),
            ProbeUntil::EachFailed | ProbeUntil::End => false,
        }
    }
}

/// The result of a batch, where subjects are those of the ground.
#[derive(Debug, Clone)]
pub enum BatchResult {
    Tried(ProbeResult),
    /// By our fault.
    Failed(Fault),
    /// The goal was met before.
    NotTried,
}

impl BatchResult {
    pub fn tried(self) -> Option<ProbeResult> {
        match self {
            BatchResult::Tried(result) => Some(result),
            BatchResult::Failed(_) | BatchResult::NotTried => None,
        }
    }

    /// Subjects get other indices.
    fn rename(&mut self, index: impl Fn(u32) -> u32) {
        if let BatchResult::Tried(result) = self {
            result.hits.iter_mut().for_each(|hit| hit.subject = hit.subject.map(&index));
        }
    }
}

impl Bench<'_> {
    pub fn is_late(&self, deadline: Option<Instant>) -> bool {
        deadline.is_some_and(|deadline| self.engine.machine.clock.now() >= deadline)
    }

    /// These inputs of a ground, for some subjects.
    pub fn batch_of(&self, inputs: Vec<Vec<u8>>, ground: usize, programs: Vec<usize>) -> Batch {
        let ground = self.ground.grounds[ground].clone();
        Batch { ground, inputs: ProbeInputs::Given(inputs), programs }
    }

    /// Tries batches in their order; the first that meets the goal ends it.
    pub fn try_batches(&self, batches: &[Batch], until: Until) -> Result<Vec<BatchResult>> {
        let job = |batch: &Batch| {
            Job::new(Task::Probe(Arc::new(ProbeTask {
                inputs: batch.inputs.clone(),
                subjects: batch.programs.iter().map(|&at| self.ground.subjects[at].program.clone()).collect(),
                ground: batch.ground.clone(),
                until: until.seen,
                deadline: until.deadline,
            })))
        };
        let mut results = run(self.engine, batches.iter().map(job).collect(), until, batch_result)?;
        for (batch, result) in batches.iter().zip(&mut results) {
            result.rename(|at| batch.programs[at as usize] as u32);
        }
        Ok(results)
    }

    /// Tries subjects on cases of the package.
    pub fn try_cases(&self, places: &[(&KnownTest, usize)], until: Until) -> Result<Vec<BatchResult>> {
        let task = |&(test, subject): &(&KnownTest, usize)| {
            let setting = self.ground.grounds[test.ground].setting.clone();
            TrialTask::new(self.ground.subjects[subject].program.clone(), test.files.clone(), setting)
        };
        let mut results = try_trials(self.engine, places.iter().map(task).collect(), until)?;
        for ((_, subject), result) in places.iter().zip(&mut results) {
            result.rename(|_| *subject as u32);
        }
        Ok(results)
    }

    /// The input on which a program failed.
    pub fn input_of(&self, batch: &Batch, hit: &ProbeHit) -> Result<Vec<u8>> {
        match &batch.inputs {
            ProbeInputs::Given(inputs) => Ok(inputs[hit.input as usize].clone()),
            ProbeInputs::Generated { .. } => {
                let stored = hit.contents.map(|file| self.engine.store().bytes(&file.digest)).transpose()?;
                stored.flatten().context("an input vanished from the store; run again")
            }
        }
    }
}

/// Tries programs on cases: a mistake counts only if no noise shows it.
pub fn try_trials(engine: &Engine, tasks: Vec<TrialTask>, until: Until) -> Result<Vec<BatchResult>> {
    run(engine, settled_jobs(engine, tasks)?, until, trial_result)
}

/// How many of these trials no earlier command ran.
pub fn count_unknown(engine: &Engine, tasks: &[TrialTask]) -> Result<usize> {
    let jobs = settled_jobs(engine, tasks.to_vec())?;
    Ok(engine.jobs.known_outcomes(&jobs)?.iter().filter(|known| known.is_none()).count())
}

fn run(
    engine: &Engine,
    jobs: Vec<Job>,
    until: Until,
    fold: fn(JobResult) -> Result<ProbeResult, Fault>,
) -> Result<Vec<BatchResult>> {
    let stop = AtomicBool::new(false);
    let stoppable = Engine { jobs: JobRunner { stop: &stop, ..engine.jobs }, ..*engine };
    let mut results = vec![BatchResult::NotTried; jobs.len()];
    stoppable.run_all(jobs, KnownFacts::Use, &mut |at, result| {
        results[at] = fold(result.clone()).map_or_else(BatchResult::Failed, BatchResult::Tried);
        let is_met = |result: &BatchResult| match result {
            BatchResult::Tried(result) => until.is_met_by(&result.hits),
            BatchResult::Failed(_) | BatchResult::NotTried => false,
        };
        let mut first = results.iter().take_while(|result| !matches!(result, BatchResult::NotTried));
        let is_interrupted = until.interrupt && engine.is_stopped();
        let is_late = until.deadline.is_some_and(|deadline| engine.machine.clock.now() >= deadline);
        if is_interrupted || is_late || first.any(is_met) {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    })?;
    Ok(results)
}

/// Trials that settle times above the limit: noise shows no mistake. What another command found out about a trial is
/// used, unless it is such a time.
fn settled_jobs(engine: &Engine, tasks: Vec<TrialTask>) -> Result<Vec<Job>> {
    let first: Vec<Job> = tasks.iter().map(|task| Job::new(Task::Trial(task.clone()))).collect();
    let facts = engine.jobs.known_outcomes(&first)?;
    let settled = |((task, first), fact): ((TrialTask, Job), Option<Outcome>)| match fact {
        Some(Outcome::Trial(trial)) if trial.verdict != Verdict::TimeLimit => first,
        Some(_) | None => Job::new(Task::Trial(task.settled())),
    };
    Ok(tasks.into_iter().zip(first).zip(facts).map(settled).collect())
}

fn batch_result(result: JobResult) -> Result<ProbeResult, Fault> {
    match result? {
        Outcome::Probe(result) => Ok(result),
        other => unreachable!("a batch has the outcome of one, not {other:?}"),
    }
}

/// A trial as a batch of one input and one program.
fn trial_result(result: JobResult) -> Result<ProbeResult, Fault> {
    let mut batch = ProbeResult { trials: 1, ..ProbeResult::default() };
    let (failure, trial, message) = match result {
        Ok(Outcome::Trial(trial)) if trial.verdict == Verdict::Accepted => return Ok(batch),
        Ok(Outcome::Trial(trial)) => (ProbeFailure::Verdict(trial.verdict), Some(trial), String::new()),
        Ok(other) => unreachable!("a trial has the outcome of one, not {other:?}"),
        Err(fault) if fault.source == FaultSource::TrustedProgram => {
            (ProbeFailure::ValidatorFailed, None, fault.what)
        }
        Err(fault) if fault.source.is_undecided() => {
            batch.undecided.push(fault.what);
            return Ok(batch);
        }
        Err(fault) => return Err(fault),
    };
    let (subject, contents, answer) = (Some(0), None, String::new());
    batch.hits.push(ProbeHit { input: 0, subject, failure, message, contents, answer, trial });
    Ok(batch)
}
