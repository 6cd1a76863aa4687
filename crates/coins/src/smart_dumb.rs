//! Smart and dumb: the first of two players against a hostile or a helping second player.
//!
//! After Christoph Dürr's note on the row of coins. `smart[i,j]` is the guaranteed value of the player to
//! move; `dumb[i,j]` is the same value if the second player throws the game. The text there says that the
//! second player "minimises his gain"; its program, like this one, minimises *his own* gain: both players
//! work for the first one. The printed program lacks a brace, fills its tables n times, and keeps three times
//! n² numbers on the stack; here each diagonal replaces the one before.

use super::game::{self, GameError};

/// The first player's scores in the two games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmartDumbScores {
    /// With a second player who helps.
    pub helped: i64,
    /// Against a second player who does not.
    pub hostile: i64,
}

/// Both scores. O(n²) time, O(n) memory.
///
/// ```
/// use kopek_coins::smart_dumb::smart_dumb_scores;
/// let both = smart_dumb_scores(&[4, 5, 1, 3])?;
/// assert_eq!((both.helped, both.hostile), (9, 8));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn smart_dumb_scores(coins: &[i64]) -> Result<SmartDumbScores, GameError> {
    game::checked_total(coins)?;
    let n = coins.len();
    if n == 0 {
        return Ok(SmartDumbScores { helped: 0, hostile: 0 });
    }
    // At index i: the interval [i, i + d] of the diagonal d.
    let (mut smart, mut dumb, mut sum) = (coins.to_vec(), coins.to_vec(), coins.to_vec());
    for d in 1..n {
        for i in 0..n - d {
            let j = i + d;
            sum[i] += coins[j];
            smart[i] = sum[i] - smart[i + 1].min(smart[i]);
            // Player 1 moves if j - i has the parity of n - 1, and chooses the move that leaves player 2
            // least.
            dumb[i] = if (d + n) % 2 == 1 {
                sum[i] - dumb[i + 1].min(dumb[i])
            } else {
                sum[i] - dumb[i + 1].max(dumb[i])
            };
        }
    }
    Ok(SmartDumbScores { helped: dumb[0], hostile: smart[0] })
}
