//! `kopek coins explain`: the line of play, optimal beside greedy.

use super::{Seats, random_row, some_seed, table};
use crate::coins::Game;
use crate::coins::explain::{Explanation, explain, loss};
use crate::coins::play::Step;
use anyhow::Result;

/// Arguments of `kopek coins explain`.
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
    /// Seed of the lot
    #[arg(long)]
    seed: Option<u64>,
    /// How many moves to list
    #[arg(long, default_value_t = 40, value_name = "MOVES")]
    moves: usize,
}

/// Does it.
pub fn run(args: Args) -> Result<()> {
    let coins = if args.coins.is_empty() {
        random_row(args.number as usize, 99, args.seed.unwrap_or_else(some_seed))
    } else {
        args.coins
    };
    let game = args.seats.game(coins)?;
    let why = explain(&game);
    println!("{}\n", table::draw(game.coins(), 0));
    println!("Player {} of {} can be sure of {}.\n", game.me(), game.players(), why.guaranteed);
    println!("{}\n", moves(&game, &why, args.moves));
    println!("`worth`: what player {} gets from there on if the left or right end is taken.", game.me());
    println!("{}", verdict(&why));
    Ok(())
}

/// One line per move.
fn moves(game: &Game, why: &Explanation, most: usize) -> String {
    let mut table = table::plain(&["move", "player", "optimal", "worth l r", "greedy", "worth l r", "lost"]);
    for (index, (optimal, greedy)) in why.optimal.iter().zip(&why.greedy).enumerate().take(most) {
        let mine = optimal.player == game.me();
        let lost = if mine && loss(greedy) > 0 { loss(greedy).to_string() } else { String::new() };
        let player = if mine { format!("{} *", optimal.player) } else { optimal.player.to_string() };
        let cells =
            [index.to_string(), player, taken(optimal), worth(optimal), taken(greedy), worth(greedy), lost];
        table.add_row(cells);
    }
    let hidden = why.optimal.len().saturating_sub(most);
    let more = if hidden > 0 { format!("\n... and {hidden} more moves (--moves)") } else { String::new() };
    format!("{}{more}", table.trim_fmt())
}

fn taken(step: &Step) -> String {
    format!("{} {}", step.end, step.coin)
}

fn worth(step: &Step) -> String {
    format!("{} {}", step.worth.left, step.worth.right)
}

/// Why greed fails here, or that it does not.
fn verdict(why: &Explanation) -> String {
    let Some(at) = why.first_mistake else {
        return format!("Always taking the greater end also wins {}.", why.by_greed);
    };
    let step = &why.greedy[at];
    format!(
        "Always taking the greater end wins only {}: at move {at} it takes {} at the {},\nwhich leads to {} from there on; the other end leads to {}.",
        why.by_greed,
        step.coin,
        if step.end.letter() == 'L' { "left" } else { "right" },
        step.worth.of(step.end),
        step.worth.of(step.end.opposite()),
    )
}
