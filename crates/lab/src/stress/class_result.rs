//! The result of the hunt for a class: the inputs to show, and the programs that none of them explains.

use super::{
    class_search::ClassSearch,
    confirmed_inputs::{shortened, text_excerpt},
    input_text::input_size,
};
use anyhow::Result;
use kopek_results::{Counterexample, Counterexamples, Unexplained, UnexplainedProgram};
use std::{cmp::Reverse, collections::BTreeSet};

impl ClassSearch<'_> {
    /// Adds the chosen inputs, of which those of earlier hunts begin at an index.
    pub fn show_chosen(&self, earlier: usize, result: &mut Counterexamples) -> Result<()> {
        let chosen = self.confirmed.chosen(earlier);
        let mut by_size = chosen.clone();
        by_size.sort_by_key(|&at| input_size(&self.confirmed.inputs[at].found.bytes));
        // Those who fail on no smaller input.
        let mut new: BTreeSet<usize> = (0..self.programs.len()).collect();
        for at in by_size {
            let confirmed = &self.confirmed.inputs[at];
            let boundaries = self.confirmer.boundaries(confirmed, &new)?;
            new.retain(|program| !confirmed.failures.contains_key(program));
            result.inputs.push(Counterexample {
                input: text_excerpt(&confirmed.found.bytes),
                expected: confirmed.answer.as_ref().map(shortened),
                sample: confirmed.found.sample().map(str::to_owned),
                failures: confirmed.alike_failures(self.programs, &boundaries),
            });
        }
        let programs = |example: &Counterexample| {
            example.failures.iter().map(|failure| failure.programs.len()).sum::<usize>()
        };
        result.inputs.sort_by_key(|example| (Reverse(programs(example)), example.sample.is_none()));
        let explained = self.confirmed.explained_by(&chosen);
        for (at, program) in self.programs.iter().enumerate().filter(|(at, _)| !explained.contains(at)) {
            let why = if self.confirmed.explain(at) { Unexplained::TooMany } else { Unexplained::NoneFound };
            let participants = program.participants.clone();
            result.unexplained.push(UnexplainedProgram { participants, why });
        }
        result.explained = explained.len();
        result.same_mistake = self.confirmed.same_mistakes(self.programs);
        result.tried = self.counts.valid + self.shrink_tries;
        result.runs = self.counts.trials + self.confirmer.runs;
        Ok(())
    }
}
