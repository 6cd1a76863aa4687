//! Rows and players, as the subcommands of `kopek-coins` take them from the command line.

use anyhow::{Context as _, Result};
use kopek_coins::Game;

/// Players and the one we care about.
#[derive(clap::Args, Debug, Clone, Copy)]
pub(super) struct PlayersArgs {
    /// Number of players (m)
    #[arg(short = 'm', long, default_value_t = 2, value_name = "M")]
    pub players: usize,
    /// Your player, counted from 0 (k)
    #[arg(short = 'k', long, default_value_t = 0, value_name = "K")]
    pub me: usize,
}

impl PlayersArgs {
    pub(super) fn game_on(self, coins: Vec<i64>) -> Result<Game> {
        Game::new(coins, self.players, self.me).context("set up the game")
    }
}

/// A row that is typed in or random, and its players.
#[derive(clap::Args)]
pub(super) struct RowArgs {
    /// Row of coins [default: random]
    #[arg(allow_negative_numbers = true)]
    coins: Vec<i64>,
    #[command(flatten)]
    players: PlayersArgs,
    /// Number of random coins
    #[arg(short, long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    number: u32,
    /// Random seed; the same seed gives the same game
    #[arg(long)]
    seed: Option<u64>,
}

impl RowArgs {
    /// The game, and the seed in use.
    pub(super) fn into_game(self) -> Result<(Game, u64)> {
        let seed = self.seed.unwrap_or_else(new_seed);
        let coins = if self.coins.is_empty() { random_row(self.number as usize, seed) } else { self.coins };
        Ok((self.players.game_on(coins)?, seed))
    }
}

/// Random coins in `0..=99`; equal seeds, equal rows on every machine.
fn random_row(length: usize, mut seed: u64) -> Vec<i64> {
    let mut next_coin = || {
        // The upper half of a 64-bit linear congruential generator: the low bits have short periods.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as i64 % 100
    };
    // The first numbers still show the seed.
    (0..length + 8).map(|_| next_coin()).skip(8).collect()
}

/// A seed for those who gave none.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64 ^ u64::from(std::process::id()))
}
