//! The letters of a grid: one start, at least one wall, a free corner.

use super::evidence::SHOWN;
use std::collections::{BTreeMap, BTreeSet};

/// Grids have few different letters.
const MAX_LETTERS: usize = 8;

/// How often a letter is in a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterCount {
    Exactly(usize),
    AtLeastOne,
}

/// What the words of one length have in common that make a grid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GridFacts {
    pub counts: Vec<(char, LetterCount)>,
    /// The first letter of the first word and the last one of the last, if they never differ.
    pub corners: [Option<char>; 2],
}

/// The grids of a place, summed up.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenGrids {
    /// How many letters each has.
    sizes: Vec<usize>,
    /// How often each letter is in all of them, at least and at most in one.
    counts: BTreeMap<char, SeenLetter>,
    /// Letters seen in each corner.
    corners: [BTreeSet<Option<char>>; 2],
}

#[derive(Debug, Clone, Copy)]
struct SeenLetter {
    all: usize,
    least: usize,
    most: usize,
}

fn letters_of(words: &[&str]) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for letter in words.iter().flat_map(|word| word.chars()) {
        *counts.entry(letter).or_insert(0) += 1;
    }
    counts
}

fn corners_of(words: &[&str]) -> [Option<char>; 2] {
    let first = words.first().and_then(|word| word.chars().next());
    [first, words.last().and_then(|word| word.chars().next_back())]
}

impl SeenGrids {
    pub fn add(&mut self, words: &[&str]) {
        if self.counts.len() > MAX_LETTERS {
            return;
        }
        let found = letters_of(words);
        for letter in found.keys() {
            // It was in none of those before.
            let least = if self.sizes.is_empty() { usize::MAX } else { 0 };
            self.counts.entry(*letter).or_insert(SeenLetter { all: 0, least, most: 0 });
        }
        for (letter, seen) in &mut self.counts {
            let count = found.get(letter).copied().unwrap_or(0);
            seen.all += count;
            seen.least = seen.least.min(count);
            seen.most = seen.most.max(count);
        }
        for (seen, corner) in self.corners.iter_mut().zip(corners_of(words)) {
            seen.insert(corner);
        }
        self.sizes.push(found.values().sum());
    }

    pub fn facts(&self) -> GridFacts {
        let cells: usize = self.sizes.iter().sum();
        if self.counts.len() > MAX_LETTERS || self.sizes.len() < SHOWN || cells == 0 {
            return GridFacts::default();
        }
        // The part of the cells that have other letters.
        let others = |letter: char| 1.0 - self.counts[&letter].all as f64 / cells as f64;
        // In how many grids the letter would be missing, if it were anywhere.
        let missing =
            |letter: char| self.sizes.iter().map(|&size| others(letter).powf(size as f64)).sum::<f64>();
        let counts = self.counts.iter().filter_map(|(&letter, seen)| match seen.least {
            0 => None,
            least if least == seen.most => Some((letter, LetterCount::Exactly(least))),
            _ if missing(letter) >= SHOWN as f64 => Some((letter, LetterCount::AtLeastOne)),
            _ => None,
        });
        let corner = |seen: &BTreeSet<Option<char>>| {
            let only = seen.first().copied().flatten().filter(|_| seen.len() == 1)?;
            (others(only) * self.sizes.len() as f64 >= SHOWN as f64).then_some(only)
        };
        GridFacts { counts: counts.collect(), corners: self.corners.each_ref().map(corner) }
    }
}

impl GridFacts {
    pub fn hold(&self, words: &[&str]) -> bool {
        let found = letters_of(words);
        let are_counts_right = self.counts.iter().all(|(letter, count)| {
            let number = found.get(letter).copied().unwrap_or(0);
            match count {
                LetterCount::Exactly(exactly) => number == *exactly,
                LetterCount::AtLeastOne => number > 0,
            }
        });
        let corners = corners_of(words);
        are_counts_right && (0..2).all(|at| self.corners[at].is_none_or(|letter| corners[at] == Some(letter)))
    }
}
