//! The cost of a run in the sandbox compared with a bare process. All are interleaved in one loop, so that
//! noise affects them equally.
//!
//! `cargo bench --bench sandbox [-- PART...]` as root measures as root and then as an ordinary user.
#![allow(unsafe_code, reason = "the physical limit is a bare vfork and exec")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::fn_params_excessive_bools,
    clippy::too_many_lines,
    reason = "a benchmark"
)]

use kopek::{
    base::Bytes,
    sandbox::{
        Exec, Exit, Limit, Limits, PairOptions, ReadOnlyMount, Sandbox, SandboxView, Slot, run_if_supervisor,
    },
};
use std::{
    ffi::{CString, c_char, c_int, c_void},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    ptr::null,
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    time::{Duration, Instant},
};

/// The user id for the run as an ordinary user.
const NOBODY: u32 = 64_998;
const KOPEK: &str = "KOPEK_BENCH_WORKER";

fn main() {
    run_if_supervisor();
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).expect("open it to all");
    let program = compile_smallest(dir.path());
    let kopek = std::env::var_os(KOPEK).map_or_else(|| env!("CARGO_BIN_EXE_kopek").into(), PathBuf::from);
    let sandbox = Sandbox::open(&kopek).expect("a sandbox");
    println!("mode: {}", sandbox.mode_name());
    let all = Benchmarks { sandbox: &sandbox, program: &program, dir: dir.path() };
    type Part = fn(&Benchmarks);
    let parts: [(&str, Part); 8] = [
        ("costs", |b| b.costs()),
        ("throughput", |b| b.throughput()),
        ("starts", |b| b.starts()),
        ("cpu_limit", |b| b.cpu_limit()),
        ("memory", |b| b.memory()),
        ("steady", |b| b.steady()),
        ("flips", |b| b.flips()),
        ("conversation", |b| b.conversation()),
    ];
    // `cargo bench` adds its own option.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, part) in parts {
        if chosen.is_empty() || chosen.iter().any(|w| w == name) {
            part(&all);
        }
    }
    again_as_user(dir.path(), &kopek, &chosen);
}

/// Runs the benchmark as an ordinary user, if we are root.
fn again_as_user(dir: &Path, kopek: &Path, parts: &[String]) {
    if std::fs::metadata("/proc/self").map(|m| std::os::unix::fs::MetadataExt::uid(&m)).unwrap_or(1) != 0 {
        return;
    }
    let (bench, worker) = (dir.join("bench"), dir.join("kopek"));
    std::fs::copy(std::env::current_exe().expect("our path"), &bench).expect("copy");
    std::fs::copy(kopek, &worker).expect("copy");
    println!("\nas an ordinary user:");
    let done =
        Command::new(bench).args(parts).env(KOPEK, worker).current_dir("/").uid(NOBODY).gid(NOBODY).status();
    println!("{}", if done.is_ok_and(|s| s.success()) { "" } else { "FAIL: the benchmark as a user" });
}

/// The smallest program: static if possible.
fn compile_smallest(dir: &Path) -> PathBuf {
    let (source, program) = (dir.join("tiny.c"), dir.join("tiny"));
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("write");
    for (compiler, flags) in [("musl-gcc", "-static"), ("gcc", "-static"), ("gcc", "-O1")] {
        let made = Command::new(compiler).args(["-O1", flags, "-o"]).arg(&program).arg(&source).output();
        if made.is_ok_and(|o| o.status.success()) {
            println!("program: {compiler} {flags}");
            return program;
        }
    }
    panic!("no C compiler");
}

/// Compiles a C program.
fn compile_c(dir: &Path, name: &str, source: &str) -> PathBuf {
    let (path, program) = (dir.join(format!("{name}.c")), dir.join(name));
    std::fs::write(&path, source).expect("write");
    // Static, because a program also touches pages of shared libraries.
    for flags in [&["-static", "-O1", "-o"][..], &["-O1", "-o"]] {
        let made = Command::new("gcc").args(flags).arg(&program).arg(&path).output();
        if made.is_ok_and(|o| o.status.success()) {
            return program;
        }
    }
    panic!("gcc does not make {name}")
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(5),
        wall: Duration::from_secs(20),
        memory: Bytes::mib(256),
        output: Bytes::mib(1),
        files: Bytes::mib(1),
        processes: 1,
    }
}

fn exec(program: &Path, args: &[&str]) -> Exec {
    let name = program.file_name().expect("a file").to_string_lossy();
    let argv = std::iter::once(format!("/exe/{name}")).chain(args.iter().map(|s| s.to_string()));
    let dir = program.parent().expect("a directory").to_owned();
    let mounts = vec![ReadOnlyMount { host: dir, inside: "/exe".into() }];
    Exec { view: SandboxView { mounts, ..SandboxView::default() }, ..Exec::new(argv, limits()) }
}

/// Asks the requested number of times, or answers until no more questions come.
const CHAT: &str = "
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[64];
    if (argc < 2) {
        for (ssize_t n; (n = read(0, line, sizeof line)) > 0;)
            if (write(1, line, n) != n) return 1;
        return 0;
    }
    for (int left = atoi(argv[1]); left > 0; left--)
        if (write(1, \"12345\\n\", 6) != 6 || read(0, line, sizeof line) != 6) return 1;
    return 0;
}
";

/// Wall time, and CPU time of both processes.
fn bare_conversation(program: &Path, exchanges: u32) -> (Duration, Duration) {
    let before = cpu_time(libc::RUSAGE_CHILDREN);
    let start = Instant::now();
    let (question, ask) = std::io::pipe().expect("a pipe");
    let (answer, reply) = std::io::pipe().expect("a pipe");
    let spawn = |command: &mut Command| command.spawn().expect("start it");
    let mut asks = Command::new(program);
    let mut one = spawn(asks.arg(exchanges.to_string()).stdin(answer).stdout(ask));
    let mut answers = Command::new(program);
    let mut other = spawn(answers.stdin(question).stdout(reply));
    // Close our ends of their pipes: otherwise the other would wait for us.
    drop((asks, answers));
    assert!(one.wait().is_ok_and(|s| s.success()) && other.wait().is_ok_and(|s| s.success()));
    (start.elapsed(), cpu_time(libc::RUSAGE_CHILDREN) - before)
}

fn judged_conversation(slot: &mut Slot, program: &Path, exchanges: u32) -> (Duration, Duration) {
    let before = cpu_time(libc::RUSAGE_SELF);
    let start = Instant::now();
    let talk = PairOptions { transcript: Bytes::mib(1), ..PairOptions::default() };
    let asks = exec(program, &[&exchanges.to_string()]);
    let ended = slot.run_pair(&asks, &exec(program, &[]), talk).expect("a conversation");
    let (wall, own) = (start.elapsed(), cpu_time(libc::RUSAGE_SELF) - before);
    assert_eq!((ended.first.exit, ended.second.exit), (Exit::Code(0), Exit::Code(0)));
    (wall, own + ended.first.usage.cpu + ended.second.usage.cpu)
}

fn cpu_time(whose: c_int) -> Duration {
    // SAFETY: zeros are a rusage, and it is filled in.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        libc::getrusage(whose, &raw mut used);
        used
    };
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    time(used.ru_utime) + time(used.ru_stime)
}

/// A bare vfork, exec and wait.
fn vfork_exec(program: &CString, stack: &mut [u128]) {
    extern "C" fn child(program: *mut c_void) -> c_int {
        let program = program as *const c_char;
        // SAFETY: `program` outlives us: our parent waits. Only system calls.
        unsafe {
            libc::execve(program, [program, null()].as_ptr(), [null()].as_ptr());
            libc::_exit(127)
        }
    }
    // SAFETY: the stack is ours and large enough; the parent is suspended until the exec.
    unsafe {
        let top = stack.as_mut_ptr().add(stack.len()).cast();
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let pid = libc::clone(child, top, flags, program.as_ptr() as *mut c_void);
        let mut status = 0;
        assert!(libc::waitpid(pid, &mut status, 0) == pid && status == 0);
    }
}

fn posix_spawn(program: &CString) {
    // SAFETY: plain C calls on valid pointers.
    unsafe {
        let (mut pid, mut status) = (0, 0);
        let argv = [program.as_ptr() as *mut c_char, std::ptr::null_mut()];
        let none = [std::ptr::null_mut()];
        let done =
            libc::posix_spawn(&mut pid, program.as_ptr(), null(), null(), argv.as_ptr(), none.as_ptr());
        assert!(done == 0 && libc::waitpid(pid, &mut status, 0) == pid && status == 0);
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn pass_or_fail(good: bool) -> &'static str {
    if good { "PASS" } else { "FAIL" }
}

fn microseconds(d: Duration) -> f64 {
    d.as_secs_f64() * 1e6
}

/// A thread pinned to a slot's CPU, like those of the judge.
struct Settled {
    orders: Sender<bool>,
    times: Receiver<Duration>,
}

impl Settled {
    fn new(bench: &Benchmarks, program: &CString, exec: &Exec) -> Settled {
        let (orders, received) = channel();
        let (done, times) = channel();
        let (mut slot, program, exec) = (bench.sandbox.slot(Some(0)), program.clone(), exec.clone());
        std::thread::spawn(move || {
            slot.pin_thread().expect("a CPU");
            for ours in received {
                let start = Instant::now();
                match ours {
                    true => assert_eq!(slot.run(&exec).expect("a run").exit, Exit::Code(0)),
                    false => posix_spawn(&program),
                }
                done.send(start.elapsed()).expect("somebody waits");
            }
        });
        Settled { orders, times }
    }

    fn time(&self, ours: bool) -> Duration {
        self.orders.send(ours).expect("a thread");
        self.times.recv().expect("a time")
    }
}

struct Benchmarks<'a> {
    sandbox: &'a Sandbox,
    program: &'a Path,
    dir: &'a Path,
}

impl Benchmarks<'_> {
    /// Medians and ratios, interleaved.
    fn costs(&self) {
        let program = CString::new(self.program.as_os_str().as_encoded_bytes()).expect("no zero");
        let exec = exec(self.program, &[]);
        let mut free = self.sandbox.slot(None);
        let mut stack = vec![0u128; 4096];
        let settled = Settled::new(self, &program, &exec);
        let run = |slot: &mut Slot| assert_eq!(slot.run(&exec).expect("a run").exit, Exit::Code(0));
        let peers = installed_peers(self.program);
        let mut times: Vec<(String, Vec<Duration>)> = [
            "vfork, exec, wait",
            "posix_spawn, wait",
            "std Command",
            "ours",
            "posix_spawn, settled",
            "ours, settled",
        ]
        .map(|n| (n.to_string(), vec![]))
        .into();
        times.extend(peers.iter().map(|(n, _)| (n.to_string(), vec![])));
        for round in 0..2000 {
            let count = if round % 10 == 0 { times.len() } else { 6 };
            for step in 0..count {
                // A different order in every round.
                let which = (step * 7 + round) % count;
                if which == 4 || which == 5 {
                    times[which].1.push(settled.time(which == 5));
                    continue;
                }
                let start = Instant::now();
                match which {
                    0 => vfork_exec(&program, &mut stack),
                    1 => posix_spawn(&program),
                    2 => assert!(
                        Command::new(self.program).stdout(Stdio::null()).status().expect("a run").success()
                    ),
                    3 => run(&mut free),
                    n => {
                        let (name, args) = &peers[n - 6];
                        let _ = Command::new(name)
                            .args(args)
                            .stdout(Stdio::null())
                            .stderr(Stdio::null())
                            .status();
                    }
                }
                times[which].1.push(start.elapsed());
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|(_, t)| microseconds(median(t))).collect();
        println!("{:24} {:>10} {:>10} {:>14}", "one run", "median us", "p10 us", "x posix_spawn");
        for ((name, list), middle) in times.iter().zip(&medians) {
            println!(
                "{name:24} {middle:10.1} {:10.1} {:14.2}",
                microseconds(list[list.len() / 10]),
                middle / medians[1]
            );
        }
        let mut inner: Vec<Duration> = (0..500).map(|_| free.run(&exec).expect("a run").usage.wall).collect();
        println!(
            "of ours, from before the program's start to after its end: {:.1} us",
            microseconds(median(&mut inner))
        );
        for (way, ratio) in
            [("anywhere", medians[3] / medians[1]), ("settled, as in trials", medians[5] / medians[4])]
        {
            println!(
                "{} {way}: ours is {ratio:.2} x posix_spawn (at most 1.15)",
                pass_or_fail(ratio <= 1.15)
            );
        }
    }

    /// Runs per second with every CPU busy.
    fn throughput(&self) {
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
        let program = CString::new(self.program.as_os_str().as_encoded_bytes()).expect("no zero");
        let exec = exec(self.program, &[]);
        let (mut spawned, mut ours) = (vec![], vec![]);
        for _ in 0..5 {
            spawned.push(runs_per_second(cpus, |_| Box::new(|| posix_spawn(&program))));
            ours.push(runs_per_second(cpus, |cpu| {
                let mut slot = self.sandbox.slot(Some(cpu));
                let exec = exec.clone();
                Box::new(move || {
                    slot.pin_thread().expect("a CPU");
                    drop(slot.run(&exec).expect("a run"));
                })
            }));
        }
        spawned.sort_by(f64::total_cmp);
        ours.sort_by(f64::total_cmp);
        let (spawned, ours) = (spawned[2], ours[2]);
        println!("with {cpus} CPUs busy: posix_spawn {spawned:.0}/s, ours {ours:.0}/s");
        println!(
            "{} ours has {:.0} % of posix_spawn's runs (at least 90)",
            pass_or_fail(ours >= 0.9 * spawned),
            100.0 * ours / spawned
        );
    }

    fn starts(&self) {
        let exec = exec(self.program, &[]);
        let mut slot = self.sandbox.slot(Some(0));
        slot.run(&exec).expect("a run");
        let mut again: Vec<Duration> = (0..50)
            .map(|_| {
                slot.renew_worker();
                let start = Instant::now();
                slot.run(&exec).expect("a run");
                start.elapsed()
            })
            .collect();
        let mut fresh: Vec<Duration> = (0..20)
            .map(|_| {
                let start = Instant::now();
                let mut slot = self.sandbox.slot(Some(0));
                slot.run(&exec).expect("a run");
                start.elapsed()
            })
            .collect();
        let (again, fresh) = (median(&mut again), median(&mut fresh));
        println!(
            "a new worker and one run: {:.2} ms; a new slot and one run: {:.2} ms",
            microseconds(again) / 1e3,
            microseconds(fresh) / 1e3
        );
        println!("{} a worker's start takes at most 8 ms", pass_or_fail(again < Duration::from_millis(8)));
    }

    fn cpu_limit(&self) {
        let program = compile_c(self.dir, "spin", "int main(void) { for (;;); }");
        let mut exec = exec(&program, &[]);
        exec.limits.cpu = Duration::from_millis(100);
        let mut slot = self.sandbox.slot(Some(0));
        let mut used: Vec<Duration> = (0..20)
            .map(|_| {
                let ran = slot.run(&exec).expect("a run");
                assert_eq!(ran.exit, Exit::Exceeded(Limit::Cpu));
                ran.usage.cpu
            })
            .collect();
        let middle = median(&mut used);
        let worst = used[used.len() - 1];
        println!("a CPU limit of 100 ms: killed at {middle:.1?}, at worst {worst:.1?}");
        println!("{} killed within 110 ms of CPU", pass_or_fail(worst <= Duration::from_millis(110)));
    }

    /// Questions and answers of one line, through the judge and through bare pipes, all on one CPU.
    fn conversation(&self) {
        const EXCHANGES: u32 = 100_000;
        const LEAST_EXCHANGES: f64 = 20_000.0;
        let program = compile_c(self.dir, "chat", CHAT);
        let mut slot = self.sandbox.slot(Some(0));
        slot.pin_thread().expect("a CPU");
        let (mut bare, mut judged) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            bare.push(bare_conversation(&program, EXCHANGES));
            judged.push(judged_conversation(&mut slot, &program, EXCHANGES));
        }
        let [bare, judged] = [bare, judged].map(|runs: Vec<(Duration, Duration)>| {
            let (mut walls, mut cpus): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
            (f64::from(EXCHANGES) / median(&mut walls).as_secs_f64(), median(&mut cpus).as_secs_f64())
        });
        println!("conversation: bare pipes {:.0} exchanges/s, {:.2} s of CPU", bare.0, bare.1);
        println!(
            "conversation: judged {:.0} exchanges/s (target {LEAST_EXCHANGES}) {}, {:.2} of the CPU",
            judged.0,
            pass_or_fail(judged.0 >= LEAST_EXCHANGES),
            judged.1 / bare.1
        );
    }

    fn memory(&self) {
        let source = "#include <stdlib.h>\n#include <string.h>\n\
            int main(int c, char **v) { size_t n = (size_t)atoi(v[1]) << 20; volatile char *p = malloc(n);\n\
            for (size_t i = 0; i < n; i += 1024) p[i] = 1; return 0; }";
        let program = compile_c(self.dir, "touch", source);
        let mut slot = self.sandbox.slot(Some(0));
        let mut worst = 0i64;
        for mib in [0u64, 1, 4, 16, 64, 128] {
            for _ in 0..5 {
                let ran = slot.run(&exec(&program, &[&mib.to_string()])).expect("a run");
                let off = ran.usage.memory.0 as i64 - (mib << 20) as i64;
                worst = if off.abs() > worst.abs() { off } else { worst };
            }
        }
        println!("peak memory is off by at most {} KiB", worst >> 10);
        println!("{} within 1 MiB of the touched memory", pass_or_fail(worst.abs() <= 1 << 20));
    }

    /// Ten thousand runs without growth.
    fn steady(&self) {
        let mut run = exec(Path::new("/bin/true"), &[]);
        run.argv = vec!["/bin/true".into()];
        run.view = SandboxView::default();
        let mut slot = self.sandbox.slot(None);
        let mut batch = |n: usize| {
            let start = Instant::now();
            (0..n).for_each(|_| drop(slot.run(&run).expect("a run")));
            start.elapsed()
        };
        batch(500);
        let (memory, files) = (resident_memory(), open_files());
        let first = batch(1000);
        batch(8000);
        let last = batch(1000);
        let (grown, opened) = (resident_memory() as i64 - memory as i64, open_files() as i64 - files as i64);
        println!(
            "10000 x /bin/true: memory {grown:+} KiB, descriptors {opened:+}, time of 1000: {first:.0?} then {last:.0?}"
        );
        println!("{} nothing grows", pass_or_fail(grown < 256 && opened == 0 && last < first * 2));
    }

    /// Verdicts near the limit, with load on every CPU.
    fn flips(&self) {
        let source = "#include <stdlib.h>\n#include <time.h>\n\
            int main(int c, char **v) { for (;;) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);\n\
            if (t.tv_sec * 1000 + t.tv_nsec / 1000000 >= atoi(v[1])) return 0; } }";
        let program = compile_c(self.dir, "burn", source);
        let stop = AtomicBool::new(false);
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
        let late = |ms: &str, runs: usize| {
            let mut exec = exec(&program, &[ms]);
            exec.limits.cpu = Duration::from_millis(50);
            let mut slot = self.sandbox.slot(None);
            let exits = (0..runs).map(|_| slot.run(&exec).expect("a run").exit);
            exits.filter(|exit| *exit == Exit::Exceeded(Limit::Cpu)).count()
        };
        std::thread::scope(|scope| {
            for _ in 0..cpus {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let (under, over) = (late("39", 1000), late("75", 200));
            stop.store(true, Ordering::Relaxed);
            println!("needing 0.8 x limit, CPUs loaded: {under} of 1000 too slow; 1.5 x: {over} of 200");
            println!("{} verdicts do not flip", pass_or_fail(under == 0 && over == 200));
        });
    }
}

type Work<'a> = Box<dyn FnMut() + 'a>;

/// The number of times per second that this many threads do `work`.
fn runs_per_second<'a>(threads: usize, work: impl Fn(usize) -> Work<'a> + Sync) -> f64 {
    let (work, ready) = (&work, &Barrier::new(threads));
    let done: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|place| {
                scope.spawn(move || {
                    let mut one = work(place);
                    one();
                    ready.wait();
                    let start = Instant::now();
                    let mut n = 0;
                    while start.elapsed() < Duration::from_millis(500) {
                        one();
                        n += 1;
                    }
                    n
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).sum()
    });
    done as f64 / 0.5
}

/// Other sandboxes, if they are installed.
fn installed_peers(program: &Path) -> Vec<(&'static str, Vec<String>)> {
    let path = program.display().to_string();
    let list = |args: &[&str]| args.iter().map(|s| s.to_string()).chain([path.clone()]).collect::<Vec<_>>();
    let all = vec![
        ("unshare", list(&["-Urmpniu", "--fork", "--"])),
        ("bwrap", list(&["--unshare-all", "--ro-bind", "/", "/", "--"])),
        ("nsjail", list(&["-Mo", "-q", "--chroot", "/", "--"])),
        ("isolate", list(&["--run", "--"])),
    ];
    let there = |name: &str| {
        ["/usr/bin", "/usr/local/bin", "/bin"].iter().any(|dir| Path::new(dir).join(name).exists())
    };
    all.into_iter().filter(|(name, _)| there(name)).collect()
}

fn resident_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, |d| d.count())
}
