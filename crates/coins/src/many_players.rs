//! Many players, by the solutions in the source of *From Russia with Love*.
//!
//! Literal implementations, kept as independent checks and as the baseline of the fast engines:
//! [`by_recursion`] with a table, and [`bottom_up`], which fills the same table by length.
//!
//! ```text
//! w(i,j) = max( x[i]   + min over h in 0..m of w(i+h+1, j-(m-h-1)),
//!               x[j-1] + min over h in 0..m of w(i+h,   j-(m-h)) )      j > i,  else 0
//! M      = min over h in 0..=k of w(h, n-(k-h))
//! ```
//!
//! The source uses 500·1024+1 for infinity and -1 for "not known yet". The first silently cuts off greater
//! sums (from n = 501 on), and the second makes negative coins take exponential time; both are fixed here.
//! Intervals with `j < i` occur only for all `h` at once, so 0 is right for them.

use super::game::Game;

/// The guaranteed value of `p_k`, by recursion with a table. O(n²) time and memory, recursion depth n/m: for
/// rows of up to some ten thousand coins.
///
/// ```
/// use kopek_coins::{Game, many_players};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(many_players::by_recursion(&game), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn by_recursion(game: &Game) -> i64 {
    // All (n+1)² cells, as in the source, although only lengths of one class mod m are used.
    let mut table = RecursionTable { game, width: game.coins().len() + 1, value: Vec::new() };
    table.value.resize(table.width * table.width, UNKNOWN);
    least_after_first_moves(game, |i, j| table.winnings_of(i, j))
}

/// The guaranteed value of `p_k`, by the same table, shortest stretches first. O(n²) time and memory.
///
/// ```
/// use kopek_coins::{Game, many_players};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// assert_eq!(many_players::bottom_up(&game), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn bottom_up(game: &Game) -> i64 {
    let (x, n, m) = (game.coins(), game.coins().len(), game.players());
    let mut w = vec![vec![0i64; n + 1]; n + 1];
    let lengths = (1..=n).filter(|length| game.is_my_move(n - length));
    for length in lengths {
        for i in 0..=n - length {
            let j = i + length;
            // With fewer than m coins, every reply empties the row.
            let least = |i: usize| (0..m).map(|h| w[i + h][i + h + length - m]).min();
            let (left, right) = if length < m { (None, None) } else { (least(i + 1), least(i)) };
            w[i][j] = (x[i] + left.unwrap_or(0)).max(x[j - 1] + right.unwrap_or(0));
        }
    }
    least_after_first_moves(game, |i, j| w[i][j])
}

/// The least value over everything that the k players before `p_k` can leave.
fn least_after_first_moves(game: &Game, mut w: impl FnMut(usize, usize) -> i64) -> i64 {
    let (n, k) = (game.coins().len(), game.me());
    if n <= k {
        return 0;
    }
    (0..=k).map(|h| w(h, n - (k - h))).min().unwrap_or(0)
}

/// No value: sums of accepted rows are above it.
const UNKNOWN: i64 = i64::MIN;

struct RecursionTable<'a> {
    game: &'a Game,
    width: usize,
    value: Vec<i64>,
}

impl RecursionTable<'_> {
    fn winnings_of(&mut self, i: usize, j: usize) -> i64 {
        if self.value[i * self.width + j] != UNKNOWN {
            return self.value[i * self.width + j];
        }
        let m = self.game.players();
        let (mut left, mut right) = (0, 0);
        // j - i > m - 1 keeps every interval below from being negative; otherwise all of them are.
        if j - i >= m {
            (left, right) = (i64::MAX, i64::MAX);
            for h in 0..m {
                left = left.min(self.winnings_or_zero(i + h + 1, j + h + 1 - m));
                right = right.min(self.winnings_or_zero(i + h, j + h - m));
            }
        }
        let (x, at) = (self.game.coins(), i * self.width + j);
        self.value[at] = (x[i] + left).max(x[j - 1] + right);
        self.value[at]
    }

    fn winnings_or_zero(&mut self, i: usize, j: usize) -> i64 {
        if j <= i { 0 } else { self.winnings_of(i, j) }
    }
}
