//! `kopek coins play`: a person against opponents without mercy.

use super::{Seats, random_row, some_seed, table};
use crate::coins::game::{End, Ends};
use crate::coins::guaranteed;
use crate::coins::navigator::Navigator;
use crate::coins::play::Adversary;
use anyhow::{Context as _, Result};
use std::io::{BufRead, IsTerminal as _, Write as _};

/// Arguments of `kopek coins play`.
#[derive(clap::Args)]
pub struct Args {
    /// The row; drawn by lot if not given
    #[arg(allow_negative_numbers = true)]
    coins: Vec<i64>,
    #[command(flatten)]
    seats: Seats,
    /// How many coins to draw by lot
    #[arg(short, long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    number: u32,
    /// Seed of the lot: equal seeds, equal games
    #[arg(long)]
    seed: Option<u64>,
}

/// What a person may type.
#[derive(Clone, Copy)]
enum Wish {
    Take(End),
    Worth,
    Help,
    Quit,
}

/// A move that gave something away.
struct Slip {
    turn: usize,
    end: End,
    worth: Ends,
}

const HELP: &str = "l: take the left coin, r: take the right one, ?: what each is worth, q: stop";

/// Does it.
pub fn run(args: Args) -> Result<()> {
    let seed = args.seed.unwrap_or_else(some_seed);
    let coins = if args.coins.is_empty() { random_row(args.number as usize, 99, seed) } else { args.coins };
    let game = args.seats.game(coins)?;
    let (m, k) = (game.players(), game.me());
    println!("{} coins, {m} players (counted from 0). You are player {k}.", game.coins().len());
    println!("The others only want that you get little. Seed {seed}.\n{HELP}\n");
    let mut duel = Adversary::new(&game, seed);
    if !duel.navigator().is_my_move() {
        println!("{}", table::draw(game.coins(), 0));
    }
    let mut slips = Vec::new();
    let finished = turns(&mut duel, &mut std::io::stdin().lock(), &mut slips)?;
    let play = duel.navigator();
    if finished {
        farewell(play.won(), guaranteed(&game), &slips);
    } else {
        println!("\nYou leave with {}; {} coins stay on the table.", play.won(), play.stretch().len());
    }
    Ok(())
}

/// Turns until the row is empty (true) or the person stops (false).
fn turns(duel: &mut Adversary<'_>, input: &mut impl BufRead, slips: &mut Vec<Slip>) -> Result<bool> {
    for turn in 1.. {
        others(duel);
        let play = duel.navigator();
        if play.stretch().is_empty() {
            break;
        }
        println!("{}", table::draw(play.stretch(), play.at()));
        let Some(end) = ask(play, turn, input)? else { return Ok(false) };
        let worth = play.options().context("the row is not empty")?;
        if worth.of(end) < worth.of(end.opposite()) {
            slips.push(Slip { turn, end, worth });
        }
        println!("  You take {}.\n", duel.play(end));
    }
    Ok(true)
}

/// The others' moves, one line each; of many, a summary.
fn others(duel: &mut Adversary<'_>) {
    let play = duel.navigator();
    let (row, m, mut player) = (play.stretch(), play.game().players(), play.index() % play.game().players());
    let replies = duel.replies();
    let (mut left, mut right) = (0, row.len());
    if replies.len() > 12 {
        let lefts = replies.iter().filter(|&&end| end == End::Left).count();
        println!(
            "  The others take {lefts} coins from the left and {} from the right.",
            replies.len() - lefts
        );
        return;
    }
    for end in replies {
        let (coin, side) = match end {
            End::Left => (row[left], "left"),
            End::Right => (row[right - 1], "right"),
        };
        (left, right) = if end == End::Left { (left + 1, right) } else { (left, right - 1) };
        println!("  Player {player} takes {coin} from the {side}.");
        player = (player + 1) % m;
    }
}

/// Asks until a move is chosen; `None` if the person stops or the input ends.
fn ask(play: &mut Navigator<'_>, turn: usize, input: &mut impl BufRead) -> Result<Option<End>> {
    loop {
        print!("  Turn {turn}, you have {}. Your move [l r ? q]: ", play.won());
        std::io::stdout().flush().context("write to the terminal")?;
        let mut line = String::new();
        let read = input.read_line(&mut line).context("read your move")?;
        if !std::io::stdin().is_terminal() {
            println!("{}", line.trim_end());
        }
        if read == 0 {
            return Ok(None);
        }
        match wish(&line) {
            Some(Wish::Take(end)) => return Ok(Some(end)),
            Some(Wish::Quit) => return Ok(None),
            Some(Wish::Worth) => tell(play)?,
            Some(Wish::Help) => println!("  {HELP}"),
            None => println!("  `{}` is no move.\n  {HELP}", line.trim()),
        }
    }
}

fn wish(line: &str) -> Option<Wish> {
    Some(match line.trim().to_ascii_lowercase().as_str() {
        "l" | "left" => Wish::Take(End::Left),
        "r" | "right" => Wish::Take(End::Right),
        "?" => Wish::Worth,
        "h" | "help" => Wish::Help,
        "q" | "quit" | "exit" => Wish::Quit,
        _ => return None,
    })
}

/// What each move would be worth.
fn tell(play: &mut Navigator<'_>) -> Result<()> {
    let worth = play.options().context("the row is not empty")?;
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

fn farewell(won: i64, sure: i64, slips: &[Slip]) {
    println!("The row is empty. You won {won}; you could be sure of {sure}.");
    if slips.is_empty() {
        println!("Every move of yours was as good as any.");
    }
    for slip in slips {
        let (got, missed) = (slip.worth.of(slip.end), slip.worth.of(slip.end.opposite()));
        println!(
            "  turn {}: {} was worth {got} from there on, {} was worth {missed}",
            slip.turn,
            slip.end,
            slip.end.opposite()
        );
    }
}
