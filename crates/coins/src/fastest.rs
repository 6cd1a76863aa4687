//! Selects the fastest known solver for a game, by its players and its row.

use super::game::Game;
use super::{greedy, layers, row_fusion};

/// The guaranteed value of `p_k`, by the fastest known method: a sum for one player, Idziaszek's algorithm for
/// two, greed on valleys, layers otherwise. O(n²/m · log m) time at worst, O(n) memory.
///
/// ```
/// use kopek_coins::{Game, guaranteed_winnings};
/// let game = Game::new(vec![100, 100, 1, 1, 8, 5, 5], 3, 1)?;
/// assert_eq!(guaranteed_winnings(&game), 105);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn guaranteed_winnings(game: &Game) -> i64 {
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
    greedy::on_valley(game).unwrap_or_else(|| layers::guaranteed_by_layers(game))
}
