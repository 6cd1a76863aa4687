//! Moves, opponents and explanations are optimal in every state of every play.

use super::dice::Dice;
use kopek_coins::adversary::Adversary;
use kopek_coins::explanation::explain_game;
use kopek_coins::game::{EndValues, RowEnd};
use kopek_coins::line_of_play::{PlayStyle, PlayedMove, line_of_play};
use kopek_coins::navigator::Navigator;
use kopek_coins::{Game, guaranteed_winnings, single_moves};

fn any_end(dice: &mut Dice) -> RowEnd {
    dice.pick(&[RowEnd::Left, RowEnd::Right])
}

/// The rest of a game as a game of its own: same players, who moves next moves first.
fn rest_of_game(play: &Navigator<'_>, taken: Option<RowEnd>) -> Game {
    let row = play.stretch();
    let row = match taken {
        None => row,
        Some(RowEnd::Left) => &row[1..],
        Some(RowEnd::Right) => &row[..row.len() - 1],
    };
    let (m, index) = (play.game().players(), play.move_index() + usize::from(taken.is_some()));
    let me = (play.game().me() + m - index % m) % m;
    Game::new(row.to_vec(), m, me).unwrap()
}

/// What both moves are worth, by single moves on what each leaves.
fn worth_by_single_moves(play: &Navigator<'_>) -> Option<EndValues> {
    let coins = play.stretch();
    let after = |end, coin: i64| {
        let mine = if play.is_my_move() { coin } else { 0 };
        mine + single_moves::guaranteed_by_moves(&rest_of_game(play, Some(end)))
    };
    Some(EndValues {
        left: after(RowEnd::Left, *coins.first()?),
        right: after(RowEnd::Right, *coins.last()?),
    })
}

#[test]
fn the_navigator_knows_both_moves_in_every_state() {
    let mut dice = Dice::new(30);
    for round in 0..300 {
        let game = dice.game(45);
        let mut play = Navigator::new(&game);
        loop {
            let right = worth_by_single_moves(&play);
            assert_eq!(play.worth_of_ends(), right, "{game:?} at {:?}", play.stretch());
            let Some(best) = play.best_end() else { break };
            play.take_coin(if round % 2 == 0 { best } else { any_end(&mut dice) });
        }
    }
}

#[test]
fn the_navigator_can_be_used_now_and_then() {
    let mut dice = Dice::new(31);
    let game = Game::new((0..4_000).map(|_| dice.between(0, 1023)).collect(), 3, 1).unwrap();
    let mut play = Navigator::new(&game);
    while !play.stretch().is_empty() {
        let right = guaranteed_winnings(&rest_of_game(&play, None));
        assert_eq!(play.value(), right, "{} coins left", play.stretch().len());
        for _ in 0..play.stretch().len().min(301) {
            play.take_coin(any_end(&mut dice));
        }
    }
}

#[test]
fn optimal_play_wins_what_is_guaranteed() {
    let mut dice = Dice::new(32);
    for _ in 0..300 {
        let game = dice.game(60);
        let mine = |step: &&PlayedMove| step.player == game.me();
        let won: i64 =
            line_of_play(&game, PlayStyle::Optimal).iter().filter(mine).map(|step| step.coin).sum();
        assert_eq!(won, guaranteed_winnings(&game), "{game:?}");
    }
}

/// Plays against the adversary; returns whether every move of p_k was optimal, and the winnings.
fn play_duel(game: &Game, seed: u64, mut choose: impl FnMut(&mut Navigator<'_>) -> RowEnd) -> (bool, i64) {
    let mut table = Adversary::new(game, seed);
    let mut faultless = true;
    loop {
        table.play_replies();
        let navigator = table.navigator();
        let Some(worth) = navigator.worth_of_ends() else { return (faultless, navigator.won()) };
        let end = choose(navigator);
        faultless &= worth.of(end) >= worth.of(end.opposite());
        table.take_coin(end);
    }
}

#[test]
fn against_the_adversary_only_faultless_play_wins_what_is_guaranteed() {
    let mut dice = Dice::new(33);
    for seed in 0..400 {
        let game = dice.game(30);
        let right = guaranteed_winnings(&game);
        let best = play_duel(&game, seed, |play| play.best_end().unwrap());
        assert_eq!(best, (true, right), "{game:?}");
        let (faultless, won) = play_duel(&game, seed, |_| any_end(&mut dice));
        assert_eq!(won == right, faultless, "{game:?}: {won} of {right}");
    }
}

#[test]
fn greedy_players_seldom_survive_the_adversary() {
    let mut dice = Dice::new(34);
    let survived = (0..60).filter(|&seed| {
        let game = Game::new((0..30).map(|_| dice.between(0, 1023)).collect(), 3, 0).unwrap();
        let greedy = play_duel(&game, seed, |play| {
            let row = play.stretch();
            if row[0] >= row[row.len() - 1] { RowEnd::Left } else { RowEnd::Right }
        });
        greedy.0
    });
    assert!(survived.count() < 20);
}

#[test]
fn equal_seeds_make_equal_adversaries() {
    let game = Game::new(vec![1; 12], 4, 3).unwrap();
    let replies = |seed| Adversary::new(&game, seed).play_replies();
    assert_eq!(replies(5), replies(5));
    assert!((0..50).any(|seed| replies(seed) != replies(5)), "ties are broken by lot");
}

#[test]
fn explanations_find_the_first_mistake_of_greed() {
    let why = explain_game(&Game::new(vec![3, 17, 2, 1], 2, 0).unwrap());
    assert_eq!((why.guaranteed, why.by_greed, why.first_mistake), (18, 5, Some(0)));
    let mut dice = Dice::new(37);
    for _ in 0..300 {
        let game = dice.game(30);
        let why = explain_game(&game);
        assert_eq!(why.guaranteed, guaranteed_winnings(&game), "{game:?}");
        assert_eq!(why.first_mistake.is_some(), why.by_greed < why.guaranteed, "{game:?}");
    }
}

#[test]
fn verified_values_are_values() {
    let mut dice = Dice::new(38);
    for _ in 0..200 {
        let game = dice.game(14);
        assert_eq!(
            kopek_coins::verified::verified_winnings(&game),
            Ok(guaranteed_winnings(&game)),
            "{game:?}"
        );
    }
}
