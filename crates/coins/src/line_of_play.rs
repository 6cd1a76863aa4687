//! Complete games, for any number of players.

use super::game::{EndValues, Game, RowEnd};
use super::navigator::Navigator;

/// One move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The player who moved.
    pub player: usize,
    /// The value of `p_k` from here on after either move.
    pub worth: EndValues,
    /// The end that was taken.
    pub end: RowEnd,
    /// The coin that was taken.
    pub coin: i64,
}

/// How `p_k` chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayStyle {
    Optimal,
    Greedy,
}

/// A complete game of `p_k` in the given style against opponents who leave him the least. About 1.5 times the
/// cost of the value, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, line_of_play::{PlayStyle, line_of_play}};
/// let game = Game::new(vec![0, 1, 0, 0], 2, 0)?;
/// let won = |style| line_of_play(&game, style).iter().filter(|s| s.player == 0).map(|s| s.coin).sum::<i64>();
/// assert_eq!((won(PlayStyle::Optimal), won(PlayStyle::Greedy)), (1, 0));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn line_of_play(game: &Game, style: PlayStyle) -> Vec<PlayedMove> {
    let mut play = Navigator::new(game);
    let mut steps = Vec::with_capacity(game.coins().len());
    while let Some(worth) = play.worth_of_ends() {
        let row = play.stretch();
        let ends = EndValues { left: row[0], right: row[row.len() - 1] };
        let end = match (play.is_my_move(), style) {
            (true, PlayStyle::Optimal) => worth.greater_end(),
            (true, PlayStyle::Greedy) => ends.greater_end(),
            // Opponents are hostile, not selfish: they leave `p_k` the least.
            (false, _) => {
                if worth.left <= worth.right {
                    RowEnd::Left
                } else {
                    RowEnd::Right
                }
            }
        };
        let player = play.move_index() % game.players();
        steps.push(PlayedMove { player, worth, end, coin: ends.of(end) });
        play.take_coin(end);
    }
    steps
}
