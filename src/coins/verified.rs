//! An answer only if independent solvers agree: for answers that are written down.

use super::game::Game;
use super::layers::{Engine, Instructions, Number, Shape};
use super::{brute, guaranteed, moves};

/// Two solvers that should have agreed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("solvers disagree: {first} says {first_value}, {second} says {second_value}")]
pub struct Disagreement {
    /// One solver.
    pub first: &'static str,
    /// What it says.
    pub first_value: i64,
    /// The other.
    pub second: &'static str,
    /// What that says.
    pub second_value: i64,
}

/// Longest row that is also played out in full.
const TREE_COINS: usize = 16;

/// What `p_k` can be sure of, if the fastest way, single moves, checked layers and,
/// on short rows, the game tree all say the same. O(n²) time.
///
/// ```
/// use kopek::coins::{Game, verified::verified};
/// assert_eq!(verified(&Game::new(vec![1, 1, 8, 5, 5], 3, 2)?), Ok(5));
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
pub fn verified(game: &Game) -> Result<i64, Disagreement> {
    let fast = guaranteed(game);
    agree(fast, "single moves", moves::guaranteed(game))?;
    let layers = Engine {
        number: Number::I64,
        instructions: Instructions::Portable,
        shape: Shape::Scalar,
        threads: 1,
    };
    if layers.suits(game) {
        agree(fast, "checked layers", layers.value(game, &|_| {}))?;
    }
    if game.coins().len() <= TREE_COINS
        && let Some(value) = brute::tree(game)
    {
        agree(fast, "the game tree", value)?;
    }
    Ok(fast)
}

fn agree(first_value: i64, second: &'static str, second_value: i64) -> Result<(), Disagreement> {
    let differ = Disagreement { first: "the fastest solver", first_value, second, second_value };
    if first_value == second_value { Ok(()) } else { Err(differ) }
}
