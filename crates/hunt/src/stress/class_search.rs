//! The stages of the hunt for a class:
//!
//! ```text
//! samples on which programs fail ───┬─shrink─► confirm: all programs, all accepted submissions
//! hunt for all open programs ───────┘  (samples also as they are)
//! ```
//!
//! The hunt changes samples only, so that no input is made from a hidden case. Does not know how to choose from the inputs
//! that count.

use super::{
    confirmed_inputs::{ClassProgram, ConfirmedInputs, MAX_UNSHRUNK_BYTES, sample_name},
    confirming::{Confirmation, Confirmer},
    hidden_cases::{HiddenCases, MAX_SHOWN},
    hunt::hunt_within,
    hunt_result::{HuntBudget, HuntLimits, HuntStep, OnHuntStep},
    smaller::{ShrinkBounds, shrink},
};
use crate::bench::{Bench, CommandTemplate, HuntingGround, usual_milliseconds};
use crate::form::compare_size;
use anyhow::Result;
use kopek_package::package::is_sample;
use kopek_results::{Found, HuntCounts, InputOrigin, is_much_smaller};
use std::{collections::BTreeSet, ops::Range, time::Duration};

/// The part of the budget for large inputs. With an eighth of 10 s, the wrong solution of `from-russia-with-love` whose table
/// is for 1000 coins gets an input; small inputs alone need 60 s.
const LARGE_SHARE: u32 = 8;
/// The hunt ends by its budget.
const NO_DEADLINE: Duration = Duration::from_secs(365 * 86_400);

/// The search for a class, and its inputs so far.
pub(super) struct ClassSearch<'a> {
    /// The time is that of each program.
    limits: HuntLimits,
    bench: Bench<'a>,
    /// By index of the subject.
    pub programs: &'a [&'a ClassProgram],
    pub confirmer: Confirmer<'a>,
    /// Programs for which an equal search found nothing.
    pub fruitless: BTreeSet<usize>,
    /// Programs with an input that does not count because right programs disagree.
    pub disputed: BTreeSet<usize>,
    pub hidden: HiddenCases,
    pub confirmed: ConfirmedInputs,
    /// Short inputs as the hunt found them.
    unshrunk: Vec<Found>,
    pub counts: HuntCounts,
    pub shrink_tries: u64,
}

impl<'a> ClassSearch<'a> {
    pub fn new(
        confirmer: Confirmer<'a>,
        programs: &'a [&'a ClassProgram],
        hidden: HiddenCases,
        limits: HuntLimits,
    ) -> ClassSearch<'a> {
        let bench = confirmer.bench;
        let (fruitless, disputed, confirmed, unshrunk, counts, shrink_tries) = Default::default();
        ClassSearch {
            limits,
            bench,
            programs,
            confirmer,
            fruitless,
            disputed,
            hidden,
            confirmed,
            unshrunk,
            counts,
            shrink_tries,
        }
    }

    /// Goes through all stages.
    pub fn search(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        self.confirm_samples(tell)?;
        self.shrink_samples(tell)?;
        self.hunt_open(tell)?;
        self.confirm_unshrunk(tell)
    }

    fn is_stopped(&self) -> bool {
        self.bench.engine.is_stopped()
    }

    /// The budget of each of some programs that are tried on the same inputs.
    fn budget(&self, programs: usize) -> HuntBudget {
        let validators = self.bench.ground.grounds.iter().flat_map(|ground| &ground.input_validators);
        let slowest = validators.map(|ruling| usual_milliseconds(&ruling.validator)).max();
        HuntBudget { time: self.limits.time, validator: slowest.unwrap_or(0) / programs.max(1) as u64 }
    }

    /// How many inputs all of these programs can be tried on, in the budget of one failing program.
    pub fn inputs_for_all(&self, programs: &Range<usize>) -> usize {
        let budget = self.budget(programs.len());
        let subjects = &self.bench.ground.subjects[programs.clone()];
        let inputs = subjects.iter().map(|subject| budget.inputs(&subject.program)).min();
        inputs.unwrap_or(0) as usize / programs.len().max(1)
    }

    /// Programs without an input.
    fn open(&self) -> Vec<usize> {
        (0..self.programs.len()).filter(|&at| !self.confirmed.explain(at)).collect()
    }

    /// A program that fails a sample gets it: it is public. Samples may not be among the judged cases.
    fn confirm_samples(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        for sample in self.bench.ground.tests.iter().filter(|test| is_sample(&test.name)) {
            let bytes = sample.contents()?.input;
            let origin = InputOrigin::Case(sample.name.clone());
            self.confirm(Found::new(bytes, sample.ground, origin), tell)?;
        }
        Ok(())
    }

    /// A sample may have many parts of which a program fails on one.
    fn shrink_samples(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        for program in 0..self.programs.len() {
            let Some(sample) = self.confirmed.sample_of(program) else { continue };
            if self.is_stopped() {
                break;
            }
            let Some(failure) = sample.failure_of(program).cloned() else { continue };
            let origin = InputOrigin::ChangedCase(sample.origin.text().to_owned());
            let of_program = Found { failures: vec![failure], origin, ..sample.clone() };
            let size = sample.input.len();
            let smaller = self.shrink(of_program, tell)?;
            if is_much_smaller(smaller.input.len(), size) {
                self.confirm(smaller, tell)?;
            }
        }
        Ok(())
    }

    /// Tries inputs of earlier hunts: most mistakes repeat.
    pub fn confirm_known(&mut self, inputs: Vec<Found>, tell: &mut OnHuntStep) -> Result<()> {
        for found in inputs {
            let is_needed = !self.open().is_empty() && !self.is_stopped();
            if is_needed && found.ground < self.bench.ground.grounds.len() {
                self.confirm(found, tell)?;
            }
        }
        Ok(())
    }

    /// Tries an input on all programs and all accepted submissions, and keeps it if it counts.
    fn confirm(&mut self, found: Found, tell: &mut OnHuntStep) -> Result<()> {
        let is_known = self.confirmed.inputs.iter().any(|one| one.input == found.input);
        let is_large = found.input.len() as u64 > MAX_SHOWN;
        if is_known || is_large || sample_name(&found).is_none() && self.hidden.are_told_by(&found.input)? {
            return Ok(());
        }
        let program = found.program();
        let confirmed = match self.confirmer.confirm(found)? {
            Confirmation::Counts(confirmed) => confirmed,
            Confirmation::Disputed => {
                self.disputed.extend(program);
                return Ok(());
            }
            Confirmation::No => return Ok(()),
        };
        for program in confirmed.programs().filter(|&program| !self.confirmed.explain(program)) {
            tell(HuntStep::Found(&self.bench.ground.subjects[program].name));
        }
        self.confirmed.inputs.push(confirmed);
        Ok(())
    }

    /// Hunts for all open programs at once.
    fn hunt_open(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        // The results on the cases are known.
        let mut ground = HuntingGround { tests: Vec::new(), ..self.bench.ground.clone() };
        ground.cases.retain(|case| is_sample(&case.name));
        self.hunt_on(&ground, self.limits.time, tell)?;
        // A table that is too short needs an input as large as the tests.
        ground.templates =
            ground.templates.iter().rev().filter_map(CommandTemplate::with_own_numbers).collect();
        if ground.templates.is_empty() {
            return Ok(());
        }
        self.hunt_on(&ground, self.limits.time / LARGE_SHARE, tell)
    }

    fn hunt_on(&mut self, ground: &HuntingGround, time: Duration, tell: &mut OnHuntStep) -> Result<()> {
        let open = self.open();
        if open.is_empty() || self.is_stopped() {
            return Ok(());
        }
        let limits = HuntLimits { time: NO_DEADLINE, ..self.limits };
        let budget = Some(HuntBudget { time, ..self.budget(open.len()) });
        let quiet = &mut |step: HuntStep| {
            if let HuntStep::Round(_) = step {
                tell(step);
            }
        };
        let bench = Bench { ground, ..self.bench };
        let mut result = hunt_within(bench, open, &self.fruitless, limits, budget, quiet)?;
        self.counts.join(&result.counts);
        result.found.sort_by(|one, other| compare_size(&one.input, &other.input));
        for found in result.found {
            self.settle(found, tell)?;
        }
        Ok(())
    }

    /// Shrinks an input if its program is still open, and keeps it if it counts.
    fn settle(&mut self, found: Found, tell: &mut OnHuntStep) -> Result<()> {
        let Some(program) = found.program() else { return Ok(()) };
        if !self.confirmed.explain_simply(program) {
            let smaller = self.shrink(found.clone(), tell)?;
            self.confirm(smaller, tell)?;
            // Accepted submissions may disagree on the smaller input.
            if !self.confirmed.explain(program) {
                self.confirm(found.clone(), tell)?;
            }
        }
        if found.input.len() <= MAX_UNSHRUNK_BYTES {
            self.unshrunk.push(found);
        }
        Ok(())
    }

    /// Shrinks an input to one that tells no hidden case.
    fn shrink(&mut self, found: Found, tell: &mut OnHuntStep) -> Result<Found> {
        let Some(program) = found.program() else { return Ok(found) };
        let is_refused =
            |input: &[u8]| Ok(self.bench.ground.is_malformed(input) || self.hidden.are_told_by(input)?);
        let tries = self.budget(1).inputs(&self.bench.ground.subjects[program].program) as usize;
        let bounds = ShrinkBounds { until: None, tries, is_refused: &is_refused };
        let smaller = shrink(self.bench, found, bounds, tell)?;
        self.shrink_tries += smaller.shrinking.tried as u64;
        Ok(smaller)
    }

    /// If too many small inputs are needed, tries larger ones, which may explain more programs.
    fn confirm_unshrunk(&mut self, tell: &mut OnHuntStep) -> Result<()> {
        let explained = self.programs.len() - self.open().len();
        let chosen = self.confirmed.chosen(self.confirmed.inputs.len());
        if self.confirmed.explained_by(&chosen).len() == explained {
            return Ok(());
        }
        for found in std::mem::take(&mut self.unshrunk) {
            if !self.is_stopped() {
                self.confirm(found, tell)?;
            }
        }
        Ok(())
    }
}
