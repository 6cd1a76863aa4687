//! The value of both moves in every state of a game, in O(n) memory.
//!
//! A game visits the layers from the top down, but layers can only be climbed from the bottom up. Keeping
//! them all takes n²/m cells, and climbing again for every move takes n times as long. The compromise is
//! *checkpoints*. To reach a layer, climb to the middle, keep that layer, climb half of the rest, keep that,
//! and so on. A checkpoint that the game has passed is dropped, and the climb restarts from the one below,
//! over only the stretch that is still on the table.
//!
//! A state depends on the stretch below it, a cone, so both halves of a climb are triangles a quarter as
//! large: `C(a) = a + 2·C(a/4)`, about 1.5 times the states of the value alone, for the whole game. It is
//! valid for any moves, good or bad, of any player: one navigator can play, advise and oppose.

use super::game::{EndValues, Game, RowEnd};
use super::layers::{LayerClimb, lowest_layer};

/// One layer over the stretch that was on the table when it was computed.
struct Checkpoint {
    /// Its number `t`: stretches of `L_t` coins.
    round: usize,
    /// The beginning of its first stretch.
    at: usize,
    states: Vec<i64>,
}

/// A game in progress.
///
/// ```
/// use kopek_coins::{RowEnd, EndValues, Game, navigator::Navigator};
/// let game = Game::new(vec![3, 17, 2, 1], 2, 0)?;
/// let mut play = Navigator::new(&game);
/// assert_eq!(play.worth_of_ends(), Some(EndValues { left: 5, right: 18 }));
/// play.take_coin(RowEnd::Right);
/// assert_eq!((play.won(), play.stretch()), (1, &[3, 17, 2][..]));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub struct Navigator<'a> {
    game: &'a Game,
    /// The stretch on the table is `[i, j)`.
    i: usize,
    j: usize,
    won: i64,
    /// The sum of the stretch.
    left_over: i64,
    checkpoints: Vec<Checkpoint>,
}

impl<'a> Navigator<'a> {
    /// The beginning of the game. Computes nothing yet.
    pub fn new(game: &'a Game) -> Navigator<'a> {
        let j = game.coins().len();
        Navigator { game, i: 0, j, won: 0, left_over: game.total(), checkpoints: Vec::new() }
    }

    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// The coins on the table.
    pub fn stretch(&self) -> &'a [i64] {
        &self.game.coins()[self.i..self.j]
    }

    /// The position of the first coin on the table.
    pub fn first_position(&self) -> usize {
        self.i
    }

    /// The number of moves so far.
    pub fn move_index(&self) -> usize {
        self.game.coins().len() - self.stretch().len()
    }

    /// What `p_k` has won so far.
    pub fn won(&self) -> i64 {
        self.won
    }

    /// Whether `p_k` is to move.
    pub fn is_my_move(&self) -> bool {
        self.game.is_my_move(self.move_index())
    }

    /// The number of moves of others before `p_k`'s next.
    pub fn pending(&self) -> usize {
        let (m, k, turn) = (self.game.players(), self.game.me(), self.move_index() % self.game.players());
        if k >= turn { k - turn } else { m - turn + k }
    }

    /// The value of `p_k` from now on if the mover takes either end and everyone plays well afterwards;
    /// `None` if the row is empty. Amortised over a game: 1.5 times the cost of the value.
    pub fn worth_of_ends(&mut self) -> Option<EndValues> {
        let stretch = self.stretch();
        let (first, last) = (*stretch.first()?, *stretch.last()?);
        let (m, pending) = (self.game.players(), self.pending());
        // A single player gets everything.
        if m == 1 {
            return Some(EndValues { left: self.left_over, right: self.left_over });
        }
        if pending >= stretch.len() {
            return Some(EndValues { left: 0, right: 0 });
        }
        let (i, round) = (self.i, self.round_of(stretch.len() - pending));
        if pending > 0 {
            let left = self.least_value(round, i + 1, i + pending);
            return Some(EndValues { left, right: self.least_value(round, i, i + pending - 1) });
        }
        if round == 0 {
            return Some(EndValues { left: first, right: last });
        }
        let left = first + self.least_value(round - 1, i + 1, i + m);
        Some(EndValues { left, right: last + self.least_value(round - 1, i, i + m - 1) })
    }

    /// The guaranteed value of `p_k` from now on.
    pub fn value(&mut self) -> i64 {
        let mine = self.is_my_move();
        self.worth_of_ends()
            .map_or(0, |worth| if mine { worth.left.max(worth.right) } else { worth.left.min(worth.right) })
    }

    /// A best end for the player to move (left if both are); `None` if the row is empty.
    pub fn best_end(&mut self) -> Option<RowEnd> {
        let worth = self.worth_of_ends()?;
        Some(if self.is_my_move() || worth.left == worth.right {
            worth.greater_end()
        } else {
            worth.greater_end().opposite()
        })
    }

    /// Takes a coin and returns its value. The row must not be empty. O(1).
    pub fn take_coin(&mut self, end: RowEnd) -> i64 {
        let mine = self.is_my_move();
        let coin = match end {
            RowEnd::Left => {
                self.i += 1;
                self.game.coins()[self.i - 1]
            }
            RowEnd::Right => {
                self.j -= 1;
                self.game.coins()[self.j]
            }
        };
        self.won += if mine { coin } else { 0 };
        self.left_over -= coin;
        coin
    }

    /// For every `h` up to [`pending`](Self::pending): the guaranteed value of `p_k` after the others have
    /// taken `h` coins from the left and the rest from the right. Empty if `p_k` does not move any more.
    pub fn values_after_replies(&mut self) -> Vec<i64> {
        let (pending, length) = (self.pending(), self.stretch().len());
        if pending >= length {
            return Vec::new();
        }
        if self.game.players() == 1 {
            return vec![self.left_over];
        }
        let round = self.round_of(length - pending);
        (0..=pending).map(|h| self.least_value(round, self.i + h, self.i + h)).collect()
    }

    /// Whether the greater end is the wrong move for `p_k` after `h` replies from the left and the rest from
    /// the right. `p_k` must have a move left.
    pub fn is_greater_end_wrong(&mut self, h: usize) -> bool {
        let (i, length) = (self.i + h, self.stretch().len() - self.pending());
        let (round, m) = (self.round_of(length), self.game.players());
        if round == 0 || m == 1 {
            return false;
        }
        let ends = EndValues { left: self.game.coins()[i], right: self.game.coins()[i + length - 1] };
        let left = ends.left + self.least_value(round - 1, i + 1, i + m);
        let worth = EndValues { left, right: ends.right + self.least_value(round - 1, i, i + m - 1) };
        ends.left != ends.right && worth.of(ends.greater_end()) < worth.of(ends.greater_end().opposite())
    }

    /// The number of the layer of stretches of `length` coins with `p_k` to move.
    fn round_of(&self, length: usize) -> usize {
        (length - self.game.last_length()) / self.game.players()
    }

    /// The least value of the stretches of a layer that begin at `low ..= high`.
    fn least_value(&mut self, round: usize, low: usize, high: usize) -> i64 {
        self.bring_layer(round);
        let layer = self.checkpoints.last().expect("bring_layer puts the layer on top");
        layer.states[low - layer.at..=high - layer.at].iter().copied().min().unwrap_or(0)
    }

    /// Puts the layer on top of the checkpoints.
    fn bring_layer(&mut self, round: usize) {
        // A game goes down through the layers: those above the requested one are no longer needed.
        while self.checkpoints.last().is_some_and(|top| top.round > round) {
            self.checkpoints.pop();
        }
        if self.checkpoints.is_empty() {
            let states = lowest_layer(self.stretch(), self.game.last_length());
            self.checkpoints.push(Checkpoint { round: 0, at: self.i, states });
        }
        while let Some(top) = self.checkpoints.last()
            && top.round < round
        {
            // The middle, rounded up: rounded down, the last step would never end.
            let next = top.round + (round - top.round).div_ceil(2);
            self.checkpoints.push(self.climb_to(top, next));
        }
    }

    /// A higher layer over the current stretch on the table.
    fn climb_to(&self, from: &Checkpoint, round: usize) -> Checkpoint {
        let (m, row) = (self.game.players(), self.stretch());
        let length = self.game.last_length() + from.round * m;
        let states = &from.states[self.i - from.at..][..row.len() + 1 - length];
        let way = LayerClimb { row, players: m, rounds: round - from.round };
        Checkpoint { round, at: self.i, states: way.climb(states) }
    }
}
