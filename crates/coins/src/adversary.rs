//! Opponents of `p_k` who play as well as possible, for any number of players.

use super::game::{Game, RowEnd};
use super::navigator::Navigator;

/// A game of `p_k` against optimal opponents: `p_k` wins the guaranteed value exactly if every move of `p_k`
/// is optimal. Among equally good replies the opponents choose one after which the greater end is the wrong
/// move; if there is none, they choose at random.
///
/// ```
/// use kopek_coins::{Game, adversary::Adversary};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// let mut table = Adversary::new(&game, 7);
/// assert_eq!(table.play_replies().len(), 2);
/// let best = table.navigator().best_end().unwrap();
/// table.take_coin(best);
/// table.play_replies();
/// assert_eq!(table.navigator().won(), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub struct Adversary<'a> {
    navigator: Navigator<'a>,
    random_state: u64,
}

impl<'a> Adversary<'a> {
    /// The beginning of the game; equal seeds give equal opponents.
    pub fn new(game: &'a Game, seed: u64) -> Adversary<'a> {
        Adversary { navigator: Navigator::new(game), random_state: seed }
    }

    /// The state of the game, with the value of each move.
    pub fn navigator(&mut self) -> &mut Navigator<'a> {
        &mut self.navigator
    }

    /// `p_k` takes a coin and returns its value. It must be `p_k`'s turn and the row not empty.
    pub fn take_coin(&mut self, end: RowEnd) -> i64 {
        self.navigator.take_coin(end)
    }

    /// The others move until it is `p_k`'s turn or the row is empty. Returns the ends they took.
    pub fn play_replies(&mut self) -> Vec<RowEnd> {
        let (moves, h) = match self.choose_reply() {
            Some(h) => (self.navigator.pending(), h),
            None => (self.navigator.stretch().len(), 0),
        };
        // Their order does not matter to `p_k`: those from the left come first.
        let ends: Vec<RowEnd> =
            (0..moves).map(|at| if at < h { RowEnd::Left } else { RowEnd::Right }).collect();
        for &end in &ends {
            self.navigator.take_coin(end);
        }
        ends
    }

    /// The number of replies from the left; `None` if `p_k` does not move again.
    fn choose_reply(&mut self) -> Option<usize> {
        let rests = self.navigator.values_after_replies();
        let least = rests.iter().min()?;
        let best: Vec<usize> = (0..rests.len()).filter(|&h| rests[h] == *least).collect();
        let lures: Vec<usize> =
            best.iter().copied().filter(|&h| self.navigator.is_greater_end_wrong(h)).collect();
        let choice = if lures.is_empty() { best } else { lures };
        Some(choice[self.random_below(choice.len())])
    }

    /// A number below `end`, by SplitMix64: equal on every machine, unlike that of a library.
    fn random_below(&mut self, end: usize) -> usize {
        self.random_state = self.random_state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random_state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}
