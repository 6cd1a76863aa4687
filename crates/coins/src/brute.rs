//! Brute force: checks all other solvers.
//!
//! [`tree_value`] plays every possible game; [`defined_value`] does not even rely on minimax: it tries all
//! strategies of `p_k` against all sequences of moves of the others. Both follow the rules literally and
//! share no formula with the solvers. They return `None` for rows that would take too long.

use super::forest::{Component, ComponentKind};
use super::game::Game;
use std::collections::VecDeque;

/// The longest row that [`tree_value`] and [`cooperative_tree_value`] accept.
pub const TREE_COINS: usize = 20;

/// The most positions with a choice that [`defined_value`] accepts.
pub const DEFINITION_CHOICES: usize = 12;

/// The guaranteed value of `p_k`, from the literal game tree. O(2^n).
///
/// ```
/// use kopek_coins::{Game, brute};
/// let game = Game::new(vec![1, 3, 2, 5, 4], 2, 1)?;
/// assert_eq!(brute::tree_value(&game), Some(8));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn tree_value(game: &Game) -> Option<i64> {
    value_of_tree(game, i64::min)
}

/// The value of `p_k` if everyone plays for `p_k`, from the literal game tree. O(2^n).
///
/// ```
/// use kopek_coins::{Game, brute};
/// let game = Game::new(vec![0, 1], 2, 1)?;
/// assert_eq!(brute::cooperative_tree_value(&game), Some(1));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn cooperative_tree_value(game: &Game) -> Option<i64> {
    value_of_tree(game, i64::max)
}

fn value_of_tree(game: &Game, others: fn(i64, i64) -> i64) -> Option<i64> {
    let mut row: VecDeque<i64> = game.coins().iter().copied().collect();
    (row.len() <= TREE_COINS).then(|| best_branch(game, &mut row, 0, others))
}

/// Takes each end in turn, recurses, and puts it back.
fn best_branch(game: &Game, row: &mut VecDeque<i64>, index: usize, others: fn(i64, i64) -> i64) -> i64 {
    let Some(left) = row.pop_front() else { return 0 };
    let after_left = best_branch(game, row, index + 1, others);
    row.push_front(left);
    let Some(right) = row.pop_back() else { return 0 };
    let after_right = best_branch(game, row, index + 1, others);
    row.push_back(right);
    if game.is_my_move(index) {
        (left + after_left).max(right + after_right)
    } else {
        others(after_left, after_right)
    }
}

/// The definition itself: the best strategy of `p_k`. A strategy chooses an end for every stretch of coins;
/// its value is the least that it earns over all sequences of moves of the others. O(2^(n²/2m) · 2^n).
///
/// ```
/// use kopek_coins::{Game, brute};
/// let game = Game::new(vec![1, 0, 1], 3, 2)?;
/// assert_eq!(brute::defined_value(&game), Some(0));
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
pub fn defined_value(game: &Game) -> Option<i64> {
    let choices = stretches_with_choice(game);
    if choices.len() > DEFINITION_CHOICES {
        return None;
    }
    // A strategy is a bit set: the i-th choice takes the right end if bit i is set.
    let worth = |strategy: u32| worst_case(game, &choices, strategy);
    (0..1u32 << choices.len()).map(worth).max()
}

/// Every stretch `[i, j)` of two coins or more with `p_k` to move: the choices of a strategy.
fn stretches_with_choice(game: &Game) -> Vec<(usize, usize)> {
    let n = game.coins().len();
    let mine = |length: &usize| game.is_my_move(n - length);
    (2..=n).filter(mine).flat_map(|length| (0..=n - length).map(move |i| (i, i + length))).collect()
}

/// The least a strategy earns over all sequences of the others' moves.
fn worst_case(game: &Game, choices: &[(usize, usize)], strategy: u32) -> i64 {
    let others = (0..game.coins().len()).filter(|&index| !game.is_my_move(index)).count();
    let earned = |moves: u32| play_by_orders(game, choices, strategy, moves);
    (0..1u32 << others).map(earned).min().unwrap_or(0)
}

/// One game in which both sides follow fixed moves.
fn play_by_orders(game: &Game, choices: &[(usize, usize)], strategy: u32, mut moves: u32) -> i64 {
    let (mut i, mut j, mut earned) = (0, game.coins().len(), 0);
    for index in 0..game.coins().len() {
        let mine = game.is_my_move(index);
        let left = if mine {
            // A single coin is no choice and is not listed: both ends are the same coin.
            choices.iter().position(|&place| place == (i, j)).is_none_or(|at| strategy >> at & 1 == 0)
        } else {
            let order = moves & 1 == 0;
            moves >>= 1;
            order
        };
        let coin = if left { game.coins()[i] } else { game.coins()[j - 1] };
        (i, j) = if left { (i + 1, j) } else { (i, j - 1) };
        earned += if mine { coin } else { 0 };
    }
    earned
}

/// The most coins that [`forest_tree_value`] accepts.
pub const FOREST_COINS: usize = 12;

/// The first of two players' advantage on rows and stacks, from the literal tree. O(c · (2c)^n).
///
/// ```
/// use kopek_coins::{brute, forest::{Component, ComponentKind}};
/// let stack = Component { kind: ComponentKind::StackTopFirst, coins: vec![0, 1, 0] };
/// assert_eq!(brute::forest_tree_value(&[stack]), Some(-1));
/// ```
pub fn forest_tree_value(components: &[Component]) -> Option<i64> {
    let coins: usize = components.iter().map(|c| c.coins.len()).sum();
    let mut piles: Vec<CoinPile> = components
        .iter()
        .map(|c| CoinPile { kind: c.kind, coins: c.coins.iter().copied().collect() })
        .collect();
    (coins <= FOREST_COINS).then(|| best_forest_advantage(&mut piles))
}

/// The rest of a component during a game.
struct CoinPile {
    kind: ComponentKind,
    coins: VecDeque<i64>,
}

/// Takes each available coin, recurses, and puts it back.
fn best_forest_advantage(piles: &mut [CoinPile]) -> i64 {
    let mut best = None;
    for at in 0..piles.len() {
        if let Some(coin) = piles[at].coins.pop_front() {
            best = best.max(Some(coin - best_forest_advantage(piles)));
            piles[at].coins.push_front(coin);
        }
        if piles[at].kind == ComponentKind::Row
            && let Some(coin) = piles[at].coins.pop_back()
        {
            best = best.max(Some(coin - best_forest_advantage(piles)));
            piles[at].coins.push_back(coin);
        }
    }
    // No move was left, so there is nothing to gain. A negative best must not become 0.
    best.unwrap_or(0)
}
