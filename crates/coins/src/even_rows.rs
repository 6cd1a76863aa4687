//! Even rows: what the first of two players can be sure of, two moves per step.
//!
//! After the note "Optimal strategy for a game". The recurrence jumps over the
//! opponent's reply, so half the lengths are never needed; the source fills
//! them anyway and fails on the empty row. Odd rows obey the same
//! formulas; the game refuses them because its rules do.
//!
//! ```text
//! v[i][j] = max(row[i] + min(v[i+2][j], v[i+1][j-1]), row[j] + min(v[i+1][j-1], v[i][j-2]))
//! v[i][i+1] = max(row[i], row[i+1])
//! ```

use super::game::{self, GameError};

/// The first player's greatest certain score on a row of even length.
/// O(n²) time, O(n) memory.
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
    // v[i] stands for v[i][i + length - 1]; what is two shorter lies at i, i + 1 and i + 2.
    let mut v = vec![0; n + 1];
    for length in (2..=n).step_by(2) {
        for i in 0..=n - length {
            let j = i + length - 1;
            // Ascending i may overwrite: v[i] of the shorter length is read here for the last time.
            v[i] = if length == 2 {
                row[i].max(row[j])
            } else {
                (row[i] + v[i + 2].min(v[i + 1])).max(row[j] + v[i + 1].min(v[i]))
            };
        }
    }
    Ok(v[0])
}
