//! What each move is worth along two lines of play, and where greed fails.

use super::game::Game;
use super::line_of_play::{PlayStyle, PlayedMove, line_of_play};

/// Optimal play beside greedy play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// `p_k` plays as well as possible.
    pub optimal: Vec<PlayedMove>,
    /// `p_k` always takes the greater end, against the same optimal opponents.
    pub greedy: Vec<PlayedMove>,
    /// What `p_k` wins by optimal play.
    pub guaranteed: i64,
    /// What `p_k` wins by greedy play.
    pub by_greed: i64,
    /// Index into `greedy` of the first move of `p_k` that lost something.
    pub first_mistake: Option<usize>,
}

/// Plays both lines. About three times the cost of the value, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, explanation::explain_game};
/// let why = explain_game(&Game::new(vec![3, 17, 2, 1], 2, 0)?);
/// assert_eq!((why.guaranteed, why.by_greed, why.first_mistake), (18, 5, Some(0)));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn explain_game(game: &Game) -> Explanation {
    let (optimal, greedy) = (line_of_play(game, PlayStyle::Optimal), line_of_play(game, PlayStyle::Greedy));
    let won = |steps: &[PlayedMove]| {
        steps.iter().filter(|step| step.player == game.me()).map(|step| step.coin).sum()
    };
    Explanation {
        guaranteed: won(&optimal),
        by_greed: won(&greedy),
        first_mistake: greedy.iter().position(|step| step.player == game.me() && loss_of_move(step) > 0),
        optimal,
        greedy,
    }
}

/// How much less a move of `p_k` is worth than the best one.
///
/// ```
/// use kopek_coins::{Game, explanation::{explain_game, loss_of_move}};
/// let why = explain_game(&Game::new(vec![3, 17, 2, 1], 2, 0)?);
/// assert_eq!(loss_of_move(&why.greedy[0]), 18 - 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn loss_of_move(step: &PlayedMove) -> i64 {
    step.worth.left.max(step.worth.right) - step.worth.of(step.end)
}
