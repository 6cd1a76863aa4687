//! Three players: the guaranteed value of the last of them.
//!
//! The recurrence that earns 60 of 100 points in *From Russia with Love*: the two before him take both coins
//! from the left, both from the right, or one from each side; then he takes an end. The value of fewer than
//! three coins is 0.
//!
//! ```text
//! w(i,j) = min( max(x[i+2] + w(i+3,j),   x[j-1] + w(i+2,j-1)),
//!               max(x[i]   + w(i+1,j-2), x[j-3] + w(i,j-3)),
//!               max(x[i+1] + w(i+2,j-1), x[j-2] + w(i+1,j-2)) )      j - i >= 3
//! ```

use super::game::{self, GameError};

/// The guaranteed value of the last of three players. O(n²) time, O(n) memory.
///
/// ```
/// assert_eq!(kopek_coins::three_players::last_of_three(&[1, 1, 8, 5, 5])?, 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn last_of_three(x: &[i64]) -> Result<i64, GameError> {
    game::checked_total(x)?;
    let n = x.len();
    // w[i] is w(i, i + length) for the length shorter by three: it ends at i + length - 3.
    let mut w = vec![0; n + 1];
    for length in (n % 3 + 3..=n).step_by(3) {
        for i in 0..=n - length {
            let j = i + length;
            let both_left = (x[i + 2] + w[i + 3]).max(x[j - 1] + w[i + 2]);
            let both_right = (x[i] + w[i + 1]).max(x[j - 3] + w[i]);
            let one_each = (x[i + 1] + w[i + 2]).max(x[j - 2] + w[i + 1]);
            w[i] = both_left.min(both_right).min(one_each);
        }
    }
    Ok(w[0])
}
