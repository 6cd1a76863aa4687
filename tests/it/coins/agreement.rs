//! Everything that computes the same number computes the same number.

use super::dice::{Dice, all_rows};
use kopek_coins::forest::{Component, ComponentKind, forest_value};
use kopek_coins::{Game, brute, guaranteed_winnings, layers, row_fusion, single_moves, smart_dumb};

fn new_game(coins: &[i64], players: usize, me: usize) -> Game {
    Game::new(coins.to_vec(), players, me).expect("a small row")
}

/// Single moves, the layers (two ways) and the fastest method.
pub fn check_solvers(game: &Game, right: i64) {
    assert_eq!(single_moves::guaranteed_by_moves(game), right, "moves: {game:?}");
    assert_eq!(guaranteed_winnings(game), right, "guaranteed: {game:?}");
    assert_eq!(layers::guaranteed_by_layers(game), right, "swept layers: {game:?}");
    assert_eq!(layers::guaranteed_by_checked_layers(game), right, "checked layers: {game:?}");
}

/// What fast solvers are compared with: the tree is slow.
#[derive(Clone, Copy, PartialEq)]
pub enum Witness {
    Tree,
    SingleMoves,
}

/// All rows of `n` values 0..=3, all m up to n + 2, all k.
pub fn check_all_rows(n: usize, witness: Witness) {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for first in 0..cores {
            scope.spawn(move || check_rows(n, witness, all_rows(n, 0, 3).skip(first).step_by(cores)));
        }
    });
}

fn check_rows(n: usize, witness: Witness, rows: impl Iterator<Item = Vec<i64>>) {
    for coins in rows {
        for players in 1..=n + 2 {
            for me in 0..players {
                let game = new_game(&coins, players, me);
                if witness == Witness::Tree {
                    check_solvers(&game, brute::tree_value(&game).unwrap());
                } else {
                    assert_eq!(
                        guaranteed_winnings(&game),
                        single_moves::guaranteed_by_moves(&game),
                        "{game:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn strategies_against_all_replies_earn_what_the_tree_says() {
    let rows = (0..=4).flat_map(|n| all_rows(n, 0, 3)).chain(all_rows(5, -1, 1));
    let mut compared = 0;
    for coins in rows {
        for players in 1..=coins.len() + 2 {
            for me in 0..players {
                let game = new_game(&coins, players, me);
                let Some(defined) = brute::defined_value(&game) else { continue };
                assert_eq!(Some(defined), brute::tree_value(&game), "{game:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000, "only {compared} games were small enough");
}

#[test]
fn all_short_rows_agree_with_the_tree() {
    (0..=5).for_each(|n| check_all_rows(n, Witness::Tree));
}

#[test]
fn all_rows_of_six_and_seven_coins_agree_with_single_moves() {
    // Those of eight are four fifths of the work: a long run.
    (6..=7).for_each(|n| check_all_rows(n, Witness::SingleMoves));
}

#[test]
fn rows_with_negative_coins_agree_with_the_tree() {
    for n in 0..=6 {
        for coins in all_rows(n, -1, 1) {
            for players in 1..=n + 2 {
                let me = players - 1 - n % players;
                let game = new_game(&coins, players, me);
                check_solvers(&game, brute::tree_value(&game).unwrap());
            }
        }
    }
}

#[test]
fn random_games_agree() {
    let mut dice = Dice::new(1);
    for _ in 0..2_000 {
        let game = dice.game(60);
        check_solvers(&game, single_moves::guaranteed_by_moves(&game));
    }
}

#[test]
fn solvers_for_two_players_agree() {
    let mut dice = Dice::new(2);
    for _ in 0..1_500 {
        let n = dice.below(40);
        let coins = dice.row(n);
        let total: i64 = coins.iter().sum();
        let game = new_game(&coins, 2, 0);
        let first = layers::guaranteed_by_layers(&game);
        let scores = row_fusion::two_player_scores(&coins).unwrap();
        assert_eq!((scores.first, scores.second), (first, total - first), "{coins:?}");
        assert_eq!(row_fusion::first_advantage(&coins), Ok(first - (total - first)), "{coins:?}");
        let smart = smart_dumb::smart_dumb_scores(&coins).unwrap();
        assert_eq!(smart.hostile, first, "{coins:?}");
        assert_eq!(smart.helped, single_moves::cooperative_by_moves(&game), "{coins:?}");
    }
}

#[test]
fn helping_players_agree_with_the_tree() {
    let mut dice = Dice::new(3);
    for _ in 0..1_000 {
        let game = dice.game(10);
        assert_eq!(
            Some(single_moves::cooperative_by_moves(&game)),
            brute::cooperative_tree_value(&game),
            "{game:?}"
        );
    }
}

/// All ways to cut a row into components, each a row or a stack.
fn all_forests(coins: &[i64]) -> Vec<Vec<Component>> {
    let cuts = 1u32 << coins.len().saturating_sub(1);
    let mut forests = Vec::new();
    for cut in 0..cuts {
        let mut parts: Vec<Vec<i64>> = vec![vec![coins[0]]];
        for (at, &coin) in coins[1..].iter().enumerate() {
            if cut >> at & 1 == 1 {
                parts.push(Vec::new());
            }
            parts.last_mut().unwrap().push(coin);
        }
        for kinds in 0..1u32 << parts.len() {
            let kind = |at: usize| {
                if kinds >> at & 1 == 1 { ComponentKind::StackTopFirst } else { ComponentKind::Row }
            };
            forests.push(
                parts
                    .iter()
                    .enumerate()
                    .map(|(at, part)| Component { kind: kind(at), coins: part.clone() })
                    .collect(),
            );
        }
    }
    forests
}

#[test]
fn all_small_tables_of_rows_and_stacks_agree_with_the_tree() {
    for n in 1..=5 {
        for coins in all_rows(n, 0, 2) {
            for forest in all_forests(&coins) {
                let outcome = forest_value(&forest).unwrap();
                assert_eq!(Some(outcome.advantage), brute::forest_tree_value(&forest), "{forest:?}");
                assert_eq!(2 * outcome.winnings, coins.iter().sum::<i64>() + outcome.advantage, "{forest:?}");
            }
        }
    }
}

#[test]
fn random_tables_of_rows_and_stacks_agree_with_the_tree() {
    let mut dice = Dice::new(4);
    for _ in 0..1_500 {
        let n = 1 + dice.below(7);
        let coins = dice.row(n);
        let forests = all_forests(&coins);
        let forest = &forests[dice.below(forests.len())];
        let advantage = forest_value(forest).unwrap().advantage;
        assert_eq!(Some(advantage), brute::forest_tree_value(forest), "{forest:?}");
    }
}
