//! Two players and one row, in linear time: Idziaszek's algorithm.
//!
//! It rests on two facts by T. Idziaszek ("An Optimal Algorithm for Calculating the Profit in the Coins in a
//! Row Game"):
//!
//! * **Fusion.** Three neighbours `x, M, y` with `x <= M >= y` may be replaced by
//!   the single coin `x - M + y` without changing the advantage of the player
//!   to move. A stack fuses a row in one pass; what remains is a *valley*, first
//!   falling, then rising.
//! * **Greed.** In a valley a greatest coin is always at an end, and taking it is
//!   right; so the coins go in descending order.
//!
//! The comparison is `<=`, not `<` (`0 1 1 1 0`); fusing is a `while`, not an `if` (`0 1 2 3 0`); fused coins
//! may be negative even if no coin was (`0 1 0`). In the paper's rule for an optimal move, `d[i, j+1]` must
//! be `d[i, j-1]`, and in its definition of a value `V_A ∪ {v}` must be `V_A \ {v}`.
//!
//! # Open: more than two players
//!
//! Fusion does not carry over to `m >= 3`, where the others together can walk *through* a great coin in one
//! round. Attempts so far:
//!
//! * An exhaustive search for reductions "pattern → shorter pattern plus a
//!   constant" (patterns of 3, 4 and 6 coins for m = 3; 4 to 6 for m = 4, 5)
//!   found none that survives greater coins elsewhere in the row.
//! * **Conjecture, unproved:** if `M` is a greatest coin of the *whole* row, a
//!   block `x, M, …, M, y` with m - 1 copies of `M` may be replaced by
//!   `x - M + y`, adding `M` to the value. It held in 10⁵ random rows for each
//!   m from 2 to 6; the tests try it again. It does not make an algorithm: one
//!   greatest coin alone cannot be removed.
//! * Refuted: the same with greater coins elsewhere (m = 3, k = 1,
//!   `4 5 1 1 1 1`); lowering a lone greatest coin inside the row to the second
//!   greatest (m = 3, k = 0, `0 1 1 2 1 1 0`); lowering local maxima to their
//!   greater neighbour (m = 3, k = 0, `0 1 0 1 0`).
//!
//! For 3 <= m < n/2, no method below n²/m states is known, and no proof that there is none.

use super::game::{self, GameError, TwoScores};

/// Both players' scores under optimal play. O(n) time and memory.
///
/// ```
/// use kopek_coins::row_fusion::two_player_scores;
/// let scores = two_player_scores(&[4, 7, 2, 9, 5, 2])?;
/// assert_eq!((scores.first, scores.second), (18, 11));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn two_player_scores(coins: &[i64]) -> Result<TwoScores, GameError> {
    let total = game::checked_total(coins)?;
    // Total and advantage have the same parity: each is the other plus twice the second score.
    let first = (total + valley_advantage(&fuse_row(coins))) / 2;
    Ok(TwoScores { first, second: total - first })
}

/// The first player's score minus the second's. O(n) time and memory.
///
/// ```
/// assert_eq!(kopek_coins::row_fusion::first_advantage(&[0, 1, 0])?, -1);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn first_advantage(coins: &[i64]) -> Result<i64, GameError> {
    game::checked_total(coins)?;
    Ok(valley_advantage(&fuse_row(coins)))
}

/// The valley into which a row fuses.
pub(super) fn fuse_row(coins: &[i64]) -> Vec<i64> {
    let mut valley = Vec::new();
    for &coin in coins {
        push_and_fuse(&mut valley, coin);
    }
    valley
}

/// Adds a coin to the right of a valley and fuses while there is a hill at its end.
fn push_and_fuse(valley: &mut Vec<i64>, mut coin: i64) {
    // `while`, because one fusion can expose the next hill (`0 1 2 3 0`), and `<=`, because a plateau is a
    // hill as well (`0 1 1 1 0`).
    while let [.., x, hill] = valley[..]
        && x <= hill
        && hill >= coin
    {
        coin += x - hill;
        valley.truncate(valley.len() - 2);
    }
    valley.push(coin);
}

/// Greedy play on a valley: always takes the greater end.
fn valley_advantage(mut valley: &[i64]) -> i64 {
    let (mut advantage, mut sign) = (0, 1);
    while let [first, .., last] = *valley {
        let left = first >= last;
        advantage += sign * first.max(last);
        sign = -sign;
        valley = if left { &valley[1..] } else { &valley[..valley.len() - 1] };
    }
    advantage + sign * valley.first().copied().unwrap_or(0)
}
