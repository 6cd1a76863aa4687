//! The rules: a row of coins, `m` players, and the player `p_k` whose value is computed.
//!
//! Players `p_0, p_1, …, p_{m-1}` take turns, each time one coin from either end of the row, until it is
//! empty. All except `p_k` are hostile: they only want `p_k` to win little. This file defines the order of
//! moves and the accepted sizes; it does not know the solvers.

use std::fmt;

/// The most coins in a row.
pub const MAX_COINS: usize = 1 << 31;

/// The greatest sum of absolute values. Below it every sum and difference in the solvers fits into an `i64`;
/// rows above it are refused and never wrap around.
pub const MAX_TOTAL: i64 = 1 << 62;

/// Why a row or a game was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// `m = 0`.
    #[error("a game needs at least one player")]
    NoPlayers,
    /// `k >= m`.
    #[error("there is no player {me} among {players}: players are counted from 0")]
    NoSuchPlayer {
        /// The player in the request.
        me: usize,
        players: usize,
    },
    /// More than `MAX_COINS`.
    #[error("{0} coins are too many: at most 2^31 are accepted")]
    TooManyCoins(usize),
    /// The sum of absolute values exceeds `MAX_TOTAL`.
    #[error("the absolute values of the coins sum to more than 2^62; divide them by a common factor")]
    TotalTooLarge,
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

/// A value for each of two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EndValues {
    /// The value of the left end.
    pub left: i64,
    /// The value of the right end.
    pub right: i64,
}

impl EndValues {
    /// The value of this end.
    pub fn of(&self, end: RowEnd) -> i64 {
        match end {
            RowEnd::Left => self.left,
            RowEnd::Right => self.right,
        }
    }

    /// The end with the greater value; left if both are equal.
    pub fn greater_end(&self) -> RowEnd {
        if self.left >= self.right { RowEnd::Left } else { RowEnd::Right }
    }
}

/// The scores of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoScores {
    /// The score of the player who moves first.
    pub first: i64,
    /// The score of the other.
    pub second: i64,
}

/// The sum of a row, if the row is within `MAX_COINS` and `MAX_TOTAL`. O(n).
///
/// ```
/// assert_eq!(kopek_coins::game::checked_total(&[3, -1, 2]), Ok(4));
/// assert!(kopek_coins::game::checked_total(&[i64::MAX]).is_err());
/// ```
pub fn checked_total(coins: &[i64]) -> Result<i64, GameError> {
    if coins.len() > MAX_COINS {
        return Err(GameError::TooManyCoins(coins.len()));
    }
    // In u128, because this sum comes before any bound on the coins.
    let size: u128 = coins.iter().map(|x| u128::from(x.unsigned_abs())).sum();
    if size > MAX_TOTAL as u128 {
        return Err(GameError::TotalTooLarge);
    }
    Ok(coins.iter().sum())
}

/// A row, the number of players, and the index of `p_k`.
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
    /// Accepts the row, or returns the reason for a refusal. Empty rows and negative coins are allowed. O(n).
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

    /// The number of players (`m`).
    pub fn players(&self) -> usize {
        self.players
    }

    /// The index of `p_k` (`k`).
    pub fn me(&self) -> usize {
        self.me
    }

    pub fn total(&self) -> i64 {
        self.total
    }

    /// The number of moves of `p_k`: `ceil((n - k) / m)`, none if `n <= k`.
    pub fn turns(&self) -> usize {
        self.coins.len().saturating_sub(self.me).div_ceil(self.players)
    }

    /// Whether the `index`-th move of the game (from 0) is `p_k`'s.
    pub fn is_my_move(&self, index: usize) -> bool {
        index % self.players == self.me
    }

    /// The number of coins left at the last move of `p_k`: `L_0`. `p_k` must have a move in the game.
    pub fn last_length(&self) -> usize {
        (self.coins.len() - self.me - 1) % self.players + 1
    }
}
