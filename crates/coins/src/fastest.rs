//! Selects the fastest known solver for a game, by its players, its row and the machine.

use super::game::Game;
use super::layers::{LayerEngine, ProgressFn};
use super::{greedy, row_fusion};

/// The guaranteed value of `p_k`, by the fastest known method for this machine: a sum for one player,
/// Idziaszek's algorithm for two, greed on valleys, layers otherwise. O(n²/m) time at worst, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, guaranteed_winnings};
/// let game = Game::new(vec![100, 100, 1, 1, 8, 5, 5], 3, 1)?;
/// assert_eq!(guaranteed_winnings(&game), 105);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_winnings(game: &Game) -> i64 {
    guaranteed_winnings_with(game, &|_| {})
}

/// As [`guaranteed_winnings`]; reports progress in the states that
/// [`count_states`](super::layers::count_states) counts, if layers are computed.
///
/// ```
/// use kopek_coins::{Game, guaranteed_winnings_with};
/// let game = Game::new(vec![1, 3, 2, 5, 4], 2, 1)?;
/// assert_eq!(guaranteed_winnings_with(&game, &|_| {}), 8);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_winnings_with(game: &Game, progress: &ProgressFn<'_>) -> i64 {
    if game.players() == 1 {
        return game.total();
    }
    if game.players() == 2 {
        let scores =
            row_fusion::two_player_scores(game.coins()).expect("the game bounds the sum of its coins");
        return if game.me() == 0 { scores.first } else { scores.second };
    }
    // Costs O(n) even if it fails, which is negligible compared with the layers; on a valley it saves all of
    // them.
    greedy::on_valley(game).unwrap_or_else(|| LayerEngine::choose(game).value(game, progress))
}
