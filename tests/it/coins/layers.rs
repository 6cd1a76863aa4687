//! The sweep and the checked layers give the same values, and those of single moves, for coins of any size.

use super::agreement::check_solvers;
use super::dice::Dice;
use kopek_coins::{Game, GameError, guaranteed_winnings, layers, single_moves};

#[test]
fn both_ways_up_agree_on_a_longer_row() {
    let mut dice = Dice::new(11);
    for players in [1, 2, 3, 4, 5, 6, 7, 8, 9, 33, 700, 701, 702] {
        let coins = (0..701).map(|_| dice.between(-50, 1023)).collect();
        let game = Game::new(coins, players, players / 2).unwrap();
        check_solvers(&game, single_moves::guaranteed_by_moves(&game));
    }
}

#[test]
fn both_ways_up_agree_on_coins_of_all_sizes() {
    let mut dice = Dice::new(12);
    for exponent in [1, 10, 24, 31, 40, 44, 45, 46, 53] {
        for players in [2, 3, 7, 50] {
            let coins = (0..300).map(|_| dice.between(0, 1 << exponent)).collect();
            let game = Game::new(coins, players, 1).unwrap();
            check_solvers(&game, single_moves::guaranteed_by_moves(&game));
        }
    }
}

#[test]
fn values_are_exact_at_and_above_the_bound_of_floats() {
    let bound = 1i64 << 53;
    for (coins, right) in [
        (vec![bound - 1, 1, 0], bound - 1),
        (vec![bound - 2, 1, 1], bound - 1),
        // The next even number is the nearest float.
        (vec![bound, 1, 1], bound + 1),
        (vec![-bound, -1, -1], -bound - 1),
        (vec![1 << 61, 1, 1], (1 << 61) + 1),
    ] {
        let game = Game::new(coins, 2, 0).unwrap();
        check_solvers(&game, single_moves::guaranteed_by_moves(&game));
        assert_eq!(layers::guaranteed_by_layers(&game), right, "{game:?}");
    }
}

#[test]
fn coins_too_great_to_sum_are_refused() {
    assert_eq!(Game::new(vec![i64::MAX, i64::MAX], 3, 0), Err(GameError::TotalTooLarge));
    assert_eq!(Game::new(vec![i64::MIN, 0], 1, 0), Err(GameError::TotalTooLarge));
    let greatest = Game::new(vec![1 << 61, -(1 << 61)], 3, 0).unwrap();
    assert_eq!(guaranteed_winnings(&greatest), 1 << 61);
}
