//! Notes between runs: one program leaves what it can, another like it looks.

use super::attempt::{exec, has_namespaces, has_own_proc};
use kopek::sandbox::*;

/// A pair of Python programs.
pub struct NoteAttack {
    /// How the note is passed.
    pub name: &'static str,
    leave: &'static str,
    /// Prints what it finds: it must be the same as in a fresh place.
    look: &'static str,
    writable: bool,
    proc: bool,
    needs_namespaces: bool,
    lists_processes: bool,
    /// Closed only between the passes of a program.
    between_passes: bool,
}

const fn note(name: &'static str, leave: &'static str, look: &'static str) -> NoteAttack {
    NoteAttack {
        name,
        leave,
        look,
        writable: false,
        proc: false,
        needs_namespaces: false,
        lists_processes: false,
        between_passes: false,
    }
}

impl NoteAttack {
    const fn writable(mut self) -> NoteAttack {
        self.writable = true;
        self
    }

    /// Differs where `/proc` shows more than the run's own processes, as `kopek doctor` says.
    const fn lists_processes(mut self) -> NoteAttack {
        self.lists_processes = true;
        self
    }

    /// Possible without namespaces, as `kopek doctor` says.
    const fn needs_namespaces(mut self) -> NoteAttack {
        self.needs_namespaces = true;
        self
    }

    /// Closed only between the passes of a program: other runs may know of each other.
    const fn between_passes(mut self) -> NoteAttack {
        self.between_passes = true;
        self
    }

    /// Whether this mode promises that it fails.
    pub fn is_promised(&self) -> bool {
        (!self.needs_namespaces || has_namespaces()) && (!self.lists_processes || has_own_proc())
    }

    const fn proc(mut self) -> NoteAttack {
        self.proc = true;
        self
    }
}

pub const ATTACKS: &[NoteAttack] = &[
    note("a file in the box", "open(BOX + '/n', 'w').write('x')", "print(os.listdir(BOX))").writable(),
    note("a file in /tmp", "open(TMP + '/n', 'w').write('x')", "print(os.listdir(TMP))").writable(),
    note("the mode of the box", "quietly(os.chmod, BOX, 0o711); quietly(os.chmod, TMP, 0o1777)", "print(oct(os.stat(BOX).st_mode), oct(os.stat(TMP).st_mode))").writable(),
    note("the times of the box", "quietly(os.utime, BOX, (7, 7)); quietly(os.utime, TMP, (8, 8))", "print(os.stat(BOX).st_mtime, os.stat(TMP).st_mtime)").writable(),
    note("room taken in the box", "f = os.open(BOX, os.O_TMPFILE | os.O_RDWR); os.write(f, b'x' * 1000000); os.fork() or time.sleep(99)", "s = os.statvfs(BOX); print(s.f_bfree, s.f_ffree)").writable().needs_namespaces(),
    note("numbers of files in the box", "[open(BOX + '/%d' % n, 'w').close() for n in range(40)]", "open(BOX + '/n', 'w').close(); print(os.stat(BOX + '/n').st_ino)").writable().needs_namespaces().between_passes(),
    note("places of files in the box", "[open(BOX + '/%d' % n, 'w').close() for n in range(40)]", "open(BOX + '/n', 'w').close(); b = ctypes.create_string_buffer(999)\nn, i = libc.syscall(217, os.open(BOX, 0), b, 999), 0\nwhile i < n: print(b.raw[i + 8:i + 16]); i += b.raw[i + 16]").writable().needs_namespaces().between_passes(),
    note("process numbers", "[os.fork() or os._exit(0) for _ in range(9)]", "print(os.getpid(), os.fork() or os._exit(0))").needs_namespaces(),
    note("thread numbers", "[threading.Thread(target=time.sleep, args=(0,)).start() for _ in range(9)]", "t = threading.Thread(); t.start(); print(t.native_id)").needs_namespaces(),
    note("a process that stays", "os.fork() or (os.setsid(), time.sleep(99))", "print([p for p in range(3, 99) if alive(p)])"),
    note("sessions and groups", "os.setpgid(0, 0) if os.getpid() != os.getsid(0) else 0", "print(os.getpgid(0), os.getsid(0), os.getppid())").needs_namespaces(),
    note("flags of the output", "fcntl.fcntl(1, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)", "print(fcntl.fcntl(1, fcntl.F_GETFL), fcntl.fcntl(2, fcntl.F_GETFL))"),
    note("flags of the complaints", "fcntl.fcntl(2, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)", "print(fcntl.fcntl(1, fcntl.F_GETFL), fcntl.fcntl(2, fcntl.F_GETFL))"),
    note("flags of the input", "fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)", "print(fcntl.fcntl(0, fcntl.F_GETFL))"),
    note("who is notified of the output", "fcntl.fcntl(1, fcntl.F_SETOWN, os.getpid()); fcntl.fcntl(2, fcntl.F_SETSIG, 33); fcntl.fcntl(0, fcntl.F_SETSIG, 34)", "print([fcntl.fcntl(f, c) for f in (0, 1, 2) for c in (fcntl.F_GETOWN, fcntl.F_GETSIG)])"),
    note("the mode of the output", "[quietly(os.fchmod, f, 0o600) for f in (0, 1, 2)]", "print([oct(os.fstat(f).st_mode) for f in (0, 1, 2)])"),
    note("the times of the output", "[quietly(os.utime, f, (7, 7)) for f in (0, 1, 2)]", "print([os.fstat(f).st_mtime == 7 for f in (0, 1, 2)])"),
    note("the place in the output", "[quietly(os.lseek, f, 77, 0) for f in (0, 1, 2)]", "print([quietly(os.lseek, f, 0, 1) for f in (0, 1, 2)])"),
    note("locks on a shared file", "fcntl.flock(os.open('/usr/bin/env', 0), 2); fcntl.lockf(os.open('/usr/bin/env', 0), 1); os.fork() or time.sleep(99)", "print(quietly(fcntl.flock, os.open('/usr/bin/env', 0), 6))"),
    note("shared memory", "libc.shmget(77, 4096, 0o1666)", "print(libc.shmget(77, 4096, 0o666))"),
    note("semaphores", "libc.semget(77, 1, 0o1666)", "print(libc.semget(77, 1, 0o666))"),
    note("message queues", "libc.msgget(77, 0o1666)", "print(libc.msgget(77, 0o666))"),
    note("keys", "libc.syscall(248, b'user', b'n', b'x', 1, -5)", "print(libc.syscall(250, 10, -5, b'user', b'n', 0))"),
    note("names of sockets", "s = socket.socketpair(); quietly(s[0].bind, b'\\0n')", "s = socket.socketpair(); print(quietly(s[0].connect, b'\\0n'))"),
    note("limits", "resource.setrlimit(resource.RLIMIT_NOFILE, (77, 77)); resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))", "print(resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_STACK))"),
    note("the mask of modes", "os.umask(0o077)", "print(oct(os.umask(0)))"),
    note("ignored and blocked signals", "signal.signal(signal.SIGUSR1, signal.SIG_IGN); signal.pthread_sigmask(0, {10, 12})", "print(signal.getsignal(signal.SIGUSR1), signal.pthread_sigmask(0, []))"),
    note("priority", "quietly(os.nice, 3); quietly(os.sched_setaffinity, 0, {0})", "print(os.getpriority(0, 0), os.sched_getaffinity(0) == set(range(os.cpu_count())))"),
    note("the name of the machine", "quietly(socket.sethostname, 'n')", "print(socket.gethostname())"),
    note("the name in /proc", "open('/proc/self/comm', 'w').write('n') if 0 else libc.prctl(15, b'note')", "print(open('/proc/self/comm').read(), sorted(p for p in os.listdir('/proc') if p.isdigit()))").proc().lists_processes(),
    note("the score when memory runs out", "quietly(lambda: open('/proc/self/oom_score_adj', 'w').write('0'))", "print(open('/proc/self/oom_score_adj').read())").proc(),
];

const IMPORTS: &str = "import os, sys, time, fcntl, socket, resource, signal, threading, ctypes
libc = ctypes.CDLL(None)
BOX, TMP = os.environ['HOME'], os.environ.get('TMPDIR', '/tmp')
def quietly(f, *a):
    try: return f(*a)
    except Exception as e: return type(e).__name__
def alive(p):
    try: os.kill(p, 0); return True
    except OSError: return False
";

/// What a fresh place shows, the note is left, and then the next run in the same place must see the same.
pub fn attempt(slot: &mut Slot, row: &NoteAttack) -> Result<(), String> {
    let program = |code: &str| {
        let mut run = exec(&["python3", "-I", "-B", "-c", &(IMPORTS.to_owned() + code)]);
        (run.view.writable, run.view.proc) = (row.writable, row.proc);
        run
    };
    let fault = |e: Fault| format!("a fault: {e}");
    let look = |slot: &mut Slot| {
        let ran = slot.run(&program(row.look)).map_err(fault)?;
        let output = String::from_utf8_lossy(&ran.stdout.bytes().unwrap()).into_owned();
        let well = ran.exit == Exit::Code(0) && !output.is_empty();
        let complaint = String::from_utf8_lossy(&ran.stderr.bytes().unwrap()).into_owned();
        if well { Ok(output) } else { Err(format!("it prints nothing: {:?} {complaint}", ran.exit)) }
    };
    slot.renew_worker();
    let fresh = look(slot)?;
    slot.renew_worker();
    slot.run(&program(row.leave)).map_err(fault)?;
    if row.between_passes {
        slot.renew_worker();
    }
    let next = look(slot)?;
    if next != fresh { Err(format!("fresh: {fresh:?}, after the note: {next:?}")) } else { Ok(()) }
}
