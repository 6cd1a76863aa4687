//! Tries one input on all programs of a class and on all accepted submissions, which decide whether it counts. Does not
//! know where an input comes from or whether it may be shown.

use super::{
    confirmed_inputs::answer_excerpt,
    item_count::{CountedItems, boundary},
};
use crate::bench::{Batch, BatchResult, Bench, Until};
use anyhow::Result;
use kopek_package::{package::Format, verdict::Verdict};
use kopek_plan::plan::{Checker, ProbeFailure, ProbeGround, ProbeHit, ProbeInputs, ProbeResult, Setting};
use kopek_results::{Boundary, Found, FoundFailure};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

/// Programs of a class that are enough to vouch for an answer.
pub(super) const MIN_VOUCHERS: usize = 5;
/// A boundary is worth a sentence from this number on.
const LARGE_NUMBER: u64 = 20;

/// The failing programs of a class, which come first among the subjects, and those that vouch for an answer after them.
pub(super) struct Confirmer<'a> {
    pub bench: Bench<'a>,
    vouchers: Range<usize>,
    /// How outputs are compared exactly.
    format: Format,
    vouching: Vouching,
    pub runs: u64,
}

/// Whether an input counts.
pub(super) enum Confirmation {
    Counts(Found),
    /// Programs that vouch print different answers.
    Disputed,
    No,
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
        bench: Bench<'a>,
        vouchers: Range<usize>,
        format: Format,
        vouching: Vouching,
    ) -> Confirmer<'a> {
        Confirmer { bench, vouchers, format, vouching, runs: 0 }
    }

    /// Tries batches, even after an interrupt: they are few, and without them the findings would be lost.
    fn try_each(&self, batches: &[Batch]) -> Result<Vec<Option<ProbeResult>>> {
        let results = self.bench.try_batches(batches, Until::END)?;
        Ok(results.into_iter().map(BatchResult::tried).collect())
    }

    /// How the programs fail on an input, if it counts.
    pub fn confirm(&mut self, found: Found) -> Result<Confirmation> {
        let all = self.vouchers.clone().chain(0..self.vouchers.start).collect();
        let batch = self.bench.batch_of(vec![found.input.clone()], found.ground, all);
        let Some(tried) = self.try_each(&[batch])?.pop().flatten() else { return Ok(Confirmation::No) };
        self.runs += u64::from(tried.trials);
        if tried.valid == 0 || !tried.undecided.is_empty() {
            return Ok(Confirmation::No);
        }
        if !self.count_others(&tried.hits).is_some_and(|others| self.are_few(others)) {
            return Ok(Confirmation::Disputed);
        }
        let hits = tried.hits.into_iter();
        let failing = hits.filter(|hit| hit.subject.is_some_and(|at| (at as usize) < self.vouchers.start));
        Ok(self.confirmed(found, failing.collect())?.map_or(Confirmation::No, Confirmation::Counts))
    }

    /// The inputs that count on which programs of the class with all points fail, and how.
    pub fn missed(&mut self, inputs: &[Found], right: Range<usize>) -> Result<Vec<Found>> {
        let programs: BTreeSet<usize> = self.vouchers.clone().chain(right.clone()).collect();
        let batch = |found: &Found| {
            let programs = programs.iter().copied().collect();
            self.bench.batch_of(vec![found.input.clone()], found.ground, programs)
        };
        let results = self.try_each(&inputs.iter().map(batch).collect::<Vec<_>>())?;
        let mut missed = Vec::new();
        for (found, tried) in inputs.iter().zip(results) {
            let Some(tried) = tried else { continue };
            self.runs += u64::from(tried.trials);
            let may_miss = |others: usize| self.are_few(others) || self.is_alone(others);
            let is_vouched = self.count_others(&tried.hits).is_some_and(may_miss);
            if tried.valid > 0 && tried.undecided.is_empty() && is_vouched {
                let is_right = |hit: &ProbeHit| hit.subject.is_some_and(|at| right.contains(&(at as usize)));
                let hits = tried.hits.into_iter().filter(is_right).collect();
                missed.extend(self.confirmed(found.clone(), hits)?);
            }
        }
        Ok(missed)
    }

    fn confirmed(&mut self, found: Found, hits: Vec<ProbeHit>) -> Result<Option<Found>> {
        let has_answers = self.bench.ground.grounds[found.ground].solution.is_some();
        let mut confirmed = Found { failures: Vec::new(), answer: None, ..found };
        for ProbeHit { subject, failure, message, answer, trial, .. } in hits {
            if let ProbeFailure::Verdict(_) = failure {
                let program = subject.map(|at| at as usize);
                confirmed.failures.push(FoundFailure { program, failure, message, trial, printed: None });
                confirmed.answer = Some(answer).filter(|_| has_answers);
            }
        }
        if confirmed.failures.is_empty() {
            return Ok(None);
        }
        // In the order of the programs, whatever was tried first.
        confirmed.failures.sort_by_key(|failure| failure.program);
        self.add_wrong_outputs(&mut confirmed)?;
        Ok(Some(confirmed))
    }

    /// How many programs that vouch print something else; `None`: one of them fails in another way.
    fn count_others(&self, hits: &[ProbeHit]) -> Option<usize> {
        let mut others = 0;
        for hit in hits {
            match (hit.subject, hit.failure) {
                (Some(at), _) if !self.vouchers.contains(&(at as usize)) => {}
                (Some(_), ProbeFailure::Verdict(Verdict::WrongAnswer)) => others += 1,
                _ => return None,
            }
        }
        Some(others)
    }

    /// Whether an answer counts although this many programs print something else.
    fn are_few(&self, others: usize) -> bool {
        match self.vouching {
            Vouching::All => others == 0,
            Vouching::Most => 10 * others <= self.vouchers.len(),
        }
    }

    /// Of fewer than ten programs, one that stands alone is more than a tenth.
    fn is_alone(&self, others: usize) -> bool {
        self.vouching == Vouching::Most && others == 1 && self.vouchers.len() > MIN_VOUCHERS
    }

    /// Adds the outputs of programs with a wrong answer. Such a program writes the answer in this probe, and an accepted
    /// submission differs from it, so the probe reports it.
    fn add_wrong_outputs(&mut self, found: &mut Found) -> Result<()> {
        let common = &self.bench.ground.grounds[found.ground];
        if common.solution.is_none() {
            // What a program writes to the judge is in its conversation.
            return Ok(());
        }
        let exact = Arc::new(Checker::Default(self.format));
        let setting = Arc::new(Setting { checker: exact, ..(*common.setting).clone() });
        let mut case = common.case.clone();
        case.output_validator_args = vec!["case_sensitive".into(), "space_change_sensitive".into()];
        let is_wrong = |one: &&mut FoundFailure| one.failure == ProbeFailure::Verdict(Verdict::WrongAnswer);
        let mut wrong: Vec<&mut FoundFailure> = found.failures.iter_mut().filter(is_wrong).collect();
        let batch = |failure: &&mut FoundFailure| {
            let ground = ProbeGround {
                input_validators: Vec::new(),
                solution: failure.program.map(|at| self.bench.ground.subjects[at].program.clone()),
                case: case.clone(),
                setting: setting.clone(),
            };
            let inputs = ProbeInputs::Given(vec![found.input.clone()]);
            Batch { ground: Arc::new(ground), inputs, programs: vec![self.vouchers.start] }
        };
        let results = self.try_each(&wrong.iter().map(batch).collect::<Vec<_>>())?;
        self.runs += wrong.len() as u64;
        for (failure, tried) in wrong.iter_mut().zip(results) {
            let hit = tried.and_then(|tried| tried.hits.into_iter().find(|hit| hit.subject.is_some()));
            failure.printed = hit.map(|hit| answer_excerpt(hit.answer));
        }
        Ok(())
    }

    /// Where the failures of some programs begin, if the first number of an input counts many items.
    pub fn boundaries(&self, found: &Found, programs: &BTreeSet<usize>) -> Result<BTreeMap<usize, Boundary>> {
        let form = self.bench.ground.form.as_deref().ok();
        let items = CountedItems::read(form, &found.input).filter(|items| items.count >= LARGE_NUMBER);
        let mut begins = BTreeMap::new();
        for program in found.programs().filter(|program| programs.contains(program)) {
            let Some(items) = items.as_ref().filter(|_| !self.bench.engine.is_stopped()) else { break };
            let mut fails = |input| self.fails_on(input, found.ground, program);
            let begin = boundary(items, &mut fails)?.filter(|begin| begin.fails >= LARGE_NUMBER);
            begins.extend(begin.map(|begin| (program, begin)));
        }
        Ok(begins)
    }

    /// `None`: the input is not valid, or something is undecided.
    fn fails_on(&self, input: Vec<u8>, ground: usize, program: usize) -> Result<Option<bool>> {
        let batch = self.bench.batch_of(vec![input], ground, vec![program]);
        let tried = self.try_each(&[batch])?.pop().flatten();
        let tried = tried.filter(|tried| tried.valid > 0 && tried.undecided.is_empty());
        Ok(tried.map(|tried| !tried.hits.is_empty()))
    }
}
