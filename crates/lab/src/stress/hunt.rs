//! The hunt: tries the package's cases, then rounds of batches of new inputs, small ones first, until the first
//! counterexample or until time is up.
//!
//! The inputs depend on the seed, on the submissions without a counterexample and on earlier calls of generators. The
//! number and speed of CPUs affect only how far a hunt gets.

use super::{
    hunt_result::{HuntBudget, HuntLimits, HuntResult, HuntStep, HuntUntil, OnHuntStep, shows_mistake},
    hunting_ground::{HuntingGround, KnownTest, TestContents},
    known_calls::{CallDrawer, CallEnd, DrawnCall, KnownCalls},
    random::RandomStream,
    shrinkable::{is_large_case, may_be_small},
    variation::vary_input,
};
use anyhow::{Context, Result};
use kopek_base::Digest;
use kopek_engine::exec::{Engine, JobResult, JobRunner, KnownFacts};
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{
    Job, Outcome, ProbeFailure, ProbeHit, ProbeInputs, ProbeResult, ProbeTask, ProbeUntil, Program, Task,
    TrialTask,
};
use kopek_results::{CounterExample, InputOrigin};
use kopek_sandbox::{FaultSource, Limits};
use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The most batches of a round; each round has twice as many as the previous one.
const BATCHES: usize = 8;
/// Batch sizes: in the first round, and at most.
const BATCH_SIZES: [usize; 2] = [2, 16];
/// Cases of the package that are tried at the same time.
const TESTS: usize = 8;

/// Hunts until the wanted counterexamples are found or time is up.
pub fn hunt(
    engine: &Engine,
    ground: &HuntingGround,
    limits: HuntLimits,
    tell: &mut OnHuntStep,
) -> Result<HuntResult> {
    hunt_within(engine, ground, limits, None, tell)
}

/// The same with a budget for each subject, which depends on the inputs that were tried and not on the machine.
pub(super) fn hunt_within(
    engine: &Engine,
    ground: &HuntingGround,
    limits: HuntLimits,
    budget: Option<HuntBudget>,
    tell: &mut OnHuntStep,
) -> Result<HuntResult> {
    let start = engine.machine.clock.now();
    let live = (0..ground.subjects.len()).collect();
    let mut hunt = Hunt {
        engine,
        ground,
        limits,
        start,
        live,
        budget,
        known: HashMap::new(),
        large: Vec::new(),
        result: HuntResult::default(),
    };
    for tests in ground.tests.chunks(TESTS) {
        hunt.take_step(tell, &mut |hunt| hunt.try_tests(tests))?;
    }
    for round in 0.. {
        if !hunt.take_step(tell, &mut |hunt| hunt.run_round(round))? {
            break;
        }
    }
    for example in std::mem::take(&mut hunt.large) {
        hunt.note(example);
    }
    Ok(hunt.result)
}

struct Hunt<'a> {
    engine: &'a Engine<'a>,
    ground: &'a HuntingGround,
    limits: HuntLimits,
    start: Instant,
    /// Subjects without a counterexample.
    live: Vec<usize>,
    budget: Option<HuntBudget>,
    /// Known calls by generator.
    known: HashMap<Digest, KnownCalls>,
    /// Large cases on which a subject fails: they count if no small input is found.
    large: Vec<CounterExample>,
    result: HuntResult,
}

/// A batch and the origin of its inputs.
struct PlannedBatch {
    task: Arc<ProbeTask>,
    ground: usize,
    calls: Vec<DrawnCall>,
    /// Or names of the changed cases.
    changed: Vec<String>,
}

impl Hunt<'_> {
    fn deadline(&self) -> Instant {
        self.start + self.limits.time
    }

    fn elapsed(&self) -> Duration {
        self.engine.machine.clock.now() - self.start
    }

    fn is_time_up(&self) -> bool {
        self.elapsed() >= self.limits.time
    }

    fn has_found_first(&self) -> bool {
        self.limits.until == HuntUntil::First && !self.result.found.is_empty()
    }

    fn is_over(&self) -> bool {
        let is_done = self.has_found_first() || self.live.is_empty();
        is_done || self.engine.is_stopped() || self.is_time_up()
    }

    /// Takes a step unless the hunt is over; returns whether to go on.
    fn take_step(
        &mut self,
        tell: &mut OnHuntStep,
        act: &mut dyn FnMut(&mut Self) -> Result<bool>,
    ) -> Result<bool> {
        if self.is_over() {
            return Ok(false);
        }
        let before = self.result.found.len();
        let goes_on = act(self)?;
        let found = &self.result.found;
        for one in &found[before..] {
            tell(HuntStep::Found(self.ground.name_of(one.subject)));
        }
        let subjects = &self.ground.subjects;
        let is_spent = |at: usize| {
            self.budget.is_some_and(|budget| budget.is_spent(&self.result.counts, &subjects[at].program))
        };
        self.live.retain(|&at| found.iter().all(|one| one.subject != Some(at)) && !is_spent(at));
        tell(HuntStep::Round(&self.result.counts));
        Ok(goes_on)
    }

    /// Tries cases of the package.
    fn try_tests(&mut self, tests: &[KnownTest]) -> Result<bool> {
        let is_open = |subject: &usize| self.large.iter().all(|one| one.subject != Some(*subject));
        let open: Vec<usize> = self.live.iter().copied().filter(is_open).collect();
        let mut places: Vec<(&KnownTest, usize)> = Vec::new();
        for test in tests {
            places.extend(open.iter().map(|&subject| (test, subject)));
        }
        let jobs = self.trial_jobs(&places)?;
        for ((test, subject), result) in places.into_iter().zip(self.run_jobs(jobs)?) {
            if self.has_found_first() {
                break;
            }
            if let Some(result) = result {
                self.fold_test(test, subject, result)?;
            }
        }
        Ok(true)
    }

    /// Trials that settle times above the limit: noise is not a counterexample. What another command found out about a
    /// trial is used, unless it is such a time.
    fn trial_jobs(&self, places: &[(&KnownTest, usize)]) -> Result<Vec<Job>> {
        let tasks: Vec<TrialTask> =
            places.iter().map(|(test, subject)| self.trial_task(test, *subject)).collect();
        let first: Vec<Job> = tasks.iter().map(|task| Job::new(Task::Trial(task.clone()))).collect();
        let facts = self.engine.jobs.known_outcomes(&first)?;
        let mut jobs = Vec::new();
        for ((task, first), fact) in tasks.into_iter().zip(first).zip(facts) {
            jobs.push(match fact {
                Some(Outcome::Trial(trial)) if trial.verdict != Verdict::TimeLimit => first,
                Some(_) | None => Job::new(Task::Trial(task.settled())),
            });
        }
        Ok(jobs)
    }

    fn trial_task(&self, test: &KnownTest, subject: usize) -> TrialTask {
        let setting = self.ground.grounds[test.ground].setting.clone();
        TrialTask::new(self.ground.subjects[subject].program.clone(), test.files.clone(), setting)
    }

    fn fold_test(&mut self, test: &KnownTest, subject: usize, result: JobResult) -> Result<()> {
        self.result.counts.trials += 1;
        let (failure, trial, message) = match result {
            Ok(Outcome::Trial(trial)) if trial.verdict == Verdict::Accepted => return Ok(()),
            Ok(Outcome::Trial(trial)) => (ProbeFailure::Verdict(trial.verdict), Some(trial), String::new()),
            Ok(other) => unreachable!("a trial has the outcome of one, not {other:?}"),
            Err(fault) => match fault.source {
                FaultSource::TrustedProgram => (ProbeFailure::ValidatorFailed, None, fault.what),
                FaultSource::Undecided | FaultSource::UnclearMemory => {
                    self.result.counts.undecided += 1;
                    self.result.doubt.get_or_insert(fault.what);
                    return Ok(());
                }
                FaultSource::Machine => {
                    self.result.faults.push(format!("try {}: {fault}", test.name));
                    return Ok(());
                }
            },
        };
        let TestContents { input, answer_start } = test.contents()?;
        let example = CounterExample {
            subject: Some(subject),
            failure,
            message,
            input,
            answer: answer_start,
            trial,
            origin: InputOrigin::Case(test.name.clone()),
            ground: test.ground,
            after: self.elapsed(),
        };
        if is_large_case(&example) && may_be_small(example.failure) {
            self.large.push(example);
        } else {
            self.note(example);
        }
        Ok(())
    }

    /// Tries new inputs; returns whether there are any left to try.
    fn run_round(&mut self, round: u64) -> Result<bool> {
        let batches = 0..BATCHES.min(1 << round.min(16));
        let batches: Vec<PlannedBatch> = batches.filter_map(|batch| self.plan_batch(round, batch)).collect();
        let jobs = batches.iter().map(|batch| Job::new(Task::Probe(batch.task.clone()))).collect();
        for (batch, result) in batches.iter().zip(self.run_jobs(jobs)?) {
            if self.has_found_first() {
                break;
            }
            match result {
                Some(Ok(Outcome::Probe(result))) => self.fold_batch(batch, &result)?,
                Some(Ok(other)) => unreachable!("a batch has the outcome of one, not {other:?}"),
                Some(Err(fault)) => self.result.faults.push(format!("try new inputs: {fault}")),
                None => {}
            }
        }
        self.result.counts.rounds += 1;
        Ok(!batches.is_empty() && !self.result.counts.is_hopeless())
    }

    /// Runs jobs in order until time is up; when one counterexample is wanted, until the first in this order is
    /// known.
    fn run_jobs(&self, jobs: Vec<Job>) -> Result<Vec<Option<JobResult>>> {
        let stop = AtomicBool::new(false);
        let engine = Engine { jobs: JobRunner { stop: &stop, ..self.engine.jobs }, ..*self.engine };
        let mut seen: Vec<Option<bool>> = vec![None; jobs.len()];
        engine.run_all(jobs, KnownFacts::Use, &mut |at, result| {
            seen[at] = Some(shows_mistake(result));
            let mut known = seen.iter().map_while(|one| *one);
            let is_found = self.limits.until == HuntUntil::First && known.any(|is_hit| is_hit);
            if is_found || self.engine.is_stopped() || self.is_time_up() {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        })
    }

    fn plan_batch(&self, round: u64, batch: usize) -> Option<PlannedBatch> {
        let HuntingGround { templates, cases, .. } = self.ground;
        let mut random = RandomStream::new(self.limits.seed, round * BATCHES as u64 + batch as u64);
        let size = (BATCH_SIZES[0] << round.min(16)).min(BATCH_SIZES[1]);
        // A quarter of the batches changes existing cases, which have features that generators miss.
        let varies = !cases.is_empty() && (templates.is_empty() || batch % 4 == 3);
        let calls = if varies { None } else { self.plan_calls((round, batch), size, &mut random) };
        if calls.is_none() && !cases.is_empty() {
            return Some(self.plan_variations(round, size, &mut random));
        }
        calls
    }

    fn new_batch(&self, inputs: ProbeInputs, ground: usize) -> PlannedBatch {
        let subjects = self.live.iter().map(|&at| self.ground.subjects[at].program.clone()).collect();
        let until = match self.limits.until {
            HuntUntil::First => ProbeUntil::FirstHit,
            HuntUntil::All => ProbeUntil::EachFailed,
        };
        let common = self.ground.grounds[ground].clone();
        let task = ProbeTask { inputs, subjects, ground: common, until, deadline: Some(self.deadline()) };
        PlannedBatch { task: Arc::new(task), ground, calls: vec![], changed: vec![] }
    }

    /// Calls of one generator, by all of its commands for one ground; `None`: all drawn calls hang.
    fn plan_calls(
        &self,
        place: (u64, usize),
        size: usize,
        random: &mut RandomStream,
    ) -> Option<PlannedBatch> {
        let templates = &self.ground.templates;
        let most = templates.len().min(2 << place.0.min(16));
        let first = random.choose(templates.get(..most).filter(|some| !some.is_empty())?);
        let is_like = |at: &usize| {
            templates[*at].ground == first.ground && templates[*at].program.blob == first.program.blob
        };
        let alike = (0..most).filter(is_like).collect();
        let words = templates.iter().map(|template| &template.words).collect();
        let unknown = KnownCalls::default();
        let known = self.known.get(&first.program.blob).unwrap_or(&unknown);
        let drawer = CallDrawer::new(known, words, alike);
        let calls: Vec<DrawnCall> =
            (0..size).map_while(|_| drawer.draw_call(place.0, place.1, random)).collect();
        let cpu = drawer.limit();
        let limits = Limits { cpu, wall: 2 * cpu, ..first.program.limits };
        let program = Arc::new(Program { limits, ..(*first.program).clone() });
        let args = calls.iter().map(|call| call.args.clone()).collect();
        if calls.is_empty() {
            return None;
        }
        let batch = self.new_batch(ProbeInputs::Generated { program, calls: args }, first.ground);
        Some(PlannedBatch { calls, ..batch })
    }

    /// Variations of cases of one ground, the smallest cases first.
    fn plan_variations(&self, round: u64, size: usize, random: &mut RandomStream) -> PlannedBatch {
        let most = self.ground.cases.len().min(4 << round.min(16));
        let first = random.choose(&self.ground.cases[..most]);
        let alike: Vec<_> =
            self.ground.cases[..most].iter().filter(|case| case.ground == first.ground).collect();
        let mut inputs = Vec::new();
        let mut changed = Vec::new();
        for _ in 0..size {
            let case = *random.choose(&alike);
            inputs.push(vary_input(&case.bytes, random));
            changed.push(case.name.clone());
        }
        PlannedBatch { changed, ..self.new_batch(ProbeInputs::Given(inputs), first.ground) }
    }

    fn fold_batch(&mut self, batch: &PlannedBatch, result: &ProbeResult) -> Result<()> {
        self.result.counts.add(result);
        self.result.doubt = self.result.doubt.take().or(result.undecided.first().cloned());
        if let (ProbeInputs::Generated { program, .. }, Some(why)) = (&batch.task.inputs, &result.complaint) {
            self.result.complaints.entry(program.name.clone()).or_insert(why.clone());
        }
        self.learn_calls(batch, result);
        for hit in &result.hits {
            let example = self.counter_example(batch, hit)?;
            self.note(example);
        }
        Ok(())
    }

    fn learn_calls(&mut self, batch: &PlannedBatch, result: &ProbeResult) {
        let ProbeInputs::Generated { program, .. } = &batch.task.inputs else { return };
        let known = self.known.entry(program.blob).or_default();
        known.note_time(result.longest_call);
        for (at, call) in batch.calls.iter().take(result.looked_at()).enumerate() {
            let is_meant = |number: &u32| *number as usize == at;
            let end = match () {
                () if result.hung.as_ref().is_some_and(is_meant) => CallEnd::Hung,
                () if result.unused.iter().any(is_meant) => CallEnd::Unused,
                () => CallEnd::Used,
            };
            known.note_call(&self.ground.templates[call.template].words, call, end);
        }
    }

    fn counter_example(&self, batch: &PlannedBatch, hit: &ProbeHit) -> Result<CounterExample> {
        let at = hit.input as usize;
        let (input, origin) = match &batch.task.inputs {
            ProbeInputs::Given(inputs) => {
                (inputs[at].clone(), InputOrigin::ChangedCase(batch.changed[at].clone()))
            }
            ProbeInputs::Generated { program, calls } => {
                let stored = hit.contents.map(|file| self.engine.store().bytes(&file.digest)).transpose()?;
                let input = stored.flatten().context("an input vanished from the store; run again")?;
                let words = [std::slice::from_ref(&program.name), &calls[at]].concat();
                (input, InputOrigin::Command(words.join(" ")))
            }
        };
        Ok(CounterExample {
            subject: hit.subject.map(|subject| self.live[subject as usize]),
            failure: hit.failure,
            message: hit.message.clone(),
            input,
            answer: hit.answer.clone(),
            trial: hit.trial.clone(),
            origin,
            ground: batch.ground,
            after: self.elapsed(),
        })
    }

    /// Keeps the first example of each subject, and of each kind of failure of the package.
    fn note(&mut self, example: CounterExample) {
        let is_same = |one: &CounterExample| match example.subject {
            Some(subject) => one.subject == Some(subject),
            None => one.subject.is_none() && one.failure == example.failure,
        };
        if !self.has_found_first() && !self.result.found.iter().any(is_same) {
            self.result.found.push(example);
        }
    }
}
