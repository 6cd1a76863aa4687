//! One move at a time: an independent second opinion.
//!
//! A state is a stretch of coins; who moves follows from its length. `p_k` takes
//! the greater of two sums, another player leaves the lesser of two values.
//! No windows, no rounds: nothing here is shared with the layers, which makes
//! it a witness for them. O(n²) time, O(n) memory, any number of players.

use super::game::Game;

/// What `p_k` can be sure of, one move at a time. O(n²) time, O(n) memory.
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

/// What `p_k` gets if all players play for `p_k`. O(n²) time, O(n) memory.
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
    // value[i]: the stretch of `length` coins that begins at i; the empty stretch is worth nothing.
    let mut value = vec![0; n + 1];
    for length in 1..=n {
        let mine = game.is_my_move(n - length);
        // In place: ascending i reads value[i] and value[i + 1] before either is replaced.
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
