//! The layers: the guaranteed value of `p_k` among `m` players, round by round.
//!
//! Only states with `p_k` to move are computed. Their lengths are
//! `L_t = L_0 + t·m` with `L_0 = ((n-k-1) mod m) + 1`, for `t = 0 … T-1`,
//! `T = ceil((n-k)/m)`; if `n <= k`, `p_k` never moves. With `w_t(i)` the value of
//! the stretch of `L_t` coins that begins at `i`:
//!
//! ```text
//! w_0(i) = max(x_i, x_{i+L_0-1})
//! w_t(i) = max( x_i         + min w_{t-1}(i+1 ..= i+m),
//!               x_{i+L_t-1} + min w_{t-1}(i   ..= i+m-1) )
//! V      = min w_{T-1}(0 ..= k)
//! ```
//!
//! Reason: after `p_k`'s move the `m-1` others take `h` coins from the left and `m-1-h` from the right. Every
//! `h` is possible, their order does not matter to `p_k`, and a path of minimisers is a minimum over its
//! ends. All windows of a layer have the same size, hence about O(1) per state and about `n²/2m` states.
//!
//! There are two ways up, with the same values. The *sweep* computes whole layers in `f64`; plain loops, for which
//! the compiler has vector minima on every CPU of the family, unlike those of integers. It is exact while the
//! absolute values of the coins sum to at most 2^53. *Checked layers* take one state at a time in `i64`: the way
//! for greater sums, and a check of the sweep.

use super::game::Game;
use std::collections::VecDeque;

/// Up to this absolute value, every integer is an exact `f64`.
const EXACT_IN_FLOATS: u64 = 1 << 53;

/// The guaranteed value of `p_k`. O(n²/m · log m) time, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, layers};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(layers::guaranteed_by_layers(&game), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_by_layers(game: &Game) -> i64 {
    value_of_game(game, LayerClimb::climb)
}

/// The guaranteed value of `p_k`, by checked layers only. O(n²/m) time, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, layers};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(layers::guaranteed_by_checked_layers(&game), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_by_checked_layers(game: &Game) -> i64 {
    value_of_game(game, LayerClimb::climb_checked)
}

fn value_of_game<'a>(game: &'a Game, climb: fn(&LayerClimb<'a>, &[i64]) -> Vec<i64>) -> i64 {
    let Some(rounds) = game.turns().checked_sub(1) else { return 0 };
    let lowest = lowest_layer(game.coins(), game.last_length());
    let way = LayerClimb { row: game.coins(), players: game.players(), rounds };
    climb(&way, &lowest)[..=game.me()].iter().copied().min().unwrap_or(0)
}

/// `w_0` over a row: the last move of `p_k`, in stretches of `length` coins.
pub(super) fn lowest_layer(row: &[i64], length: usize) -> Vec<i64> {
    row.iter().zip(&row[length - 1..]).map(|(&first, &last)| first.max(last)).collect()
}

/// The way from a layer over `row` to the one that is `rounds` higher.
pub(super) struct LayerClimb<'a> {
    pub row: &'a [i64],
    pub players: usize,
    pub rounds: usize,
}

impl LayerClimb<'_> {
    /// The higher layer, by the sweep where it is exact.
    pub(super) fn climb(&self, states: &[i64]) -> Vec<i64> {
        // A state is a sum of coins of the row, with or without some of them.
        let bound: u64 = self.row.iter().map(|coin| coin.unsigned_abs()).sum();
        if bound <= EXACT_IN_FLOATS { self.climb_by_sweeps(states) } else { self.climb_checked(states) }
    }

    fn climb_by_sweeps(&self, states: &[i64]) -> Vec<i64> {
        let (row, mut w) = (to_floats(self.row), to_floats(states));
        let (mut least, mut spare) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            find_window_minima(&w, self.players, &mut least, &mut spare);
            let count = w.len() - self.players;
            // The coins at both ends of each stretch of the new layer. Slices of equal, known lengths: without
            // them every index below has a bounds check, and the loop no vectors.
            let (first, last) = (&row[..count], &row[row.len() - count..]);
            let (after_first, after_last) = (&least[1..][..count], &least[..count]);
            w.truncate(count);
            for i in 0..count {
                w[i] = greater(first[i] + after_first[i], last[i] + after_last[i]);
            }
        }
        w.iter().map(|&state| state as i64).collect()
    }

    /// The higher layer, one state at a time. An overflow is a panic, never a number.
    fn climb_checked(&self, states: &[i64]) -> Vec<i64> {
        let (row, mut w) = (self.row, states.to_vec());
        for _ in 0..self.rounds {
            let least = queue_minima(&w, self.players);
            let count = w.len() - self.players;
            let last = &row[row.len() - count..];
            for i in 0..count {
                let left = row[i].checked_add(least[i + 1]).expect("`Game` bounds all sums");
                let right = last[i].checked_add(least[i]).expect("`Game` bounds all sums");
                w[i] = left.max(right);
            }
            w.truncate(count);
        }
        w
    }
}

fn to_floats(values: &[i64]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}

/// Comparisons and not `f64::min` and `f64::max`: the vector instructions compute exactly these, while the
/// functions must handle NaN.
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The minima of all windows of `m` neighbours, by doubling: those of 2, 4, 8, … neighbours. Alternates between
/// two buffers: in place, the unknown distance between reads and writes would prevent vectors.
fn find_window_minima(w: &[f64], m: usize, minima: &mut Vec<f64>, spare: &mut Vec<f64>) {
    minima.clear();
    minima.extend_from_slice(w);
    let mut size = 1;
    while size < m {
        // The last step overlaps: a window of m is two windows of `size`, `step` apart.
        let step = size.min(m - size);
        spare.clear();
        spare.extend(minima.iter().zip(&minima[step..]).map(|(&low, &high)| lesser(low, high)));
        std::mem::swap(minima, spare);
        size += step;
    }
}

/// The same of integers, with a queue of candidates.
fn queue_minima(w: &[i64], m: usize) -> Vec<i64> {
    let mut rising: VecDeque<usize> = VecDeque::new();
    let mut minima = Vec::with_capacity(w.len() + 1 - m);
    for (at, &value) in w.iter().enumerate() {
        // A candidate that is not less than a later one can no longer be a minimum.
        while rising.back().is_some_and(|&last| w[last] >= value) {
            rising.pop_back();
        }
        rising.push_back(at);
        if rising[0] + m <= at {
            rising.pop_front();
        }
        if at + 1 >= m {
            minima.push(w[rising[0]]);
        }
    }
    minima
}
