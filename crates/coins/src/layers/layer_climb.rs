//! What a climb through the layers is: where it begins, over what and how far.
//!
//! All ways to climb share these words; none of them is known here.

use crate::game::Game;

/// Called, from any thread, with the number of states computed since the last call.
pub type ProgressFn<'a> = dyn Fn(u64) + Sync + 'a;

/// A climb of `rounds` layers, from the layer of stretches of `length` coins.
#[derive(Debug, Clone, Copy)]
pub struct LayerClimb {
    /// Coins of the row.
    pub n: usize,
    /// Players.
    pub m: usize,
    /// Coins of a stretch of the first layer.
    pub length: usize,
    /// How many layers are climbed.
    pub rounds: usize,
}

impl LayerClimb {
    /// States of the layer `rounds` above the first.
    pub fn states_after(&self, rounds: usize) -> usize {
        self.n - (self.length + rounds * self.m) + 1
    }

    /// States of all layers climbed to.
    pub fn all_states(&self) -> u64 {
        let first = self.states_after(1.min(self.rounds)) as u64;
        let last = self.states_after(self.rounds) as u64;
        (first + last) * self.rounds as u64 / 2
    }
}

/// How many states the layers of a game have: about `n²/2m`. O(1).
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
