//! A row of the suite: a hostile program, how it must end, and why it cannot do better.

use kopek::{base::Bytes, sandbox::*, verdict::Verdict};
use std::{
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::PathBuf,
    time::Duration,
};

/// A hostile program and what must become of it.
pub struct Attack {
    /// What it tries.
    pub name: &'static str,
    program: Text,
    writable: bool,
    proc: bool,
    /// CPU and wall limits in milliseconds.
    times: (u64, u64),
    ends: Ends,
    as_user: Option<Ends>,
    /// What stops it.
    pub why: &'static str,
}

#[derive(Clone, Copy)]
enum Text {
    /// The body of a C function.
    C(&'static str),
    Sh(&'static str),
    Python(&'static str),
}

/// How a hostile program must end.
#[derive(Clone, Copy)]
pub enum Ends {
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
    /// Well, and what it wrote changes no more, whatever it left behind.
    Settled,
    /// Well or not, but not doing any harm.
    Somehow,
}

pub use Ends::{Itself, Over, OverOne, Refused, Says, Settled, Somehow};

const fn attack(name: &'static str, program: Text, ends: Ends, why: &'static str) -> Attack {
    Attack { name, program, writable: false, proc: false, times: (4000, 20_000), ends, as_user: None, why }
}

/// The body of a C function.
pub const fn c(name: &'static str, body: &'static str, ends: Ends, why: &'static str) -> Attack {
    attack(name, Text::C(body), ends, why)
}

/// A shell script.
pub const fn sh(name: &'static str, script: &'static str, ends: Ends, why: &'static str) -> Attack {
    attack(name, Text::Sh(script), ends, why)
}

/// A Python program.
pub const fn python(name: &'static str, script: &'static str, ends: Ends, why: &'static str) -> Attack {
    attack(name, Text::Python(script), ends, why)
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

    /// With so many milliseconds of CPU.
    pub const fn cpu(mut self, milliseconds: u64) -> Attack {
        self.times.0 = milliseconds;
        self
    }

    /// With so many milliseconds of wall time.
    pub const fn wall(mut self, milliseconds: u64) -> Attack {
        self.times.1 = milliseconds;
        self
    }

    /// Ends otherwise where there is no cgroup.
    pub const fn for_user(mut self, ends: Ends) -> Attack {
        self.as_user = Some(ends);
        self
    }
}

/// The verdict that must be shown for an end, written down anew.
fn shown(exit: Exit) -> Option<Verdict> {
    match exit {
        Exit::Code(0) => None,
        Exit::Code(_) | Exit::Signal(_) | Exit::Exceeded(Limit::Processes) => Some(Verdict::RunTimeError),
        Exit::Exceeded(Limit::Cpu) => Some(Verdict::TimeLimit),
        Exit::Exceeded(Limit::Wall) => Some(Verdict::IdleLimit),
        Exit::Exceeded(Limit::Memory) => Some(Verdict::MemoryLimit),
        Exit::Exceeded(Limit::Output | Limit::Files) => Some(Verdict::OutputLimit),
    }
}

fn judge(ran: &Ran, ends: Ends) -> Result<(), String> {
    let text = |c: &Captured| String::from_utf8_lossy(&c.head(2000).unwrap_or_default()).into_owned();
    let (out, err) = (text(&ran.stdout), text(&ran.stderr));
    let well = ran.exit == Exit::Code(0);
    let fits = match ends {
        Refused => well && !out.is_empty() && out.lines().all(|line| line == "refused"),
        Says(what) => well && out.trim_end() == what,
        Itself(exit) => ran.exit == exit,
        Over(limit) => ran.exit == Exit::Exceeded(limit),
        OverOne(limits) => limits.iter().any(|limit| ran.exit == Exit::Exceeded(*limit)),
        Settled => well && !out.is_empty() && ran.stdout.bytes().unwrap() == later(&ran.stdout),
        Somehow => !out.contains("done"),
    };
    let seen = || format!("{:?} {:?} {:?} stdout {out:?} stderr {err:?}", ran.exit, ran.usage, ran.notes);
    if !fits {
        return Err(seen());
    }
    let verdict = Verdict::of_exit(&ran.exit);
    if verdict == shown(ran.exit) { Ok(()) } else { Err(format!("shown as {verdict:?}: {}", seen())) }
}

/// What was captured, read again when whoever was left has had time to change it.
fn later(output: &Captured) -> Vec<u8> {
    std::thread::sleep(Duration::from_millis(50));
    output.bytes().unwrap()
}

/// Limits that leave room for every runtime and for nothing large.
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

/// An `Exec` of these words in the plainest view.
pub fn exec(argv: &[&str]) -> Exec {
    Exec {
        argv: argv.iter().map(|s| s.to_string()).collect(),
        env: vec![],
        view: View::default(),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: limits(),
        keep: Keep::Nothing,
    }
}

/// Where attacks take place: all the C programs in one, and a package's files to be coveted.
pub struct Hall {
    home: tempfile::TempDir,
}

const INPUT: &str = "the input\n";
const ANSWER: &str = "the answer\n";

impl Hall {
    /// Compiles the C programs: inside, of course.
    pub fn new(slot: &mut Slot) -> Hall {
        let home = tempfile::tempdir().unwrap();
        for dir in ["exe", "tests"] {
            std::fs::create_dir(home.path().join(dir)).unwrap();
        }
        std::fs::write(home.path().join("tests/secret.in"), INPUT).unwrap();
        std::fs::write(home.path().join("tests/secret.ans"), ANSWER).unwrap();
        let mut gcc = exec(&["gcc", "-w", "-O0", "-static", "-pthread", "-o", "hostile", "hostile.c"]);
        gcc.view.writable = true;
        gcc.files = vec![Placed::Bytes("hostile.c".into(), source().into())];
        gcc.limits.cpu = Duration::from_secs(60);
        gcc.limits.wall = Duration::from_secs(120);
        (gcc.limits.memory, gcc.limits.files) = (Bytes::mib(512), Bytes::mib(64));
        gcc.keep = Keep::Below("".into(), home.path().join("exe"));
        let built = slot.run(&gcc).unwrap();
        let complaint = String::from_utf8_lossy(&built.stderr.bytes().unwrap()).into_owned();
        assert_eq!(built.exit, Exit::Code(0), "{complaint}");
        Hall { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn exec(&self, number: usize, attack: &Attack) -> Exec {
        let name = format!("a{number}");
        let mut run = match attack.program {
            Text::C(_) => exec(&["/exe/hostile", &name]),
            Text::Sh(script) => exec(&["sh", "-c", script]),
            Text::Python(script) => exec(&["python3", "-I", "-B", "-c", script]),
        };
        run.view.shown = vec![Shown { host: self.path("exe"), inside: "/exe".into() }];
        (run.view.writable, run.view.proc) = (attack.writable, attack.proc);
        run.stdin = Input::Path(self.path("tests/secret.in"));
        run.limits.cpu = Duration::from_millis(attack.times.0);
        run.limits.wall = Duration::from_millis(attack.times.1);
        run
    }

    /// Everything of the tests that could have been changed.
    fn coveted(&self) -> Vec<(String, u32, i64, Vec<u8>)> {
        let look = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, metadata.permissions().mode(), metadata.mtime(), std::fs::read(entry.path()).unwrap())
        };
        let mut all: Vec<_> = std::fs::read_dir(self.path("tests")).unwrap().map(look).collect();
        all.extend(std::fs::read_dir(self.path("exe")).unwrap().map(look));
        all.sort();
        all
    }

    /// Lets it try, and looks at what came of it and at what it left.
    pub fn face(&self, slot: &mut Slot, number: usize, attack: &Attack) -> Result<(), String> {
        let ends = attack.as_user.filter(|_| !super::grouped()).unwrap_or(attack.ends);
        let before = self.coveted();
        let run = self.exec(number, attack);
        let ran = slot.run(&run).map_err(|e| format!("a fault: {e}"))?;
        judge(&ran, ends).map_err(|what| format!("{what}\n    stopped by: {}", attack.why))?;
        if self.coveted() != before {
            return Err("it changed the package's files".into());
        }
        let mut next = exec(&["sh", "-c", "ls -A /box /tmp 2>/dev/null; echo $$"]);
        next.view = run.view;
        let ran = slot.run(&next).map_err(|e| format!("the next run: {e}"))?;
        let said = String::from_utf8_lossy(&ran.stdout.bytes().unwrap()).replace("/box:\n\n/tmp:\n", "");
        if said.replace("/box:\n", "") == "2\n" { Ok(()) } else { Err(format!("the next run sees {said:?}")) }
    }
}

/// One C program of all C attacks, chosen by its first argument.
fn source() -> String {
    let (mut text, mut table) = (PRELUDE.to_owned(), String::new());
    for (number, attack) in super::programs().into_iter().enumerate() {
        if let Text::C(body) = attack.program {
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
static void fixed(const char *path) {
    REFUSED(open(path, O_WRONLY)); REFUSED(truncate(path, 0)); REFUSED(chmod(path, 0777)); REFUSED(unlink(path));
}
static void touch(char *p, long n) { for (long i = 0; i < n; i += 4096) p[i] = 1; }
static void spin(void) { for (;;) { } }
static void *spinner(void *x) { spin(); return 0; }
static void quiet(int s) { }
static void put(const char *path, const char *text) {
    int f = open(path, O_WRONLY | O_CREAT, 0755); write(f, text, strlen(text)); close(f);
}
"#;
