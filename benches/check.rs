//! The cost of checking: equal and nearly equal files of 100 MB, compared with `cmp` and `diff -q`.
//!
//! `cargo bench --bench check [-- MEGABYTES]`. Contestants take turns, so that noise affects all of them
//! equally, and medians count. Speeds are per CPU time of our own, ratios use wall time. Fails if data that
//! differs at most at its end is compared at less than 1 GB/s or takes more than 1.5 times as long as `cmp`,
//! if data that differs everywhere is compared at less than 0.3 GB/s (0.05 if all numbers have other digits), or if memory
//! grows with size.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::fn_params_excessive_bools,
    reason = "a benchmark"
)]

use kopek::check::{CompareOptions, compare_files};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

/// The number of turns of each contestant.
const TURNS: usize = 9;
/// Bytes per second for data that differs at most at its end.
const EQUAL_SPEED: f64 = 1e9;
/// Bytes per second if every line differs.
const DIFFERING_SPEED: f64 = 0.3e9;
/// The same if every number has other digits, each of which is parsed: 0.08e9 measured.
const PARSED_SPEED: f64 = 0.05e9;
/// The largest ratio to the time of `cmp`.
const MAX_OF_CMP: f64 = 1.5;
/// The largest growth of memory while large files are compared, in KiB.
const MEMORY: u64 = 4 << 10;

/// Two large files and how to compare them.
struct Duel {
    what: &'static str,
    /// The n-th line of the answer and of the output.
    lines: fn(u64) -> (String, String),
    /// The end of the output.
    end: &'static str,
    args: &'static [&'static str],
    /// The minimum speed, in bytes per second.
    min: f64,
}

// A benchmark prints for people.
fn print_line(line: &str) {
    println!("{line}");
}

const DUELS: [Duel; 7] = [
    Duel {
        what: "equal lines",
        lines: |n| equal_lines(line_of_numbers(n)),
        end: "",
        args: &[],
        min: EQUAL_SPEED,
    },
    Duel {
        what: "one equal token",
        lines: |n| equal_lines(format!("{n:0>64}")),
        end: "",
        args: &[],
        min: EQUAL_SPEED,
    },
    Duel {
        what: "white space at the end",
        lines: |n| equal_lines(line_of_numbers(n)),
        end: " \r\n",
        args: &[],
        min: EQUAL_SPEED,
    },
    Duel {
        what: "line ends differ",
        lines: |n| (line_of_numbers(n), line_of_numbers(n).replace('\n', "\r\n")),
        end: "",
        args: &[],
        min: DIFFERING_SPEED,
    },
    Duel {
        what: "white space differs",
        lines: |n| (line_of_numbers(n), line_of_numbers(n).replace(' ', "  ")),
        end: "",
        args: &[],
        min: DIFFERING_SPEED,
    },
    Duel {
        what: "case differs",
        lines: |n| (format!("possible {n}\n"), format!("Possible {n}\n")),
        end: "",
        args: &[],
        min: DIFFERING_SPEED,
    },
    Duel {
        what: "last digits differ",
        lines: |n| (format!("{}.1234567\n", n % 1000), format!("{}.1234569\n", n % 1000)),
        end: "",
        args: &["float_tolerance", "1e-6"],
        min: PARSED_SPEED,
    },
];

fn main() -> ExitCode {
    let megabytes: u64 = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(100);
    print_line(&format!("{megabytes} MB against {megabytes} MB, median of {TURNS} turns each"));
    let before = peak_memory();
    let fast = DUELS.iter().filter(|duel| !measure_duel(duel, megabytes * 1_000_000)).count() == 0;
    let grown = peak_memory() - before;
    let verdict = pass_or_fail(grown <= MEMORY);
    print_line(&format!("{:<24} {grown:>6} KiB more at the peak, at most {MEMORY}: {verdict}", "memory"));
    ExitCode::from(u8::from(!(fast && grown <= MEMORY)))
}

fn pass_or_fail(passed: bool) -> &'static str {
    if passed { "PASS" } else { "FAIL" }
}

fn equal_lines(line: String) -> (String, String) {
    (line.clone(), line)
}

fn line_of_numbers(n: u64) -> String {
    format!("{n} {} {}\n", n * 7919 % 10_007, n * n % 1_000_003)
}

fn measure_duel(duel: &Duel, size: u64) -> bool {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (answer, output) = (dir.path().join("answer"), dir.path().join("output"));
    write_files(duel, size, &answer, &output);
    let args: Vec<String> = duel.args.iter().map(|arg| arg.to_string()).collect();
    let options = CompareOptions::parse(&args).expect("arguments are sound");
    let ours = || {
        let output = File::open(&output).expect("the output was written");
        let difference = compare_files(&answer, &output, &options).expect("the answer was written");
        assert_eq!(difference, None, "{}", duel.what);
    };
    let cmp = || run_tool(&["cmp", "-s"], &answer, &output);
    let diff = || run_tool(&["diff", "-q"], &answer, &output);
    let mut rivals: Vec<(&str, &dyn Fn())> = vec![("kopek", &ours)];
    // The others stop at the first difference, or compare only sizes.
    if duel.min == EQUAL_SPEED && duel.end.is_empty() {
        rivals.extend(
            [("cmp", &cmp as &dyn Fn()), ("diff -q", &diff)]
                .into_iter()
                .filter(|(name, _)| is_installed(name)),
        );
    }
    let (medians, cpu) = medians(&rivals);
    report(duel, size, &rivals, &medians, cpu)
}

fn write_files(duel: &Duel, size: u64, answer: &Path, output: &Path) {
    let create = |path| BufWriter::new(File::create(path).expect("a file can be made"));
    let (mut answer, mut output) = (create(answer), create(output));
    let (mut written, mut n) = (0, 0);
    while written < size {
        let lines = (duel.lines)(n);
        answer.write_all(lines.0.as_bytes()).expect("there is room");
        output.write_all(lines.1.as_bytes()).expect("there is room");
        written += lines.0.len() as u64;
        n += 1;
    }
    output.write_all(duel.end.as_bytes()).expect("there is room");
}

fn is_installed(tool: &str) -> bool {
    let name = tool.split(' ').next().unwrap_or(tool);
    Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn run_tool(argv: &[&str], answer: &Path, output: &Path) {
    let mut command = Command::new(argv[0]);
    command
        .args(&argv[1..])
        .arg(answer)
        .arg(output)
        .stdout(Stdio::null())
        .status()
        .expect("the tool is there");
}

/// Medians of wall time for each, and of CPU time for the first.
fn medians(rivals: &[(&str, &dyn Fn())]) -> (Vec<Duration>, Duration) {
    let (mut times, mut cpus) = (vec![Vec::new(); rivals.len()], Vec::new());
    for turn in 0..=TURNS {
        for (index, ((_, rival), times)) in rivals.iter().zip(&mut times).enumerate() {
            let (start, cpu) = (Instant::now(), cpu_time());
            rival();
            // The first turn only warms the page cache.
            if turn > 0 {
                times.push(start.elapsed());
                cpus.extend((index == 0).then(|| cpu_time() - cpu));
            }
        }
    }
    let middle = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    (times.into_iter().map(middle).collect(), middle(cpus))
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("CPU time is not negative")
}

fn report(duel: &Duel, size: u64, rivals: &[(&str, &dyn Fn())], medians: &[Duration], cpu: Duration) -> bool {
    let speed = size as f64 / cpu.as_secs_f64();
    let mut line = format!("{:<24} {:>6.2} GB/s", duel.what, speed / 1e9);
    let mut fast = speed >= duel.min;
    for ((name, _), median) in rivals.iter().zip(medians).skip(1) {
        let ratio = medians[0].as_secs_f64() / median.as_secs_f64();
        line += &format!(", {ratio:.2} × the time of {name}");
        fast &= *name != "cmp" || ratio <= MAX_OF_CMP;
    }
    print_line(&format!("{line}: {}", pass_or_fail(fast)));
    fast
}

/// Peak memory in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux reports the peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}
