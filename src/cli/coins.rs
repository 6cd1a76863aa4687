//! `kopek coins`: values, plays, explanations and races of the coin games.

mod explain;
mod play;
mod race;
mod table;
mod tokens;
mod value;

use crate::coins::Game;
use anyhow::{Context as _, Result};
use clap::Subcommand;
use std::process::ExitCode;

/// Arguments of `kopek coins`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What a game is worth: a problem's input on stdin, its expected output on stdout
    Value(value::Args),
    /// Play p_k against the other players, who are merciless
    Play(play::Args),
    /// What each move is worth along optimal and greedy play
    Explain(explain::Args),
    /// Time the engines on one random row
    Race(race::Args),
}

/// Does it.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Value(args) => value::run(args)?,
        Command::Play(args) => play::run(args)?,
        Command::Explain(args) => explain::run(args)?,
        Command::Race(args) => race::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Players and the one we care about.
#[derive(clap::Args, Debug, Clone, Copy)]
struct Seats {
    /// Number of players (m)
    #[arg(short = 'm', long, default_value_t = 2, value_name = "M")]
    players: usize,
    /// The player we care about, counted from 0 (k)
    #[arg(short = 'k', long, default_value_t = 0, value_name = "K")]
    me: usize,
}

impl Seats {
    fn game(self, coins: Vec<i64>) -> Result<Game> {
        Game::new(coins, self.players, self.me).context("set up the game")
    }
}

/// A row of random coins, small enough to be read.
fn random_row(length: usize, greatest: i64, mut seed: u64) -> Vec<i64> {
    let mut draw = || {
        // The upper half of a 64-bit linear congruential generator.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as i64 % (greatest + 1)
    };
    // The first draws still show the seed.
    (0..length + 8).map(|_| draw()).skip(8).collect()
}

/// A seed nobody chose.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64 ^ u64::from(std::process::id()))
}
