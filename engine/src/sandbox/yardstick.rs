//! A fixed piece of work of our own, to measure the machine by: arithmetic, branches, memory near and
//! far. What it takes now over what it takes in quiet is the slowdown of this moment.
//!
//! It runs in the calling thread, which shares the CPU of the slot with the programs. Each part exists
//! because something else slows it down: a lower clock all of them, a sibling thread of the core loads and
//! stores side by side, others on the same CPU near memory, a neighbour that thrashes the caches far memory.

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    hint::black_box,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// How many times each part is done; the second least time counts: neither a slip of the clock nor what
/// disturbed for an instant only.
const PIECES: usize = 5;

/// Words of memory: 32 MiB, more than a CPU's share of the caches.
const FAR_WORDS: u64 = 1 << 22;
/// A quarter of a MiB: a second cache holds it, as long as nobody else uses that.
const NEAR_WORDS: u64 = 1 << 15;

/// Where the last walk through far memory ended: the same way again would lie in the caches.
static FAR_POSITION: AtomicU64 = AtomicU64::new(1);

/// How much slower than in quiet, in thousandths: 1000 is as quick as ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slowdown(pub u32);

impl Slowdown {
    /// As quick as ever.
    pub const NONE: Slowdown = Slowdown(1000);

    /// As a factor; never less than 1.
    pub fn factor(self) -> f64 {
        f64::from(self.0.max(1000)) / 1000.0
    }
}

impl fmt::Display for Slowdown {
    /// `1.4 ×`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.2} ×", self.factor())
    }
}

/// How many parts there are.
pub const PARTS: usize = 5;

/// CPU times of the parts, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct YardstickTimes {
    /// Multiplications that wait for each other.
    pub arithmetic: u64,
    /// Branches that cannot be foreseen.
    pub branches: u64,
    /// Loads and stores side by side, as many as the core can do: what a sibling thread takes away. Earlier
    /// versions did not measure it.
    #[serde(default)]
    pub shared_core: u64,
    /// Reads within a cache of the CPU's own.
    pub near_memory: u64,
    /// Reads beyond the caches.
    pub far_memory: u64,
}

impl YardstickTimes {
    /// The times in the order of the fields.
    pub fn parts(&self) -> [u64; PARTS] {
        [self.arithmetic, self.branches, self.shared_core, self.near_memory, self.far_memory]
    }

    /// The reverse of [`YardstickTimes::parts`].
    pub fn from_parts(parts: [u64; PARTS]) -> YardstickTimes {
        let [arithmetic, branches, shared_core, near_memory, far_memory] = parts;
        YardstickTimes { arithmetic, branches, shared_core, near_memory, far_memory }
    }

    /// Part by part the middle of several.
    pub fn middle(all: &[YardstickTimes]) -> YardstickTimes {
        YardstickTimes::from_parts(std::array::from_fn(|part| {
            let mut times: Vec<u64> = all.iter().map(|times| times.parts()[part]).collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or(0)
        }))
    }

    /// The sum of all parts.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.parts().iter().sum())
    }

    /// Part by part the least.
    pub fn least(&self, other: &YardstickTimes) -> YardstickTimes {
        let (a, b) = (self.parts(), other.parts());
        YardstickTimes::from_parts(std::array::from_fn(|part| a[part].min(b[part])))
    }

    /// Part by part the most.
    pub fn most(&self, other: &YardstickTimes) -> YardstickTimes {
        let (a, b) = (self.parts(), other.parts());
        YardstickTimes::from_parts(std::array::from_fn(|part| a[part].max(b[part])))
    }

    /// How much slower it is on the whole: the mean of the parts' factors.
    pub fn factor_over(&self, other: &YardstickTimes) -> f64 {
        let both = self.parts().into_iter().zip(other.parts());
        let factors: Vec<f64> = both
            .filter(|(here, there)| *here > 0 && *there > 0)
            .map(|(here, there)| (here as f64 / there as f64).ln())
            .collect();
        (factors.iter().sum::<f64>() / factors.len().max(1) as f64).exp()
    }

    /// How much slower the part is that suffers most.
    pub fn slowdown_over(&self, quiet: &YardstickTimes) -> Slowdown {
        // Measured: a Python program that took 1.87 times as long beside a busy sibling saw this part at 1.44.
        let shared_core = self.shared_core + self.shared_core.saturating_sub(quiet.shared_core);
        let felt = YardstickTimes { shared_core, ..*self };
        let parts = felt.parts().into_iter().zip(quiet.parts());
        let worst = parts.map(|(now, quiet)| now.saturating_mul(1000) / quiet.max(1)).max().unwrap_or(1000);
        Slowdown(u32::try_from(worst).unwrap_or(u32::MAX).max(1000))
    }
}

/// Measures this CPU at this moment, which takes about two milliseconds.
pub fn measure_yardstick() -> YardstickTimes {
    let memory = far_memory();
    let near = &memory[..NEAR_WORDS as usize];
    // What was used last lies in the cache: otherwise the first piece would measure what ran before.
    walk(near, 1, 20_000);
    let mut cells = [1u64; CELLS];
    YardstickTimes {
        arithmetic: usual_time(|_| multiply(next_seed(), 30_000)),
        branches: usual_time(|_| branch(next_seed(), 6_000)),
        shared_core: usual_time(|round| shift(&mut cells, round, 100)),
        near_memory: usual_time(|_| walk(near, 1, 20_000)),
        far_memory: usual_time(|_| {
            let end = walk(memory, FAR_POSITION.load(Ordering::Relaxed), 2_000);
            FAR_POSITION.store(end, Ordering::Relaxed);
            end
        }),
    }
}

/// Words that the innermost cache holds, whoever shares the core.
const CELLS: usize = 512;

/// Another one each time: a processor learns branches that it has seen before.
fn next_seed() -> u64 {
    static SEED: AtomicU64 = AtomicU64::new(1);
    next(SEED.fetch_add(1, Ordering::Relaxed))
}

/// The same for the whole process: threads only read it.
fn far_memory() -> &'static [u64] {
    static MEMORY: OnceLock<Vec<u64>> = OnceLock::new();
    // Not zeros, which the kernel would give as one page that is shown everywhere.
    MEMORY.get_or_init(|| vec![1; FAR_WORDS as usize])
}

fn usual_time(mut piece: impl FnMut(u64) -> u64) -> u64 {
    let mut times: Vec<u64> = (0..PIECES as u64)
        .map(|seed| {
            let start = thread_time();
            black_box(piece(black_box(seed)));
            thread_time() - start
        })
        .collect();
    times.sort_unstable();
    times[1]
}

/// CPU time of this thread in nanoseconds.
pub fn thread_time() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// The next of a sequence that visits everything below a power of two once: no table to keep.
fn next(at: u64) -> u64 {
    at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// The shift keeps a compiler from doing several steps at once.
fn multiply(seed: u64, times: u64) -> u64 {
    (0..times).fold(seed, |at, _| next(at) ^ at >> 29)
}

/// Moves all words on by one, several rounds.
fn shift(cells: &mut [u64; CELLS], round: u64, rounds: u64) -> u64 {
    for step in 0..rounds {
        for at in 1..CELLS {
            // Each goes through memory; no step waits for the one before.
            cells[at - 1] = black_box(cells[at] ^ round ^ step);
        }
    }
    cells[0]
}

fn branch(seed: u64, times: u64) -> u64 {
    let (mut at, mut odd) = (seed, 0u64);
    for _ in 0..times {
        at = next(at);
        // The middle bits of such a sequence look random; a compiler must not turn this into arithmetic.
        if at >> 40 & 1 == 1 {
            odd = black_box(odd + 1);
        } else {
            odd = black_box(odd ^ at);
        }
    }
    odd
}

/// Each read decides where the next one is.
fn walk(memory: &[u64], start: u64, steps: u64) -> u64 {
    let (mut at, mask) = (start, memory.len() - 1);
    for _ in 0..steps {
        // All words are 1, which only we know.
        at = next(at).wrapping_add(memory[(at >> 20) as usize & mask]).wrapping_sub(1);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_suffers_most_is_the_slowdown() {
        let quiet = YardstickTimes::from_parts([100; PARTS]);
        let now = YardstickTimes { far_memory: 140, branches: 90, ..quiet };
        assert_eq!(now.slowdown_over(&quiet), Slowdown(1400));
        assert_eq!(quiet.slowdown_over(&now), Slowdown(1111), "only the branches are slower");
        assert_eq!(now.least(&quiet), YardstickTimes { branches: 90, ..quiet });
        let shared = YardstickTimes { shared_core: 140, ..quiet };
        assert_eq!(shared.slowdown_over(&quiet), Slowdown(1800), "programs suffer twice as much as the part");
        assert_eq!(YardstickTimes::middle(&[now, quiet, shared]), quiet);
        let earlier = YardstickTimes { shared_core: 0, ..quiet };
        assert!((earlier.factor_over(&quiet) - 1.0).abs() < 1e-9, "what was not measured says nothing");
        assert_eq!(Slowdown(1400).to_string(), "1.40 ×");
    }

    #[test]
    fn every_part_takes_time() {
        let times = measure_yardstick();
        assert!(times.parts().iter().all(|part| *part > 1000), "{times:?}");
        assert!(times.total() < Duration::from_secs(2), "{times:?}");
    }
}
