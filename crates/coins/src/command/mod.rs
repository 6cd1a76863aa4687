//! The command line of the coin games: values, plays and explanations.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the command line is where printing lives")]

mod explain;
mod input_words;
mod play;
mod row_arguments;
mod row_drawing;
mod value;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Solve, explain and play the coin games.
#[derive(Parser)]
#[command(name = "kopek-coins", version, after_help = "Exit codes: 0 done; 2 error.")]
struct Args {
    #[command(subcommand)]
    command: CoinsCommand,
}

#[derive(Subcommand)]
enum CoinsCommand {
    /// Solve a game: a problem's input on stdin, its output on stdout
    Value(value::Args),
    /// Play against players who keep your winnings small
    Play(play::Args),
    /// Compare optimal and greedy play, move by move
    Explain(explain::Args),
}

/// Parses the arguments, runs the command and prints errors.
pub(super) fn main() -> ExitCode {
    let done = match Args::parse().command {
        CoinsCommand::Value(args) => value::run(args),
        CoinsCommand::Play(args) => play::run(args),
        CoinsCommand::Explain(args) => explain::run(args),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    error.chain().skip(1).for_each(|cause| eprintln!("  {cause}"));
    ExitCode::from(2)
}
