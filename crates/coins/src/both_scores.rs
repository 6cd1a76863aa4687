//! Both scores of two players who each maximise their own score.
//!
//! After the USACO training problem "A Game". `D(n, m)` is the first player's score if he moves on the board
//! from n to m, `E(n, m)` his score if the second player moves and leaves him the lesser rest. Substituting
//! `E` in `D` leaves one table. The second score is the sum minus the first. The source lacks the pictures of
//! the formulas; they are:
//!
//! ```text
//! E(n, m) = min(D(n+1, m), D(n, m-1))
//! D(n, m) = max(A[n] + E(n+1, m), A[m] + E(n, m-1)),   D(n, n) = A[n],   D = 0 on an empty board
//! ```

use super::game::{self, GameError, TwoScores};

/// Both scores by the table of the source. O(n²) time and memory: an independent check for small rows;
/// [`two_player_scores`](super::row_fusion::two_player_scores) takes O(n).
///
/// ```
/// use kopek_coins::both_scores::both_scores;
/// let scores = both_scores(&[4, 7, 2, 9, 5, 2])?;
/// assert_eq!((scores.first, scores.second), (18, 11));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn both_scores(board: &[i64]) -> Result<TwoScores, GameError> {
    let total = game::checked_total(board)?;
    let size = board.len();
    // d[n][m + 1]: the extra column on the left is the empty board.
    let mut d = vec![vec![0i64; size + 2]; size + 2];
    // Backwards, because D(n, m) reads the boards that begin at n + 1 and n + 2.
    for n in (0..size).rev() {
        for m in n..size {
            d[n][m + 1] = if n == m {
                board[n]
            } else {
                let left_taken = d[n + 2][m + 1].min(d[n + 1][m]);
                let right_taken = d[n + 1][m].min(d[n][m - 1]);
                (board[n] + left_taken).max(board[m] + right_taken)
            };
        }
    }
    let first = if size == 0 { 0 } else { d[0][size] };
    Ok(TwoScores { first, second: total - first })
}
