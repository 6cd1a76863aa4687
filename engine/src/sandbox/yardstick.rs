//! A fixed piece of work of our own, to measure the machine by: arithmetic, loads and stores, memory in the
//! caches. What it takes now over what it takes in quiet is the slowdown of this moment.
//!
//! It runs in the calling thread, which shares the CPU of the slot with the programs. Each part exists
//! because something else slows it down: a lower clock all of them, a sibling thread of the core loads and
//! stores side by side, others on the same CPU near memory, neighbours that fill the cache that CPUs share
//! what should lie there: the more of it a program uses, the sooner.
//!
//! The parts of the shared cache are programs of that size: they read on until they have what they will have of
//! it. What was only brought there, and is looked for some milliseconds later, tells nothing of programs: they
//! come back to their memory all the time. Measured beside a thrasher: 4 MiB that were left alone for 6 ms took
//! twice as long as in quiet, a program of 4 MiB as long as ever.

use super::run_result::Usage;
use crate::base::Bytes;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::{
    fmt, fs,
    hint::black_box,
    sync::{
        LazyLock, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// So long the parts are measured that use the caches of one CPU, in small pieces.
const NEAR_TIME: Duration = Duration::from_millis(3);

/// 32 MiB: more than most shared caches leave to one of many. All that such a program can have is there soon.
static ALL_READER: CacheReader = CacheReader::new(1 << 22, 1);
/// 16 MiB: what a shared cache holds while others leave it.
static MUCH_READER: CacheReader = CacheReader::new(1 << 21, 2);
/// 4 MiB: more than the caches of one CPU, little of what is shared.
static LITTLE_READER: CacheReader = CacheReader::new(1 << 19, 4);
/// A quarter of a MiB: a second cache holds it, as long as nobody else uses that.
const NEAR_WORDS: usize = 1 << 15;
/// Words of a line of the caches.
const LINE_WORDS: usize = 8;

/// A program that reads so many words in no order.
struct CacheReader {
    words: usize,
    /// How often it visits a line before it is timed, on the average: until most of what it can have of the cache is
    /// there.
    visits: u64,
    /// Where the last walk ended: the same way again would lie in nearer caches.
    position: AtomicU64,
}

impl CacheReader {
    const fn new(words: usize, visits: u64) -> CacheReader {
        CacheReader { words, visits, position: AtomicU64::new(1) }
    }

    /// How long it takes for as many reads as it has lines, once it has got going: neighbours come and go within
    /// milliseconds.
    fn time(&self) -> u64 {
        let memory = memory_of(self.words);
        let lines = (self.words / LINE_WORDS) as u64;
        let going = black_box(walk(memory, self.position.load(Ordering::Relaxed), lines * self.visits));
        timed(|| {
            let end = walk(memory, going, lines);
            self.position.store(end, Ordering::Relaxed);
            end
        })
    }
}

/// What a program uses of the cache that CPUs share: how quick that is differs by much more than how quick the
/// rest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheUse {
    /// The caches of one CPU hold all of the program.
    Nothing,
    /// Few MiB.
    Little,
    /// More.
    Much,
    /// More than its share, or it is not known.
    All,
}

impl CacheUse {
    /// From the least to the most.
    pub const ALL: [CacheUse; 4] = [CacheUse::Nothing, CacheUse::Little, CacheUse::Much, CacheUse::All];

    /// That of a program that used so much.
    pub fn of(usage: &Usage) -> CacheUse {
        // What it reads of files that it maps is nowhere counted as its own.
        let mapped = usage.resident.0.saturating_sub(LIBRARIES.0);
        CacheUse::of_bytes(usage.working_set.map_or(usage.memory.0.max(mapped), |used| used.0))
    }

    /// That of a program that uses so many bytes.
    pub(super) fn of_bytes(used: u64) -> CacheUse {
        match used {
            used if used <= most_of_own_caches() => CacheUse::Nothing,
            used if used <= MOST_LITTLE.0 => CacheUse::Little,
            used if used <= MOST_MUCH.0 => CacheUse::Much,
            _ => CacheUse::All,
        }
    }
}

/// What the part of the yardstick with 4 MiB stands for.
const MOST_LITTLE: Bytes = Bytes::mib(6);

/// What the part of the yardstick with 16 MiB stands for.
const MOST_MUCH: Bytes = Bytes::mib(20);

/// What programs map of themselves and their libraries, and seldom read again.
pub(super) const LIBRARIES: Bytes = Bytes::mib(8);

/// What a program holds that does nothing: a stack, tables of the kernel.
const BARE_PROGRAM: Bytes = Bytes::kib(768);

/// The second cache of a CPU, where the kernel does not tell: that of the smallest that are still used.
const SECOND_CACHE_KIB: u64 = 256;

/// What a CPU's own caches surely hold, bytes. They hold code and files, too: half is left.
fn most_of_own_caches() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    *MOST.get_or_init(|| {
        let text = fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size").unwrap_or_default();
        let kib = text.trim().strip_suffix('K').and_then(|kib| kib.parse().ok()).unwrap_or(SECOND_CACHE_KIB);
        BARE_PROGRAM.0 + Bytes::kib(kib).0 / 2
    })
}

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
pub const PARTS: usize = 6;

/// What the parts are: the times of a yardstick of other parts are not compared.
pub const NAMES_OF_PARTS: &str =
    "arithmetic, shared core, near memory, programs that use little, much, all of the shared cache";

/// CPU times of the parts, in nanoseconds. 0: not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct YardstickTimes {
    /// Multiplications that wait for each other.
    pub arithmetic: u64,
    /// Loads and stores side by side, as many as the core can do: what a sibling thread takes away.
    #[serde(default)]
    pub shared_core: u64,
    /// Reads within a cache of the CPU's own.
    pub near_memory: u64,
    /// Reads within 4 MiB.
    #[serde(default)]
    pub little_cached: u64,
    /// Reads within 16 MiB.
    #[serde(default)]
    pub much_cached: u64,
    /// Reads within 32 MiB.
    #[serde(default)]
    pub all_cached: u64,
}

impl YardstickTimes {
    /// The times in the order of the fields.
    pub fn parts(&self) -> [u64; PARTS] {
        let &YardstickTimes { arithmetic, shared_core, near_memory, little_cached, much_cached, all_cached } =
            self;
        [arithmetic, shared_core, near_memory, little_cached, much_cached, all_cached]
    }

    /// The reverse of [`YardstickTimes::parts`].
    pub fn from_parts(parts: [u64; PARTS]) -> YardstickTimes {
        let [arithmetic, shared_core, near_memory, little_cached, much_cached, all_cached] = parts;
        YardstickTimes { arithmetic, shared_core, near_memory, little_cached, much_cached, all_cached }
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

    /// Part by part the least that was measured.
    pub fn least(&self, other: &YardstickTimes) -> YardstickTimes {
        let (a, b) = (self.parts(), other.parts());
        YardstickTimes::from_parts(std::array::from_fn(|part| match (a[part], b[part]) {
            (0, measured) | (measured, 0) => measured,
            (one, other) => one.min(other),
        }))
    }

    /// Part by part the most.
    pub fn most(&self, other: &YardstickTimes) -> YardstickTimes {
        let (a, b) = (self.parts(), other.parts());
        YardstickTimes::from_parts(std::array::from_fn(|part| a[part].max(b[part])))
    }

    /// How much slower the machine is on the whole: the mean of the parts' factors, but for the shared cache, of which
    /// neighbours leave little for hours.
    pub fn factor_over(&self, other: &YardstickTimes) -> f64 {
        let both = self.parts().into_iter().zip(other.parts()).take(OWN_PARTS);
        let measured = both.filter(|(here, there)| *here > 0 && *there > 0);
        let factors: Vec<f64> = measured.map(|(here, there)| here as f64 / there as f64).collect();
        factors.iter().product::<f64>().powf(1.0 / factors.len().max(1) as f64)
    }

    /// How much slower the part is that suffers most, of those that matter to a program of this use; none if one of
    /// them was not measured.
    pub fn slowdown_over(&self, quiet: &YardstickTimes, cache: CacheUse) -> Option<Slowdown> {
        // Measured: a Python program that took 1.87 times as long beside a busy sibling saw this part at 1.44.
        // What a lower clock makes of it is not the sibling's.
        let clock = (self.arithmetic as f64 / quiet.arithmetic.max(1) as f64).max(1.0);
        let unshared = (quiet.shared_core as f64 * clock) as u64;
        let shared_core = self.shared_core + self.shared_core.saturating_sub(unshared);
        let felt = YardstickTimes {
            shared_core,
            little_cached: felt_of_little(self.little_cached, quiet.little_cached),
            ..*self
        };
        let parts = felt.parts().into_iter().zip(quiet.parts()).take(OWN_PARTS + cache as usize);
        let each = parts.map(|(now, quiet)| (now.min(quiet) > 0).then(|| now.saturating_mul(1000) / quiet));
        let worst = each.collect::<Option<Vec<u64>>>()?.into_iter().max()?;
        Some(Slowdown(u32::try_from(worst).unwrap_or(u32::MAX).max(1000)))
    }
}

/// So many parts come before those of the shared cache.
const OWN_PARTS: usize = 3;

/// What a small program may suffer where another one of its size took more than a tenth longer: one that reads less often
/// loses its lines sooner. A large one has lost most of them by then.
fn felt_of_little(now: u64, quiet: u64) -> u64 {
    now + now.saturating_sub(quiet + quiet / 10)
}

/// Measures this CPU at this moment, for programs that use little of the shared cache: some fifteen milliseconds.
pub fn measure_yardstick() -> YardstickTimes {
    measure_own_caches().least(&measure_little_program())
}

/// The parts that matter to every program: three milliseconds. While and after a CPU waits for memory, for some
/// milliseconds, it may run at a lower clock.
pub fn measure_own_caches() -> YardstickTimes {
    let near = memory_of(NEAR_WORDS);
    let mut pieces = [const { Vec::new() }; 3];
    let mut cells = [1u64; CELLS];
    let start = Instant::now();
    // What was used last lies in the cache: otherwise the first piece would measure what ran before.
    black_box(walk(near, black_box(1), 20_000));
    // At least once, also where others had the CPU all the time.
    loop {
        pieces[0].push(timed(|| multiply(black_box(1), 30_000)));
        pieces[1].push(timed(|| shift(&mut cells, 100)));
        pieces[2].push(timed(|| walk(near, black_box(1), 20_000)));
        if start.elapsed() >= NEAR_TIME {
            break;
        }
    }
    let [arithmetic, shared_core, near_memory] = pieces.map(usual_time);
    YardstickTimes { arithmetic, shared_core, near_memory, ..YardstickTimes::default() }
}

/// The part that matters only to programs that use the shared cache: some ten milliseconds.
pub fn measure_little_program() -> YardstickTimes {
    YardstickTimes { little_cached: LITTLE_READER.time(), ..YardstickTimes::default() }
}

/// The parts that matter only to programs that use more of it, up to this use: some fifty milliseconds for `Much`, two
/// hundred more for `All`.
pub fn measure_large_programs(cache: CacheUse) -> YardstickTimes {
    let time = |least, reader: &CacheReader| if cache >= least { reader.time() } else { 0 };
    YardstickTimes {
        much_cached: time(CacheUse::Much, &MUCH_READER),
        all_cached: time(CacheUse::All, &ALL_READER),
        ..YardstickTimes::default()
    }
}

/// Words that the innermost cache holds, whoever shares the core.
const CELLS: usize = 512;

/// So many words, the same for the whole process: threads only read them. Most runs never want the large parts.
fn memory_of(words: usize) -> &'static [u64] {
    // Not zeros, which the kernel would give as one page that is shown everywhere.
    static LITTLE: LazyLock<Vec<u64>> = LazyLock::new(|| vec![1; LITTLE_READER.words]);
    static LARGE: LazyLock<Vec<u64>> = LazyLock::new(|| vec![1; ALL_READER.words]);
    let memory = if words <= LITTLE_READER.words { &LITTLE } else { &LARGE };
    &memory[..words]
}

/// How long something takes.
fn timed(piece: impl FnOnce() -> u64) -> u64 {
    let start = thread_time();
    black_box(piece());
    thread_time() - start
}

/// Not the least, which may be a slip of the clock, but not what disturbed for an instant either.
fn usual_time(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times[times.len() / 16]
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
fn shift(cells: &mut [u64; CELLS], rounds: u64) -> u64 {
    for round in 0..rounds {
        for at in 1..CELLS {
            // Each goes through memory; no step waits for the one before.
            cells[at - 1] = black_box(cells[at] ^ round);
        }
    }
    cells[0]
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
        let slowdown = |now: &YardstickTimes| now.slowdown_over(&quiet, CacheUse::All).unwrap();
        let now = YardstickTimes { much_cached: 140, near_memory: 90, ..quiet };
        assert_eq!(slowdown(&now), Slowdown(1400), "the other parts are as ever");
        let little = YardstickTimes { little_cached: 140, ..quiet };
        assert_eq!(slowdown(&little), Slowdown(1700), "programs may suffer more than the part");
        let reverse = quiet.slowdown_over(&now, CacheUse::All).unwrap();
        assert_eq!(reverse, Slowdown(1111), "only near memory is slower");
        assert_eq!(now.least(&quiet), YardstickTimes { near_memory: 90, ..quiet });
        let shared = YardstickTimes { shared_core: 140, ..quiet };
        assert_eq!(slowdown(&shared), Slowdown(1800), "programs suffer twice as much as the part");
        let slow_clock = YardstickTimes { arithmetic: 120, shared_core: 120, ..quiet };
        assert_eq!(slowdown(&slow_clock), Slowdown(1200), "nothing of it is a sibling's");
        assert_eq!(YardstickTimes::middle(&[now, quiet, shared]), quiet);
        let earlier = YardstickTimes { shared_core: 0, ..quiet };
        assert!((earlier.factor_over(&quiet) - 1.0).abs() < 1e-9, "what was not measured says nothing");
        let now = YardstickTimes::from_parts([110, 110, 110, 600, 600, 600]);
        assert!((now.factor_over(&quiet) - 1.1).abs() < 1e-9, "neighbours make no other machine of it");
        assert_eq!(Slowdown(1400).to_string(), "1.40 ×");
    }

    #[test]
    fn the_shared_cache_matters_only_to_who_uses_it() {
        let quiet = YardstickTimes::from_parts([100; PARTS]);
        let now = YardstickTimes::from_parts([100, 100, 110, 120, 200, 250]);
        let slowdowns_of = |usages: &[(u64, u64)]| -> Vec<u32> {
            let usage = |&(memory, resident)| {
                let [memory, resident] = [memory, resident].map(Bytes::kib);
                Usage { memory, resident, ..Usage::default() }
            };
            usages.iter().map(|kib| now.slowdown_over(&quiet, CacheUse::of(&usage(kib))).unwrap().0).collect()
        };
        assert_eq!(slowdowns_of(&[(768, 1500), (800, 6600)]), [1100, 1100]);
        assert_eq!(slowdowns_of(&[(6 << 10, 9 << 10), (800, 12 << 10)]), [1300, 1300]);
        assert_eq!(slowdowns_of(&[(7 << 10, 9 << 10), (800, 20 << 10)]), [2000, 2000]);
        assert_eq!(slowdowns_of(&[(21 << 10, 0), (800, 30 << 10)]), [2500, 2500]);
    }

    #[test]
    fn what_was_not_measured_is_not_known() {
        let quiet =
            YardstickTimes { much_cached: 0, all_cached: 0, ..YardstickTimes::from_parts([100; PARTS]) };
        let all = YardstickTimes { much_cached: 300, all_cached: 400, ..quiet };
        assert_eq!((quiet.least(&all), all.least(&quiet)), (all, all));
        for (times, quiet) in [(&quiet, &all), (&all, &quiet), (&quiet, &quiet)] {
            let known = CacheUse::ALL.map(|cache| times.slowdown_over(quiet, cache).is_some());
            assert_eq!(known, [true, true, false, false]);
        }
    }

    #[test]
    fn every_part_takes_time() {
        let each = CacheUse::ALL.map(|cache| measure_yardstick().least(&measure_large_programs(cache)));
        let measured = each.map(|times| times.parts().iter().filter(|part| **part > 1000).count());
        assert_eq!(measured, [4, 4, 5, 6], "{each:?}");
        assert!(each[3].total() < Duration::from_secs(2), "{each:?}");
    }
}
