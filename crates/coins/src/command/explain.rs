//! `kopek-coins explain`: the line of play, optimal beside greedy.

use super::row_arguments::RowArgs;
use super::row_drawing;
use anyhow::Result;
use kopek_coins::explanation::{Explanation, explain_game, loss_of_move};
use kopek_coins::line_of_play::PlayedMove;
use kopek_coins::{Game, RowEnd};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    row: RowArgs,
    /// Maximum number of moves to list
    #[arg(long, default_value_t = 40, value_name = "MOVES")]
    moves: usize,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (game, _) = args.row.into_game()?;
    let why = explain_game(&game);
    println!("{}\n", row_drawing::draw_row(game.coins(), 0));
    println!("Player {} of {} can be sure of {}.\n", game.me(), game.players(), why.guaranteed);
    println!("{}\n", list_moves(&game, &why, args.moves));
    println!("`worth`: what player {} gets from there on if the left or right end is taken.", game.me());
    println!("{}", sum_up_greed(&why));
    Ok(())
}

/// One line per move, at most `max`.
fn list_moves(game: &Game, why: &Explanation, max: usize) -> String {
    let head = ["move", "player", "optimal", "worth l r", "greedy", "worth l r", "lost"];
    let mut table = row_drawing::new_table(&head);
    for (index, (optimal, greedy)) in why.optimal.iter().zip(&why.greedy).enumerate().take(max) {
        let mine = optimal.player == game.me();
        let loss = loss_of_move(greedy);
        table.add_row([
            index.to_string(),
            if mine { format!("{} *", optimal.player) } else { optimal.player.to_string() },
            end_and_coin(optimal),
            worth_of_both_ends(optimal),
            end_and_coin(greedy),
            worth_of_both_ends(greedy),
            if mine && loss > 0 { loss.to_string() } else { String::new() },
        ]);
    }
    let hidden = why.optimal.len().saturating_sub(max);
    let more = if hidden > 0 { format!("\n... and {hidden} more moves (--moves)") } else { String::new() };
    format!("{}{more}", table.trim_fmt())
}

fn end_and_coin(step: &PlayedMove) -> String {
    format!("{} {}", step.end, step.coin)
}

fn worth_of_both_ends(step: &PlayedMove) -> String {
    format!("{} {}", step.worth.left, step.worth.right)
}

/// Why greed fails here, or that it does not.
fn sum_up_greed(why: &Explanation) -> String {
    let Some(at) = why.first_mistake else {
        return format!("Always taking the greater end also wins {}.", why.by_greed);
    };
    let step = &why.greedy[at];
    format!(
        "Always taking the greater end wins only {}: at move {at} it takes {} at the {},\nwhich leads to {} from there on; the other end leads to {}.",
        why.by_greed,
        step.coin,
        match step.end {
            RowEnd::Left => "left",
            RowEnd::Right => "right",
        },
        step.worth.of(step.end),
        step.worth.of(step.end.opposite()),
    )
}
