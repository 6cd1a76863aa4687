//! The rules: a row of coins, `m` players, and the one player we care about.
//!
//! Players `p_0, p_1, …, p_{m-1}` take turns, each time one coin from either end
//! of the row, until it is empty. All but `p_k` are hostile: they care only
//! that `p_k` wins little. This file knows who moves when and what sizes are
//! accepted; it does not know how anything is solved.

use std::fmt;

/// Most coins in a row.
pub const MOST_COINS: usize = 1 << 31;

/// Greatest sum of absolute values. Below it every sum and difference that the
/// solvers form fits into an `i64`; greater rows are refused, never wrapped.
pub const GREATEST_TOTAL: i64 = 1 << 62;

/// Why a row or a game was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// `m = 0`.
    #[error("a game needs at least one player")]
    NoPlayers,
    /// `k >= m`.
    #[error("there is no player {me} among {players}: players are counted from 0")]
    NoSuchPlayer {
        /// The player that the caller named.
        me: usize,
        /// How many there are.
        players: usize,
    },
    /// More than `MOST_COINS`.
    #[error("{0} coins are too many: at most 2^31 are accepted")]
    TooManyCoins(usize),
    /// The sum of absolute values passes `GREATEST_TOTAL`.
    #[error("the absolute values of the coins sum to more than 2^62; divide them by a common factor")]
    TotalTooLarge,
    /// A rule of one particular game is broken.
    #[error("{0}")]
    OutsideTheRules(&'static str),
}

/// One end of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowEnd {
    /// The first coin.
    Left,
    /// The last coin.
    Right,
}

impl RowEnd {
    /// The other end.
    pub fn opposite(self) -> RowEnd {
        match self {
            RowEnd::Left => RowEnd::Right,
            RowEnd::Right => RowEnd::Left,
        }
    }

    /// `L` or `R`.
    pub fn letter(self) -> char {
        match self {
            RowEnd::Left => 'L',
            RowEnd::Right => 'R',
        }
    }
}

impl fmt::Display for RowEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.letter())
    }
}

/// What the two ends of something are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EndValues {
    /// Worth of the left end.
    pub left: i64,
    /// Worth of the right end.
    pub right: i64,
}

impl EndValues {
    /// Worth of the named end.
    pub fn of(&self, end: RowEnd) -> i64 {
        match end {
            RowEnd::Left => self.left,
            RowEnd::Right => self.right,
        }
    }

    /// The end worth more; left when both are worth the same.
    pub fn greater_end(&self) -> RowEnd {
        if self.left >= self.right { RowEnd::Left } else { RowEnd::Right }
    }
}

/// What two players end up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoScores {
    /// Of the player who moves first.
    pub first: i64,
    /// Of the other.
    pub second: i64,
}

/// The sum of a row, if the row is within `MOST_COINS` and `GREATEST_TOTAL`. O(n).
///
/// ```
/// assert_eq!(kopek_coins::game::checked_total(&[3, -1, 2]), Ok(4));
/// assert!(kopek_coins::game::checked_total(&[i64::MAX]).is_err());
/// ```
pub fn checked_total(coins: &[i64]) -> Result<i64, GameError> {
    if coins.len() > MOST_COINS {
        return Err(GameError::TooManyCoins(coins.len()));
    }
    // In u128, because this is the one sum that runs before anything bounds the coins.
    let size: u128 = coins.iter().map(|x| u128::from(x.unsigned_abs())).sum();
    if size > GREATEST_TOTAL as u128 {
        return Err(GameError::TotalTooLarge);
    }
    Ok(coins.iter().sum())
}

/// A row, the number of players, and which of them is `p_k`.
///
/// ```
/// use kopek_coins::Game;
/// let game = Game::new(vec![1, 3, 2, 5, 4], 2, 1)?;
/// assert_eq!((game.turns(), game.total()), (2, 15));
/// assert!(Game::new(vec![], 3, 3).is_err());
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    coins: Vec<i64>,
    players: usize,
    me: usize,
    total: i64,
}

impl Game {
    /// Accepts the row, or says why not. Empty rows and negative coins are welcome. O(n).
    pub fn new(coins: Vec<i64>, players: usize, me: usize) -> Result<Game, GameError> {
        if players == 0 {
            return Err(GameError::NoPlayers);
        }
        if me >= players {
            return Err(GameError::NoSuchPlayer { me, players });
        }
        let total = checked_total(&coins)?;
        Ok(Game { coins, players, me, total })
    }

    /// The row, left to right.
    pub fn coins(&self) -> &[i64] {
        &self.coins
    }

    /// How many players there are (`m`).
    pub fn players(&self) -> usize {
        self.players
    }

    /// Which player we care about (`k`).
    pub fn me(&self) -> usize {
        self.me
    }

    /// Sum of all coins.
    pub fn total(&self) -> i64 {
        self.total
    }

    /// How often `p_k` moves: `ceil((n - k) / m)`, none if `n <= k`.
    pub fn turns(&self) -> usize {
        self.coins.len().saturating_sub(self.me).div_ceil(self.players)
    }

    /// Whether the `index`-th move of the game (from 0) is `p_k`'s.
    pub fn is_my_move(&self, index: usize) -> bool {
        index % self.players == self.me
    }

    /// Number of coins left when `p_k` moves for the last time: `L_0`.
    /// The game must be one in which `p_k` moves at all.
    pub fn last_length(&self) -> usize {
        (self.coins.len() - self.me - 1) % self.players + 1
    }
}
