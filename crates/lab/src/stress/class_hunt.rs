//! The hunt for a class: small inputs on which its failing programs fail, as few as explain the most of them.
//!
//! ```text
//! samples on which programs fail ───┐  (samples also as they are)
//! hunt for all open programs ───────┼─shrink─► confirm: all programs, all accepted submissions ─► choose
//! a case on which a program fails ──┤
//! inputs of earlier hunts ──────────┘
//! ```
//!
//! An input counts if the validators and all accepted submissions agree on it, and if it reveals no hidden case: the
//! hunt changes samples only, and shrinks a hidden case only for programs that are open after it.
//!
//! Budgets count tried inputs and not time, so the result does not depend on the speed of the machine. Inputs of
//! earlier hunts come last: they never replace an input that would be found without them, and only explain programs
//! for which this hunt finds nothing.

use super::{
    confirmed_inputs::{
        ConfirmedInput, ConfirmedInputs, FailingProgram, FoundInput, InputSource, MAX_UNSHRUNK_BYTES,
        ProgramFailure, answer_excerpt, shortened, text_excerpt,
    },
    hidden_cases::{HiddenCases, MAX_SHOWN},
    hunt::hunt_within,
    hunt_result::{HuntBudget, HuntLimits, HuntStep, HuntUntil, OnHuntStep, usual_milliseconds},
    hunting_ground::{
        HuntingGround, StressRequest, StressSubject, TestContents, ground_of_package, is_claimed_right,
    },
    input_text::compare_size,
    item_count::{CountedItems, Failing, SmallerInput, boundaries},
    smaller::{ShrinkBounds, shrink_example},
};
use anyhow::{Context, Result, bail};
use kopek_engine::exec::{Engine, JobRunner, KnownFacts};
use kopek_package::{
    package::{Package, Participant, TestSet, is_sample},
    verdict::Verdict,
};
use kopek_plan::plan::{
    Checker, Job, Outcome, ProbeFailure, ProbeGround, ProbeInputs, ProbeResult, ProbeTask, ProbeUntil,
    Program, Setting, Task,
};
use kopek_results::{
    Boundary, CounterExample, Counterexample, Counterexamples, HuntCounts, InputOrigin, Unexplained,
    UnexplainedProgram, is_much_smaller,
};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// A hunt for a class.
#[derive(Clone, Copy)]
pub struct ClassHunt<'a> {
    pub engine: &'a Engine<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub seed: u64,
    /// CPU time for each program, by what a run usually takes.
    pub budget: Duration,
}

/// Inputs that are kept for later hunts.
const MAX_REMEMBERED: usize = 50;
/// Longer inputs are not kept.
const MAX_REMEMBERED_BYTES: usize = 4 << 10;
/// Cases of a program to shrink.
const MAX_SHRUNK_CASES: usize = 3;
/// The hunt ends by its budget.
const NO_DEADLINE: Duration = Duration::from_secs(365 * 86_400);
/// A boundary is worth a sentence from this number on.
const LARGE_NUMBER: u64 = 20;

/// Says what a package lacks for such a hunt.
pub fn check_huntable(package: &Package) -> Result<()> {
    let name = &package.name;
    let kind = match () {
        () if package.kind.submit_answer => Some("submit-answer"),
        () if package.kind.interactive => Some("interactive"),
        () if package.kind.multi_pass => Some("multi-pass"),
        () => None,
    };
    if let Some(kind) = kind {
        bail!("{name}: --counterexamples does not support {kind} problems yet");
    }
    if package.input_validators.is_empty() {
        bail!(
            "{name}: --counterexamples needs an input validator, which knows the valid inputs; add a program to \
             input_validators/ that exits with 42 for a valid input and with 43 for any other"
        );
    }
    if !package.submissions.iter().any(|submission| is_claimed_right(package, &submission.name)) {
        bail!(
            "{name}: --counterexamples needs a correct solution for the expected outputs; add one to \
             submissions/accepted/"
        );
    }
    Ok(())
}

impl<'a> ClassHunt<'a> {
    /// Hunts inputs for all of these programs.
    pub fn run(self, programs: &'a [FailingProgram], tell: &mut OnHuntStep) -> Result<Counterexamples> {
        check_huntable(self.package)?;
        let mut result = Counterexamples {
            package: self.package.name.clone(),
            failing: programs.len(),
            seconds: self.budget.as_secs(),
            seed: self.seed,
            ..Counterexamples::default()
        };
        if programs.is_empty() {
            return Ok(result);
        }
        let mut state = self.prepare(programs)?;
        state.try_samples(tell)?;
        state.shrink_samples(tell)?;
        state.hunt_open(tell)?;
        state.shrink_cases(tell)?;
        state.confirm_unshrunk(tell)?;
        let found = state.confirmed.inputs.len();
        state.try_remembered(tell)?;
        state.remember()?;
        state.show_chosen(found, &mut result)?;
        state.explain_rest(&mut result);
        result.same_mistake = state.confirmed.same_mistakes(&state.programs);
        result.accepted_not_run.append(&mut state.accepted_not_run);
        result.tried = state.counts.valid + state.shrink_tries;
        result.runs = state.counts.trials + state.runs;
        result.interrupted = self.engine.is_stopped();
        Ok(result)
    }

    fn remembered_name(&self) -> String {
        format!("counterexamples {}", self.package.about.uuid.as_deref().unwrap_or(&self.package.name))
    }

    fn prepare(self, programs: &'a [FailingProgram]) -> Result<HuntState<'a>> {
        let is_right = |name: &str| is_claimed_right(self.package, name);
        let right = self.package.submissions.iter().filter(|one| is_right(&one.name));
        let names: BTreeSet<&str> = right.clone().map(|one| one.name.as_str()).collect();
        let members = programs.iter().map(|program| program.member.clone());
        let files = members.chain(right.clone().map(Participant::from)).collect();
        let request = StressRequest { files, ..StressRequest::default() };
        let mut ground = ground_of_package(self.engine, self.package, self.tests, &request)?;
        let (accepted, failing): (Vec<_>, Vec<_>) =
            ground.subjects.into_iter().partition(|subject| names.contains(subject.name.as_str()));
        if accepted.is_empty() {
            bail!(
                "no accepted submission can run, so expected outputs are unknown:\n{}",
                ground.skipped.join("\n")
            );
        }
        let run: BTreeSet<&str> = accepted.iter().map(|subject| subject.name.as_str()).collect();
        let not_run = names.difference(&run).map(|name| (*name).to_owned()).collect();
        ground.subjects = failing;
        let of_subject =
            |subject: &StressSubject| programs.iter().find(|program| program.member.name == subject.name);
        let remembered = self.engine.store().recall(&self.remembered_name())?;
        let Remembered { inputs: remembered, shown } = remembered.unwrap_or_default();
        let programs_run: Option<Vec<&FailingProgram>> = ground.subjects.iter().map(of_subject).collect();
        let programs_run = programs_run.context("a program of the class has two names")?;
        Ok(HuntState {
            hunt: self,
            hidden: HiddenCases::read(self.package, self.tests, shown)?,
            accepted: accepted.into_iter().map(|subject| subject.program).collect(),
            accepted_not_run: not_run,
            programs: programs_run,
            all_programs: programs,
            confirmed: ConfirmedInputs::default(),
            unshrunk: Vec::new(),
            remembered,
            counts: HuntCounts::default(),
            shrink_tries: 0,
            runs: 0,
            ground,
        })
    }
}

/// What earlier hunts on a package found.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Remembered {
    inputs: Vec<FoundInput>,
    /// Inputs made from hidden cases that were shown.
    shown: Vec<FoundInput>,
}

struct HuntState<'a> {
    hunt: ClassHunt<'a>,
    /// Its subjects are the failing programs.
    ground: HuntingGround,
    /// By index of the subject.
    programs: Vec<&'a FailingProgram>,
    all_programs: &'a [FailingProgram],
    accepted: Vec<Arc<Program>>,
    /// Accepted submissions that cannot run on this machine.
    accepted_not_run: Vec<String>,
    hidden: HiddenCases,
    confirmed: ConfirmedInputs,
    /// Short inputs as the hunt found them.
    unshrunk: Vec<FoundInput>,
    /// Of earlier hunts.
    remembered: Vec<FoundInput>,
    counts: HuntCounts,
    shrink_tries: u64,
    runs: u64,
}

impl HuntState<'_> {
    fn engine(&self) -> &Engine<'_> {
        self.hunt.engine
    }

    /// The budget of each of some programs that are tried on the same inputs.
    fn budget(&self, programs: usize) -> HuntBudget {
        let validators = self.ground.grounds.iter().flat_map(|ground| &ground.input_validators);
        let slowest = validators.map(|ruling| usual_milliseconds(&ruling.validator)).max();
        HuntBudget { time: self.hunt.budget, validator: slowest.unwrap_or(0) / programs.max(1) as u64 }
    }

    /// Programs without an input.
    fn open(&self) -> Vec<usize> {
        (0..self.ground.subjects.len()).filter(|&at| !self.confirmed.explain(at)).collect()
    }

    /// A program that fails a sample gets it: it is public. Samples may not be among the judged cases.
    fn try_samples(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        let samples: Vec<_> =
            self.ground.tests.iter().filter(|test| is_sample(&test.name)).cloned().collect();
        for sample in samples {
            let bytes = sample.contents()?.input;
            let source = InputSource::Sample(sample.name);
            self.confirm(FoundInput { bytes, ground: sample.ground, source }, tell)?;
        }
        Ok(())
    }

    /// A sample may have many parts of which a program fails on one.
    fn shrink_samples(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        for subject in 0..self.ground.subjects.len() {
            let Some(sample) = self.confirmed.sample_of(subject) else { continue };
            if self.engine().is_stopped() {
                break;
            }
            let (ground, trial) = (sample.found.ground, sample.failures[&subject].trial.clone());
            let mut example = CounterExample {
                subject: Some(subject),
                failure: ProbeFailure::Verdict(trial.verdict),
                message: String::new(),
                input: sample.found.bytes.clone(),
                answer: String::new(),
                trial: Some(trial),
                origin: InputOrigin::Case(sample.found.sample().unwrap_or_default().to_owned()),
                ground,
                after: Duration::ZERO,
            };
            let size = example.input.len();
            self.shrink(&mut example, tell)?;
            if is_much_smaller(example.input.len(), size) {
                let found = FoundInput { bytes: example.input, ground, source: InputSource::Public };
                self.confirm(found, tell)?;
            }
        }
        Ok(())
    }

    /// Most mistakes repeat.
    fn try_remembered(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        for found in std::mem::take(&mut self.remembered) {
            let is_needed = !self.open().is_empty() && !self.engine().is_stopped();
            if is_needed && found.ground < self.ground.grounds.len() {
                self.confirm(found, tell)?;
            }
        }
        Ok(())
    }

    fn remember(&self) -> Result<()> {
        let new = self.confirmed.inputs.iter().map(|one| &one.found);
        let short = new.filter(|one| !one.is_sample() && one.bytes.len() <= MAX_REMEMBERED_BYTES);
        let inputs = short.take(MAX_REMEMBERED).cloned().collect();
        let known = Remembered { inputs, shown: self.hidden.published().to_vec() };
        self.engine().store().remember(&self.hunt.remembered_name(), &known)
    }

    fn probe_job(&self, ground: Arc<ProbeGround>, inputs: ProbeInputs, subjects: Vec<Arc<Program>>) -> Job {
        let task = ProbeTask { inputs, subjects, ground, until: ProbeUntil::End, deadline: None };
        Job::new(Task::Probe(Arc::new(task)))
    }

    /// Runs probes, even after an interrupt: they are few, and without them the findings would be lost.
    fn run_probes(&self, jobs: Vec<Job>) -> Result<Vec<Option<ProbeResult>>> {
        let stop = AtomicBool::new(false);
        let engine = *self.engine();
        let engine = Engine { jobs: JobRunner { stop: &stop, ..engine.jobs }, ..engine };
        let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        let probe = |result| match result {
            Some(Ok(Outcome::Probe(result))) => Some(result),
            _ => None,
        };
        Ok(results.into_iter().map(probe).collect())
    }

    /// Tries an input on all programs and all accepted submissions, and keeps it if it counts.
    fn confirm(&mut self, found: FoundInput, tell: &mut OnHuntStep) -> Result<()> {
        let (input, ground) = (&found.bytes, found.ground);
        let is_known = self.confirmed.inputs.iter().any(|one| one.found.bytes == *input);
        if is_known || input.len() as u64 > MAX_SHOWN || self.hidden.are_revealed_by(&found)? {
            return Ok(());
        }
        let failing = self.ground.subjects.iter().map(|subject| subject.program.clone());
        let subjects: Vec<Arc<Program>> = self.accepted.iter().cloned().chain(failing).collect();
        let inputs = ProbeInputs::Given(vec![input.clone()]);
        let job = self.probe_job(self.ground.grounds[ground].clone(), inputs, subjects);
        let Some(result) = self.run_probes(vec![job])?.pop().flatten() else { return Ok(()) };
        self.runs += u64::from(result.trials);
        let disagrees = |subject: Option<u32>| subject.is_none_or(|at| (at as usize) < self.accepted.len());
        let is_doubtful = result.valid == 0 || !result.undecided.is_empty();
        if is_doubtful || result.hits.iter().any(|hit| disagrees(hit.subject)) {
            return Ok(());
        }
        let mut failures = BTreeMap::new();
        let mut answer = None;
        for hit in result.hits {
            if let (Some(subject), ProbeFailure::Verdict(_), Some(trial)) =
                (hit.subject, hit.failure, hit.trial)
            {
                failures
                    .insert(subject as usize - self.accepted.len(), ProgramFailure { trial, printed: None });
                answer = Some(answer_excerpt(hit.answer));
            }
        }
        let Some(answer) = answer else { return Ok(()) };
        self.add_outputs(input, ground, &mut failures)?;
        for &subject in failures.keys().filter(|&&subject| !self.confirmed.explain(subject)) {
            tell(HuntStep::Found(&self.ground.subjects[subject].name));
        }
        self.hidden.note_published(&found);
        self.confirmed.inputs.push(ConfirmedInput { found, answer, failures });
        Ok(())
    }

    /// Adds the outputs of programs with a wrong answer. Such a program writes the answer in this probe, and an
    /// accepted submission differs from it, so the probe reports it.
    fn add_outputs(
        &mut self,
        input: &[u8],
        ground: usize,
        failures: &mut BTreeMap<usize, ProgramFailure>,
    ) -> Result<()> {
        let wrong = failures.iter().filter(|(_, failure)| failure.trial.verdict == Verdict::WrongAnswer);
        let subjects: Vec<usize> = wrong.map(|(subject, _)| *subject).collect();
        let common = &self.ground.grounds[ground];
        let exact = Checker::Default(self.hunt.package.format);
        let setting = Arc::new(Setting { checker: Arc::new(exact), ..(*common.setting).clone() });
        let mut case = common.case.clone();
        case.output_validator_args = vec!["case_sensitive".into(), "space_change_sensitive".into()];
        let job = |&subject: &usize| {
            let ground = ProbeGround {
                input_validators: Vec::new(),
                solution: Some(self.ground.subjects[subject].program.clone()),
                case: case.clone(),
                setting: setting.clone(),
            };
            let inputs = ProbeInputs::Given(vec![input.to_vec()]);
            self.probe_job(Arc::new(ground), inputs, vec![self.accepted[0].clone()])
        };
        let results = self.run_probes(subjects.iter().map(job).collect())?;
        self.runs += subjects.len() as u64;
        for (subject, result) in subjects.into_iter().zip(results) {
            let hits = result.map(|result| result.hits).unwrap_or_default();
            let output =
                hits.into_iter().find(|hit| hit.subject.is_some()).map(|hit| answer_excerpt(hit.answer));
            if let Some(failure) = failures.get_mut(&subject) {
                failure.printed = output;
            }
        }
        Ok(())
    }

    /// Hunts for all open programs at once.
    fn hunt_open(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        let open = self.open();
        if open.is_empty() || self.engine().is_stopped() {
            return Ok(());
        }
        let mut ground = self.ground.clone();
        ground.subjects = open.iter().map(|&subject| self.ground.subjects[subject].clone()).collect();
        // The results on these are known.
        ground.tests.clear();
        ground.cases.retain(|case| is_sample(&case.name));
        let limits = HuntLimits { seed: self.hunt.seed, time: NO_DEADLINE, until: HuntUntil::All };
        let budget = self.budget(open.len());
        let quiet = &mut |step: HuntStep| {
            if let HuntStep::Round(_) = step {
                tell(step);
            }
        };
        let mut result = hunt_within(self.engine(), &ground, limits, Some(budget), quiet)?;
        self.counts = result.counts;
        result.found.sort_by(|one, other| compare_size(&one.input, &other.input));
        for mut example in result.found {
            if let Some(subject) = example.subject {
                example.subject = Some(open[subject]);
                self.settle(example, tell)?;
            }
        }
        Ok(())
    }

    /// Shrinks an example if its program is still open, and keeps it if it counts.
    fn settle(&mut self, mut example: CounterExample, tell: &mut OnHuntStep) -> Result<()> {
        let Some(subject) = example.subject else { return Ok(()) };
        let source = self.hidden.source_of(&example)?;
        let found = |example: &CounterExample| FoundInput {
            bytes: example.input.clone(),
            ground: example.ground,
            source: source.clone(),
        };
        let unshrunk = found(&example);
        if !self.confirmed.explain_simply(subject) {
            self.shrink(&mut example, tell)?;
            self.confirm(found(&example), tell)?;
            // Accepted submissions may disagree on the smaller input.
            if !self.confirmed.explain(subject) {
                self.confirm(unshrunk.clone(), tell)?;
            }
        }
        if unshrunk.bytes.len() <= MAX_UNSHRUNK_BYTES {
            self.unshrunk.push(unshrunk);
        }
        Ok(())
    }

    /// Shrinks an example to an input that is no hidden case.
    fn shrink(&mut self, example: &mut CounterExample, tell: &mut OnHuntStep) -> Result<()> {
        let Some(subject) = example.subject else { return Ok(()) };
        let program = &self.ground.subjects[subject].program;
        let bounds = ShrinkBounds {
            until: None,
            tries: self.budget(1).inputs(program) as usize,
            is_refused: &|input| self.hidden.contain(input),
        };
        let shrunk = shrink_example(self.hunt.engine, &self.ground, example, bounds, tell)?;
        self.shrink_tries += shrunk.tried as u64;
        Ok(())
    }

    /// For programs that are still open, shrinks the smallest cases on which they fail.
    fn shrink_cases(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        for subject in self.open() {
            for example in self.failed_cases(subject)? {
                if !self.confirmed.explain(subject) && !self.engine().is_stopped() {
                    self.settle(example, tell)?;
                }
            }
        }
        Ok(())
    }

    fn failed_cases(&self, subject: usize) -> Result<Vec<CounterExample>> {
        let failed = &self.programs[subject].failed;
        let mut examples = Vec::new();
        // The cases are sorted by size.
        for test in self.ground.tests.iter().filter(|test| !is_sample(&test.name)) {
            let Some((_, verdict)) = failed.iter().find(|(name, _)| *name == test.name) else { continue };
            let size = fs::metadata(&test.paths[0]).map_or(u64::MAX, |file| file.len());
            if size > MAX_SHOWN || examples.len() == MAX_SHRUNK_CASES {
                break;
            }
            let TestContents { input, answer_start: answer } = test.contents()?;
            examples.push(CounterExample {
                subject: Some(subject),
                failure: ProbeFailure::Verdict(*verdict),
                message: String::new(),
                input,
                answer,
                trial: None,
                origin: InputOrigin::Case(test.name.clone()),
                ground: test.ground,
                after: Duration::ZERO,
            });
        }
        Ok(examples)
    }

    /// If too many small inputs are needed, tries larger ones, which may explain more programs.
    fn confirm_unshrunk(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        let explained = self.ground.subjects.len() - self.open().len();
        let chosen = self.confirmed.chosen(self.confirmed.inputs.len());
        if self.confirmed.explained_by(&chosen).len() == explained {
            return Ok(());
        }
        for found in std::mem::take(&mut self.unshrunk) {
            if !self.engine().is_stopped() {
                self.confirm(found, tell)?;
            }
        }
        Ok(())
    }

    fn show_chosen(&self, earlier: usize, result: &mut Counterexamples) -> Result<()> {
        let chosen = self.confirmed.chosen(earlier);
        let size = |at: &usize| &self.confirmed.inputs[*at].found.bytes;
        let mut by_size = chosen.clone();
        by_size.sort_by(|one, other| compare_size(size(one), size(other)));
        // Those who fail on no smaller input.
        let mut new: BTreeSet<usize> = (0..self.programs.len()).collect();
        for at in by_size {
            let confirmed = &self.confirmed.inputs[at];
            let failures = confirmed.alike_failures(&self.programs, &self.boundaries(confirmed, &new)?);
            new.retain(|subject| !confirmed.failures.contains_key(subject));
            result.inputs.push(Counterexample {
                input: text_excerpt(&confirmed.found.bytes),
                expected: shortened(&confirmed.answer),
                sample: confirmed.found.sample().map(str::to_owned),
                failures,
            });
        }
        let explained = self.confirmed.explained_by(&chosen);
        let programs = |example: &Counterexample| {
            example.failures.iter().map(|failure| failure.programs.len()).sum::<usize>()
        };
        result.inputs.sort_by_key(|example| (Reverse(programs(example)), example.sample.is_none()));
        result.explained = explained.len();
        for subject in (0..self.programs.len()).filter(|subject| !explained.contains(subject)) {
            let why =
                if self.confirmed.explain(subject) { Unexplained::TooMany } else { Unexplained::NoneFound };
            let participants = self.programs[subject].participants.clone();
            result.unexplained.push(UnexplainedProgram { participants, why });
        }
        Ok(())
    }

    /// Programs that could not run in the hunt.
    fn explain_rest(&self, result: &mut Counterexamples) {
        for program in self.all_programs {
            let has_run = self.programs.iter().any(|run| run.member.name == program.member.name);
            if !has_run {
                let participants = program.participants.clone();
                result.unexplained.push(UnexplainedProgram { participants, why: Unexplained::NotRun });
            }
        }
    }

    /// Where the failures of some programs begin, if the first number counts many items.
    fn boundaries(
        &self,
        confirmed: &ConfirmedInput,
        programs: &BTreeSet<usize>,
    ) -> Result<BTreeMap<usize, Boundary>> {
        let items = CountedItems::read(&confirmed.found.bytes).filter(|items| items.count >= LARGE_NUMBER);
        let Some(items) = items else { return Ok(BTreeMap::new()) };
        let subjects = programs.iter().copied().filter(|at| confirmed.failures.contains_key(at));
        let subjects: Vec<usize> = subjects.collect();
        let attempt = |inputs: Vec<SmallerInput>| self.failing_on(inputs, confirmed.found.ground);
        let miscounted = SmallerInput { input: items.miscounted(), programs: Vec::new() };
        if subjects.is_empty()
            || self.engine().is_stopped()
            || attempt(vec![miscounted])?.iter().any(Option::is_some)
        {
            return Ok(BTreeMap::new());
        }
        let mut found = boundaries(&items, &subjects, &attempt)?;
        found.retain(|_, boundary| boundary.fails >= LARGE_NUMBER);
        Ok(found)
    }

    fn failing_on(&self, inputs: Vec<SmallerInput>, ground: usize) -> Result<Vec<Failing>> {
        let job = |smaller: &SmallerInput| {
            let programs =
                smaller.programs.iter().map(|&at| self.ground.subjects[at].program.clone()).collect();
            let inputs = ProbeInputs::Given(vec![smaller.input.clone()]);
            self.probe_job(self.ground.grounds[ground].clone(), inputs, programs)
        };
        let results = self.run_probes(inputs.iter().map(job).collect())?;
        let failing = |(smaller, result): (&SmallerInput, Option<ProbeResult>)| -> Failing {
            let result = result.filter(|result| result.valid > 0 && result.undecided.is_empty())?;
            let hits = result.hits.into_iter().map(|hit| Some(smaller.programs[hit.subject? as usize]));
            hits.collect()
        };
        Ok(inputs.iter().zip(results).map(failing).collect())
    }
}
