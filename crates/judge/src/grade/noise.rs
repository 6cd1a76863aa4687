//! How noisy the machine was while a cohort was judged: a fold over its trials.

use super::facts::JudgedCohort;
use kopek_plan::plan::Trial;
use kopek_results::{Noise, Slowness};
use std::collections::BTreeMap;

/// The noise of the cohorts added so far.
#[derive(Debug, Default)]
pub struct NoiseFacts {
    slowness: Vec<f64>,
    repeated: usize,
    undecided: usize,
}

impl NoiseFacts {
    pub(super) fn of(judged: &JudgedCohort) -> NoiseFacts {
        let mut facts = NoiseFacts::default();
        facts.add(judged);
        facts
    }

    /// Adds a cohort: a package may be judged in several parts.
    pub fn add(&mut self, judged: &JudgedCohort) {
        let trials = || judged.graded.trials.iter().flat_map(BTreeMap::values);
        self.slowness.extend(trials().flat_map(slowness_of));
        self.slowness.extend(judged.graded.open_slowdowns.iter().map(|slowdown| slowdown.factor()));
        self.repeated += trials().filter(|trial| !trial.pairs.is_empty() && !trial.tries.is_empty()).count();
        self.undecided += judged.undecided("").len();
    }

    pub fn noise(&self) -> Noise {
        let mut all = self.slowness.clone();
        all.sort_by(f64::total_cmp);
        let slowness = all.last().map(|&worst| Slowness { worst, median: all[all.len() / 2] });
        Noise { slowness, repeated: self.repeated, undecided: self.undecided }
    }
}

/// How much slower than idle the machine was during a trial, if measured.
fn slowness_of(trial: &Trial) -> impl Iterator<Item = f64> {
    trial.pairs.iter().map(|pair| pair.slowdown.factor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_and_the_middle_count() {
        let facts = NoiseFacts { slowness: vec![1.4, 1.0, 1.02], repeated: 3, undecided: 1 };
        let slowness = Some(Slowness { worst: 1.4, median: 1.02 });
        assert_eq!(facts.noise(), Noise { slowness, repeated: 3, undecided: 1 });
        assert_eq!(NoiseFacts::default().noise(), Noise::default());
    }
}
