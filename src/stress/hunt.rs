//! The hunt: rounds of batches, small inputs first, until everybody is found or time is up.
//!
//! What a round tries depends on the seed, on who is still looked for and on which calls of generators came to
//! nothing, never on how many CPUs there are or how fast they are; only where time is up does.

use super::{
    call_orders::{CallNumber, CallOrders},
    command_template::CommandTemplate,
    hunting_ground::HuntingGround,
    input_text::compare_size,
    random::RandomStream,
    template_words::RoundSize,
    variation::vary_input,
};
use crate::{
    exec::{ANSWER_REPORTED, Engine, KnownFacts},
    plan::{
        Job, Outcome, ProbeFailure, ProbeHit, ProbeInputs, ProbeResult, ProbeTask, ProbeUntil, Task, Trial,
    },
};
use anyhow::{Context, Result};
use std::{
    cmp::Ordering,
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// How long, and where it begins.
#[derive(Debug, Clone, Copy)]
pub struct HuntLimits {
    /// Another seed tries other inputs.
    pub seed: u64,
    /// When it ends at the latest.
    pub time: Duration,
    /// So long it goes on even if only those are left that should be right.
    pub least_time: Duration,
}

/// An input that shows a mistake.
#[derive(Debug, Clone)]
pub struct CounterExample {
    /// Which subject of the ground; `None`: it is the package's mistake.
    pub subject: Option<usize>,
    /// In which way.
    pub failure: ProbeFailure,
    /// What went wrong with the package, for people.
    pub message: String,
    /// The input.
    pub input: Vec<u8>,
    /// The beginning of the right answer.
    pub answer: String,
    /// What the subject did.
    pub trial: Option<Trial>,
    /// Where the input came from: a command, or a case that was changed.
    pub origin: String,
    /// Whether `origin` is a command that makes it again.
    pub is_generated: bool,
    /// Which ground it belongs to.
    pub ground: usize,
    /// After how long.
    pub after: Duration,
}

impl CounterExample {
    /// The right answer, where all of it is known.
    pub(crate) fn whole_answer(&self) -> Option<&str> {
        let is_whole = self.answer.len() < ANSWER_REPORTED && !self.answer.contains('\u{fffd}');
        let is_known = self.subject.is_some() && !self.answer.is_empty();
        (is_whole && is_known).then_some(self.answer.as_str())
    }
}

/// What came of a hunt.
#[derive(Debug, Clone, Default)]
pub struct HuntResult {
    /// The smallest input that was found for each.
    pub found: Vec<CounterExample>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// Why inputs were not valid, once for each command.
    pub complaints: BTreeMap<String, String>,
    /// Why a run could not be decided, if there is one.
    pub doubt: Option<String>,
    /// Jobs that we failed at.
    pub faults: Vec<String>,
}

/// How much was tried.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
pub struct HuntCounts {
    /// Inputs that the validators accept.
    pub valid: u64,
    /// Inputs that they refuse.
    pub refused: u64,
    /// Calls of generators that failed.
    pub failed_calls: u64,
    /// Runs of submissions.
    pub trials: u64,
    /// Runs of submissions of which the machine was too busy to tell anything.
    pub undecided: u64,
    /// Rounds.
    pub rounds: u64,
}

/// What happens, for whoever shows progress.
#[derive(Debug)]
pub enum HuntStep<'a> {
    /// A round is over.
    Round(&'a HuntCounts),
    /// Somebody was found.
    Found(&'a str),
    /// An input becomes smaller.
    Shrinking {
        /// Whose.
        name: &'a str,
        /// Its size.
        bytes: usize,
    },
}

/// Sees what happens; must be quick.
pub type OnHuntStep<'a> = dyn FnMut(HuntStep) + 'a;

/// Batches of a round.
const BATCHES: usize = 8;
/// Inputs of a batch: in the first round, and at most.
const BATCH_SIZES: [usize; 2] = [2, 64];

/// Hunts until all that are not claimed to be right are found, or time is up.
pub fn hunt(
    engine: &Engine,
    ground: &HuntingGround,
    limits: HuntLimits,
    tell: &mut OnHuntStep,
) -> Result<HuntResult> {
    let mut hunt = Hunt {
        engine,
        ground,
        limits,
        start: Instant::now(),
        orders: CallOrders::default(),
        result: HuntResult::default(),
    };
    let mut live: Vec<usize> = (0..ground.subjects.len()).collect();
    for round in 0.. {
        if hunt.is_over(&live) {
            break;
        }
        let before = hunt.result.found.len();
        hunt.run_round(round, &live)?;
        for found in &hunt.result.found[before..] {
            tell(HuntStep::Found(found.subject.map_or("the package", |at| &ground.subjects[at].name)));
        }
        live.retain(|subject| hunt.result.found.iter().all(|found| found.subject != Some(*subject)));
        tell(HuntStep::Round(&hunt.result.counts));
    }
    Ok(hunt.result)
}

struct Hunt<'a> {
    engine: &'a Engine<'a>,
    ground: &'a HuntingGround,
    limits: HuntLimits,
    start: Instant,
    orders: CallOrders,
    result: HuntResult,
}

/// A batch with where its inputs come from.
struct PlannedBatch {
    task: ProbeTask,
    ground: usize,
    /// By subject of the batch.
    subjects: Vec<usize>,
    /// By input.
    origins: Vec<String>,
    /// By call of a generator, its numbers.
    numbers: Vec<Vec<CallNumber>>,
}

/// Inputs with where they come from.
struct PlannedInputs {
    inputs: ProbeInputs,
    origins: Vec<String>,
    numbers: Vec<Vec<CallNumber>>,
    ground: usize,
}

impl Hunt<'_> {
    fn is_over(&self, live: &[usize]) -> bool {
        let elapsed = self.start.elapsed();
        let wrong_left = live.iter().any(|&subject| !self.ground.subjects[subject].claimed_right);
        self.engine.is_stopped()
            || live.is_empty()
            || elapsed >= self.limits.time
            || (!wrong_left && elapsed >= self.limits.least_time)
    }

    fn run_round(&mut self, round: u64, live: &[usize]) -> Result<()> {
        let batches: Vec<PlannedBatch> =
            (0..BATCHES).map(|batch| self.plan_batch(round, batch, live)).collect();
        let jobs = batches.iter().map(|batch| Job::new(Task::Probe(Arc::new(batch.task.clone())))).collect();
        let results = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        let first = self.result.found.len();
        for (batch, result) in batches.iter().zip(results) {
            match result {
                Some(Ok(Outcome::Probe(result))) => self.fold_batch(batch, &result, first)?,
                Some(Ok(other)) => unreachable!("a batch has the outcome of one, not {other:?}"),
                Some(Err(fault)) => self.result.faults.push(format!("try new inputs: {fault}")),
                None => {}
            }
        }
        self.result.counts.rounds += 1;
        Ok(())
    }

    fn plan_batch(&self, round: u64, batch: usize, live: &[usize]) -> PlannedBatch {
        let HuntingGround { templates, cases, .. } = self.ground;
        let mut random = RandomStream::new(self.limits.seed, round * BATCHES as u64 + batch as u64);
        let size = (BATCH_SIZES[0] << round.min(16)).min(BATCH_SIZES[1]);
        // A quarter changes what is there: it has what generators do not think of.
        let varies = !cases.is_empty() && (templates.is_empty() || batch % 4 == 3);
        let planned = match varies {
            true => self.plan_variations(round, size, &mut random),
            false => self.plan_calls(round, size, &mut random),
        };
        let subjects = self.subjects_of(batch, live);
        let programs = subjects.iter().map(|&at| self.ground.subjects[at].program.clone()).collect();
        let PlannedInputs { inputs, origins, numbers, ground } = planned;
        let common = self.ground.grounds[ground].clone();
        let task = ProbeTask { inputs, subjects: programs, ground: common, until: ProbeUntil::EachFailed };
        PlannedBatch { task, ground, subjects, origins, numbers }
    }

    /// Who is tried in a batch. What should be right is tried in every fourth, while others are left:
    /// they are what a hunt is for.
    fn subjects_of(&self, batch: usize, live: &[usize]) -> Vec<usize> {
        let wrong = |at: &usize| !self.ground.subjects[*at].claimed_right;
        match !batch.is_multiple_of(4) && live.iter().any(wrong) {
            true => live.iter().copied().filter(wrong).collect(),
            false => live.to_vec(),
        }
    }

    /// Calls of one generator, by all of its commands for one ground.
    fn plan_calls(&self, round: u64, size: usize, random: &mut RandomStream) -> PlannedInputs {
        let templates = &self.ground.templates;
        let first = random.choose(templates);
        let is_like = |other: &&CommandTemplate| {
            other.ground == first.ground && other.program.blob == first.program.blob
        };
        let alike: Vec<&CommandTemplate> = templates.iter().filter(is_like).collect();
        let (mut calls, mut origins, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..size {
            let template = *random.choose(&alike);
            let call = template.draw_call(round_size(round, template.greatest()), &self.orders, random);
            origins.push([std::slice::from_ref(&first.program.name), &call.args].concat().join(" "));
            calls.push(call.args);
            numbers.push(call.numbers);
        }
        let inputs = ProbeInputs::Generated { program: first.program.clone(), calls };
        PlannedInputs { inputs, origins, numbers, ground: first.ground }
    }

    /// Changes of cases of one ground, the smallest cases first.
    fn plan_variations(&self, round: u64, size: usize, random: &mut RandomStream) -> PlannedInputs {
        let most = self.ground.cases.len().min(4 << round.min(16));
        let first = random.choose(&self.ground.cases[..most]);
        let alike: Vec<_> =
            self.ground.cases[..most].iter().filter(|case| case.ground == first.ground).collect();
        let (mut inputs, mut origins) = (Vec::new(), Vec::new());
        for _ in 0..size {
            let case = *random.choose(&alike);
            inputs.push(vary_input(&case.bytes, random));
            origins.push(case.name.clone());
        }
        let inputs = ProbeInputs::Given(inputs);
        PlannedInputs { inputs, origins, numbers: vec![], ground: first.ground }
    }

    fn fold_batch(&mut self, batch: &PlannedBatch, result: &ProbeResult, first: usize) -> Result<()> {
        let counts = &mut self.result.counts;
        counts.valid += u64::from(result.valid);
        counts.refused += u64::from(result.refused);
        counts.failed_calls += u64::from(result.failed_calls);
        counts.trials += u64::from(result.trials);
        counts.undecided += result.undecided.len() as u64;
        self.result.doubt = self.result.doubt.take().or(result.undecided.first().cloned());
        if let (ProbeInputs::Generated { program, .. }, Some(why)) = (&batch.task.inputs, &result.complaint) {
            self.result.complaints.entry(program.name.clone()).or_insert(why.clone());
        }
        self.learn_orders(batch, result);
        for hit in &result.hits {
            let example = self.counter_example(batch, hit)?;
            self.note(example, first);
        }
        Ok(())
    }

    fn learn_orders(&mut self, batch: &PlannedBatch, result: &ProbeResult) {
        let ProbeInputs::Generated { program, .. } = &batch.task.inputs else { return };
        for (at, numbers) in batch.numbers.iter().take(result.looked_at()).enumerate() {
            let is_used = !result.unused.iter().any(|unused| *unused as usize == at);
            self.orders.note_call(&program.name, numbers, is_used);
        }
    }

    fn counter_example(&self, batch: &PlannedBatch, hit: &ProbeHit) -> Result<CounterExample> {
        let at = hit.input as usize;
        let input = match (&batch.task.inputs, hit.contents) {
            (ProbeInputs::Given(inputs), _) => inputs[at].clone(),
            (ProbeInputs::Generated { .. }, Some(file)) => self
                .engine
                .store()
                .bytes(&file.digest)?
                .context("an input vanished from the store; run again")?,
            (ProbeInputs::Generated { .. }, None) => Vec::new(),
        };
        Ok(CounterExample {
            subject: hit.subject.map(|subject| batch.subjects[subject as usize]),
            failure: hit.failure,
            message: hit.message.clone(),
            input,
            answer: hit.answer.clone(),
            trial: hit.trial.clone(),
            origin: batch.origins[at].clone(),
            is_generated: matches!(batch.task.inputs, ProbeInputs::Generated { .. }),
            ground: batch.ground,
            after: self.start.elapsed(),
        })
    }

    /// Keeps an example, unless there is one as small. `first`: where those of this round begin.
    fn note(&mut self, example: CounterExample, first: usize) {
        let is_same = |one: &CounterExample| match example.subject {
            Some(subject) => one.subject == Some(subject),
            None => one.subject.is_none() && one.failure == example.failure,
        };
        match self.result.found.iter().position(is_same) {
            None => self.result.found.push(example),
            Some(at)
                if at >= first
                    && compare_size(&example.input, &self.result.found[at].input) == Ordering::Less =>
            {
                self.result.found[at] = example;
            }
            Some(_) => {}
        }
    }
}

/// Small in the first rounds, then greater and greater; then from the beginning.
fn round_size(round: u64, greatest: i128) -> RoundSize {
    // Steps by half a power of two: 1, 1, 2, 3, 4, 6, 8, ….
    let steps = 2 * u64::from(greatest.max(1).ilog2()) + 2;
    let step = round % steps;
    let power = 1i128 << (step / 2);
    RoundSize { cap: Some(if step.is_multiple_of(2) { power } else { power + power / 2 }) }
}
