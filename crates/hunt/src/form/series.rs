//! What may hold in a list, or in a column of a block.

use super::input_lines::integer;
use std::{cell::OnceCell, collections::BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeriesRule {
    Increasing,
    Ascending,
    Decreasing,
    Descending,
    /// All numbers from 1 to its length.
    Permutation,
    Distinct,
    /// Words of one length.
    EqualLengths,
    /// The first is at most 0, the next at most 1: nodes before each node of a tree.
    BelowPosition,
    /// The first is at most 1, the next at most 2.
    AtMostPosition,
}

/// The tokens of a list or of a column. Their numbers are read once for all rules, if one asks for them.
pub(super) struct SeriesTokens<'t, 'a> {
    tokens: &'t [&'a str],
    numbers: OnceCell<Option<Vec<i128>>>,
}

impl<'t, 'a> SeriesTokens<'t, 'a> {
    pub fn new(tokens: &'t [&'a str]) -> SeriesTokens<'t, 'a> {
        SeriesTokens { tokens, numbers: OnceCell::new() }
    }

    /// `None`: some are no integers.
    fn numbers(&self) -> Option<&[i128]> {
        self.numbers.get_or_init(|| self.tokens.iter().map(|token| integer(token)).collect()).as_deref()
    }

    /// How many values it seems to have: all between its ends, or the words that are there.
    pub fn value_count(&self) -> f64 {
        let numbers = self.numbers().unwrap_or_default();
        match (numbers.iter().min(), numbers.iter().max()) {
            (Some(least), Some(most)) => (most - least + 1) as f64,
            _ => self.tokens.iter().collect::<BTreeSet<_>>().len().max(1) as f64,
        }
    }
}

impl SeriesRule {
    pub const ALL: [SeriesRule; 9] = [
        SeriesRule::Increasing,
        SeriesRule::Ascending,
        SeriesRule::Decreasing,
        SeriesRule::Descending,
        SeriesRule::Permutation,
        SeriesRule::Distinct,
        SeriesRule::EqualLengths,
        SeriesRule::BelowPosition,
        SeriesRule::AtMostPosition,
    ];

    pub fn holds(self, series: &SeriesTokens) -> bool {
        let tokens = series.tokens;
        let each = |is_right: fn(&[i128]) -> bool| {
            series.numbers().is_some_and(|numbers| numbers.windows(2).all(is_right))
        };
        match self {
            SeriesRule::Increasing => each(|pair| pair[0] < pair[1]),
            SeriesRule::Ascending => each(|pair| pair[0] <= pair[1]),
            SeriesRule::Decreasing => each(|pair| pair[0] > pair[1]),
            SeriesRule::Descending => each(|pair| pair[0] >= pair[1]),
            SeriesRule::Permutation => series.numbers().is_some_and(|numbers| {
                let mut numbers = numbers.to_vec();
                numbers.sort_unstable();
                numbers.into_iter().eq(1..=tokens.len() as i128)
            }),
            SeriesRule::Distinct => tokens.iter().collect::<BTreeSet<_>>().len() == tokens.len(),
            SeriesRule::BelowPosition | SeriesRule::AtMostPosition => {
                series.numbers().is_some_and(|numbers| {
                    numbers
                        .iter()
                        .enumerate()
                        .all(|(at, number)| *number <= self.most_at(at).unwrap_or(*number))
                })
            }
            SeriesRule::EqualLengths => tokens.iter().all(|token| token.len() == tokens[0].len()),
        }
    }

    /// The largest number at a position, counted from 0.
    pub fn most_at(self, position: usize) -> Option<i128> {
        match self {
            SeriesRule::BelowPosition => Some(position as i128),
            SeriesRule::AtMostPosition => Some(position as i128 + 1),
            _ => None,
        }
    }
}
