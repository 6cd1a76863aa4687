//! How often verdicts flip: programs that need a known part of their limit, under loads of several kinds,
//! by kopek's policy and, from the same minutes, by the usual ones. Prints a table and PASS or FAIL.
//!
//! `KOPEK_FLIPS_TRIALS=20` tries each program at most so often under each load (200 without it, which takes
//! hours; 5 take eight minutes). A load that makes programs slow gets no more time than the others: fewer trials.
//! `KOPEK_FLIPS_LOADS=quiet,neighbour` and `KOPEK_FLIPS_KINDS=arithmetic` choose some.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use kopek::{
    base::Bytes,
    exec::{BuildRules, Engine, KnownFacts, Machine, SourceRole, available_cpus, stop_at},
    language::{LanguageTable, Search, SourceFiles},
    package::Format,
    plan::{Build, CaseFiles, Checker, Job, Outcome, Program, Setting, Task, Trial, TrialMode, TrialTask},
    sandbox::{FaultSource, Limits, Sandbox},
    store::Store,
    verdict::Verdict,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

/// What parts of its limit a program needs in quiet.
const PARTS: [f64; 8] = [0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5];

/// Below and above these no verdict may be wrong.
const SURELY_FITS: f64 = 0.9;
const SURELY_SLOW: f64 = 1.25;

/// How many may be undecided where half of the CPU time is there, and what the care may cost in quiet.
const MOST_UNDECIDED: f64 = 0.02;
const MOST_COST: f64 = 0.03;

struct Kind {
    name: &'static str,
    language: &'static str,
    file: &'static str,
    source: &'static str,
}

/// A program that reads 4 × 2^n bytes in no order, so many times; each read decides where the next one is.
macro_rules! reads_in_no_order {
    ($n:literal, $times:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { size_t n = 1 << ",
            $n,
            "; unsigned *a = malloc(n * 4); memset(a, 1, n * 4); size_t at = 1; unsigned s = 0; for (long i = 0; i < ",
            $times,
            "; i++) { at = at * 6364136223846793005UL + 1442695040888963407UL + s; \
             s = a[(at >> 20) & (n - 1)] - 0x01010101u; } printf(\"%u\\n\", s); }\n"
        )
    };
}

const KINDS: [Kind; 5] = [
    Kind {
        name: "arithmetic",
        language: "c",
        file: "main.c",
        source: "#include <stdio.h>\nint main(void) { unsigned long x = 1; for (long i = 0; i < 180000000L; i++) \
                 x = x * 6364136223846793005UL + 1442695040888963407UL; printf(\"%d\\n\", x == 42); }\n",
    },
    Kind { name: "memory", language: "c", file: "main.c", source: reads_in_no_order!("23", "3000000") },
    Kind { name: "cache", language: "c", file: "main.c", source: reads_in_no_order!("20", "12000000") },
    Kind {
        name: "python",
        language: "python3",
        file: "main.py",
        source: "d = {}\nx = 1\nfor i in range(600000):\n    x = (x * 1103515245 + 12345) % 2147483648\n    \
                 d[x % 4096] = d.get(x % 4096, 0) + 1\nprint(0)\n",
    },
    Kind {
        name: "java",
        language: "java",
        file: "Main.java",
        source: "import java.util.*;\npublic class Main { public static void main(String[] args) { \
                 TreeMap<Integer, Integer> map = new TreeMap<>(); long x = 1; for (int i = 0; i < 300000; i++) { \
                 x = (x * 1103515245L + 12345) % 2147483648L; map.merge((int) (x % 20000), 1, Integer::sum); } \
                 System.out.println(0); } }\n",
    },
];

/// What runs beside the programs.
struct Load {
    name: &'static str,
    /// Whether half of the CPU time is left for the programs.
    leaves_half: bool,
    /// Shell commands; `CPUS` copies of those that are marked.
    commands: &'static [(Copies, &'static str)],
}

#[derive(Clone, Copy)]
enum Copies {
    One,
    ThreePerCpu,
}

const SPIN: &str = "while :; do :; done";
const THRASH: &str =
    "exec python3 -c \"b=bytearray(64<<20)\nc=bytearray(64<<20)\nwhile True: b[:]=c; c[:]=b\"";
const STOP_AND_GO: &str = "exec python3 -c \"import time\nwhile True:\n  e=time.monotonic()+0.4\n  \
                           while time.monotonic()<e: pass\n  time.sleep(0.6)\"";

const LOADS: [Load; 5] = [
    Load { name: "quiet", leaves_half: true, commands: &[] },
    Load { name: "neighbour", leaves_half: true, commands: &[(Copies::One, SPIN)] },
    Load { name: "thrasher", leaves_half: true, commands: &[(Copies::One, THRASH)] },
    Load { name: "crowd", leaves_half: false, commands: &[(Copies::ThreePerCpu, SPIN)] },
    Load { name: "stop-and-go", leaves_half: true, commands: &[(Copies::One, STOP_AND_GO)] },
];

/// Processes that are gone when it is dropped.
struct Running(Vec<Child>);

impl Load {
    fn start(&self) -> Running {
        let mut all = Vec::new();
        for (copies, command) in self.commands {
            let many = match copies {
                Copies::One => 1,
                Copies::ThreePerCpu => 3 * available_cpus().len(),
            };
            // Sessions of their own: schedulers share the CPUs among sessions first.
            all.extend(
                (0..many).map(|_| Command::new("setsid").args(["sh", "-c", command]).spawn().unwrap()),
            );
        }
        thread::sleep(Duration::from_millis(if all.is_empty() { 0 } else { 300 }));
        Running(all)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// How many ended how.
#[derive(Clone, Copy, Default)]
struct Tally {
    accepted: u32,
    too_slow: u32,
    undecided: u32,
}

impl Tally {
    fn add(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Accepted) => self.accepted += 1,
            Some(_) => self.too_slow += 1,
            None => self.undecided += 1,
        }
    }

    fn all(&self) -> u32 {
        self.accepted + self.too_slow + self.undecided
    }

    /// `-` where all is as it should be, else how many of a hundred went wrong; undecided in brackets.
    fn text(&self, part: f64) -> String {
        let wrong = if part < 1.0 { self.too_slow } else { self.accepted };
        let percent = |n: u32| 100.0 * f64::from(n) / f64::from(self.all().max(1));
        match (wrong, self.undecided) {
            (0, 0) => "-".into(),
            (wrong, 0) => format!("{:.1}", percent(wrong)),
            (wrong, open) => format!("{:.1}({:.1})", percent(wrong), percent(open)),
        }
    }
}

struct Bench {
    machine: Machine,
    _home: tempfile::TempDir,
    case: Arc<CaseFiles>,
}

/// A built program, and how long it takes in quiet.
struct Ready {
    kind: &'static Kind,
    program: Program,
    quiet: Duration,
}

impl Bench {
    fn open() -> Bench {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("store")).unwrap();
        let search = Search {
            path: std::env::var_os("PATH").unwrap_or_default(),
            home: std::env::var_os("HOME").map(PathBuf::from),
            ..Search::default()
        };
        let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
        let hold = |text: &str| store.hold(&text.as_bytes().into()).unwrap();
        let case = Arc::new(CaseFiles {
            name: "secret/1".into(),
            input: hold("\n"),
            answer: hold("0\n"),
            files: None,
            args: vec![],
            output_validator_args: vec![],
            input_visualizer_args: vec![],
            output_visualizer_args: vec![],
        });
        // One CPU: the other is for those who disturb.
        let cpus = available_cpus().into_iter().take(1).collect();
        Bench {
            machine: Machine::new(sandbox, store, LanguageTable::embedded(), search, cpus),
            _home: home,
            case,
        }
    }

    fn run(&self, task: Task) -> Result<Outcome, FaultSource> {
        let (executor, stop) = (self.machine.executor(), AtomicBool::new(false));
        let engine = Engine::new(&self.machine, &executor, &stop);
        let mut done = engine.run_all(vec![Job::new(task)], KnownFacts::Ignore, &mut |_, _| Ok(())).unwrap();
        done.pop().flatten().expect("nobody stops it").map_err(|fault| {
            assert_eq!(fault.source, FaultSource::Disturbance, "{fault}");
            fault.source
        })
    }

    fn limits(cpu: Duration) -> Limits {
        let (memory, output) = (Bytes::mib(1024), Bytes::mib(1));
        let wall = cpu * 2 + Duration::from_secs(1);
        Limits { cpu, wall, memory, output, files: output, processes: 64 }
    }

    fn build(&self, kind: &'static Kind) -> Option<Ready> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(kind.file), kind.source).unwrap();
        let source = SourceFiles { root: dir.path().to_owned(), files: vec![kind.file.into()] };
        let rules = BuildRules {
            role: SourceRole::HandIn,
            constants: &BTreeMap::new(),
            allowed: None,
            include: &BTreeMap::new(),
            limits: Limits {
                processes: 256,
                files: Bytes::mib(64),
                ..Bench::limits(Duration::from_secs(60))
            },
            code: Bytes::kib(64),
        };
        let task = match self.machine.plan_build(&source, Some(kind.language), None, &rules) {
            Ok(task) => Arc::new(task),
            Err(why) => {
                println!("{} is left out: {why}", kind.name);
                return None;
            }
        };
        match self.run(Task::Build(task.clone())) {
            Ok(Outcome::Build(Build::Program { blob, entry, .. })) => {
                let limits = Bench::limits(Duration::from_secs(20));
                let program = Program { name: kind.name.into(), build: task, blob, entry, limits };
                Some(Ready { kind, program, quiet: Duration::ZERO })
            }
            other => panic!("{}: {other:?}", kind.name),
        }
    }

    /// A trial with this limit; none if it stays undecided.
    fn try_with(&self, ready: &Ready, limit: Duration) -> Option<Trial> {
        let limits = Bench::limits(limit);
        let setting = Setting {
            mode: TrialMode::Alone { passes: 1 },
            limits,
            stop: stop_at(limit),
            remeasure_above: None,
            checker: Arc::new(Checker::Default(Format::V2025_09)),
            writable: false,
            named_files: None,
            isolation: self.machine.sandbox.mode_name(),
            machine: kopek::exec::machine_class(),
        };
        let program = Program { limits: Limits { cpu: setting.stop, ..limits }, ..ready.program.clone() };
        let task =
            TrialTask { program: Arc::new(program), case: self.case.clone(), setting: Arc::new(setting) };
        match self.run(Task::Trial(task)) {
            Ok(Outcome::Trial(trial)) => Some(trial),
            Ok(other) => panic!("{other:?}"),
            Err(_) => None,
        }
    }

    /// How long it takes when nothing is near the limit.
    fn time(&self, ready: &Ready) -> Duration {
        let trial = self.try_with(ready, Duration::from_secs(20)).expect("nothing is near the limit");
        assert_eq!(trial.verdict, Verdict::Accepted, "{}", ready.kind.name);
        trial.usage.cpu
    }
}

/// The verdict of a single run, and of up to three more after one that missed by a tenth at the most.
fn usual_verdicts(times: [Duration; 4], limit: Duration) -> [Verdict; 2] {
    let verdict = |kept: bool| if kept { Verdict::Accepted } else { Verdict::TimeLimit };
    let near = times[0] <= stop_at(limit);
    [
        verdict(times[0] <= limit),
        verdict(times[0] <= limit || near && times.iter().any(|time| *time <= limit)),
    ]
}

fn is_far_wrong(part: f64, verdict: Verdict) -> bool {
    if verdict == Verdict::Accepted { part >= SURELY_SLOW } else { part <= SURELY_FITS }
}

fn chosen(variable: &str, name: &str) -> bool {
    std::env::var(variable).map_or(true, |names| names.split(',').any(|one| one == name))
}

const POLICIES: [&str; 3] = ["single", "retry", "kopek"];

fn main() {
    let trials: u32 = std::env::var("KOPEK_FLIPS_TRIALS").map_or(200, |n| n.parse().expect("a number"));
    let bench = Bench::open();
    let kinds = KINDS.iter().filter(|kind| chosen("KOPEK_FLIPS_KINDS", kind.name));
    let mut ready: Vec<Ready> = kinds.filter_map(|kind| bench.build(kind)).collect();
    for one in &mut ready {
        // The least of many: the best guess of quiet that a machine with neighbours allows.
        one.quiet = (0..trials.clamp(10, 30)).map(|_| bench.time(one)).min().expect("some runs");
        println!("{}: {:.3} s in quiet", one.kind.name, one.quiet.as_secs_f64());
    }
    let mut all_held = true;
    for load in LOADS.iter().filter(|load| chosen("KOPEK_FLIPS_LOADS", load.name)) {
        all_held &= try_load(&bench, load, &ready, trials);
    }
    println!("{}: all targets", pass_or_fail(all_held));
}

/// So long the trials of all programs may take under one load, for each that was asked for.
const TIME_OF_A_TRIAL: Duration = Duration::from_secs(18);

fn try_load(bench: &Bench, load: &Load, ready: &[Ready], trials: u32) -> bool {
    let mut tallies = vec![[[Tally::default(); PARTS.len()]; POLICIES.len()]; ready.len()];
    let _running = load.start();
    let (start, mut rounds) = (Instant::now(), 0);
    while rounds < trials && (rounds == 0 || start.elapsed() < TIME_OF_A_TRIAL * trials) {
        rounds += 1;
        for (one, tallies) in ready.iter().zip(&mut tallies) {
            let times: [Duration; 4] = std::array::from_fn(|_| bench.time(one));
            for (at, part) in PARTS.iter().enumerate() {
                let limit = one.quiet.div_f64(*part);
                let [single, retried] = usual_verdicts(times, limit);
                tallies[0][at].add(Some(single));
                tallies[1][at].add(Some(retried));
                let trial = bench.try_with(one, limit);
                if let Some(trial) = trial.as_ref().filter(|trial| is_far_wrong(*part, trial.verdict)) {
                    let (name, verdict, tries) = (one.kind.name, trial.verdict, &trial.tries);
                    println!(
                        "wrong: {name} {part} × {limit:.3?}: {verdict} {tries:.3?}, {:?}",
                        trial.conditions
                    );
                }
                tallies[2][at].add(trial.map(|trial| trial.verdict));
            }
        }
    }
    println!("\n{} ({rounds} of {trials} trials each): wrong in %, undecided in brackets", load.name);
    let head: Vec<String> = PARTS.iter().map(|part| format!("{part:>11} ×")).collect();
    println!("{:22}{}", "", head.concat());
    for (one, tallies) in ready.iter().zip(&tallies) {
        for (policy, tallies) in POLICIES.iter().zip(tallies) {
            let cells = PARTS.iter().zip(tallies).map(|(part, tally)| format!("{:>13}", tally.text(*part)));
            println!("{:12}{policy:10}{}", one.kind.name, cells.collect::<String>());
        }
    }
    let held = check_targets(load, &tallies);
    if load.commands.is_empty() { check_cost(bench, ready) && held } else { held }
}

fn check_targets(load: &Load, tallies: &[[[Tally; PARTS.len()]; POLICIES.len()]]) -> bool {
    let kopek: Vec<(f64, Tally)> = tallies.iter().flat_map(|all| PARTS.iter().copied().zip(all[2])).collect();
    let sum =
        |of: &dyn Fn(f64, &Tally) -> u32| kopek.iter().map(|(part, tally)| of(*part, tally)).sum::<u32>();
    let slow = sum(&|part, tally| if part <= SURELY_FITS { tally.too_slow } else { 0 });
    let passed = sum(&|part, tally| if part >= SURELY_SLOW { tally.accepted } else { 0 });
    let open = f64::from(sum(&|_, tally| tally.undecided)) / f64::from(sum(&|_, tally| tally.all()).max(1));
    println!("{}: {slow} at 0.9 × or less got `time limit` (target 0)", pass_or_fail(slow == 0));
    println!("{}: {passed} at 1.25 × or more passed (target 0)", pass_or_fail(passed == 0));
    let bounded = !load.leaves_half || open <= MOST_UNDECIDED;
    let target =
        if load.leaves_half { "target 2.0 %" } else { "no target: less than half of the CPU is left" };
    println!("{}: {:.1} % undecided ({target})", pass_or_fail(bounded), 100.0 * open);
    slow == 0 && passed == 0 && bounded
}

/// What a trial far from the limit costs beyond its program, with the yardstick and without.
fn check_cost(bench: &Bench, ready: &[Ready]) -> bool {
    let mut worst = 0.0f64;
    for one in ready {
        let start = Instant::now();
        let rounds = 20;
        let programs: Duration = (0..rounds).map(|_| bench.time(one)).sum();
        let share = yardsticks(rounds, start.elapsed()).as_secs_f64() / programs.as_secs_f64();
        worst = worst.max(share);
    }
    let held = worst <= MOST_COST;
    println!("{}: the yardstick costs {:.1} % in quiet (target 3 %)", pass_or_fail(held), 100.0 * worst);
    held
}

/// What was spent on the yardstick: at most one for each run, and one in a second and a half.
fn yardsticks(runs: u32, wall: Duration) -> Duration {
    let start = Instant::now();
    kopek::sandbox::measure_yardstick();
    start.elapsed() * runs.min((wall.as_secs_f64() / 1.5) as u32 + 1)
}

fn pass_or_fail(held: bool) -> &'static str {
    if held { "PASS" } else { "FAIL" }
}
