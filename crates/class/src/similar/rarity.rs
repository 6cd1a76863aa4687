//! The weight of a passage: one that many programs contain says little.

use super::fingerprints::{MIN_LENGTH, TokenGram};
use std::collections::HashMap;

/// The number of programs that contain each run.
pub(super) struct Rarity {
    programs: usize,
    /// A run in at most this many programs may still be copied, and has full weight.
    few: usize,
    /// Only runs in more programs than that.
    common: HashMap<u64, usize>,
}

/// Groups that share one program are rarely larger.
const FRIENDS: usize = 5;

/// A run that all programs contain still has some weight: a whole class can share one source.
const MIN_WEIGHT: f64 = 0.05;

impl Rarity {
    /// Counts the programs of each run.
    pub fn of_programs(all: &[Vec<TokenGram>]) -> Rarity {
        let mut hashes: Vec<(u64, usize)> = Vec::new();
        for (program, grams) in all.iter().enumerate() {
            hashes.extend(grams.iter().map(|gram| (gram.hash, program)));
        }
        hashes.sort_unstable();
        hashes.dedup();
        let runs = hashes.chunk_by(|one, other| one.0 == other.0);
        let few = FRIENDS.max(all.len() / 10);
        let common = runs.filter(|run| run.len() > few).map(|run| (run[0].0, run.len())).collect();
        Rarity { programs: all.len(), few, common }
    }

    /// The weight of a run: 1 if only a few programs share it.
    pub fn weight(&self, hash: u64) -> f64 {
        let Some(&holders) = self.common.get(&hash) else { return 1.0 };
        let all = self.programs as f64;
        ((all / holders as f64).ln() / (all / self.few as f64).ln()).clamp(MIN_WEIGHT, 1.0)
    }

    /// By token: the weight of the commonest run that contains it; 0 outside of all runs.
    pub fn token_weights(&self, tokens: usize, grams: &[TokenGram]) -> Vec<f64> {
        let mut weights = vec![f64::INFINITY; tokens];
        for gram in grams {
            let weight = self.weight(gram.hash);
            weights[gram.at..gram.at + MIN_LENGTH].iter_mut().for_each(|min| *min = min.min(weight));
        }
        weights.iter_mut().filter(|weight| weight.is_infinite()).for_each(|weight| *weight = 0.0);
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_fingerprints_weigh_less_but_more_than_zero() {
        let gram = |hash| TokenGram { hash, at: 0 };
        let all: Vec<Vec<TokenGram>> =
            (0..8).map(|n| (0..8).filter(|hash| n <= *hash).map(gram).collect()).collect();
        let rarity = Rarity::of_programs(&all);
        let weights: Vec<f64> = (0..8).map(|hash| rarity.weight(hash)).collect();
        assert_eq!(weights[..FRIENDS], [1.0; FRIENDS]);
        assert!(
            weights.windows(2).all(|pair| pair[0] >= pair[1]) && weights[5] < 1.0 && weights[7] == MIN_WEIGHT
        );
    }
}
