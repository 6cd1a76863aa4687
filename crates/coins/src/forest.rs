//! Two players, several rows and stacks: Idziaszek's complete algorithm.
//!
//! A move takes a coin from an end of any row, or from the top of any stack; the bottom coin of a stack is
//! *anchored*. Every component is fused into a valley (see [`row_fusion`](super::row_fusion)); then one more
//! rule shortens the stacks:
//!
//! * **Fruitless moves.** If the anchored coin `M` has a neighbour `x <= M`, both
//!   may be removed, the next coin becomes anchored, and the value changes by
//!   `x - M` if the number of coins *on the whole table* is even, by `M - x` if odd.
//!
//! After that, a greatest coin is always free, and all coins are taken in descending order: the sorted runs
//! are merged.
//!
//! The printed pseudocode has three mistakes. The step for anchored coins is inside the loop over coins but
//! belongs after it (the value of the stack `0 1 0` is -1, not 1). The sign is `(-1)^n` with `n` counting all
//! components (a coin `0` beside the stack `0 1`: 1, not -1). And a component's values must be collected
//! before the next one starts, because the stack is reused.

use super::game::{self, GameError};
use super::row_fusion::fuse_row;
use std::collections::BinaryHeap;

/// Whether coins are taken from both ends or from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComponentKind {
    /// Both ends may be taken.
    Row,
    /// Only the first coin may be taken; the last is the bottom.
    StackTopFirst,
}

/// One row or stack on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    pub kind: ComponentKind,
    /// Its coins; of a stack, the top one first.
    pub coins: Vec<i64>,
}

/// The result of optimal play on rows and stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForestValue {
    /// The first player's score minus the second's.
    pub advantage: i64,
    /// The first player's score.
    pub winnings: i64,
}

/// The value of the table for the first player. O(n log k) time for n coins in k components, O(n) memory.
///
/// ```
/// use kopek_coins::forest::{Component, ComponentKind, ForestValue, forest_value};
/// let single = Component { kind: ComponentKind::Row, coins: vec![0] };
/// let stack = Component { kind: ComponentKind::StackTopFirst, coins: vec![0, 1] };
/// assert_eq!(forest_value(&[single, stack])?, ForestValue { advantage: 1, winnings: 1 });
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn forest_value(components: &[Component]) -> Result<ForestValue, GameError> {
    let all: Vec<i64> = components.iter().flat_map(|c| c.coins.iter().copied()).collect();
    let total = game::checked_total(&all)?;
    // One sign for the whole table: it depends on which player moves last, not on the component.
    let parity = if all.len().is_multiple_of(2) { 1 } else { -1 };
    let (mut fruitless, mut runs) = (0, Vec::new());
    for component in components {
        let mut valley = fuse_row(&component.coins);
        if component.kind == ComponentKind::StackTopFirst {
            fruitless += parity * drop_fruitless(&mut valley);
        }
        runs.extend(falling_runs(valley));
    }
    let advantage = fruitless + alternate_runs(runs);
    Ok(ForestValue { advantage, winnings: (total + advantage) / 2 })
}

/// Removes fruitless pairs from the anchored end; returns the sum of `x - M`.
fn drop_fruitless(valley: &mut Vec<i64>) -> i64 {
    let mut sum = 0;
    while let [.., x, anchored] = valley[..]
        && x <= anchored
    {
        sum += x - anchored;
        valley.truncate(valley.len() - 2);
    }
    sum
}

/// A valley as two runs, each with its greatest coin last, for popping.
fn falling_runs(mut valley: Vec<i64>) -> [Vec<i64>; 2] {
    let rise = valley.windows(2).position(|pair| pair[0] < pair[1]).map_or(valley.len(), |at| at + 1);
    let rising = valley.split_off(rise);
    valley.reverse();
    [valley, rising]
}

/// Takes all coins in descending order, the players alternating: a merge of sorted runs.
fn alternate_runs(mut runs: Vec<Vec<i64>>) -> i64 {
    // A heap of 2k fronts instead of sorting all coins: the runs are already sorted.
    let mut fronts: BinaryHeap<(i64, usize)> =
        runs.iter_mut().enumerate().filter_map(|(at, run)| Some((run.pop()?, at))).collect();
    let (mut advantage, mut sign) = (0, 1);
    while let Some((coin, at)) = fronts.pop() {
        advantage += sign * coin;
        sign = -sign;
        fronts.extend(runs[at].pop().map(|next| (next, at)));
    }
    advantage
}
