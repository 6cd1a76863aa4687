//! The value of each move in an optimal and a greedy game, and the first mistake of greed.

use super::game::Game;
use super::line_of_play::{PlayStyle, PlayedMove, line_of_play};

/// An optimal game beside a greedy one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// `p_k` plays as well as possible.
    pub optimal: Vec<PlayedMove>,
    /// `p_k` always takes the greater end, against the same optimal opponents.
    pub greedy: Vec<PlayedMove>,
    /// The value for `p_k` of optimal play.
    pub guaranteed: i64,
    /// The value for `p_k` of greedy play.
    pub by_greed: i64,
    /// Index into `greedy` of the first suboptimal move of `p_k`.
    pub first_mistake: Option<usize>,
}

/// Plays both games. About three times the cost of the value, O(n) memory.
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

/// The difference between the best move of `p_k` and this one.
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
