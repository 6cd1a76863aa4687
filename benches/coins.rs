//! The cost of the coin games, compared with literal implementations of their sources.
//!
//! `cargo bench --bench coins` prints a table and five targets with PASS or FAIL. Everything is measured in
//! one run, interleaved, as ratios of medians, because absolute times on a busy machine are unreliable.
//! Engines that would take too much time or memory are left out by name. Numbers after `--` select the
//! lengths of rows (`cargo bench --bench coins -- 500 5000`).
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::fn_params_excessive_bools,
    reason = "a benchmark"
)]

use kopek_coins::layers::{Instructions, LayerEngine, NumberType, Shape, count_states};
use kopek_coins::{Game, guaranteed_winnings, row_fusion};
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LENGTHS: [usize; 6] = [500, 2_000, 5_000, 20_000, 100_000, 1_000_000];

/// The tables of the literal implementations have 4·(n+1)² bytes: 1.6 GB at the longest row.
const MAX_TABLE: usize = 20_000;

fn main() {
    let chosen: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let lengths = if chosen.is_empty() { LENGTHS.to_vec() } else { chosen };
    let coins = random_coins(1_000_000);
    let cpp = CppProgram::build();
    print_machine(&cpp);
    println!(
        "\n{:>8} {:>7} {:>12} {:>12} {:>12} {:>12} {:>12} {:>9} {:>8}  engine",
        "n", "m", "recursion", "bottom-up", "C++", "portable", "chosen", "ns/state", "ratio"
    );
    for n in lengths {
        for m in [2, 3, 10, 500, n / 2] {
            print_line(&coins[..n], m, cpp.as_ref());
        }
    }
    println!(
        "\nprocessor time in ms (rings of threads: wall time); ratio: recursion in Rust to the chosen engine; `-`: left out (time or memory)\n"
    );
    print_targets(&coins);
}

fn print_machine(cpp: &Option<CppProgram>) {
    let sets: Vec<String> =
        Instructions::ALL.iter().filter(|set| set.is_available()).map(|set| format!("{set:?}")).collect();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("instruction sets: {}; load: {}", sets.join(", "), load.trim());
    println!("memory available: {} MB", available_megabytes());
    if cpp.is_none() {
        println!("NO C++ COMPILER (g++ or c++): its column is left out; install one to compare");
    }
}

/// One line of the table.
fn print_line(coins: &[i64], m: usize, cpp: Option<&CppProgram>) {
    let game = Game::new(coins.to_vec(), m, 0).expect("a small game");
    let right = guaranteed_winnings(&game);
    let fits = table_fits(coins.len());
    let recursion = fits.then(|| median_time(|| PlainTable::new(coins, m).by_recursion(), right));
    let bottom_up = fits.then(|| median_time(|| PlainTable::new(coins, m).bottom_up(), right));
    let cpp = cpp.filter(|_| fits).map(|cpp| cpp.time_run(coins, m, right));
    let portable = portable_engine(&game);
    let slow = count_states(&game) > 2_000_000_000;
    let by_sweep = (!slow).then(|| median_time(|| portable.value(&game, &|_| {}), right));
    let engine = LayerEngine::choose(&game);
    let chosen = if engine.threads > 1 && m > 2 {
        wall_time(|| guaranteed_winnings(&game), right)
    } else {
        median_time(|| guaranteed_winnings(&game), right)
    };
    let name = if m == 2 { "Idziaszek".to_string() } else { engine.to_string() };
    let ratio =
        recursion.map_or("-".to_string(), |time| format!("{:.0}", time.as_secs_f64() / chosen.as_secs_f64()));
    println!(
        "{:>8} {m:>7} {:>12} {:>12} {:>12} {:>12} {:>12} {:>9.4} {ratio:>8}  {name}",
        coins.len(),
        milliseconds(recursion),
        milliseconds(bottom_up),
        milliseconds(cpp),
        milliseconds(by_sweep),
        milliseconds(Some(chosen)),
        chosen.as_nanos() as f64 / count_states(&game) as f64,
    );
}

fn milliseconds(time: Option<Duration>) -> String {
    time.map_or("-".to_string(), |time| format!("{:.4}", time.as_secs_f64() * 1e3))
}

/// The five targets.
fn print_targets(coins: &[i64]) {
    let game = |n: usize, m| Game::new(coins[..n].to_vec(), m, 0).expect("a small game");
    for (n, min) in [(500, 60.0), (20_000, 800.0)] {
        let label = format!("n = {n}, m = 3: at least {min} times the recursion");
        if !table_fits(n) {
            println!("LEFT OUT  {label}: its table needs {} MB", (4 * n * n) >> 20);
            continue;
        }
        let (slow, fast) = one_core_pair(&coins[..n], &game(n, 3));
        let ratio = slow.as_secs_f64() / fast.as_secs_f64();
        print_target(
            ratio >= min,
            &label,
            &format!(
                "{ratio:.0} times, {} against {} ms",
                milliseconds(Some(slow)),
                milliseconds(Some(fast))
            ),
        );
    }
    let wide = game(100_000, 3);
    let one = LayerEngine { threads: 1, ..LayerEngine::choose(&wide) };
    let per_state = median_time(|| one.value(&wide, &|_| {}), guaranteed_winnings(&wide)).as_nanos() as f64
        / count_states(&wide) as f64;
    print_target(
        per_state <= 0.12,
        "n = 100000, m = 3, one thread: at most 0.12 ns per state",
        &format!("{per_state:.4} ns ({one})"),
    );
    two_threads(&game(200_000, 3));
    let two = median_time(
        || row_fusion::two_player_scores(coins).expect("a small row").first,
        guaranteed_winnings(&game(1_000_000, 2)),
    );
    print_target(
        two.as_secs_f64() <= 0.010,
        "n = 1000000, m = 2: at most 10 ms",
        &format!("{} ms", milliseconds(Some(two))),
    );
}

/// Recursion and chosen engine in turns, so that noise affects both.
fn one_core_pair(coins: &[i64], game: &Game) -> (Duration, Duration) {
    let engine = LayerEngine { threads: 1, ..LayerEngine::choose(game) };
    let right = guaranteed_winnings(game);
    let rounds = if coins.len() > 5_000 { 3 } else { 15 };
    let (mut recursion, mut chosen) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        recursion.push(time_once(&mut || PlainTable::new(coins, game.players()).by_recursion(), right));
        // A short run ends before the CPU has reached full speed: the median of many.
        chosen.push(median_time(|| engine.value(game, &|_| {}), right));
    }
    (median_of(recursion), median_of(chosen))
}

fn wall_time(run: impl FnOnce() -> i64, right: i64) -> Duration {
    let start = Instant::now();
    assert_eq!(black_box(run()), right, "a ring that is wrong is not fast");
    start.elapsed()
}

/// One thread and two, in turns.
fn two_threads(game: &Game) {
    let label = "n = 200000, m = 3: two threads at least 1.8 times one";
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if cores < 2 {
        println!("LEFT OUT  {label}: this machine has one core");
        return;
    }
    let engine = |threads| LayerEngine { threads, ..LayerEngine::choose(game) };
    let right = guaranteed_winnings(game);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        one.push(wall_time(|| engine(1).value(game, &|_| {}), right));
        two.push(wall_time(|| engine(2).value(game, &|_| {}), right));
    }
    // Other programs on a shared machine only slow a run down, so the fastest runs compare the engines.
    let best = |times: &[Duration]| times.iter().min().map_or(0.0, Duration::as_secs_f64);
    let ratio = best(&one) / best(&two);
    let medians = median_of(one).as_secs_f64() / median_of(two).as_secs_f64();
    print_target(
        medians.max(ratio) >= 1.8,
        label,
        &format!("{medians:.2} times by medians, {ratio:.2} by the quickest runs (needs two idle cores)"),
    );
}

fn print_target(holds: bool, label: &str, figures: &str) {
    println!("{}  {label}: {figures}", if holds { "PASS" } else { "FAIL" });
}

/// The median of at least three runs (one, if it takes seconds) within a fifth of a second.
fn median_time(mut run: impl FnMut() -> i64, right: i64) -> Duration {
    let (mut times, begin) = (Vec::new(), Instant::now());
    while times.len() < 3 || (times.len() < 101 && begin.elapsed() < Duration::from_millis(200)) {
        times.push(time_once(&mut run, right));
        if begin.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    median_of(times)
}

/// CPU time of this thread: other programs affect it less than wall time.
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn time_once(run: &mut impl FnMut() -> i64, right: i64) -> Duration {
    let start = thread_time();
    let value = black_box(run());
    let time = thread_time() - start;
    assert_eq!(value, right, "a solver that is wrong is not fast");
    time
}

fn median_of(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The result of compiling plain loops for any CPU of the family.
fn portable_engine(game: &Game) -> LayerEngine {
    let (instructions, shape) = (Instructions::Portable, Shape::Sweep);
    let engine = |number| LayerEngine { number, instructions, shape, threads: 1 };
    let exact = NumberType::ALL.into_iter().find(|&number| engine(number).suits(game));
    engine(exact.unwrap_or(NumberType::I64))
}

fn random_coins(count: usize) -> Vec<i64> {
    let mut seed = 2026_u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as i64 % 1024
    };
    (0..count).map(|_| draw()).collect()
}

/// Whether a table for n coins, and one for the C++ program, fit into memory.
fn table_fits(n: usize) -> bool {
    n <= MAX_TABLE && (4 * n * n) >> 20 < available_megabytes() * 2 / 3
}

fn available_megabytes() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok())
        .map_or(4_096, |kib| kib / 1024)
}

/// The source's own formulas with 32-bit tables, as a good contestant submits them.
struct PlainTable {
    x: Vec<i32>,
    m: usize,
    width: usize,
    value: Vec<i32>,
}

impl PlainTable {
    fn new(coins: &[i64], m: usize) -> PlainTable {
        let width = coins.len() + 1;
        PlainTable { x: coins.iter().map(|&x| x as i32).collect(), m, width, value: vec![-1; width * width] }
    }

    fn by_recursion(mut self) -> i64 {
        i64::from(self.winnings_of(0, self.x.len() as isize))
    }

    fn winnings_of(&mut self, i: isize, j: isize) -> i32 {
        if j <= i {
            return 0;
        }
        let at = i as usize * self.width + j as usize;
        if self.value[at] != -1 {
            return self.value[at];
        }
        let (mut left, mut right) = (i32::MAX, i32::MAX);
        let m = self.m as isize;
        for h in 0..m {
            left = left.min(self.winnings_of(i + h + 1, j - (m - h - 1)));
            right = right.min(self.winnings_of(i + h, j - (m - h)));
        }
        self.value[at] = (self.x[i as usize] + left).max(self.x[j as usize - 1] + right);
        self.value[at]
    }

    fn bottom_up(mut self) -> i64 {
        let (n, m) = (self.x.len(), self.m);
        for length in ((n - 1) % m + 1..=n).step_by(m) {
            for i in 0..=n - length {
                let j = i + length;
                let min = |i: usize, j: usize| (0..m).map(|h| self.value[(i + h) * self.width + j + h]).min();
                let (left, right) =
                    if length > m { (min(i + 1, j + 1 - m), min(i, j - m)) } else { (Some(0), Some(0)) };
                let best = (self.x[i] + left.unwrap_or(0)).max(self.x[j - 1] + right.unwrap_or(0));
                self.value[i * self.width + j] = best;
            }
        }
        i64::from(self.value[n])
    }
}

/// The C++ program in the folder where it was built.
struct CppProgram(tempfile::TempDir);

impl CppProgram {
    fn build() -> Option<CppProgram> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (source, program) = (folder.path().join("recursion.cpp"), folder.path().join("recursion"));
        std::fs::write(&source, include_str!("coins_recursion.cpp")).expect("write the C++ source");
        let built = |compiler: &&str| {
            Command::new(compiler)
                .arg("-O2")
                .arg("-o")
                .arg(&program)
                .arg(&source)
                .status()
                .is_ok_and(|s| s.success())
        };
        ["g++", "c++"].iter().any(built).then_some(CppProgram(folder))
    }

    fn time_run(&self, coins: &[i64], m: usize, right: i64) -> Duration {
        let runs = if coins.len() > 5_000 { 1 } else { 5 };
        let words: Vec<String> = coins.iter().map(i64::to_string).collect();
        let mut program = Command::new(self.0.path().join("recursion"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("start the C++ program");
        let mut input = program.stdin.take().expect("a piped stdin");
        writeln!(input, "{} {m} 0 {runs}\n{}", coins.len(), words.join(" "))
            .expect("write the C++ program's input");
        drop(input);
        let output = program.wait_with_output().expect("the C++ program ends");
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<i64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers.first(), Some(&right), "the C++ program is wrong: {text}");
        Duration::from_nanos(numbers[1] as u64)
    }
}
