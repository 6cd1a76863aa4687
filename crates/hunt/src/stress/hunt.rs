//! The hunt: tries the package's cases, then rounds of batches of new inputs, small ones first, until the first
//! counterexample or until time is up.
//!
//! The inputs depend on the seed, on the submissions without a counterexample and on earlier calls of generators. The
//! number and speed of CPUs affect only how far a hunt gets.

use super::{
    hunt_result::{HuntBudget, HuntLimits, HuntResult, HuntStep, HuntUntil, OnHuntStep},
    known_calls::{CallDrawer, CallEnd, DrawnCall, KnownCalls},
    smaller::is_large_case,
    variation::vary_input,
};
use crate::bench::{Batch, Bench, HuntingGround, KnownTest, TestContents, Until};
use crate::form::RandomStream;
use anyhow::Result;
use kopek_base::Digest;
use kopek_engine::exec::Engine;
use kopek_package::verdict::{Class, Verdict};
use kopek_plan::plan::{ProbeFailure, ProbeHit, ProbeInputs, ProbeResult, ProbeUntil, Program};
use kopek_results::{Found, FoundFailure, InputOrigin};
use kopek_sandbox::Limits;
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

/// The most batches of a round; each round has twice as many as the previous one.
const BATCHES: usize = 8;
/// Batch sizes: in the first round, and at most.
const BATCH_SIZES: [usize; 2] = [2, 16];
/// The most items of inputs that are drawn in the first round; each round adds as many.
const SMALLEST_DRAWN: usize = 2;
/// Cases of the package that are tried at the same time.
const TESTS: usize = 8;

/// Hunts until the wanted counterexamples are found or time is up.
pub fn hunt(
    engine: &Engine,
    ground: &HuntingGround,
    limits: HuntLimits,
    tell: &mut OnHuntStep,
) -> Result<HuntResult> {
    let live = (0..ground.subjects.len()).collect();
    hunt_within(Bench { engine, ground }, live, &BTreeSet::new(), limits, None, tell)
}

/// The same for these subjects, with a budget for each, which depends on the inputs that were tried and not on the
/// machine. Ends if only fruitless ones are left: without them, the others would get other inputs than before.
pub(super) fn hunt_within(
    bench: Bench,
    live: Vec<usize>,
    fruitless: &BTreeSet<usize>,
    limits: HuntLimits,
    budget: Option<HuntBudget>,
    tell: &mut OnHuntStep,
) -> Result<HuntResult> {
    let start = bench.engine.machine.clock.now();
    let (known, large, result) = (HashMap::new(), Vec::new(), HuntResult::default());
    let mut hunt = Hunt { bench, limits, start, live, fruitless, budget, known, large, result };
    for tests in bench.ground.tests.chunks(TESTS) {
        hunt.take_step(tell, &mut |hunt| hunt.try_tests(tests))?;
    }
    for round in 0.. {
        if !hunt.take_step(tell, &mut |hunt| hunt.run_round(round))? {
            break;
        }
    }
    for found in std::mem::take(&mut hunt.large) {
        hunt.note(found);
    }
    Ok(hunt.result)
}

struct Hunt<'a> {
    bench: Bench<'a>,
    limits: HuntLimits,
    start: Instant,
    /// Subjects without a counterexample.
    live: Vec<usize>,
    /// Those of them for which an equal hunt found nothing.
    fruitless: &'a BTreeSet<usize>,
    budget: Option<HuntBudget>,
    /// Known calls by generator.
    known: HashMap<Digest, KnownCalls>,
    /// Large cases on which a subject fails: they count if no small input is found.
    large: Vec<Found>,
    result: HuntResult,
}

/// The origins of the inputs of a batch.
struct Origins {
    ground: usize,
    /// By input.
    names: Vec<InputOrigin>,
    /// The calls, if a generator makes them.
    calls: Vec<DrawnCall>,
}

impl Hunt<'_> {
    fn elapsed(&self) -> Duration {
        self.bench.engine.machine.clock.now() - self.start
    }

    fn until(&self) -> Until {
        let seen = match self.limits.until {
            HuntUntil::First => ProbeUntil::FirstHit,
            HuntUntil::All => ProbeUntil::EachFailed,
        };
        Until { seen, deadline: Some(self.start + self.limits.time), interrupt: true }
    }

    fn has_found_first(&self) -> bool {
        self.limits.until == HuntUntil::First && !self.result.found.is_empty()
    }

    /// Takes a step unless the hunt is over; returns whether to go on.
    fn take_step(
        &mut self,
        tell: &mut OnHuntStep,
        act: &mut dyn FnMut(&mut Self) -> Result<bool>,
    ) -> Result<bool> {
        let is_done =
            self.has_found_first() || self.live.iter().all(|subject| self.fruitless.contains(subject));
        if is_done || self.bench.engine.is_stopped() || self.bench.is_late(self.until().deadline) {
            return Ok(false);
        }
        let before = self.result.found.len();
        let goes_on = act(self)?;
        let HuntResult { found, counts, .. } = &self.result;
        let ground = self.bench.ground;
        for one in &found[before..] {
            tell(HuntStep::Found(ground.name_of(one.program())));
        }
        let is_spent = |at: usize| {
            self.budget.is_some_and(|budget| budget.is_spent(counts, &ground.subjects[at].program))
        };
        self.live.retain(|&at| found.iter().all(|one| one.program() != Some(at)) && !is_spent(at));
        tell(HuntStep::Round(counts));
        Ok(goes_on)
    }

    /// Tries cases of the package.
    fn try_tests(&mut self, tests: &[KnownTest]) -> Result<bool> {
        let is_open = |subject: &usize| self.large.iter().all(|one| one.program() != Some(*subject));
        let open: Vec<usize> = self.live.iter().copied().filter(is_open).collect();
        let places: Vec<(&KnownTest, usize)> =
            tests.iter().flat_map(|test| open.iter().map(move |&subject| (test, subject))).collect();
        let results = self.bench.try_cases(&places, self.until())?;
        for ((test, _), result) in places.into_iter().zip(results) {
            if self.has_found_first() {
                break;
            }
            let tried = self.result.add(&test.name, result).unwrap_or_default();
            for hit in tried.hits {
                let TestContents { input, answer_start: answer } = test.contents()?;
                let origin = InputOrigin::Case(test.name.clone());
                let may_be_small = may_be_small(hit.failure);
                let found = self.found(ProbeHit { answer, ..hit }, Found::new(input, test.ground, origin));
                if is_large_case(&found) && may_be_small {
                    self.large.push(found);
                } else {
                    self.note(found);
                }
            }
        }
        Ok(true)
    }

    /// Tries new inputs; returns whether there are any left to try.
    fn run_round(&mut self, round: u64) -> Result<bool> {
        let planned = (0..BATCHES.min(1 << round.min(16))).filter_map(|batch| self.plan_batch(round, batch));
        let (batches, origins): (Vec<Batch>, Vec<Origins>) = planned.unzip();
        let results = self.bench.try_batches(&batches, self.until())?;
        for ((batch, origins), result) in batches.iter().zip(&origins).zip(results) {
            if self.has_found_first() {
                break;
            }
            let Some(tried) = self.result.add("new inputs", result) else { continue };
            self.learn_calls(batch, &origins.calls, &tried);
            for hit in tried.hits {
                let input = self.bench.input_of(batch, &hit)?;
                let origin = origins.names[hit.input as usize].clone();
                self.note(self.found(hit, Found::new(input, origins.ground, origin)));
            }
        }
        self.result.counts.rounds += 1;
        Ok(!batches.is_empty() && !self.result.counts.is_hopeless())
    }

    fn plan_batch(&self, round: u64, batch: usize) -> Option<(Batch, Origins)> {
        let HuntingGround { templates, cases, form, .. } = self.bench.ground;
        let mut random = RandomStream::new(self.limits.seed, round * BATCHES as u64 + batch as u64);
        let size = (BATCH_SIZES[0] << round.min(16)).min(BATCH_SIZES[1]);
        // A quarter of the batches changes existing cases, which have features that generators miss.
        let has_others = !cases.is_empty() || form.is_ok();
        let varies = has_others && (templates.is_empty() || batch % 4 == 3);
        let calls = if varies { None } else { self.plan_calls((round, batch), size, &mut random) };
        if calls.is_none() && has_others {
            return Some(self.plan_variations(round, size, &mut random));
        }
        calls
    }

    fn batch_of(&self, inputs: ProbeInputs, origins: Origins) -> (Batch, Origins) {
        let ground = self.bench.ground.grounds[origins.ground].clone();
        (Batch { ground, inputs, programs: self.live.clone() }, origins)
    }

    /// Calls of one generator, by all of its commands for one ground; `None`: all drawn calls hang.
    fn plan_calls(
        &self,
        place: (u64, usize),
        size: usize,
        random: &mut RandomStream,
    ) -> Option<(Batch, Origins)> {
        let templates = &self.bench.ground.templates;
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
        let args: Vec<Vec<String>> = calls.iter().map(|call| call.args.clone()).collect();
        let command = |args: &Vec<String>| {
            InputOrigin::Command([std::slice::from_ref(&program.name), args].concat().join(" "))
        };
        let origins = Origins { ground: first.ground, names: args.iter().map(command).collect(), calls };
        let inputs = ProbeInputs::Generated { program, calls: args };
        if origins.calls.is_empty() { None } else { Some(self.batch_of(inputs, origins)) }
    }

    /// Variations of cases of one ground, the smallest cases first, and inputs of the same form. Without a validator, only
    /// the form knows what is valid.
    fn plan_variations(&self, round: u64, size: usize, random: &mut RandomStream) -> (Batch, Origins) {
        let cases = &self.bench.ground.cases;
        let cases = &cases[..cases.len().min(4 << round.min(16))];
        let ground = if cases.is_empty() { 0 } else { random.choose(cases).ground };
        let alike: Vec<_> = cases.iter().filter(|case| case.ground == ground).collect();
        let mut origins = Origins { ground, names: Vec::new(), calls: Vec::new() };
        let mut inputs = Vec::new();
        let HuntingGround { form, .. } = self.bench.ground;
        let only_drawn = form.is_ok() && (cases.is_empty() || self.bench.ground.is_unruled());
        for _ in 0..size {
            let drawn = form.as_ref().ok().filter(|_| only_drawn || random.is_once_in(2));
            if let Some(form) = drawn {
                let input = form.draw(SMALLEST_DRAWN + SMALLEST_DRAWN * round as usize, random);
                inputs.extend(input);
                origins.names.resize(inputs.len(), InputOrigin::Form);
            } else {
                let case = *random.choose(&alike);
                let layout = case.layout(form.as_deref().ok());
                inputs.push(vary_input(layout, &case.bytes, random));
                origins.names.push(InputOrigin::ChangedCase(case.name.clone()));
            }
        }
        self.batch_of(ProbeInputs::Given(inputs), origins)
    }

    /// Learns from the calls of a generator.
    fn learn_calls(&mut self, batch: &Batch, calls: &[DrawnCall], tried: &ProbeResult) {
        let ProbeInputs::Generated { program, .. } = &batch.inputs else { return };
        if let Some(why) = &tried.complaint {
            self.result.complaints.entry(program.name.clone()).or_insert(why.clone());
        }
        let known = self.known.entry(program.blob).or_default();
        known.note_time(tried.longest_call);
        for (at, call) in calls.iter().take(tried.looked_at()).enumerate() {
            let is_meant = |number: &u32| *number as usize == at;
            let end = match () {
                () if tried.hung.as_ref().is_some_and(is_meant) => CallEnd::Hung,
                () if tried.unused.iter().any(is_meant) => CallEnd::Unused,
                () => CallEnd::Used,
            };
            known.note_call(&self.bench.ground.templates[call.template].words, call, end);
        }
    }

    fn found(&self, hit: ProbeHit, input: Found) -> Found {
        let ProbeHit { subject, failure, message, answer, trial, .. } = hit;
        let program = subject.map(|subject| subject as usize);
        let failures = vec![FoundFailure { program, failure, message, trial, printed: None }];
        Found { answer: Some(answer), failures, after: self.elapsed(), ..input }
    }

    /// Keeps the first input of each subject, and of each kind of failure of the package.
    fn note(&mut self, found: Found) {
        let is_same = |one: &Found| match found.program() {
            Some(program) => one.program() == Some(program),
            None => one.program().is_none() && one.failures[0].failure == found.failures[0].failure,
        };
        if !self.has_found_first() && !self.result.found.iter().any(is_same) {
            self.result.found.push(found);
        }
    }
}

/// Whether a small input may show the same mistake: time and memory run out on large ones.
fn may_be_small(failure: ProbeFailure) -> bool {
    match failure {
        ProbeFailure::Verdict(verdict) => {
            verdict.class() != Some(Class::Tle) && verdict != Verdict::MemoryLimit
        }
        ProbeFailure::ValidatorFailed
        | ProbeFailure::SolutionFailed
        | ProbeFailure::AnswerRefused
        | ProbeFailure::ValidatorFailedOnAnswer => true,
    }
}
