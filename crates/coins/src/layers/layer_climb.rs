//! Parameters for climbing through the layers.
//!
//! All engines share these types; this file knows none of them.

use crate::game::Game;

/// Called, from any thread, with the number of states computed since the last call.
pub type ProgressFn<'a> = dyn Fn(u64) + Sync + 'a;

/// A climb of `rounds` layers, from the layer of stretches of `length` coins.
#[derive(Debug, Clone, Copy)]
pub struct LayerClimb {
    /// The number of coins in the row.
    pub n: usize,
    pub m: usize,
    /// The number of coins in a stretch of the first layer.
    pub length: usize,
    /// The number of layers to climb.
    pub rounds: usize,
}

impl LayerClimb {
    /// The number of states in the layer `rounds` above the first.
    pub fn states_after(&self, rounds: usize) -> usize {
        self.n - (self.length + rounds * self.m) + 1
    }

    /// The number of states in all climbed layers.
    pub fn all_states(&self) -> u64 {
        let first = self.states_after(1.min(self.rounds)) as u64;
        let last = self.states_after(self.rounds) as u64;
        (first + last) * self.rounds as u64 / 2
    }
}

/// The number of states in the layers of a game: about `n²/2m`. O(1).
///
/// ```
/// use kopek_coins::{Game, layers};
/// assert_eq!(layers::count_states(&Game::new(vec![0; 5], 2, 0)?), 5 + 3 + 1);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn count_states(game: &Game) -> u64 {
    let Some(top) = (game.turns() as u64).checked_sub(1) else { return 0 };
    let first = (game.coins().len() - game.last_length() + 1) as u64;
    (2 * first - top * game.players() as u64) * (top + 1) / 2
}

/// `w_0` over a whole row: the last move of `p_k`, in stretches of `length` coins.
pub fn lowest_layer(x: &[i64], length: usize) -> Vec<i64> {
    x.iter().zip(&x[length - 1..]).map(|(&first, &last)| first.max(last)).collect()
}
