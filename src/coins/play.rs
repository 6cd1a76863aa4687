//! Optimal opponents and whole lines of play, for any number of players.

use super::game::{End, Ends, Game};
use super::navigator::Navigator;

/// One move of a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Who moved.
    pub player: usize,
    /// Position of the first coin on the table before the move.
    pub at: usize,
    /// Coins on the table before the move.
    pub length: usize,
    /// What `p_k` would have won from here on after either move.
    pub worth: Ends,
    /// The end taken.
    pub end: End,
    /// The coin taken.
    pub coin: i64,
}

/// How `p_k` chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A best move.
    Optimal,
    /// The greater end.
    Greedy,
}

/// The whole play of `p_k` in the given style against opponents who leave him the
/// least. About 1.5 times the cost of the value, O(n) memory.
///
/// ```
/// use kopek::coins::{Game, play::{Style, line}};
/// let game = Game::new(vec![0, 1, 0, 0], 2, 0)?;
/// let won = |style| line(&game, style).iter().filter(|s| s.player == 0).map(|s| s.coin).sum::<i64>();
/// assert_eq!((won(Style::Optimal), won(Style::Greedy)), (1, 0));
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn line(game: &Game, style: Style) -> Vec<Step> {
    let mut play = Navigator::new(game);
    let mut steps = Vec::with_capacity(game.coins().len());
    while let Some(worth) = play.options() {
        let row = play.stretch();
        let ends = Ends { left: row[0], right: row[row.len() - 1] };
        let end = match (play.is_my_move(), style) {
            (true, Style::Optimal) => worth.greater(),
            (true, Style::Greedy) => ends.greater(),
            (false, _) => {
                if worth.left <= worth.right {
                    End::Left
                } else {
                    End::Right
                }
            }
        };
        let (player, at) = (play.index() % game.players(), play.at());
        steps.push(Step { player, at, length: row.len(), worth, end, coin: ends.of(end) });
        play.play(end);
    }
    steps
}

/// A play of `p_k` against opponents without mercy: what he gets is what he can be
/// sure of exactly if each of his moves is optimal. Among equally good replies
/// they choose one that makes the greater end the wrong one; else by lot.
///
/// ```
/// use kopek::coins::{Game, play::Adversary};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// let mut table = Adversary::new(&game, 7);
/// assert_eq!(table.replies().len(), 2);
/// let best = table.navigator().best().unwrap();
/// table.play(best);
/// table.replies();
/// assert_eq!(table.navigator().won(), 5);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub struct Adversary<'a> {
    navigator: Navigator<'a>,
    lot: u64,
}

impl<'a> Adversary<'a> {
    /// The beginning of the game; equal seeds, equal opponents.
    pub fn new(game: &'a Game, seed: u64) -> Adversary<'a> {
        Adversary { navigator: Navigator::new(game), lot: seed }
    }

    /// The play, to look at and to ask.
    pub fn navigator(&mut self) -> &mut Navigator<'a> {
        &mut self.navigator
    }

    /// `p_k` takes a coin; its value. It must be `p_k`'s turn and the row not empty.
    pub fn play(&mut self, end: End) -> i64 {
        self.navigator.play(end)
    }

    /// The others move until it is `p_k`'s turn or the row is empty: the ends they took.
    pub fn replies(&mut self) -> Vec<End> {
        let (moves, h) = match self.choose() {
            Some(h) => (self.navigator.pending(), h),
            None => (self.navigator.stretch().len(), 0),
        };
        let ends: Vec<End> = (0..moves).map(|at| if at < h { End::Left } else { End::Right }).collect();
        for &end in &ends {
            self.navigator.play(end);
        }
        ends
    }

    /// How many of the replies come from the left; `None` if `p_k` does not move again.
    fn choose(&mut self) -> Option<usize> {
        let rests = self.navigator.replies();
        let least = rests.iter().min()?;
        let best: Vec<usize> = (0..rests.len()).filter(|&h| rests[h] == *least).collect();
        let lures: Vec<usize> = best.iter().copied().filter(|&h| self.navigator.tempts(h)).collect();
        let choice = if lures.is_empty() { best } else { lures };
        Some(choice[self.draw(choice.len())])
    }

    /// A number below `end`: splitmix64.
    fn draw(&mut self, end: usize) -> usize {
        self.lot = self.lot.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.lot;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}
