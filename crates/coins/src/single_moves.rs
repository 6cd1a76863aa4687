//! Computes one move at a time: an independent check.
//!
//! A state is a stretch of coins; its length determines which player moves. `p_k` takes the greater of two
//! sums, another player leaves the lesser of two values. There are no windows and no rounds: nothing is
//! shared with the layers, so it can check them. O(n²) time, O(n) memory, any number of players.

use super::game::Game;

/// The guaranteed value of `p_k`, one move at a time. O(n²) time, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, single_moves};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(single_moves::guaranteed_by_moves(&game), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_by_moves(game: &Game) -> i64 {
    value_by_moves(game, i64::min)
}

/// The value of `p_k` if all players play for `p_k`. O(n²) time, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, single_moves};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(single_moves::cooperative_by_moves(&game), 8);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn cooperative_by_moves(game: &Game) -> i64 {
    value_by_moves(game, i64::max)
}

fn value_by_moves(game: &Game, others: fn(i64, i64) -> i64) -> i64 {
    let (x, n) = (game.coins(), game.coins().len());
    // value[i]: the stretch of `length` coins that begins at i; the value of the empty stretch is 0.
    let mut value = vec![0; n + 1];
    for length in 1..=n {
        let mine = game.is_my_move(n - length);
        // In place: ascending order reads value[i] and value[i + 1] before either is replaced.
        for i in 0..=n - length {
            value[i] = if mine {
                (x[i] + value[i + 1]).max(x[i + length - 1] + value[i])
            } else {
                others(value[i + 1], value[i])
            };
        }
    }
    value[0]
}
