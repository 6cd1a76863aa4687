//! What always holds, whatever the row.

use super::dice::Dice;
use kopek_coins::{Game, guaranteed_winnings};

fn value_of(coins: &[i64], players: usize, me: usize) -> i64 {
    guaranteed_winnings(&Game::new(coins.to_vec(), players, me).expect("a small row"))
}

/// Random games of at least one coin.
fn for_random_games(seed: u64, times: usize, test: impl Fn(&mut Dice, &Game)) {
    let mut dice = Dice::new(seed);
    for _ in 0..times {
        let game = dice.game(40);
        if !game.coins().is_empty() {
            test(&mut dice, &game);
        }
    }
}

#[test]
fn a_mirrored_row_is_worth_the_same() {
    for_random_games(20, 1_000, |_, game| {
        let mirrored: Vec<i64> = game.coins().iter().rev().copied().collect();
        assert_eq!(guaranteed_winnings(game), value_of(&mirrored, game.players(), game.me()), "{game:?}");
    });
}

#[test]
fn scaling_and_shifting_coins_scales_and_shifts_the_value() {
    for_random_games(21, 1_000, |dice, game| {
        let (scale, shift) = (dice.between(0, 9), dice.between(-99, 99));
        let changed: Vec<i64> = game.coins().iter().map(|x| scale * x + shift).collect();
        let right = scale * guaranteed_winnings(game) + shift * game.turns() as i64;
        assert_eq!(value_of(&changed, game.players(), game.me()), right, "{game:?}");
    });
}

#[test]
fn raising_one_coin_raises_the_value_by_no_more() {
    for_random_games(22, 1_000, |dice, game| {
        let (at, raise) = (dice.below(game.coins().len()), dice.between(0, 50));
        let mut raised = game.coins().to_vec();
        raised[at] += raise;
        let gain = value_of(&raised, game.players(), game.me()) - guaranteed_winnings(game);
        assert!((0..=raise).contains(&gain), "{game:?}: coin {at} by {raise}, value by {gain}");
    });
}

#[test]
fn the_value_lies_between_the_smallest_and_the_greatest_coins() {
    for_random_games(23, 1_000, |_, game| {
        let mut coins = game.coins().to_vec();
        coins.sort_unstable();
        let (turns, value) = (game.turns(), guaranteed_winnings(game));
        let least: i64 = coins[..turns].iter().sum();
        let max: i64 = coins[coins.len() - turns..].iter().sum();
        assert!((least..=max).contains(&value), "{game:?}: {value}");
    });
}

#[test]
fn guarantees_of_all_players_share_the_sum() {
    for_random_games(24, 400, |_, game| {
        let all: i64 = (0..game.players()).map(|me| value_of(game.coins(), game.players(), me)).sum();
        let total = game.total();
        assert!(all <= total && (game.players() > 2 || all == total), "{game:?}: {all} of {total}");
    });
}

#[test]
fn an_opponents_first_move_leaves_the_lesser_rest() {
    for_random_games(25, 1_000, |_, game| {
        let (x, m) = (game.coins(), game.players());
        if let Some(me) = game.me().checked_sub(1) {
            let rest = value_of(&x[1..], m, me).min(value_of(&x[..x.len() - 1], m, me));
            assert_eq!(guaranteed_winnings(game), rest, "{game:?}");
        }
    });
}

#[test]
fn neighbouring_states_differ_by_at_most_the_spread_of_the_coins() {
    for_random_games(26, 1_000, |_, game| {
        let (x, n) = (game.coins(), game.coins().len());
        let spread = x.iter().max().unwrap() - x.iter().min().unwrap();
        let (m, k) = (game.players(), game.me());
        let step = value_of(&x[1..], m, k) - value_of(&x[..n - 1], m, k);
        assert!(step.abs() <= spread, "{game:?}: {step}");
    });
}

#[test]
fn a_greatest_coin_at_an_end_is_taken_at_once() {
    for_random_games(27, 1_000, |_, game| {
        let (x, m) = (game.coins(), game.players());
        let mut coins = vec![x.iter().max().unwrap() + 1];
        coins.extend(x);
        let rest = match game.me().checked_sub(1) {
            None => coins[0] + value_of(x, m, m - 1),
            Some(me) => value_of(x, m, me),
        };
        assert_eq!(value_of(&coins, m, game.me()), rest, "{game:?}");
    });
}

#[test]
fn a_block_of_greatest_coins_fuses_as_conjectured() {
    let mut dice = Dice::new(28);
    for _ in 0..2_000 {
        let players = 2 + dice.below(5);
        let (before, after) = (dice.below(6), dice.below(6));
        let greatest = 6;
        let mut row = |n| (0..n).map(|_| dice.between(0, greatest)).collect::<Vec<i64>>();
        let (before, after, sides) = (row(before), row(after), row(2));
        let block = [vec![sides[0]], vec![greatest; players - 1], vec![sides[1]]].concat();
        let long = [before.clone(), block, after.clone()].concat();
        let short = [before, vec![sides[0] - greatest + sides[1]], after].concat();
        for me in 0..players {
            assert_eq!(
                value_of(&long, players, me),
                value_of(&short, players, me) + greatest,
                "{long:?} {players} {me}"
            );
        }
    }
}

#[test]
fn the_same_with_greater_coins_elsewhere_fails() {
    assert_ne!(value_of(&[4, 5, 1, 1, 1, 1], 3, 1), value_of(&[4, 5, 1], 3, 1) + 1);
    assert_ne!(value_of(&[5, 9, 0, 2, 2, 2, 2], 4, 1), value_of(&[5, 9, 0], 4, 1) + 2);
}
