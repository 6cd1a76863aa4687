//! The layers: what `p_k` can be sure of among `m` players, round by round.
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
//! Why: after `p_k`'s move the `m-1` others take `h` coins from the left and
//! `m-1-h` from the right; every `h` is possible, their order is all one to `p_k`,
//! and a path of minimisers is a minimum over its ends. All windows of a layer
//! have the same size, hence O(1) per state and about `n²/2m` states.
//!
//! | file | what | about how fast (m = 3, AVX-512, ns per state) |
//! |---|---|---|
//! | `scalar` | one state at a time, checked arithmetic | 8 |
//! | `sweep` | a layer in one pass, in place | 0.09 |
//! | `tiles` | many layers of a few states; the ring of threads | 0.085 |
//! | `transposed` | neighbours in neighbouring vectors, several layers per pass | 0.035 |
//!
//! [`Engine`] names a combination; [`Engine::choose`] picks by the bound of the
//! values, the size of the game and the CPU.

mod engine;
mod kinds;
pub(crate) mod lane;
mod scalar;
mod sweep;
mod tiles;
mod transposed;

pub use engine::Engine;
pub use kinds::{Instructions, Number, Shape};

use super::game::Game;
use super::{greedy, row};

/// Is told, from any thread, how many states have been computed since it was last told.
pub type Watch<'a> = dyn Fn(u64) + Sync + 'a;

/// What `p_k` can be sure of, by the fastest way this machine knows: a sum for one
/// player, Idziaszek's algorithm for two, greed on valleys, layers otherwise.
/// O(n²/m) time at worst, O(n) memory.
///
/// ```
/// use kopek::coins::{Game, guaranteed};
/// let game = Game::new(vec![100, 100, 1, 1, 8, 5, 5], 3, 1)?;
/// assert_eq!(guaranteed(&game), 105);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn guaranteed(game: &Game) -> i64 {
    guaranteed_watched(game, &|_| {})
}

/// The same; `watch` hears of progress through the [`states`] of the game, if
/// the game is such that its layers are computed.
///
/// ```
/// use kopek::coins::{Game, guaranteed_watched};
/// let game = Game::new(vec![1, 3, 2, 5, 4], 2, 1)?;
/// assert_eq!(guaranteed_watched(&game, &|_| {}), 8);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn guaranteed_watched(game: &Game, watch: &Watch<'_>) -> i64 {
    if game.players() == 1 {
        return game.total();
    }
    if game.players() == 2 {
        let scores = row::two_players(game.coins()).expect("the game bounds the sum of its coins");
        return if game.me() == 0 { scores.first } else { scores.second };
    }
    greedy::on_valley(game).unwrap_or_else(|| Engine::choose(game).value(game, watch))
}

/// How many states the layers of a game have: about `n²/2m`. O(1).
///
/// ```
/// use kopek::coins::{Game, layers};
/// assert_eq!(layers::states(&Game::new(vec![0; 5], 2, 0)?), 5 + 3 + 1);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn states(game: &Game) -> u64 {
    let Some(top) = (game.turns() as u64).checked_sub(1) else { return 0 };
    let first = (game.coins().len() - game.last_length() + 1) as u64;
    (2 * first - top * game.players() as u64) * (top + 1) / 2
}

/// `w_0` over a whole row.
pub(crate) fn lowest(x: &[i64], length: usize) -> Vec<i64> {
    x.iter().zip(&x[length - 1..]).map(|(&first, &last)| first.max(last)).collect()
}
