//! Returns an answer only if independent solvers agree: for answers in packages.

use super::fastest::guaranteed_winnings;
use super::game::Game;
use super::{brute, layers, single_moves};

/// Two solvers that disagree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("solvers disagree: {first} says {first_value}, {second} says {second_value}")]
pub struct SolverDisagreement {
    /// The name of one solver.
    pub first: &'static str,
    pub first_value: i64,
    /// The name of the other.
    pub second: &'static str,
    pub second_value: i64,
}

/// The longest row for the full game tree.
const VERIFIED_TREE_COINS: usize = 16;

/// The guaranteed value of `p_k`, if the fastest method, single moves, checked layers and, on short rows, the
/// game tree all agree. O(n²) time.
///
/// ```
/// use kopek_coins::{Game, verified::verified_winnings};
/// assert_eq!(verified_winnings(&Game::new(vec![1, 1, 8, 5, 5], 3, 2)?), Ok(5));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn verified_winnings(game: &Game) -> Result<i64, SolverDisagreement> {
    let fast = guaranteed_winnings(game);
    check_agreement(fast, "single moves", single_moves::guaranteed_by_moves(game))?;
    check_agreement(fast, "checked layers", layers::guaranteed_by_checked_layers(game))?;
    if game.coins().len() <= VERIFIED_TREE_COINS
        && let Some(value) = brute::tree_value(game)
    {
        check_agreement(fast, "the game tree", value)?;
    }
    Ok(fast)
}

fn check_agreement(
    first_value: i64,
    second: &'static str,
    second_value: i64,
) -> Result<(), SolverDisagreement> {
    let differ = SolverDisagreement { first: "the fastest solver", first_value, second, second_value };
    if first_value == second_value { Ok(()) } else { Err(differ) }
}
