//! The long run: hundreds of thousands of random games. `cargo test -- --ignored`.

use super::agreement::{Witness, check_all_rows, check_solvers};
use super::dice::{Dice, all_rows};
use kopek_coins::forest::{Component, ComponentKind, forest_value};
use kopek_coins::navigator::Navigator;
use kopek_coins::{Game, brute, guaranteed_winnings, single_moves};

/// Runs `game` with seeds on all cores until `count` are done.
fn on_all_cores(count: u64, game: impl Fn(&mut Dice) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get()) as u64;
    std::thread::scope(|scope| {
        for core in 0..cores {
            let game = &game;
            scope.spawn(move || {
                let mut dice = Dice::new(1_000 + core);
                (0..count.div_ceil(cores)).for_each(|_| game(&mut dice));
            });
        }
    });
}

#[test]
#[ignore = "long: some ten seconds"]
fn hundreds_of_thousands_of_random_games_agree() {
    on_all_cores(400_000, |dice| {
        let game = dice.game(24);
        check_solvers(&game, single_moves::guaranteed_by_moves(&game));
    });
}

#[test]
#[ignore = "long: some ten seconds"]
fn rows_of_thousands_agree() {
    let mut dice = Dice::new(50);
    for _ in 0..20 {
        let n = 500 + dice.below(1_500);
        let players = dice.pick(&[2, 3, 4, 5, 6, 7, 8, 9, 31, 500]);
        let game = Game::new(dice.row(n), players, dice.below(players)).unwrap();
        check_solvers(&game, single_moves::guaranteed_by_moves(&game));
    }
}

#[test]
#[ignore = "long: some ten seconds"]
fn thousands_of_random_plays_know_every_move() {
    on_all_cores(4_000, |dice| {
        let game = dice.game(40);
        let mut play = Navigator::new(&game);
        while let Some(end) = play.best_end() {
            let rest = guaranteed_winnings(&game) - play.won();
            assert_eq!(play.value(), rest, "{game:?} at {:?}", play.stretch());
            play.take_coin(end);
        }
    });
}

#[test]
#[ignore = "long: some ten seconds"]
fn tens_of_thousands_of_tables_of_rows_and_stacks_agree() {
    on_all_cores(20_000, |dice| {
        let count = 1 + dice.below(4);
        let components: Vec<Component> = (0..count)
            .map(|_| {
                let n = dice.below(10 / count).min(6);
                Component {
                    kind: dice.pick(&[ComponentKind::Row, ComponentKind::StackTopFirst]),
                    coins: dice.row(n),
                }
            })
            .collect();
        let advantage = forest_value(&components).unwrap().advantage;
        assert_eq!(Some(advantage), brute::forest_tree_value(&components), "{components:?}");
    });
}

#[test]
#[ignore = "long: some ten seconds"]
fn all_rows_of_eight_coins_agree_with_single_moves() {
    check_all_rows(8, Witness::SingleMoves);
}

#[test]
#[ignore = "long: some ten seconds"]
fn all_rows_of_nine_small_coins_agree() {
    for coins in all_rows(9, -1, 1) {
        for players in 1..=11 {
            let game = Game::new(coins.clone(), players, coins.len() % players).unwrap();
            assert_eq!(guaranteed_winnings(&game), single_moves::guaranteed_by_moves(&game), "{game:?}");
        }
    }
}
