//! Tries one input on all programs of a class and on all accepted submissions, which decide whether it counts. Does not
//! know where an input comes from or whether it may be shown.

use super::{
    confirmed_inputs::{ConfirmedInput, FoundInput, ProgramFailure, answer_excerpt},
    experiment::{Batch, Experiment, Until},
    item_count::{CountedItems, Failing, SmallerInput, boundaries},
};
use anyhow::Result;
use kopek_package::{package::Format, verdict::Verdict};
use kopek_plan::plan::{Checker, ProbeFailure, ProbeGround, ProbeHit, ProbeInputs, ProbeResult, Setting};
use kopek_results::{Boundary, TextExcerpt};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

/// A boundary is worth a sentence from this number on.
const LARGE_NUMBER: u64 = 20;

/// The failing programs of a class, which come first among the subjects, and those that vouch for an answer after them.
pub(super) struct Confirmer<'a> {
    pub experiment: Experiment<'a>,
    vouchers: Range<usize>,
    /// How outputs are compared exactly.
    format: Format,
    vouching: Vouching,
    pub runs: u64,
}

/// Which programs must print the answer, so that an input counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vouching {
    /// All accepted submissions.
    All,
    /// Nine of ten, and the others do not crash: there is no validator, or programs of the class vouch, which may be
    /// wrong.
    Most,
}

impl<'a> Confirmer<'a> {
    pub fn new(
        experiment: Experiment<'a>,
        vouchers: Range<usize>,
        format: Format,
        vouching: Vouching,
    ) -> Confirmer<'a> {
        Confirmer { experiment, vouchers, format, vouching, runs: 0 }
    }

    /// Tries batches, even after an interrupt: they are few, and without them the findings would be lost.
    fn try_each(&self, batches: &[Batch]) -> Result<Vec<Option<ProbeResult>>> {
        let results = self.experiment.try_batches(batches, Until::END)?;
        Ok(results.into_iter().map(|result| result?.ok()).collect())
    }

    /// How the programs fail on an input; `None`: it does not count.
    pub fn confirm(&mut self, found: FoundInput) -> Result<Option<ConfirmedInput>> {
        let all = self.vouchers.clone().chain(0..self.vouchers.start).collect();
        let batch = self.experiment.batch_of(vec![found.bytes.clone()], found.ground, all);
        let Some(tried) = self.try_each(&[batch])?.pop().flatten() else { return Ok(None) };
        self.runs += u64::from(tried.trials);
        if tried.valid == 0 || !tried.undecided.is_empty() || !self.is_vouched(&tried.hits) {
            return Ok(None);
        }
        let hits = tried.hits.into_iter();
        let failing = hits.filter(|hit| hit.subject.is_some_and(|at| (at as usize) < self.vouchers.start));
        self.confirmed(found, failing.collect())
    }

    /// The inputs that count on which programs of the class with all points fail, and how.
    pub fn missed(&mut self, inputs: &[FoundInput], right: Range<usize>) -> Result<Vec<ConfirmedInput>> {
        let programs: BTreeSet<usize> = self.vouchers.clone().chain(right.clone()).collect();
        let batch = |found: &FoundInput| {
            let programs = programs.iter().copied().collect();
            self.experiment.batch_of(vec![found.bytes.clone()], found.ground, programs)
        };
        let results = self.try_each(&inputs.iter().map(batch).collect::<Vec<_>>())?;
        let mut missed = Vec::new();
        for (found, tried) in inputs.iter().zip(results) {
            let Some(tried) = tried else { continue };
            self.runs += u64::from(tried.trials);
            if tried.valid > 0 && tried.undecided.is_empty() && self.is_vouched(&tried.hits) {
                let is_right = |hit: &ProbeHit| hit.subject.is_some_and(|at| right.contains(&(at as usize)));
                let hits = tried.hits.into_iter().filter(is_right).collect();
                missed.extend(self.confirmed(found.clone(), hits)?);
            }
        }
        Ok(missed)
    }

    fn confirmed(&mut self, found: FoundInput, hits: Vec<ProbeHit>) -> Result<Option<ConfirmedInput>> {
        let has_answers = self.experiment.ground.grounds[found.ground].solution.is_some();
        let mut failures = BTreeMap::new();
        let mut answer = None;
        for hit in hits {
            if let (Some(at), ProbeFailure::Verdict(_), Some(trial)) = (hit.subject, hit.failure, hit.trial) {
                failures.insert(at as usize, ProgramFailure::from(trial));
                answer = Some(answer_excerpt(hit.answer)).filter(|_| has_answers);
            }
        }
        if failures.is_empty() {
            return Ok(None);
        }
        for (program, printed) in self.wrong_outputs(&found, &failures)? {
            failures.entry(program).and_modify(|failure| failure.printed = printed);
        }
        Ok(Some(ConfirmedInput { found, answer, failures }))
    }

    /// Whether enough programs print the answer.
    fn is_vouched(&self, hits: &[ProbeHit]) -> bool {
        let mut others = 0;
        for hit in hits {
            match (hit.subject, hit.failure) {
                (Some(at), _) if !self.vouchers.contains(&(at as usize)) => {}
                (Some(_), ProbeFailure::Verdict(Verdict::WrongAnswer)) => others += 1,
                _ => return false,
            }
        }
        match self.vouching {
            Vouching::All => others == 0,
            Vouching::Most => 10 * others <= self.vouchers.len(),
        }
    }

    /// The outputs of programs with a wrong answer. Such a program writes the answer in this probe, and an accepted
    /// submission differs from it, so the probe reports it.
    fn wrong_outputs(
        &mut self,
        found: &FoundInput,
        failures: &BTreeMap<usize, ProgramFailure>,
    ) -> Result<Vec<(usize, Option<TextExcerpt>)>> {
        let wrong = failures.iter().filter(|(_, failure)| failure.trial.verdict == Verdict::WrongAnswer);
        let programs: Vec<usize> = wrong.map(|(program, _)| *program).collect();
        let common = &self.experiment.ground.grounds[found.ground];
        if common.solution.is_none() {
            // What a program writes to the judge is in its conversation.
            return Ok(Vec::new());
        }
        let exact = Arc::new(Checker::Default(self.format));
        let setting = Arc::new(Setting { checker: exact, ..(*common.setting).clone() });
        let mut case = common.case.clone();
        case.output_validator_args = vec!["case_sensitive".into(), "space_change_sensitive".into()];
        let batch = |&program: &usize| {
            let ground = ProbeGround {
                input_validators: Vec::new(),
                solution: Some(self.experiment.ground.subjects[program].program.clone()),
                case: case.clone(),
                setting: setting.clone(),
            };
            let inputs = ProbeInputs::Given(vec![found.bytes.clone()]);
            Batch { ground: Arc::new(ground), inputs, programs: vec![self.vouchers.start] }
        };
        let results = self.try_each(&programs.iter().map(batch).collect::<Vec<_>>())?;
        self.runs += programs.len() as u64;
        let printed = |tried: Option<ProbeResult>| {
            let answer = tried?.hits.into_iter().find(|hit| hit.subject.is_some())?.answer;
            Some(answer_excerpt(answer))
        };
        Ok(programs.into_iter().zip(results.into_iter().map(printed)).collect())
    }

    /// Where the failures of some programs begin, if the first number of an input counts many items.
    pub fn boundaries(
        &self,
        confirmed: &ConfirmedInput,
        programs: &BTreeSet<usize>,
    ) -> Result<BTreeMap<usize, Boundary>> {
        let items = CountedItems::read(&confirmed.found.bytes).filter(|items| items.count >= LARGE_NUMBER);
        let failing = programs.iter().copied().filter(|at| confirmed.failures.contains_key(at));
        let failing: Vec<usize> = failing.collect();
        let (Some(items), false, false) = (items, failing.is_empty(), self.experiment.engine.is_stopped())
        else {
            return Ok(BTreeMap::new());
        };
        let attempt = |inputs: Vec<SmallerInput>| self.failing_on(inputs, confirmed.found.ground);
        let miscounted = SmallerInput { input: items.miscounted(), programs: Vec::new() };
        if attempt(vec![miscounted])?.iter().any(Option::is_some) {
            return Ok(BTreeMap::new());
        }
        let mut found = boundaries(&items, &failing, &attempt)?;
        found.retain(|_, boundary| boundary.fails >= LARGE_NUMBER);
        Ok(found)
    }

    fn failing_on(&self, inputs: Vec<SmallerInput>, ground: usize) -> Result<Vec<Failing>> {
        let batch = |one: SmallerInput| self.experiment.batch_of(vec![one.input], ground, one.programs);
        let results = self.try_each(&inputs.into_iter().map(batch).collect::<Vec<_>>())?;
        let failing = |tried: Option<ProbeResult>| -> Failing {
            let tried = tried.filter(|tried| tried.valid > 0 && tried.undecided.is_empty())?;
            tried.hits.into_iter().map(|hit| Some(hit.subject? as usize)).collect()
        };
        Ok(results.into_iter().map(failing).collect())
    }
}
