//! The result of the hunt for a class: the inputs to show, and the programs that none of them explains.

use super::{
    class_search::ClassSearch,
    confirmed_inputs::{ClassProgram, shown_input},
};
use crate::form::{RandomStream, compare_size, input_size};
use anyhow::Result;
use kopek_results::{Counterexample, Counterexamples, Found, InputOrigin, Unexplained, UnexplainedProgram};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// New inputs on which programs with all points are compared, and the most items of the largest.
const DRAWN: usize = 40;
const LARGEST: usize = 10;

impl ClassSearch<'_> {
    /// Adds the chosen inputs, of which those of earlier hunts begin at an index.
    pub fn show_chosen(&self, earlier: usize, result: &mut Counterexamples) -> Result<()> {
        let chosen = self.confirmed.chosen(earlier);
        let mut by_size = chosen.clone();
        by_size.sort_by_key(|&at| input_size(&self.confirmed.inputs[at].input));
        // Those who fail on no smaller input.
        let mut new: BTreeSet<usize> = (0..self.programs.len()).collect();
        for at in by_size {
            let confirmed = &self.confirmed.inputs[at];
            let boundaries = self.confirmer.boundaries(confirmed, &new)?;
            new.retain(|program| confirmed.failure_of(*program).is_none());
            result.inputs.push(shown_input(confirmed, self.programs, &boundaries));
        }
        let programs = |example: &Counterexample| {
            example.failures.iter().map(|failure| failure.programs.len()).sum::<usize>()
        };
        result.inputs.sort_by_key(|example| (Reverse(programs(example)), example.sample.is_none()));
        let explained = self.confirmed.explained_by(&chosen);
        for (at, program) in self.programs.iter().enumerate().filter(|(at, _)| !explained.contains(at)) {
            let why = match () {
                () if self.confirmed.explain(at) => Unexplained::TooMany,
                () if self.disputed.contains(&at) => Unexplained::Disputed,
                () => Unexplained::NoneFound,
            };
            let participants = program.participants.clone();
            result.unexplained.push(UnexplainedProgram { participants, why });
        }
        result.explained = explained.len();
        result.same_mistake = self.confirmed.same_mistakes(self.programs);
        result.tried = self.counts.valid + self.shrink_tries;
        result.runs = self.counts.trials + self.confirmer.runs;
        Ok(())
    }

    /// New inputs of the form of the cases, small ones first.
    fn drawn_inputs(&self, count: usize) -> Vec<Found> {
        let Ok(form) = &self.confirmer.bench.ground.form else { return Vec::new() };
        let mut random = RandomStream::new(2, 0);
        let drawn = (0..count).filter_map(|at| form.draw(1 + at * LARGEST / count, &mut random));
        drawn.map(|input| Found::new(input, 0, InputOrigin::Form)).collect()
    }

    /// Adds the smallest inputs on which programs with all points print something else than most others: the tests miss
    /// their mistakes.
    pub fn show_missed(&mut self, right: &[ClassProgram], result: &mut Counterexamples) -> Result<()> {
        let subjects = &self.confirmer.bench.ground.subjects;
        let mut watched = Vec::new();
        for subject in subjects {
            watched.push(right.iter().find(|program| program.member.name == subject.name));
        }
        let Some(first) = watched.iter().position(Option::is_some) else { return Ok(()) };
        if self.confirmer.bench.engine.is_stopped() {
            return Ok(());
        }
        let right: Vec<&ClassProgram> = watched[first..].iter().copied().flatten().collect();
        let range = first..first + right.len();
        let mut inputs = self.confirmed.inputs.clone();
        let affordable = self.inputs_for_all(&range);
        inputs.extend(self.drawn_inputs(affordable.saturating_sub(inputs.len()).min(DRAWN)));
        inputs.sort_by(|one, other| compare_size(&one.input, &other.input));
        inputs.dedup_by(|one, other| one.input == other.input);
        inputs.truncate(affordable);
        let mut seen = BTreeSet::new();
        for mut missed in self.confirmer.missed(&inputs, range)? {
            for failure in &mut missed.failures {
                failure.program = failure.program.map(|at| at - first);
            }
            if missed.programs().any(|at| !seen.contains(&at)) {
                seen.extend(missed.programs());
                result.missed.push(shown_input(&missed, &right, &BTreeMap::new()));
            }
        }
        Ok(())
    }
}
