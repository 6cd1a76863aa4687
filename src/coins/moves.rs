//! One move at a time: the second opinion.
//!
//! A state is a stretch of coins; who moves follows from its length. `p_k` takes
//! the greater of two sums, another player leaves the lesser of two values.
//! No windows, no rounds: nothing here is shared with the layers, which makes
//! it a witness for them. O(n²) time, O(n) memory, any number of players.

use super::game::Game;

/// What `p_k` can be sure of, one move at a time. O(n²) time, O(n) memory.
///
/// ```
/// use kopek::coins::{Game, moves};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(moves::guaranteed(&game), 5);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn guaranteed(game: &Game) -> i64 {
    by_moves(game, i64::min)
}

/// What `p_k` gets if all players play for `p_k`. O(n²) time, O(n) memory.
///
/// ```
/// use kopek::coins::{Game, moves};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(moves::cooperative(&game), 8);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn cooperative(game: &Game) -> i64 {
    by_moves(game, i64::max)
}

fn by_moves(game: &Game, others: fn(i64, i64) -> i64) -> i64 {
    let (x, n) = (game.coins(), game.coins().len());
    // value[i]: the stretch of `length` coins that begins at i; the empty stretch is worth nothing.
    let mut value = vec![0; n + 1];
    for length in 1..=n {
        let mine = game.is_my_move(n - length);
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
