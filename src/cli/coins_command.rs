//! `kopek coins`: values, plays, explanations and races of the coin games.

mod coins_explain;
mod coins_play;
mod coins_race;
mod coins_value;
mod input_words;
mod row_arguments;
mod row_drawing;

use super::exit_status::ExitStatus;
use anyhow::Result;
use clap::Subcommand;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: CoinsCommand,
}

#[derive(Subcommand)]
enum CoinsCommand {
    /// What a game is worth: a problem's input on stdin, its expected output on stdout
    Value(coins_value::Args),
    /// Play p_k against the other players, who all play to make you get little
    Play(coins_play::Args),
    /// What each move is worth along optimal and greedy play
    Explain(coins_explain::Args),
    /// Time the engines on one random row
    Race(coins_race::Args),
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    match args.command {
        CoinsCommand::Value(args) => coins_value::run(args)?,
        CoinsCommand::Play(args) => coins_play::run(args)?,
        CoinsCommand::Explain(args) => coins_explain::run(args)?,
        CoinsCommand::Race(args) => coins_race::run(args)?,
    }
    Ok(ExitStatus::Success)
}
