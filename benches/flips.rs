//! Records run times of programs on this machine under several kinds of load. A unit test of `timing` replays
//! policies over the recordings in `testdata/timing`.
//!
//! `cargo bench --bench flips -- --record FILE` takes about seven minutes and needs an otherwise idle
//! machine. Each line of the file is a run of a suspect as a JSON object, with the runs of a witness and
//! others that follow it on the same CPU. `--trial FILE` records each program once under each load.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

use kopek::{
    base::Bytes,
    machine::available_cpus,
    sandbox::{Exec, Exit, Limits, ReadOnlyMount, Sandbox, SandboxView, Slot, Usage},
};
use rustix::{
    process::{Signal, set_parent_process_death_signal, setsid},
    thread::{CpuSet, sched_setaffinity},
    time::{ClockId, clock_gettime},
};
use serde::Serialize;
use std::{
    fs::{self, File},
    hint::black_box,
    io::{BufWriter, Write},
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

/// The number of consecutive runs of one program, like the pairs of one case.
const RUNS_OF_A_GROUP: usize = 5;

/// The number of rounds over all loads, with a group of each program under each.
const ROUNDS: usize = 4;

/// The number of programs that run before the first recorded one.
const WARM_UPS: usize = 2;

/// A program and its witnesses.
struct Kind {
    name: &'static str,
    language: Language,
    source: &'static str,
    /// The number of repetitions of its work, its only argument: as the suspect, as a witness that takes
    /// about two thirds of that, and as a witness of a few milliseconds.
    repeats: [u32; 3],
    /// Another program of the same kind, a witness as well.
    cousin: &'static str,
    cousin_repeats: u32,
    /// The kind whose witness is a further comparison: another language, or less memory.
    other: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Python,
    Java,
}

const ARITHMETIC: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    unsigned long x = argc;
    for (long i = atol(argv[1]); i > 0; i--) x = x * 6364136223846793005UL + 1442695040888963407UL;
    printf("%d\n", x == 42);
}"#;

const ARITHMETIC_COUSIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    unsigned long steps = 0;
    for (unsigned long first = atol(argv[1]); first > 0; first--)
        for (unsigned long n = first; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    printf("%lu\n", steps + argc);
}"#;

/// Reads `2^$n` words in random order; each read determines the next place.
macro_rules! dependent_reads {
    ($n:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {\n",
            "size_t n = 1 << ",
            $n,
            "; unsigned *a = malloc(n * 4); memset(a, argc, n * 4); size_t at = 1; unsigned s = 0;\n",
            "for (long i = atol(argv[1]); i > 0; i--) {\n",
            "at = at * 6364136223846793005UL + 1442695040888963407UL + s; s = a[(at >> 20) & (n - 1)] - 0x02020202u; }\n",
            "printf(\"%u\\n\", s); }\n"
        )
    };
}

/// Swaps words of a table of `2^$n`; the moved words determine the next places.
macro_rules! dependent_swaps {
    ($n:literal) => {
        concat!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n",
            "size_t n = 1 << ",
            $n,
            "; unsigned *a = malloc(n * 4); for (size_t i = 0; i < n; i++) a[i] = i; unsigned long x = argc;\n",
            "for (long i = atol(argv[1]); i > 0; i--) {\n",
            "size_t at = (x >> 20) & (n - 1), to = (x >> 40) & (n - 1); unsigned old = a[at]; a[at] = a[to]; a[to] = old;\n",
            "x = x * 6364136223846793005UL + 1442695040888963407UL + old; }\n",
            "printf(\"%lu\\n\", x); }\n"
        )
    };
}

const PYTHON: &str = "
import sys
d = {}
x = 1
for i in range(int(sys.argv[1])):
    x = (x * 1103515245 + 12345) % 2147483648
    d[x % 4096] = d.get(x % 4096, 0) + 1
print(len(d))
";

const PYTHON_COUSIN: &str = "
import sys
n = int(sys.argv[1])
row = [0] * 1001
for item in range(n):
    weight = item * 37 % 91 + 1
    for at in range(1000, weight, -1):
        if row[at - weight] + item > row[at]:
            row[at] = row[at - weight] + item
print(max(row))
";

const JAVA: &str = "
import java.util.*;
public class Main { public static void main(String[] args) {
    TreeMap<Integer, Integer> map = new TreeMap<>();
    long x = 1;
    for (int i = Integer.parseInt(args[0]); i > 0; i--) {
        x = (x * 1103515245L + 12345) % 2147483648L;
        map.merge((int) (x % 20000), 1, Integer::sum);
    }
    System.out.println(map.size());
} }
";

const JAVA_COUSIN: &str = "
import java.util.*;
public class Main { public static void main(String[] args) {
    PriorityQueue<Long> queue = new PriorityQueue<>();
    long x = 1;
    for (int i = Integer.parseInt(args[0]); i > 0; i--) {
        x = (x * 1103515245L + 12345) % 2147483648L;
        queue.add(x);
        if (queue.size() > 3000) queue.poll();
    }
    System.out.println(queue.size());
} }
";

const KINDS: [Kind; 5] = [
    Kind {
        name: "arithmetic",
        language: Language::C,
        source: ARITHMETIC,
        repeats: [125_000_000, 78_000_000, 4_000_000],
        cousin: ARITHMETIC_COUSIN,
        cousin_repeats: 350_000,
        other: "java",
    },
    Kind {
        name: "4 MiB",
        language: Language::C,
        source: dependent_reads!("20"),
        repeats: [5_000_000, 3_000_000, 150_000],
        cousin: dependent_swaps!("20"),
        cousin_repeats: 1_800_000,
        other: "arithmetic",
    },
    Kind {
        name: "32 MiB",
        language: Language::C,
        source: dependent_reads!("23"),
        repeats: [600_000, 350_000, 1],
        cousin: dependent_swaps!("23"),
        cousin_repeats: 200_000,
        other: "4 MiB",
    },
    Kind {
        name: "python",
        language: Language::Python,
        source: PYTHON,
        repeats: [650_000, 400_000, 1],
        cousin: PYTHON_COUSIN,
        cousin_repeats: 600,
        other: "32 MiB",
    },
    Kind {
        name: "java",
        language: Language::Java,
        source: JAVA,
        repeats: [230_000, 110_000, 1],
        cousin: JAVA_COUSIN,
        cousin_repeats: 80_000,
        other: "python",
    },
];

/// A load beside the programs.
struct Load {
    name: &'static str,
    generators: &'static [(Generator, Place)],
}

#[derive(Clone, Copy)]
enum Generator {
    Spin,
    /// Copies 64 MiB back and forth.
    Thrash,
    /// Spins for four tenths of each second.
    StopAndGo,
}

#[derive(Clone, Copy)]
enum Place {
    /// On another CPU than the programs, if there is one.
    OtherCpu,
    EachCpu,
}

const LOADS: [Load; 5] = [
    Load { name: "idle", generators: &[] },
    Load { name: "busy neighbour", generators: &[(Generator::Spin, Place::OtherCpu)] },
    Load { name: "cache thrasher", generators: &[(Generator::Thrash, Place::OtherCpu)] },
    Load { name: "stop and go", generators: &[(Generator::StopAndGo, Place::EachCpu)] },
    Load {
        name: "crowd",
        generators: &[(Generator::Spin, Place::EachCpu), (Generator::Thrash, Place::EachCpu)],
    },
];

/// The option with which the recorder starts itself as a load generator.
const GENERATE: &str = "--generate";

/// How long generators run before the first program.
const SETTLE: Duration = Duration::from_millis(300);

impl Generator {
    const ALL: [Generator; 3] = [Generator::Spin, Generator::Thrash, Generator::StopAndGo];

    fn start(self, cpu: usize) -> Child {
        let recorder = std::env::current_exe().expect("our own path");
        let args = [GENERATE.into(), (self as usize).to_string(), cpu.to_string()];
        Command::new(recorder).args(args).spawn().expect("start a load generator")
    }

    /// Never ends by itself, only with the recorder.
    fn generate(self, cpu: usize) -> ! {
        set_parent_process_death_signal(Some(Signal::KILL)).expect("end with the recorder");
        // A separate session: schedulers first share the CPUs among sessions.
        setsid().expect("a session");
        pin_to(cpu);
        match self {
            Generator::Spin => loop {
                spin_for(Duration::from_secs(1));
            },
            Generator::Thrash => {
                let (mut one, mut other) = (vec![1u8; 64 << 20], vec![2u8; 64 << 20]);
                loop {
                    one.copy_from_slice(black_box(&other));
                    other.copy_from_slice(black_box(&one));
                }
            }
            Generator::StopAndGo => loop {
                spin_for(Duration::from_millis(400));
                thread::sleep(Duration::from_millis(600));
            },
        }
    }
}

fn pin_to(cpu: usize) {
    let mut only = CpuSet::new();
    only.set(cpu);
    sched_setaffinity(None, &only).expect("stay on a CPU");
}

fn spin_for(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Processes that are killed when this is dropped.
struct Running(Vec<Child>);

impl Load {
    /// The programs run on the first CPU.
    fn start(&self, cpus: &[usize]) -> Running {
        let places = self.generators.iter().flat_map(|(generator, place)| {
            let cpus = match place {
                Place::OtherCpu => &cpus[cpus.len().min(2) - 1..][..1],
                Place::EachCpu => cpus,
            };
            cpus.iter().map(|cpu| (*generator, *cpu))
        });
        let running = Running(places.map(|(generator, cpu)| generator.start(cpu)).collect());
        thread::sleep(SETTLE);
        running
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

/// A program that is ready to run.
struct Program {
    exec: Exec,
}

impl Program {
    fn build(language: Language, text: &str, dir: &Path) -> Program {
        fs::create_dir(dir).expect("a directory");
        let (file, command) = match language {
            Language::C => ("main.c", vec!["gcc", "-O2", "-o", "main", "main.c"]),
            Language::Python => ("main.py", vec![]),
            Language::Java => ("Main.java", vec!["javac", "Main.java"]),
        };
        fs::write(dir.join(file), text).expect("write a source");
        if let [compiler, args @ ..] = command.as_slice() {
            let done = Command::new(compiler).args(args).current_dir(dir).status();
            assert!(done.expect("a compiler").success(), "{compiler} {args:?}");
        }
        // The options of `language/table.toml`.
        let java = "java -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto -Xss64m -Xmx512m -cp /exe Main";
        let argv: Vec<String> = match language {
            Language::C => vec!["/exe/main".into()],
            Language::Python => vec!["python3".into(), "/exe/main.py".into()],
            Language::Java => java.split(' ').map(str::to_owned).collect(),
        };
        let mounts = vec![ReadOnlyMount { host: dir.to_owned(), inside: "/exe".into() }];
        let (memory, output) = (Bytes::mib(1024), Bytes::mib(1));
        let (cpu, wall) = (Duration::from_secs(20), Duration::from_secs(120));
        let limits = Limits { cpu, wall, memory, output, files: output, processes: 64 };
        let view = SandboxView { mounts, proc: language == Language::Java, writable: false };
        let exec = Exec { view, ..Exec::new(argv, limits) };
        Program { exec }
    }

    fn run(&self, slot: &mut Slot, repeats: u32) -> Usage {
        let mut exec = self.exec.clone();
        exec.argv.push(repeats.to_string());
        let ran = slot.run(&exec).expect("a run");
        let said = ran.stderr.bytes().unwrap_or_default();
        assert_eq!(ran.exit, Exit::Code(0), "{:?}: {}", exec.argv, String::from_utf8_lossy(&said));
        ran.usage
    }
}

struct Ready {
    kind: &'static Kind,
    program: Program,
    cousin: Program,
}

impl Ready {
    fn build(kind: &'static Kind, dir: &Path) -> Ready {
        let build =
            |text, role: &str| Program::build(kind.language, text, &dir.join(kind.name.to_owned() + role));
        Ready { kind, program: build(kind.source, ""), cousin: build(kind.cousin, " cousin") }
    }

    fn run_suspect(&self, slot: &mut Slot) -> Usage {
        self.program.run(slot, self.kind.repeats[0])
    }

    fn run_witness(&self, slot: &mut Slot) -> Usage {
        self.program.run(slot, self.kind.repeats[1])
    }

    fn run_short(&self, slot: &mut Slot) -> Usage {
        self.program.run(slot, self.kind.repeats[2])
    }

    fn run_cousin(&self, slot: &mut Slot) -> Usage {
        self.cousin.run(slot, self.kind.cousin_repeats)
    }
}

/// A line of a recording: a run of the suspect and the runs that followed it, in this order. CPU times in
/// microseconds unless stated otherwise.
#[derive(Serialize)]
struct Line {
    kind: &'static str,
    load: &'static str,
    /// Runs of one group are consecutive.
    group: usize,
    /// Its start, in milliseconds of wall time since the first.
    at: u64,
    cpu: u64,
    wall: u64,
    /// The same program on a smaller input.
    witness: u64,
    spin: u64,
    /// Another program of the same kind.
    cousin: u64,
    /// The same program on an input that takes a few milliseconds.
    short: u64,
    /// The witness of another kind.
    other: u64,
    memory: u64,
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// CPU time of a fixed piece of work, about 20 ms.
fn time_spin() -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time");
    let start = now();
    let mut x = black_box(1u64);
    for _ in 0..SPINS {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    }
    black_box(x);
    now() - start
}

const SPINS: u32 = 6_800_000;

struct Recorder {
    cpus: Vec<usize>,
    slot: Slot,
    ready: Vec<Ready>,
    start: Instant,
    lines: Vec<Line>,
}

impl Recorder {
    fn record_run(&mut self, at: usize, load: &'static Load, group: usize) {
        let Recorder { slot, ready, start, lines, .. } = self;
        let one = &ready[at];
        let begin = start.elapsed();
        let used = one.run_suspect(slot);
        let witness = one.run_witness(slot);
        let spin = time_spin();
        let cousin = one.run_cousin(slot);
        let short = one.run_short(slot);
        let other = ready.iter().find(|other| other.kind.name == one.kind.other).expect("a kind");
        let other = other.run_witness(slot);
        lines.push(Line {
            kind: one.kind.name,
            load: load.name,
            group,
            at: begin.as_millis() as u64,
            cpu: micros(used.cpu),
            wall: micros(used.wall),
            witness: micros(witness.cpu),
            spin: micros(spin),
            cousin: micros(cousin.cpu),
            short: micros(short.cpu),
            other: micros(other.cpu),
            memory: used.memory.0,
        });
    }

    fn record_load(&mut self, load: &'static Load, round: usize, runs: usize) {
        let _running = load.start(&self.cpus);
        for at in 0..self.ready.len() {
            for _ in 0..runs {
                self.record_run(at, load, round);
            }
        }
    }
}

fn record(file: &Path, loads: &'static [Load], rounds: usize, runs: usize) {
    let dir = tempfile::tempdir().expect("a directory");
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).expect("a sandbox");
    // Before this thread is pinned to one of them.
    let cpus = available_cpus();
    let slot = sandbox.slot(Some(cpus[0]));
    let ready = KINDS.iter().map(|kind| Ready::build(kind, dir.path())).collect();
    slot.pin_thread().expect("a CPU");
    let mut recorder = Recorder { cpus, slot, ready, start: Instant::now(), lines: vec![] };
    for ready in &recorder.ready {
        for _ in 0..WARM_UPS {
            ready.run_suspect(&mut recorder.slot);
            ready.run_cousin(&mut recorder.slot);
        }
    }
    for round in 0..rounds {
        for load in loads {
            recorder.record_load(load, round, runs);
            println!("{:5.0} s: {} {round}", recorder.start.elapsed().as_secs_f64(), load.name);
        }
        write_lines(file, &recorder.lines);
    }
}

fn write_lines(file: &Path, lines: &[Line]) {
    let mut out = BufWriter::new(File::create(file).expect("the recording"));
    for line in lines {
        serde_json::to_writer(&mut out, line).expect("write");
        out.write_all(b"\n").expect("write");
    }
    out.flush().expect("write");
}

fn main() {
    // `cargo bench` adds its own option.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [GENERATE, generator, cpu] => {
            let generator: usize = generator.parse().expect("a number");
            Generator::ALL[generator].generate(cpu.parse().expect("a number"))
        }
        ["--record", file] => record(Path::new(file), &LOADS, ROUNDS, RUNS_OF_A_GROUP),
        ["--trial", file] => record(Path::new(file), &LOADS, 1, 1),
        ["--beside", name, file] => {
            let load = Load { name: name.to_owned().leak(), generators: &[] };
            record(Path::new(file), vec![load].leak(), ROUNDS, RUNS_OF_A_GROUP)
        }
        _ => println!("nothing measured; --record FILE records runs for the test that replays policies"),
    }
}
