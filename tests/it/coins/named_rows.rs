//! The examples of the sources, and rows that wrong solutions get wrong.

use kopek_coins::forest::{Component, ComponentKind, forest_value};
use kopek_coins::{Game, guaranteed_winnings, row_fusion, single_moves};

/// Row, m, k, the right value, and the engines that disagree.
const ROWS: &[(&[i64], usize, usize, i64, &str)] = &[
    (&[1, 3, 2, 5, 4], 2, 1, 8, "sample of From Russia with Love"),
    (&[1, 1, 8, 5, 5], 3, 2, 5, "sample of From Russia with Love"),
    (&[100, 100, 1, 1, 8, 5, 5], 3, 1, 105, "sample of From Russia with Love"),
    (&[3, 1, 2], 2, 0, 4, "sample of Burning Coins"),
    (&[1, 4, 9, 4], 2, 0, 10, "sample of Burning Coins"),
    (&[4, 5, 1, 3], 2, 0, 8, "sample of Removal Game"),
    (&[4, 7, 2, 9, 5, 2], 2, 0, 18, "sample of A Game"),
    (&[3, 17, 2, 1], 2, 0, 18, "example of Optimal strategy"),
    (&[2, 1, 0, 1], 2, 0, 3, "odd against even positions: 2"),
    (&[0, 1, 0, 0], 2, 0, 1, "greed: 0"),
    (&[0, 1, 0, 0], 2, 1, 0, "greedy opponents: 1"),
    (&[0, 0, 1, 0], 3, 2, 0, "selfish opponents: 1"),
    (&[1], 2, 1, 0, "the first player's answer: 1"),
    (&[1], 1, 0, 1, "k counted from 1: 0"),
    (&[0, 1, 0], 2, 0, 0, "a window one too short: 1"),
    (&[0, 1, 0], 2, 1, 1, "dropped zeros, sums of parity classes: 0"),
    (&[0, 1], 2, 1, 0, "helping opponents: 1"),
    (&[1, 0, 1], 3, 2, 0, "opponents only all left or all right: 1"),
    (&[1, 0], 2, 1, 0, "first moves one short: 1"),
    (&[1, 1], 3, 1, 1, "sum less minimum: 0"),
    (&[1, 1], 2, 1, 1, "nothing won when fewer than m coins are left: 0"),
    (&[1, 1, 1, 0], 2, 1, 1, "opponents who look one round ahead: 2"),
    (&[0, 1, 1, 2, 1, 1, 0], 3, 0, 2, "a lone greatest coin lowered to the second: 1"),
];

#[test]
fn named_rows_have_their_values() {
    for &(coins, players, me, right, other) in ROWS {
        let game = Game::new(coins.to_vec(), players, me).unwrap();
        assert_eq!(guaranteed_winnings(&game), right, "{coins:?}, m = {players}, k = {me} ({other})");
        assert_eq!(
            single_moves::guaranteed_by_moves(&game),
            right,
            "{coins:?}, m = {players}, k = {me} ({other})"
        );
    }
}

#[test]
fn players_who_never_move_win_nothing() {
    for n in 0..4 {
        let game = Game::new(vec![5; n], usize::MAX, n).unwrap();
        assert_eq!((game.turns(), guaranteed_winnings(&game)), (0, 0));
    }
    let last_coin = Game::new(vec![5, 7, 6], usize::MAX, 2).unwrap();
    assert_eq!(guaranteed_winnings(&last_coin), 5);
}

#[test]
fn sums_beyond_small_infinities_are_right() {
    for (n, coin, players, right) in
        [(501, 1023, 1, 512_523), (500, 1025, 1, 512_500), (100_000, 1 << 40, 3, 33_334 << 40)]
    {
        assert_eq!(guaranteed_winnings(&Game::new(vec![coin; n], players, 0).unwrap()), right);
    }
}

#[test]
fn rows_on_which_the_printed_pseudocode_fails_are_right() {
    for (coins, right) in [(vec![0, 1, 1, 1, 0], -1), (vec![0, 1, 2, 3, 0], -2), (vec![0, 1, 0], -1)] {
        assert_eq!(row_fusion::first_advantage(&coins), Ok(right), "{coins:?}");
    }
    let row = |coins: &[i64]| Component { kind: ComponentKind::Row, coins: coins.to_vec() };
    let stack = |coins: &[i64]| Component { kind: ComponentKind::StackTopFirst, coins: coins.to_vec() };
    let tables = [
        (vec![stack(&[0, 1, 0])], -1),
        (vec![row(&[0]), stack(&[0, 1])], 1),
        (vec![stack(&[0, 0, 1])], 1),
        (vec![], 0),
    ];
    for (table, right) in tables {
        assert_eq!(forest_value(&table).unwrap().advantage, right, "{table:?}");
    }
}
