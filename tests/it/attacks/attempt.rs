//! An attack: a hostile program, how it must end, and why it cannot do better.

use crate::ordinary_user::{open_sandbox, weak_points};
use kopek::{base::Bytes, sandbox::*, verdict::Verdict};
use std::{
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::PathBuf,
    sync::OnceLock,
    time::Duration,
};

/// A hostile program and what must become of it.
pub struct Attack {
    /// What it tries.
    pub name: &'static str,
    program: Program,
    writable: bool,
    proc: bool,
    /// CPU and wall limits in milliseconds.
    times: (u64, u64),
    ends: End,
    as_user: Option<End>,
    needs: Needs,
    /// What stops it.
    why: &'static str,
}

#[derive(Clone, Copy)]
enum Program {
    /// The body of a C function.
    C(&'static str),
    Sh(&'static str),
    Python(&'static str),
}

/// What must be there to stop an attack.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    Namespaces,
    OwnProc,
    CountedProcesses,
}

/// How a hostile program must end; whatever ends in another way, or prints "done", was successful.
#[derive(Clone, Copy)]
pub enum End {
    /// Well, and every line it prints is "refused".
    Refused,
    /// Well, printing this.
    Says(&'static str),
    /// By its own exit code or signal.
    Itself(Exit),
    /// At this limit.
    Over(Limit),
    /// At one of several limits: which is reached first is the machine's choice.
    OverOne(&'static [Limit]),
    /// At one of several limits, or by itself.
    OverOr(&'static [Limit], Exit),
    /// Well, and what it wrote changes no more, whatever it left behind.
    Settled,
}

pub use End::{Itself, Over, OverOne, OverOr, Refused, Says, Settled};

const fn attack(name: &'static str, program: Program, ends: End, why: &'static str) -> Attack {
    Attack {
        name,
        program,
        writable: false,
        proc: false,
        times: (4000, 20_000),
        ends,
        as_user: None,
        needs: Needs::Nothing,
        why,
    }
}

/// The body of a C function.
pub const fn c(name: &'static str, body: &'static str, ends: End, why: &'static str) -> Attack {
    attack(name, Program::C(body), ends, why)
}

/// A shell script.
pub const fn sh(name: &'static str, script: &'static str, ends: End, why: &'static str) -> Attack {
    attack(name, Program::Sh(script), ends, why)
}

/// A Python program.
pub const fn python(name: &'static str, script: &'static str, ends: End, why: &'static str) -> Attack {
    attack(name, Program::Python(script), ends, why)
}

impl Attack {
    /// In a box that can be written to.
    pub const fn writable(mut self) -> Attack {
        self.writable = true;
        self
    }

    /// With `/proc`.
    pub const fn proc(mut self) -> Attack {
        self.proc = true;
        self
    }

    /// Limits the CPU time, in milliseconds.
    pub const fn cpu(mut self, milliseconds: u64) -> Attack {
        self.times.0 = milliseconds;
        self
    }

    /// Limits the wall time, in milliseconds.
    pub const fn wall(mut self, milliseconds: u64) -> Attack {
        self.times.1 = milliseconds;
        self
    }

    /// Possible without namespaces, as `kopek doctor` says.
    pub const fn needs_namespaces(mut self) -> Attack {
        self.needs = Needs::Namespaces;
        self
    }

    /// Possible where `/proc` shows more than the run's own processes, as `kopek doctor` says.
    pub const fn needs_own_proc(mut self) -> Attack {
        self.needs = Needs::OwnProc;
        self
    }

    /// Possible for a moment where nothing but a look now and then counts processes, as `kopek doctor` says.
    pub const fn needs_counted_processes(mut self) -> Attack {
        self.needs = Needs::CountedProcesses;
        self
    }

    /// Whether this mode promises that it fails.
    pub fn is_promised(&self) -> bool {
        match self.needs {
            Needs::Nothing => true,
            Needs::Namespaces => has_namespaces(),
            Needs::OwnProc => has_own_proc(),
            Needs::CountedProcesses => !warns_of("processes are counted every"),
        }
    }

    /// Ends otherwise where there is no cgroup.
    pub const fn for_user(mut self, ends: End) -> Attack {
        self.as_user = Some(ends);
        self
    }
}

/// The expected verdict of an end, computed independently.
fn expected_verdict(exit: Exit) -> Option<Verdict> {
    match exit {
        Exit::Code(0) => None,
        Exit::Code(_) | Exit::Signal(_) | Exit::Exceeded(Limit::Processes) => Some(Verdict::RunTimeError),
        Exit::Exceeded(Limit::Cpu) => Some(Verdict::TimeLimit),
        Exit::Exceeded(Limit::Wall) => Some(Verdict::IdleLimit),
        Exit::Exceeded(Limit::Memory) => Some(Verdict::MemoryLimit),
        Exit::Exceeded(Limit::Output | Limit::Files) => Some(Verdict::OutputLimit),
    }
}

fn check_end(ran: &RunResult, ends: End) -> Result<(), String> {
    let text = |c: &CapturedOutput| String::from_utf8_lossy(&c.head(2000).unwrap_or_default()).into_owned();
    let (out, err) = (text(&ran.stdout), text(&ran.stderr));
    let well = ran.exit == Exit::Code(0);
    let fits = match ends {
        Refused => well && !out.is_empty() && out.lines().all(|line| line == "refused"),
        Says(what) => well && out.trim_end() == what,
        Itself(exit) => ran.exit == exit,
        Over(limit) => ran.exit == Exit::Exceeded(limit),
        OverOne(limits) => limits.iter().any(|limit| ran.exit == Exit::Exceeded(*limit)),
        OverOr(limits, exit) => {
            ran.exit == exit || limits.iter().any(|limit| ran.exit == Exit::Exceeded(*limit))
        }
        Settled => well && !out.is_empty(),
    };
    let description =
        || format!("{:?} {:?} {:?} stdout {out:?} stderr {err:?}", ran.exit, ran.usage, ran.notes);
    if !fits || out.contains("done") {
        return Err(description());
    }
    let verdict = Verdict::of_exit(&ran.exit);
    if verdict == expected_verdict(ran.exit) {
        Ok(())
    } else {
        Err(format!("its verdict is {verdict:?}: {}", description()))
    }
}

/// Limits that every runtime needs, and no more.
pub fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(4),
        wall: Duration::from_secs(20),
        memory: Bytes::mib(64),
        output: Bytes::mib(1),
        files: Bytes::mib(8),
        processes: 16,
    }
}

/// An `Exec` of these words in the smallest view.
pub fn exec(argv: &[&str]) -> Exec {
    Exec::new(argv.iter().copied(), limits())
}

/// Whether memory and processes are limited by a cgroup.
fn has_cgroup() -> bool {
    static GROUPED: OnceLock<bool> = OnceLock::new();
    *GROUPED.get_or_init(|| !open_sandbox().mode_name().ends_with("no cgroup"))
}

/// Whether programs have namespaces of their own, or Landlock alone.
pub fn has_namespaces() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| open_sandbox().mode_name().contains("namespaces"))
}

pub fn has_own_proc() -> bool {
    !warns_of("/proc")
}

fn warns_of(words: &str) -> bool {
    weak_points().iter().any(|line| line.contains(words))
}

/// What all attacks have before them: the C programs, in one, and a package's tests.
pub struct AttackSite {
    home: tempfile::TempDir,
}

/// A file that attacks would like to change.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TargetFile {
    name: String,
    mode: u32,
    owner: (u32, u32),
    modified: (i64, i64),
    bytes: Vec<u8>,
}

/// The start of the message about an attempt that others disturbed.
pub const DISTURBED: &str = "disturbed: ";

const INPUT: &str = "the input\n";
const ANSWER: &str = "the answer\n";

impl AttackSite {
    /// Compiles the C programs: inside, of course.
    pub fn new() -> AttackSite {
        let home = tempfile::tempdir().unwrap();
        for dir in ["exe", "tests"] {
            std::fs::create_dir(home.path().join(dir)).unwrap();
        }
        std::fs::write(home.path().join("tests/secret.in"), INPUT).unwrap();
        std::fs::write(home.path().join("tests/secret.ans"), ANSWER).unwrap();
        let mut gcc = exec(&["gcc", "-w", "-O0", "-static", "-pthread", "-o", "hostile", "hostile.c"]);
        gcc.view.writable = true;
        gcc.files = vec![BoxFile::Bytes("hostile.c".into(), c_source().into())];
        gcc.limits.cpu = Duration::from_secs(60);
        gcc.limits.wall = Duration::from_secs(120);
        (gcc.limits.memory, gcc.limits.files) = (Bytes::mib(512), Bytes::mib(64));
        gcc.keep = Keep::Below("".into(), home.path().join("exe"));
        let built = open_sandbox().slot(None).run(&gcc).unwrap();
        let complaint = String::from_utf8_lossy(&built.stderr.bytes().unwrap()).into_owned();
        assert_eq!(built.exit, Exit::Code(0), "{complaint}");
        AttackSite { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn exec(&self, number: usize, attack: &Attack) -> Exec {
        let name = format!("a{number}");
        let mut run = match attack.program {
            Program::C(_) => exec(&["/exe/hostile", &name]),
            Program::Sh(script) => exec(&["sh", "-c", script]),
            Program::Python(script) => exec(&["python3", "-I", "-B", "-c", script]),
        };
        run.view.mounts = vec![ReadOnlyMount { host: self.path("exe"), inside: "/exe".into() }];
        (run.view.writable, run.view.proc) = (attack.writable, attack.proc);
        run.stdin = Input::Path(self.path("tests/secret.in"));
        run.limits.cpu = Duration::from_millis(attack.times.0);
        run.limits.wall = Duration::from_millis(attack.times.1);
        run
    }

    fn target_files(&self) -> Vec<TargetFile> {
        let dirs = ["tests", "exe"].map(|dir| std::fs::read_dir(self.path(dir)).unwrap());
        let mut all: Vec<_> =
            dirs.into_iter().flatten().map(|entry| TargetFile::read(&entry.unwrap())).collect();
        all.sort();
        all
    }

    /// Lets it try, and looks at how it ends and what it leaves.
    pub fn attempt(&self, slot: &mut Slot, number: usize, attack: &Attack) -> Result<(), String> {
        let ends = attack.as_user.filter(|_| !has_cgroup()).unwrap_or(attack.ends);
        let before = self.target_files();
        let run = self.exec(number, attack);
        let ran = match slot.run(&run) {
            Ok(ran) => ran,
            Err(fault) if fault.source == FaultSource::Undecided => {
                return Err(format!("{DISTURBED}{fault}"));
            }
            Err(fault) => return Err(format!("a fault: {fault}")),
        };
        check_end(&ran, ends).map_err(|what| format!("{what}\n    stopped by: {}", attack.why))?;
        let output = ran.stdout.bytes().unwrap();
        if self.target_files() != before {
            return Err("it changed the package's files".into());
        }
        let look = "cd \"$HOME\" && ls -A; cd \"${TMPDIR:-/tmp}\" && ls -A; test \"$1\" = any || echo $$";
        let numbers = if has_namespaces() { "own" } else { "any" };
        let mut next = exec(&["sh", "-c", look, "sh", numbers]);
        next.view = run.view;
        let next = slot.run(&next).map_err(|e| format!("the next run: {e}"))?;
        // A process that was left has had time to change it.
        if ran.stdout.bytes().unwrap() != output {
            return Err("its output changed after its end".into());
        }
        let listing = String::from_utf8_lossy(&next.stdout.bytes().unwrap()).into_owned();
        match listing == if has_namespaces() { "2\n" } else { "" } {
            true => Ok(()),
            false => Err(format!("the next run finds {listing:?}")),
        }
    }
}

impl TargetFile {
    fn read(entry: &std::fs::DirEntry) -> TargetFile {
        let metadata = entry.metadata().unwrap();
        TargetFile {
            name: entry.file_name().to_string_lossy().into_owned(),
            mode: metadata.permissions().mode(),
            owner: (metadata.uid(), metadata.gid()),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            bytes: std::fs::read(entry.path()).unwrap(),
        }
    }
}

/// One C program of all C attacks, chosen by its first argument.
fn c_source() -> String {
    let (mut text, mut table) = (PRELUDE.to_owned(), String::new());
    for (number, attack) in super::program_attacks().into_iter().enumerate() {
        if let Program::C(body) = attack.program {
            text += &format!("static void a{number}(void) {{ {body} }}\n");
            table += &format!("if (!strcmp(v[1], \"a{number}\")) a{number}();\n");
        }
    }
    text + "int main(int n, char **v) { setvbuf(stdout, 0, _IOLBF, 0); self = v;\n" + &table + "return 0; }\n"
}

/// Words of the hostile programs. REFUSED: the call must fail.
const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static char **self;
#define MiB (1L << 20)
#define REFUSED(call) do { errno = 0; long r = (long)(call); \
    if (r == -1) puts("refused"); else printf("%s was done: %ld\n", #call, r); } while (0)
#define SYS(name, ...) REFUSED(syscall(SYS_##name, __VA_ARGS__))
static void hidden(const char *path) {
    char b[64]; int f = open(path, O_RDONLY | O_NONBLOCK);
    if (f < 0 || (read(f, b, 64) <= 0 && !opendir(path))) puts("refused"); else printf("%s was done\n", path);
}
/* The call must change nothing of the file, whatever it answers. */
#define KEPT(path, call) do { struct stat s, t; memset(&s, 0, sizeof s); memset(&t, 0, sizeof t); stat(path, &s); \
    long r = (long)(call); stat(path, &t); \
    int kept = s.st_mode == t.st_mode && s.st_uid == t.st_uid && s.st_gid == t.st_gid && s.st_mtime == t.st_mtime; \
    if (kept) puts("refused"); else printf("%s was done: %ld\n", #call, r); } while (0)
static void fixed(const char *path) {
    REFUSED(open(path, O_WRONLY)); REFUSED(truncate(path, 0)); KEPT(path, chmod(path, 0777)); REFUSED(unlink(path));
}
static void touch(char *p, long n) { for (long i = 0; i < n; i += 4096) p[i] = 1; }
static void spin(void) { for (;;) { } }
static void *spinner(void *x) { spin(); return 0; }
static void quiet(int s) { }
static void put(const char *path, const char *text) {
    int f = open(path, O_WRONLY | O_CREAT, 0755); write(f, text, strlen(text)); close(f);
}
"#;
