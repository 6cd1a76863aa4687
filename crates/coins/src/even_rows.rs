//! Even rows: the guaranteed value of the first of two players, two moves per step.
//!
//! After the note "Optimal strategy for a game". The recurrence skips the opponent's reply, so half the
//! lengths are never needed; the source computes them anyway and fails on the empty row. Odd rows follow the
//! same formulas; this function refuses them because the rules of the game do.
//!
//! ```text
//! v[i][j] = max(row[i] + min(v[i+2][j], v[i+1][j-1]), row[j] + min(v[i+1][j-1], v[i][j-2]))
//! v[i][i+1] = max(row[i], row[i+1])
//! ```

use super::game::{self, GameError};

/// The first player's guaranteed score on a row of even length. O(n²) time, O(n) memory.
///
/// ```
/// use kopek_coins::even_rows::even_row_score;
/// assert_eq!(even_row_score(&[3, 17, 2, 1])?, 18);
/// assert!(even_row_score(&[1, 2, 3]).is_err());
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn even_row_score(row: &[i64]) -> Result<i64, GameError> {
    game::checked_total(row)?;
    let n = row.len();
    if !n.is_multiple_of(2) {
        return Err(GameError::OutsideTheRules("this game is played on an even number of coins"));
    }
    // v[i] is v[i][i + length - 1]; the values of the length shorter by two are at i, i + 1 and i + 2.
    let mut v = vec![0; n + 1];
    for length in (2..=n).step_by(2) {
        for i in 0..=n - length {
            let j = i + length - 1;
            // Overwriting in ascending order is safe: v[i] of the shorter length is read here for the last
            // time.
            v[i] = if length == 2 {
                row[i].max(row[j])
            } else {
                (row[i] + v[i + 2].min(v[i + 1])).max(row[j] + v[i + 1].min(v[i]))
            };
        }
    }
    Ok(v[0])
}
