//! Random rows from a stream that never changes.

use kopek_coins::Game;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

pub struct Dice(Pcg64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Pcg64::seed_from_u64(seed))
    }

    /// A number in `0..end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.0.next_u64() % (high - low + 1) as u64) as i64
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A row in one of the shapes that have caught mistakes before.
    pub fn row(&mut self, n: usize) -> Vec<i64> {
        let (low, high) =
            self.pick(&[(0, 1023), (0, 1), (0, 5), (-9, 9), (-1_000_000_000_000, 1_000_000_000_000), (7, 7)]);
        let mut row: Vec<i64> = (0..n).map(|_| self.between(low, high)).collect();
        match self.below(5) {
            0 => row.sort_unstable(),
            1 => {
                row.sort_unstable();
                row[n / 2..].reverse();
            }
            _ => {}
        }
        row
    }

    /// A game of fewer than `coins` coins; `m` may pass `n`, `k` may pass `n`.
    pub fn game(&mut self, coins: usize) -> Game {
        let n = self.below(coins);
        let max = self.pick(&[2, 3, 4, 8, 20, n + 4]);
        let players = 1 + self.below(max);
        let me = self.below(players);
        Game::new(self.row(n), players, me).expect("small rows are accepted")
    }
}

/// All rows of `n` values out of `low..=high`.
pub fn all_rows(n: usize, low: i64, high: i64) -> impl Iterator<Item = Vec<i64>> {
    let base = (high - low + 1) as u64;
    (0..base.pow(n as u32))
        .map(move |code| (0..n as u32).map(|at| low + (code / base.pow(at) % base) as i64).collect())
}
