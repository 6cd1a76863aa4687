//! Two players: the values of both moves during a whole game.
//!
//! Idziaszek's fusion ([`row_fusion`](super::row_fusion)) needs one pass per state. Here two fused valleys
//! grow from a pivot to both ends of the row; taking a coin *undoes* the last step of one of them, and a
//! query fuses the two valleys at their common point. When one side is used up, a new pivot is set in the
//! middle of the rest: O(n) in total. A query costs the length of the valleys: some dozens on random rows of
//! a million coins, the whole row on a mountain or a valley.
//!
//! # Open: an optimal line of play in o(n²)
//!
//! The worst case stays Θ(n²): whether all optimal moves of a game can be found faster (Idziaszek's question)
//! is open. Attempts so far: fusing from scratch at every move (n² always); this file (fused valleys of
//! random rows were 7.6, 11, 11.8, 16 coins long for n = 10³ … 10⁶; that they are Θ(log n) on average is a
//! **conjecture**); the [`navigator`](super::navigator) (n²/4 vector steps for any row). Hence the fallback:
//! after too much work the navigator takes over.

use super::game::{self, EndValues, Game, GameError, RowEnd};
use super::navigator::Navigator;
use super::row_fusion::{push_and_fuse, valley_advantage};

/// A fused valley that grows at one end and can undo its last growth.
#[derive(Default)]
struct FusedSide {
    /// The valley; the end of the row is last.
    valley: Vec<i64>,
    /// Coins that were fused away, oldest first.
    fused: Vec<i64>,
    /// For every coin of the side, the number of entries in `fused` that it caused.
    steps: Vec<usize>,
}

impl FusedSide {
    // Not `row_fusion::push_and_fuse`, because this must be undone: it records the coins that it fuses away.
    fn push(&mut self, coin: i64) {
        let (mut end, before) = (coin, self.fused.len());
        while let [.., x, hill] = self.valley[..]
            && x <= hill
            && hill >= end
        {
            end += x - hill;
            self.valley.truncate(self.valley.len() - 2);
            self.fused.extend([x, hill]);
        }
        self.valley.push(end);
        self.steps.push(self.fused.len() - before);
    }

    /// Undoes the last push.
    fn pop(&mut self) {
        self.valley.pop();
        let kept = self.fused.len() - self.steps.pop().unwrap_or(0);
        while self.fused.len() > kept
            && let (Some(hill), Some(x)) = (self.fused.pop(), self.fused.pop())
        {
            self.valley.extend([x, hill]);
        }
    }
}

/// A game of two players in progress.
///
/// ```
/// use kopek_coins::{RowEnd, two_ends::TwoEnds};
/// let mut play = TwoEnds::new(&[3, 17, 2, 1])?;
/// let worth = play.advantage_by_end().unwrap();
/// assert_eq!((worth.left, worth.right), (-13, 13));
/// play.take_coin(RowEnd::Right);
/// assert_eq!(play.stretch(), &[3, 17, 2]);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub struct TwoEnds<'a> {
    coins: &'a [i64],
    /// The stretch on the table is `[i, j)`; the sides meet at the pivot.
    i: usize,
    pivot: usize,
    j: usize,
    left: FusedSide,
    right: FusedSide,
    /// Buffer for the fused whole, reused from query to query.
    meeting: Vec<i64>,
    /// The number of cells touched so far, and the number from which the navigator is faster.
    work: usize,
    budget: usize,
}

impl<'a> TwoEnds<'a> {
    /// The beginning of the game, if the row is within the limits. O(n).
    pub fn new(coins: &'a [i64]) -> Result<TwoEnds<'a>, GameError> {
        game::checked_total(coins)?;
        let n = coins.len();
        let (left, right) = (FusedSide::default(), FusedSide::default());
        // A whole game of the navigator costs about as much as n²/64 cells here.
        let budget = n.saturating_mul(n / 64).saturating_add(64 * n);
        let mut play =
            TwoEnds { coins, i: 0, pivot: 0, j: n, left, right, meeting: Vec::new(), work: 0, budget };
        play.split_at_middle();
        Ok(play)
    }

    /// The coins on the table.
    pub fn stretch(&self) -> &'a [i64] {
        &self.coins[self.i..self.j]
    }

    /// Whether the valleys were so long that the navigator is faster from here on.
    pub fn is_over_budget(&self) -> bool {
        self.work > self.budget
    }

    /// The mover's advantage after taking either end; `None` if the row is empty. O(length of the fused
    /// valleys).
    pub fn advantage_by_end(&mut self) -> Option<EndValues> {
        let row = self.stretch();
        let (first, last) = (*row.first()?, *row.last()?);
        if row.len() == 1 {
            return Some(EndValues { left: first, right: first });
        }
        self.left.pop();
        let left = first - self.advantage_now();
        self.left.push(first);
        self.right.pop();
        let right = last - self.advantage_now();
        self.right.push(last);
        Some(EndValues { left, right })
    }

    /// Takes a coin and returns its value. The row must not be empty. O(1) amortised.
    pub fn take_coin(&mut self, end: RowEnd) -> i64 {
        let row = self.stretch();
        let coin = match end {
            RowEnd::Left => {
                self.i += 1;
                self.left.pop();
                row[0]
            }
            RowEnd::Right => {
                self.j -= 1;
                self.right.pop();
                row[row.len() - 1]
            }
        };
        if self.i == self.pivot || self.j == self.pivot {
            self.split_at_middle();
        }
        coin
    }

    /// Makes two new sides around the middle. Half of the row is gone before the next time, hence O(n) in
    /// all.
    fn split_at_middle(&mut self) {
        self.pivot = self.i + (self.j - self.i) / 2;
        (self.left, self.right) = (FusedSide::default(), FusedSide::default());
        self.coins[self.i..self.pivot].iter().rev().for_each(|&coin| self.left.push(coin));
        self.coins[self.pivot..self.j].iter().for_each(|&coin| self.right.push(coin));
        self.work += self.j - self.i;
    }

    /// The mover's advantage on the row of the two sides.
    fn advantage_now(&mut self) -> i64 {
        self.meeting.clear();
        self.meeting.extend(self.left.valley.iter().rev());
        self.right.valley.iter().for_each(|&coin| push_and_fuse(&mut self.meeting, coin));
        self.work += self.left.valley.len() + self.right.valley.len();
        valley_advantage(&self.meeting)
    }
}

/// An optimal game of two players: the end taken at each move (left if both are equally good). Nearly linear
/// on common rows, O(n²) at worst; O(n) memory.
///
/// ```
/// use kopek_coins::{RowEnd::*, two_ends::optimal_line};
/// assert_eq!(optimal_line(&[3, 17, 2, 1])?, [Right, Left, Left, Left]);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn optimal_line(coins: &[i64]) -> Result<Vec<RowEnd>, GameError> {
    let mut play = TwoEnds::new(coins)?;
    let mut line = Vec::with_capacity(coins.len());
    while !play.is_over_budget()
        && let Some(worth) = play.advantage_by_end()
    {
        line.push(worth.greater_end());
        play.take_coin(worth.greater_end());
    }
    // The rest is a two-player game that begins with the player to move.
    let rest = Game::new(play.stretch().to_vec(), 2, 0)?;
    let mut navigator = Navigator::new(&rest);
    while let Some(end) = navigator.best_end() {
        line.push(end);
        navigator.take_coin(end);
    }
    Ok(line)
}
