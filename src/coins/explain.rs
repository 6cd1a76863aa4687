//! Why a position is worth what it is: each move's worth, and where greed fails.

use super::game::Game;
use super::play::{Step, Style, line};

/// Optimal play beside greedy play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// `p_k` plays as well as possible.
    pub optimal: Vec<Step>,
    /// `p_k` always takes the greater end, against the same merciless others.
    pub greedy: Vec<Step>,
    /// What `p_k` wins by optimal play.
    pub guaranteed: i64,
    /// What `p_k` wins by greedy play.
    pub by_greed: i64,
    /// Index into `greedy` of the first move that threw something away.
    pub first_mistake: Option<usize>,
}

/// Plays both lines. About three times the cost of the value, O(n) memory.
///
/// ```
/// use kopek::coins::{Game, explain::explain};
/// let why = explain(&Game::new(vec![3, 17, 2, 1], 2, 0)?);
/// assert_eq!((why.guaranteed, why.by_greed, why.first_mistake), (18, 5, Some(0)));
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn explain(game: &Game) -> Explanation {
    let (optimal, greedy) = (line(game, Style::Optimal), line(game, Style::Greedy));
    let won =
        |steps: &[Step]| steps.iter().filter(|step| step.player == game.me()).map(|step| step.coin).sum();
    Explanation {
        guaranteed: won(&optimal),
        by_greed: won(&greedy),
        first_mistake: greedy.iter().position(|step| step.player == game.me() && loss(step) > 0),
        optimal,
        greedy,
    }
}

/// How much less a move of `p_k` is worth than the best one.
///
/// ```
/// use kopek::coins::{Game, explain::{explain, loss}};
/// let why = explain(&Game::new(vec![3, 17, 2, 1], 2, 0)?);
/// assert_eq!(loss(&why.greedy[0]), 18 - 5);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn loss(step: &Step) -> i64 {
    step.worth.left.max(step.worth.right) - step.worth.of(step.end)
}
