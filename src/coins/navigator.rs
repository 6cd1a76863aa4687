//! The worth of both moves in every state of a play, in O(n) memory.
//!
//! A play visits the layers from the top down, but layers can only be climbed
//! from the bottom up. Keeping them all takes n²/m cells; climbing anew for every
//! move takes n times as long. Between: *checkpoints*. To reach a layer, climb to
//! the middle, keep that layer, climb half of what is left, keep that, and so on.
//! When the play has passed a checkpoint it is dropped, and the climb starts again
//! from the one below, over the stretch that is still on the table only.
//!
//! A state depends on the stretch below it, a cone, so both halves of a climb are
//! triangles a quarter as large: `C(a) = a + 2·C(a/4)`, about 1.5 times the states
//! of the value alone, for the whole play. It is valid for any moves, good or
//! bad, of anybody: the same machine plays, advises and opposes.

use super::game::{End, Ends, Game};
use super::layers::{self, Engine};

/// One layer over the stretch that was on the table when it was climbed to.
struct Checkpoint {
    /// Its number `t`: stretches of `L_t` coins.
    round: usize,
    /// Where its first stretch begins.
    at: usize,
    /// The values.
    states: Vec<i64>,
}

/// A play in progress.
///
/// ```
/// use kopek::coins::{End, Ends, Game, navigator::Navigator};
/// let game = Game::new(vec![3, 17, 2, 1], 2, 0)?;
/// let mut play = Navigator::new(&game);
/// assert_eq!(play.options(), Some(Ends { left: 5, right: 18 }));
/// play.play(End::Right);
/// assert_eq!((play.won(), play.stretch()), (1, &[3, 17, 2][..]));
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub struct Navigator<'a> {
    game: &'a Game,
    engine: Engine,
    /// The stretch on the table is `[i, j)`.
    i: usize,
    j: usize,
    won: i64,
    /// Sum of the stretch.
    left_over: i64,
    checkpoints: Vec<Checkpoint>,
}

impl<'a> Navigator<'a> {
    /// The beginning of the game. Nothing is computed before it is asked for.
    pub fn new(game: &'a Game) -> Navigator<'a> {
        let engine = Engine { threads: 1, ..Engine::choose(game) };
        let j = game.coins().len();
        Navigator { game, engine, i: 0, j, won: 0, left_over: game.total(), checkpoints: Vec::new() }
    }

    /// The game that is played.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// The coins on the table.
    pub fn stretch(&self) -> &'a [i64] {
        &self.game.coins()[self.i..self.j]
    }

    /// Position of the first coin on the table.
    pub fn at(&self) -> usize {
        self.i
    }

    /// How many moves have been made.
    pub fn index(&self) -> usize {
        self.game.coins().len() - self.stretch().len()
    }

    /// What `p_k` has won so far.
    pub fn won(&self) -> i64 {
        self.won
    }

    /// Whether `p_k` is to move.
    pub fn is_my_move(&self) -> bool {
        self.game.is_my_move(self.index())
    }

    /// Moves of others before `p_k`'s next.
    pub fn pending(&self) -> usize {
        let (m, k, turn) = (self.game.players(), self.game.me(), self.index() % self.game.players());
        if k >= turn { k - turn } else { m - turn + k }
    }

    /// What `p_k` will win from now on if the mover takes either end and everybody
    /// plays well afterwards; `None` when the row is empty. Amortised over a play:
    /// 1.5 times the cost of the value.
    pub fn options(&mut self) -> Option<Ends> {
        let stretch = self.stretch();
        let (first, last) = (*stretch.first()?, *stretch.last()?);
        let (m, pending) = (self.game.players(), self.pending());
        if m == 1 {
            return Some(Ends { left: self.left_over, right: self.left_over });
        }
        if pending >= stretch.len() {
            return Some(Ends { left: 0, right: 0 });
        }
        let (i, round) = (self.i, self.round_of(stretch.len() - pending));
        if pending > 0 {
            let left = self.least(round, i + 1, i + pending);
            return Some(Ends { left, right: self.least(round, i, i + pending - 1) });
        }
        if round == 0 {
            return Some(Ends { left: first, right: last });
        }
        let left = first + self.least(round - 1, i + 1, i + m);
        Some(Ends { left, right: last + self.least(round - 1, i, i + m - 1) })
    }

    /// What `p_k` can be sure of from now on.
    pub fn value(&mut self) -> i64 {
        let mine = self.is_my_move();
        self.options()
            .map_or(0, |worth| if mine { worth.left.max(worth.right) } else { worth.left.min(worth.right) })
    }

    /// A best move of whoever moves (left if both are); `None` when the row is empty.
    pub fn best(&mut self) -> Option<End> {
        let worth = self.options()?;
        Some(if self.is_my_move() || worth.left == worth.right {
            worth.greater()
        } else {
            worth.greater().opposite()
        })
    }

    /// Takes a coin; its value. The row must not be empty. O(1).
    pub fn play(&mut self, end: End) -> i64 {
        let mine = self.is_my_move();
        let coin = match end {
            End::Left => {
                self.i += 1;
                self.game.coins()[self.i - 1]
            }
            End::Right => {
                self.j -= 1;
                self.game.coins()[self.j]
            }
        };
        self.won += if mine { coin } else { 0 };
        self.left_over -= coin;
        coin
    }

    /// For every `h` up to [`pending`](Self::pending): what `p_k` can be sure of after
    /// the others have taken `h` coins from the left and the rest from the right.
    /// Empty if `p_k` does not move any more.
    pub fn replies(&mut self) -> Vec<i64> {
        let (pending, length) = (self.pending(), self.stretch().len());
        if pending >= length {
            return Vec::new();
        }
        if self.game.players() == 1 {
            return vec![self.left_over];
        }
        let round = self.round_of(length - pending);
        (0..=pending).map(|h| self.least(round, self.i + h, self.i + h)).collect()
    }

    /// After `h` replies from the left and the rest from the right: is the greater
    /// end the wrong move for `p_k`? `p_k` must have a move left.
    pub fn tempts(&mut self, h: usize) -> bool {
        let (i, length) = (self.i + h, self.stretch().len() - self.pending());
        let (round, m) = (self.round_of(length), self.game.players());
        if round == 0 || m == 1 {
            return false;
        }
        let ends = Ends { left: self.game.coins()[i], right: self.game.coins()[i + length - 1] };
        let left = ends.left + self.least(round - 1, i + 1, i + m);
        let worth = Ends { left, right: ends.right + self.least(round - 1, i, i + m - 1) };
        ends.left != ends.right && worth.of(ends.greater()) < worth.of(ends.greater().opposite())
    }

    /// Number of the layer of stretches of `length` coins with `p_k` to move.
    fn round_of(&self, length: usize) -> usize {
        (length - self.game.last_length()) / self.game.players()
    }

    /// Least value of the stretches of a layer that begin at `low ..= high`.
    fn least(&mut self, round: usize, low: usize, high: usize) -> i64 {
        self.bring(round);
        let layer = self.checkpoints.last().expect("bring leaves the layer it was asked for");
        layer.states[low - layer.at..=high - layer.at].iter().copied().min().unwrap_or(0)
    }

    /// Puts the layer on top of the checkpoints.
    fn bring(&mut self, round: usize) {
        while self.checkpoints.last().is_some_and(|top| top.round > round) {
            self.checkpoints.pop();
        }
        if self.checkpoints.is_empty() {
            let states = layers::lowest(self.stretch(), self.game.last_length());
            self.checkpoints.push(Checkpoint { round: 0, at: self.i, states });
        }
        while let Some(top) = self.checkpoints.last()
            && top.round < round
        {
            let next = top.round + (round - top.round).div_ceil(2);
            self.checkpoints.push(self.climb(top, next));
        }
    }

    /// A higher layer over what is on the table now.
    fn climb(&self, from: &Checkpoint, round: usize) -> Checkpoint {
        let (m, row) = (self.game.players(), self.stretch());
        let length = self.game.last_length() + from.round * m;
        let count = row.len() - length + 1;
        let states = from.states[self.i - from.at..][..count].to_vec();
        let states = self.engine.lift(row, states, (m, length), round - from.round);
        Checkpoint { round, at: self.i, states }
    }
}
