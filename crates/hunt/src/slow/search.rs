//! Searches a valid input on which a program exceeds the time limit, though the accepted submissions do not.
//!
//! ```text
//! cases ──► the largest sizes that validators accept ──► shapes of each part ──► climb: several changes at once
//!                                                             └─ too slow? ──► settle ──► fewest items
//! ```
//!
//! The budget counts tries, and the CPU time of programs and validators. Knows no package: validators say what is valid.

use super::{
    bases::Bases,
    changed_cases::{ChangedCase, first_cases, input_of, shape_changes, smaller_sizes},
    changes::Change,
};
use crate::{
    bench::{Bench, TimedRuns, is_too_slow},
    form::RandomStream,
    stress::{HuntStep, OnHuntStep},
};
use anyhow::Result;
use kopek_base::Digest;
use kopek_plan::{
    plan::{Program, Trial},
    timing::ABOVE,
};
use kopek_results::SlowInput;
use kopek_sentences::Said;
use std::{cmp::Reverse, collections::HashSet, sync::Arc, time::Duration};

/// A search for one program.
#[derive(Clone, Copy)]
pub(super) struct SlowSearch<'a> {
    pub bench: Bench<'a>,
    pub name: &'a str,
    pub program: &'a Arc<Program>,
    /// Programs that must stay within the limit.
    pub accepted: &'a [Arc<Program>],
    /// CPU time of programs and validators.
    pub budget: Duration,
    pub tries: u32,
    pub seed: u64,
}

/// The slowest inputs, which climbing changes. Of the 26 programs in `testdata/slow`, climbing finds an input for one that no
/// first change slows down: `naive-search`. The test `most_programs_get_an_input_on_which_they_are_slow` counts them.
const SLOWEST: usize = 6;
/// Climbing ends after this many changes in a row without a valid new input: all are tried then, or refused.
const MAX_IDLE: u32 = 80;

/// An input that was run.
struct Tried {
    case: ChangedCase,
    input: Vec<u8>,
    trial: Trial,
}

struct SearchState<'a, 'b, 's> {
    search: SlowSearch<'a>,
    runs: TimedRuns<'a>,
    bases: &'a mut Bases<'b>,
    tell: &'a mut OnHuntStep<'s>,
    seen: HashSet<Digest>,
    /// The slowest first.
    slowest: Vec<Tried>,
    tries: u32,
    /// An input on which an accepted submission exceeds the limit, too.
    unfair: Option<String>,
    /// Whether the machine was too busy to tell whether an input is slow.
    is_undecided: bool,
}

/// The result of a search.
pub(super) struct FoundSlow {
    /// An input on which the program exceeds the limit, though the accepted submissions do not, and its size before
    /// items were left out.
    pub found: Option<(SlowInput, Trial, usize)>,
    /// Whether no such input was found, and all that were tried are decided.
    pub is_fruitless: bool,
    /// The slowest other input.
    pub slowest: Option<SlowInput>,
    /// An input on which an accepted submission exceeds the limit, too.
    pub unfair: Option<String>,
    /// Valid inputs that were tried.
    pub tries: u32,
    pub runs: u32,
    /// CPU time of the programs.
    pub cpu: Duration,
}

impl<'a> SlowSearch<'a> {
    pub fn run(self, bases: &'a mut Bases, tell: &'a mut OnHuntStep) -> Result<FoundSlow> {
        let runs = TimedRuns::new(self.bench)?;
        let mut state = SearchState {
            search: self,
            runs,
            bases,
            tell,
            seen: HashSet::new(),
            slowest: vec![],
            tries: 0,
            unfair: None,
            is_undecided: false,
        };
        let mut found = None;
        if let Some(first) = state.find()? {
            let bytes = first.input.len();
            let fewest = state.with_fewest_items(first)?;
            found = Some((state.slow_input(&fewest)?, fewest.trial, bytes));
        }
        let slowest = std::mem::take(&mut state.slowest).into_iter().next();
        let slowest = slowest.map(|one| state.slow_input(&one)).transpose()?;
        let SearchState { tries, runs, unfair, is_undecided, .. } = state;
        let is_fruitless = found.is_none() && !is_undecided;
        Ok(FoundSlow { found, is_fruitless, slowest, unfair, tries, runs: runs.runs, cpu: runs.cpu })
    }
}

impl SearchState<'_, '_, '_> {
    fn is_over(&self) -> bool {
        let is_spent = self.runs.spent() >= self.search.budget || self.tries >= self.search.tries;
        is_spent || self.runs.is_stopped()
    }

    fn find(&mut self) -> Result<Option<Tried>> {
        for at in 0.. {
            if self.is_over() {
                return Ok(None);
            }
            if !self.bases.measure(at)? {
                break;
            }
            for case in first_cases(at, self.bases.get(at)) {
                if let Some(found) = self.try_case(&case)? {
                    return Ok(Some(found));
                }
            }
        }
        let mut random = RandomStream::new(self.search.seed, 0);
        let mut idle = 0;
        while !self.is_over() && !self.slowest.is_empty() && idle < MAX_IDLE {
            let before = self.tries;
            let case = self.climb(&mut random);
            if let Some(found) = self.try_case(&case)? {
                return Ok(Some(found));
            }
            idle = if self.tries == before { idle + 1 } else { 0 };
        }
        Ok(None)
    }

    /// One of the slowest cases with another change.
    fn climb(&self, random: &mut RandomStream) -> ChangedCase {
        let ChangedCase { base, mut changes } = random.choose(&self.slowest).case.clone();
        let all =
            [shape_changes(self.bases.get(base)), smaller_sizes(self.bases.get(base), &[2, 4, 16])].concat();
        if all.is_empty() {
            return ChangedCase { base, changes };
        }
        let new = *random.choose(&all);
        let same = changes.iter().position(|one| one.is_about_same(&new));
        match same {
            // Sizes come first. A list can have one shape after another.
            Some(at) if new.part().is_none() || random.is_once_in(2) => changes[at] = new,
            Some(_) | None => changes.push(new),
        }
        ChangedCase { base, changes }
    }

    /// Tries a case if it is new; returns it if the program is too slow, and the accepted submissions are not.
    fn try_case(&mut self, case: &ChangedCase) -> Result<Option<Tried>> {
        if self.is_over() {
            return Ok(None);
        }
        let Some(input) = input_of(self.bases.get(case.base), &case.changes) else { return Ok(None) };
        if !self.seen.insert(Digest::of(&input)) {
            return Ok(None);
        }
        let Some(mut tried) = self.run_input(case, input)? else { return Ok(None) };
        if is_too_slow(&tried.trial) && self.is_confirmed(&mut tried)? {
            return Ok(Some(tried));
        }
        self.note(tried);
        Ok(None)
    }

    fn note(&mut self, tried: Tried) {
        self.slowest.push(tried);
        self.slowest.sort_by_key(|one| Reverse(one.trial.usage.cpu));
        self.slowest.truncate(SLOWEST);
    }

    /// Whether the program exceeds the limit by the rules of a verdict, and no accepted submission does.
    fn is_confirmed(&mut self, tried: &mut Tried) -> Result<bool> {
        let ground = self.bases.get(tried.case.base).ground;
        for accepted in self.search.accepted {
            let trial = self.runs.run_one(ground, accepted, &tried.input)?;
            if trial.is_none_or(|trial| is_too_slow(&trial)) {
                if self.unfair.is_none() {
                    self.unfair = Some(self.slow_input(tried)?.origin());
                }
                return Ok(false);
            }
        }
        // An undecided run keeps its time above the limit.
        let Some(settled) = self.runs.settle(ground, self.search.program, &tried.input)? else {
            self.is_undecided = true;
            return Ok(false);
        };
        tried.trial = settled;
        Ok(is_too_slow(&tried.trial))
    }

    /// The same with the fewest items with which the program is clearly too slow, by bisection.
    fn with_fewest_items(&mut self, found: Tried) -> Result<Tried> {
        let mut best = found.case.clone();
        let base = self.bases.get(best.base);
        let sizes: Vec<Change> =
            base.parts.sizes.iter().map(|&size| Change::Resize(size, size.of(&base.input))).collect();
        for size in &sizes {
            if !best.changes.iter().any(|change| change.is_about_same(size)) {
                best.changes.insert(0, *size);
            }
        }
        for place in 0..best.changes.len() {
            let Change::Resize(size, largest) = best.changes[place] else { continue };
            let (mut too_few, mut enough) = (1, largest);
            // A sixteenth of the size is exact enough.
            while enough - too_few > (enough / 16).max(1) && !self.runs.is_stopped() {
                let count = too_few.midpoint(enough);
                let mut smaller = best.clone();
                smaller.changes[place] = Change::Resize(size, count);
                if self.run_case(&smaller)?.is_some_and(|tried| is_clearly_too_slow(&tried, self.limit())) {
                    (best, enough) = (smaller, count);
                } else {
                    too_few = count;
                }
            }
        }
        if let Some(mut smaller) = self.run_case(&best)?
            && is_too_slow(&smaller.trial)
            && self.is_confirmed(&mut smaller)?
        {
            return Ok(smaller);
        }
        Ok(found)
    }

    fn limit(&self) -> Duration {
        self.search.bench.ground.grounds.first().map_or(Duration::ZERO, |ground| ground.setting.limits.cpu)
    }

    /// Runs the program on a changed case; `None`: the validators refuse it, or the run is undecided.
    fn run_case(&mut self, case: &ChangedCase) -> Result<Option<Tried>> {
        match input_of(self.bases.get(case.base), &case.changes) {
            Some(input) => self.run_input(case, input),
            None => Ok(None),
        }
    }

    fn run_input(&mut self, case: &ChangedCase, input: Vec<u8>) -> Result<Option<Tried>> {
        let ground = self.bases.get(case.base).ground;
        if !self.runs.is_valid(ground, &input)? {
            return Ok(None);
        }
        self.tries += 1;
        (self.tell)(HuntStep::Tried { name: self.search.name, bytes: input.len() });
        let trial = self.runs.run_one(ground, self.search.program, &input)?;
        Ok(trial.map(|trial| Tried { case: case.clone(), input, trial }))
    }

    fn slow_input(&mut self, tried: &Tried) -> Result<SlowInput> {
        let ground = self.bases.get(tried.case.base).ground;
        let mut slowest = Duration::ZERO;
        for accepted in self.search.accepted {
            let trial = self.runs.run_one(ground, accepted, &tried.input)?;
            slowest = trial.map_or(slowest, |trial| slowest.max(trial.usage.cpu));
        }
        let (time, limit) = (tried.trial.usage.cpu, self.limit());
        let case = self.bases.get(tried.case.base).name.clone();
        let changes = tried.case.changes.iter().map(Said::from).collect();
        Ok(SlowInput { case, changes, input: tried.input.clone(), time, limit, accepted: slowest })
    }
}

/// So that the last check is likely to confirm it.
fn is_clearly_too_slow(tried: &Tried, limit: Duration) -> bool {
    is_too_slow(&tried.trial) && tried.trial.usage.cpu > limit.mul_f64(ABOVE)
}
