//! Columns in which no two lines of a block are equal: points that are all different, whatever their weights.

use super::{
    evidence::SHOWN,
    facts::{FactCase, PairRule, PlaceFacts, pairs_among},
    layout::{Column, Item, Part, Reader, Scope, Visitor},
    series::{SeriesRule, SeriesTokens},
};
use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

/// Of blocks with more columns, only whole lines are compared.
const MAX_COLUMNS: usize = 4;

/// The places of some columns of a block, in order.
pub(super) type RowKey = Vec<usize>;

/// The columns in which lines of all cases are different, the fewest of each block.
pub(super) fn row_keys(parts: &[Part], cases: &[FactCase], facts: &[PlaceFacts]) -> Vec<RowKey> {
    let mut collector = KeyCollector::default();
    collector.add_blocks(parts);
    for case in cases {
        Reader::new(case.lines).read(parts, &mut collector);
    }
    let mut found: Vec<RowKey> = Vec::new();
    for keys in collector.blocks.into_values() {
        let whole = keys.last().filter(|key| key.holds && key.shown >= SHOWN);
        let telling: Vec<&SeenKey> =
            keys.iter().filter(|key| key.holds && key.by_chance >= SHOWN as f64).collect();
        let known = found.len();
        for key in telling.into_iter().chain(whole) {
            let is_known = |other: &RowKey| other.iter().all(|place| key.places.contains(place));
            if !found[known..].iter().any(is_known) && !is_implied(&key.places, facts) {
                found.push(key.places.clone());
            }
        }
    }
    found
}

/// Whether the rules of a column, or of two as pairs, say it already.
fn is_implied(key: &RowKey, facts: &[PlaceFacts]) -> bool {
    const DIFFERENT: [SeriesRule; 4] =
        [SeriesRule::Distinct, SeriesRule::Permutation, SeriesRule::Increasing, SeriesRule::Decreasing];
    key.iter().any(|place| {
        facts[*place].rules.iter().any(|rule| DIFFERENT.contains(rule))
            || facts[*place].pair_rules.contains(&PairRule::Distinct) && key.contains(&(place - 1))
    })
}

/// Columns of a block, and how well the cases show that they tell its lines apart.
struct SeenKey {
    places: RowKey,
    holds: bool,
    /// How many equal lines there were, if columns did not depend on each other.
    by_chance: f64,
    shown: usize,
}

#[derive(Default)]
struct KeyCollector {
    /// By the first place of a block, fewer columns first.
    blocks: BTreeMap<usize, Vec<SeenKey>>,
}

impl KeyCollector {
    fn add_blocks(&mut self, parts: &[Part]) {
        for part in parts {
            let Part::Block(_, body) = part else { continue };
            self.add_blocks(body);
            let row = part.row().unwrap_or_default();
            if row.len() > 1 && row.iter().all(|field| field.item == Item::Token) {
                let key = |places| SeenKey { places, holds: true, by_chance: 0.0, shown: 0 };
                let first = row[0].place;
                self.blocks.insert(first, keys_of(first, row.len()).into_iter().map(key).collect());
            }
        }
    }
}

/// Sets of at least two columns, the whole line last.
fn keys_of(first: usize, width: usize) -> Vec<RowKey> {
    let whole: RowKey = (first..first + width).collect();
    if width > MAX_COLUMNS {
        return vec![whole];
    }
    let chosen = |set: u32| whole.iter().copied().filter(|place| set >> (place - first) & 1 == 1).collect();
    let mut found: Vec<RowKey> = (0..1 << width).map(chosen).filter(|key: &RowKey| key.len() > 1).collect();
    found.sort_by_key(Vec::len);
    found
}

impl<'a> Visitor<'a> for KeyCollector {
    fn columns(&mut self, columns: &[Column<'a>], _scope: &Scope) -> bool {
        let Some(first) = columns.first() else { return true };
        let Some(keys) = self.blocks.get_mut(&first.place) else { return true };
        let lines = first.tokens.len();
        let numbers: Vec<Vec<usize>> = columns.iter().map(|column| numbered(column.tokens.iter())).collect();
        let values = columns.iter().map(|column| SeriesTokens::new(&column.tokens).value_count());
        let values: Vec<f64> = values.collect();
        for key in keys.iter_mut().filter(|key| key.holds) {
            let chosen = || key.places.iter().map(|place| place - first.place);
            key.holds = are_different(chosen().map(|column| &numbers[column]));
            key.by_chance += pairs_among(lines) / chosen().map(|column| values[column]).product::<f64>();
            key.shown += lines - 1;
        }
        true
    }
}

/// Equal items have equal numbers.
fn numbered<T: Hash + Eq>(items: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known = HashMap::new();
    let mut numbers = Vec::new();
    for item in items {
        let next = known.len();
        numbers.push(*known.entry(item).or_insert(next));
    }
    numbers
}

/// Whether no two lines of these columns are equal.
fn are_different<'a>(columns: impl Iterator<Item = &'a Vec<usize>>) -> bool {
    let both = |one: Vec<usize>, other: &Vec<usize>| numbered(one.iter().zip(other));
    let rows = columns.cloned().reduce(|one, other| both(one, &other)).unwrap_or_default();
    rows.iter().enumerate().all(|(at, number)| at == *number)
}

/// Whether no two lines of a block are equal in the columns of a key; keys of other blocks hold.
pub(super) fn key_holds(key: &RowKey, columns: &[Column]) -> bool {
    let chosen: Vec<&Column> = columns.iter().filter(|column| key.contains(&column.place)).collect();
    let numbers: Vec<Vec<usize>> = chosen.iter().map(|column| numbered(column.tokens.iter())).collect();
    are_different(numbers.iter())
}
