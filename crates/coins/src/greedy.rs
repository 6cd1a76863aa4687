//! Greedy play where it is optimal: the greatest coin of the row is at an end.
//!
//! **Theorem (any number of players).** Fix the order of moves. If a greatest coin `M` of the row is at an
//! end, taking it is optimal for the player to move.
//!
//! Proof. Write `V(X)` for the value to `p_k` of a row `X` under the word of turns
//! that is left. Claim, by induction on the length of `X`: if `M` is at least `y` and
//! every coin of `X`, then `0 <= V(MX) - V(Xy) <= M - y`, and mirrored. The claim one
//! length below gives greed: on `M X' z`, the two moves of `p_k` differ by
//! `M + V(X'z) - z - V(MX') >= 0`, those of another player by `V(MX') - V(X'z) >= 0`.
//! *Lower bound.* If another moves, `V(MX) = V'(X)` by greed, and he may also take
//! `y` from `Xy`. If `p_k` moves, `V(MX) = M + V'(X)`; `V(Xy)` is `y + V'(X)`, or
//! `x + V'(X'y)` with `X = xX'`, and raising `y` to `M` gives
//! `V'(X'y) - V'(xX') <= V'(X'M) - V'(xX') <= M - x`. *Upper bound.* `p_k` may take
//! `y`; another leaves `V'(X)` (difference 0) or `V'(X'y)`, and
//! `V'(xX') - V'(X'y) <= V'(MX') - V'(X'y) <= M - y`. ∎
//!
//! So a *valley* (falling, then rising) is played greedily to the end for all `m` and `k`, and neighbouring
//! states of a layer differ by at most the spread of the coins. On random rows the condition fails after a
//! coin or two.

use super::game::{EndValues, Game, RowEnd};

/// The guaranteed value of `p_k` if the row is a valley; `None` if it has a hill. O(n).
///
/// ```
/// use kopek_coins::{Game, greedy};
/// assert_eq!(greedy::on_valley(&Game::new(vec![9, 4, 1, 1, 6], 3, 1)?), Some(6 + 1));
/// assert_eq!(greedy::on_valley(&Game::new(vec![0, 1, 0], 3, 1)?), None);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn on_valley(game: &Game) -> Option<i64> {
    is_valley(game.coins()).then(|| all_greedy(game))
}

/// Whether no smaller coin follows after a rise.
fn is_valley(x: &[i64]) -> bool {
    let rise = x.windows(2).position(|pair| pair[0] < pair[1]).unwrap_or(x.len());
    x[rise.min(x.len())..].is_sorted()
}

/// The value of `p_k` if everyone always takes the greater end (left if equal). O(n).
///
/// ```
/// use kopek_coins::{Game, greedy};
/// assert_eq!(greedy::all_greedy(&Game::new(vec![0, 1, 0, 0], 2, 0)?), 0);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn all_greedy(game: &Game) -> i64 {
    let mut row = game.coins();
    let mut won = 0;
    for index in 0..game.coins().len() {
        let ends = EndValues { left: row[0], right: row[row.len() - 1] };
        let end = ends.greater_end();
        won += if game.is_my_move(index) { ends.of(end) } else { 0 };
        row = match end {
            RowEnd::Left => &row[1..],
            RowEnd::Right => &row[..row.len() - 1],
        };
    }
    won
}
