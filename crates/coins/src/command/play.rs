//! `kopek-coins play`: a person against optimal opponents.

use super::row_arguments::RowArgs;
use super::row_drawing;
use anyhow::{Context as _, Result};
use kopek_coins::adversary::Adversary;
use kopek_coins::game::{EndValues, RowEnd};
use kopek_coins::guaranteed_winnings;
use kopek_coins::navigator::Navigator;
use std::io::{BufRead, IsTerminal as _, Write as _};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    row: RowArgs,
}

/// What a person may type.
#[derive(Clone, Copy)]
enum PlayerInput {
    Take(RowEnd),
    Worth,
    Help,
    Quit,
}

/// A move after which `p_k` can be sure of less than before it.
struct Mistake {
    turn: usize,
    end: RowEnd,
    worth: EndValues,
}

/// How a play ended.
enum PlayEnd {
    RowEmpty,
    PersonStopped,
}

const HELP: &str = "l: take the left coin, r: take the right one, ?: what each is worth, q: stop";

pub(super) fn run(args: Args) -> Result<()> {
    let (game, seed) = args.row.into_game()?;
    let (m, k) = (game.players(), game.me());
    println!("{} coins, {m} players (counted from 0). You are player {k}.", game.coins().len());
    println!("The others only want that you get little. Seed {seed}.\n{HELP}\n");
    let mut adversary = Adversary::new(&game, seed);
    if !adversary.navigator().is_my_move() {
        println!("{}", row_drawing::draw_row(game.coins(), 0));
    }
    let mut mistakes = Vec::new();
    let end = play_turns(&mut adversary, &mut std::io::stdin().lock(), &mut mistakes)?;
    let play = adversary.navigator();
    match end {
        PlayEnd::RowEmpty => print_result(play.won(), guaranteed_winnings(&game), &mistakes),
        PlayEnd::PersonStopped => {
            println!("\nYou leave with {}; {} coins stay on the table.", play.won(), play.stretch().len());
        }
    }
    Ok(())
}

/// Turns until the row is empty or the person stops.
fn play_turns(
    adversary: &mut Adversary<'_>,
    input: &mut impl BufRead,
    mistakes: &mut Vec<Mistake>,
) -> Result<PlayEnd> {
    for turn in 1.. {
        play_and_print_replies(adversary);
        let play = adversary.navigator();
        if play.stretch().is_empty() {
            break;
        }
        println!("{}", row_drawing::draw_row(play.stretch(), play.first_position()));
        let Some(end) = read_move(play, turn, input)? else { return Ok(PlayEnd::PersonStopped) };
        let worth = play.worth_of_ends().context("the row is not empty")?;
        if worth.of(end) < worth.of(end.opposite()) {
            mistakes.push(Mistake { turn, end, worth });
        }
        println!("  You take {}.\n", adversary.take_coin(end));
    }
    Ok(PlayEnd::RowEmpty)
}

/// The others' moves, one line each; of many, a summary.
fn play_and_print_replies(adversary: &mut Adversary<'_>) {
    let play = adversary.navigator();
    let (row, m) = (play.stretch(), play.game().players());
    let mut player = play.move_index() % m;
    let replies = adversary.play_replies();
    let (mut left, mut right) = (0, row.len());
    if replies.len() > 12 {
        let lefts = replies.iter().filter(|&&end| end == RowEnd::Left).count();
        println!(
            "  The others take {lefts} coins from the left and {} from the right.",
            replies.len() - lefts
        );
        return;
    }
    for end in replies {
        let (coin, side) = match end {
            RowEnd::Left => (row[left], "left"),
            RowEnd::Right => (row[right - 1], "right"),
        };
        (left, right) = if end == RowEnd::Left { (left + 1, right) } else { (left, right - 1) };
        println!("  Player {player} takes {coin} from the {side}.");
        player = (player + 1) % m;
    }
}

/// Asks until a move is chosen; `None` if the person stops or the input ends.
fn read_move(play: &mut Navigator<'_>, turn: usize, input: &mut impl BufRead) -> Result<Option<RowEnd>> {
    loop {
        print!("  Turn {turn}, you have {}. Your move [l r ? q]: ", play.won());
        std::io::stdout().flush().context("write to the terminal")?;
        let mut line = String::new();
        let read = input.read_line(&mut line).context("read your move")?;
        // A terminal echoes what is typed; in a piped play the answer would be missing.
        if !std::io::stdin().is_terminal() {
            println!("{}", line.trim_end());
        }
        if read == 0 {
            return Ok(None);
        }
        match parse_input(&line) {
            Some(PlayerInput::Take(end)) => return Ok(Some(end)),
            Some(PlayerInput::Quit) => return Ok(None),
            Some(PlayerInput::Worth) => print_worth(play)?,
            Some(PlayerInput::Help) => println!("  {HELP}"),
            None => println!("  `{}` is no move.\n  {HELP}", line.trim()),
        }
    }
}

fn parse_input(line: &str) -> Option<PlayerInput> {
    Some(match line.trim().to_ascii_lowercase().as_str() {
        "l" | "left" => PlayerInput::Take(RowEnd::Left),
        "r" | "right" => PlayerInput::Take(RowEnd::Right),
        "?" => PlayerInput::Worth,
        "h" | "help" => PlayerInput::Help,
        "q" | "quit" | "exit" => PlayerInput::Quit,
        _ => return None,
    })
}

/// What each move would be worth.
fn print_worth(play: &mut Navigator<'_>) -> Result<()> {
    let worth = play.worth_of_ends().context("the row is not empty")?;
    let row = play.stretch();
    let advice = match worth.left.cmp(&worth.right) {
        std::cmp::Ordering::Greater => "Left is better.",
        std::cmp::Ordering::Less => "Right is better.",
        std::cmp::Ordering::Equal => "Both are as good.",
    };
    println!("  left  ({}): {} from here on", row[0], worth.left);
    println!("  right ({}): {} from here on. {advice}", row[row.len() - 1], worth.right);
    Ok(())
}

fn print_result(won: i64, sure: i64, mistakes: &[Mistake]) {
    println!("The row is empty. You won {won}; you could be sure of {sure}.");
    if mistakes.is_empty() {
        println!("Every move of yours was as good as any.");
    }
    for Mistake { turn, end, worth } in mistakes {
        let (got, missed) = (worth.of(*end), worth.of(end.opposite()));
        println!("  turn {turn}: {end} was worth {got} from there on, {} was worth {missed}", end.opposite());
    }
}
