//! Every engine this CPU can run gives the same values, whatever its shape.

use super::dice::Dice;
use kopek_coins::layers::{Instructions, LayerEngine, NumberType, Shape};
use kopek_coins::{Game, single_moves};
use std::io::Write as _;

/// One shape of each kind, of odd sizes: tiles of one state, blocks of one layer.
fn shapes(dice: &mut Dice, players: usize) -> Vec<Shape> {
    let (width, block) = (1 + dice.below(40), 1 + dice.below(9));
    let rows = players.min(6) + dice.below(12);
    vec![
        Shape::Scalar,
        Shape::Sweep,
        Shape::Tiles { width: 1, block },
        Shape::Tiles { width, block },
        Shape::Transposed { rows, block },
        Shape::Transposed { rows: players.clamp(1, 6), block },
    ]
}

/// Every engine that suits the game gives `right`; how many there were.
pub fn check_all_engines(dice: &mut Dice, game: &Game, right: i64) -> usize {
    let mut tried = 0;
    for shape in shapes(dice, game.players()) {
        for instructions in Instructions::ALL {
            for number in NumberType::ALL {
                let engine = LayerEngine { number, instructions, shape, threads: 1 + dice.below(4) };
                if engine.suits(game) {
                    assert_eq!(engine.value(game, &|_| {}), right, "{engine} ({shape:?}) on {game:?}");
                    tried += 1;
                }
            }
        }
    }
    tried
}

/// An instruction set cannot be installed: this reports the untested ones, past the
/// capture of test output.
pub fn report_tested_sets() {
    for instructions in Instructions::ALL {
        let verb = if instructions.is_available() { "tested" } else { "NOT TESTED: this CPU lacks them" };
        let line = format!("coins: instruction set {instructions:?}: {verb}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

#[test]
fn all_engines_agree_on_random_games() {
    report_tested_sets();
    let mut dice = Dice::new(10);
    let mut tried = 0;
    for _ in 0..150 {
        let game = dice.game(160);
        tried += check_all_engines(&mut dice, &game, single_moves::guaranteed_by_moves(&game));
    }
    assert!(tried > 1_000, "only {tried} engines were tried");
}

#[test]
fn all_engines_agree_on_a_longer_row() {
    let mut dice = Dice::new(11);
    for players in [2, 3, 4, 5, 6, 7, 8, 9, 33] {
        let game =
            Game::new((0..701).map(|_| dice.between(-50, 1023)).collect(), players, players / 2).unwrap();
        check_all_engines(&mut dice, &game, single_moves::guaranteed_by_moves(&game));
    }
}

#[test]
fn numbers_are_refused_beyond_the_bound_where_they_are_exact() {
    let max = |number: NumberType| Game::new(vec![number.limit() / 2; 4], 2, 0).unwrap();
    let above = |number: NumberType| Game::new(vec![number.limit() / 2 + 1; 4], 2, 0);
    for number in [NumberType::F32, NumberType::F64, NumberType::I32] {
        let engine =
            LayerEngine { number, instructions: Instructions::Portable, shape: Shape::Sweep, threads: 1 };
        assert!(engine.suits(&max(number)), "{number:?}");
        assert_eq!(engine.value(&max(number), &|_| {}), number.limit() / 2 * 2, "{number:?}");
        assert!(!engine.suits(&above(number).unwrap()), "{number:?}");
    }
}

#[test]
fn the_chosen_engine_suits_games_of_all_sizes_of_coins() {
    let mut dice = Dice::new(12);
    for exponent in [1, 10, 20, 24, 31, 40, 53] {
        for players in [2, 3, 7, 50] {
            let coins = (0..300).map(|_| dice.between(0, 1 << exponent)).collect();
            let game = Game::new(coins, players, 1).unwrap();
            let engine = LayerEngine::choose(&game);
            assert_eq!(engine.value(&game, &|_| {}), single_moves::guaranteed_by_moves(&game), "{engine}");
        }
    }
}

#[test]
fn coins_too_great_to_sum_are_refused() {
    use kopek_coins::GameError;
    assert_eq!(Game::new(vec![i64::MAX, i64::MAX], 3, 0), Err(GameError::TotalTooLarge));
    assert_eq!(Game::new(vec![i64::MIN, 0], 1, 0), Err(GameError::TotalTooLarge));
    let greatest = Game::new(vec![1 << 61, -(1 << 61)], 3, 0).unwrap();
    assert_eq!(kopek_coins::guaranteed_winnings(&greatest), 1 << 61);
}

#[test]
fn progress_covers_all_states() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let game = Game::new((0..5_000).map(|i| i * 37 % 1009).collect(), 3, 1).unwrap();
    for shape in [Shape::Sweep, Shape::Tiles { width: 256, block: 16 }] {
        let engine = LayerEngine { shape, ..LayerEngine::choose(&game) };
        let reported = AtomicU64::new(0);
        engine.value(&game, &|states| {
            reported.fetch_add(states, Ordering::Relaxed);
        });
        let (reported, all) = (reported.into_inner(), kopek_coins::layers::count_states(&game));
        assert!(reported <= all && reported > all - all / 50, "{engine}: {reported} of {all}");
    }
}
