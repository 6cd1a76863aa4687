//! One run, as the worker does it: start, watch, kill what is left, read the meters.

use super::{
    groups::Meters,
    inside::Kept,
    keeper::tell,
    order::{Order, Reply, Stopped, Walls, tag},
    sys::{self, Death, Launch, Stack, Strings},
};
use crate::base::Bytes;
use rustix::{
    event::{PollFd, PollFlags, poll},
    time::Timespec,
};
use std::{
    ffi::CString,
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// What a worker works with.
pub struct Bench<'a> {
    /// Its cgroup, if it has one.
    pub meters: Option<&'a Meters>,
    /// What it kept from before it was walled in.
    pub kept: Kept,
    /// How many CPUs its programs can use at once.
    pub cpus: u32,
    /// The user its programs become, if it can change users.
    pub user: Option<u32>,
    /// What walls it in.
    pub walls: Walls,
    /// Where built programs lie.
    pub built: Vec<PathBuf>,
    /// Where children stand between clone and exec.
    pub stack: Stack,
    /// To the judge.
    pub line: &'a OwnedFd,
    /// Readable when a child may have ended.
    pub news: OwnedFd,
}

/// Where bare names are looked up.
const PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// How often we look where no cgroup watches for us.
const GLANCE: Duration = Duration::from_millis(10);

/// Runs one program to its end. An error is ours.
pub fn run(bench: &mut Bench, order: &Order, stdio: Vec<File>) -> io::Result<Reply> {
    let [stdin, stdout, stderr] = &stdio[..] else {
        return Err(io::Error::other("an order came without its three streams"));
    };
    let strings = |list: Vec<String>| -> io::Result<Strings> {
        Ok(Strings::new(list.into_iter().map(CString::new).collect::<Result<_, _>>()?))
    };
    let programs = strings(candidates(order))?;
    let (argv, envp) = (strings(order.argv.clone())?, strings(order.env.clone())?);
    let cwd = CString::new(order.cwd.as_str())?;
    let limits = resource_limits(bench, order);
    let mut launch = Launch {
        programs: &programs,
        argv: &argv,
        envp: &envp,
        // We are there already.
        cwd: Some(&*cwd).filter(|cwd| *cwd != c"/box"),
        stdio: [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()],
        limits: &limits,
        ids: bench.user,
        domain: bench.kept.domain.as_ref().map(|fd| fd.as_raw_fd()),
        watched: order.watched,
        failed: (0, 0),
    };
    let before = Before::take(bench, order)?;
    let (pid, shown) = start(bench, &mut launch)?;
    // Only the program's own may stay open: an end of a pipe that we held would hide its closing.
    drop(stdio);
    if launch.failed.0 > 0 {
        sys::wait_for(pid)?;
        return unfit(bench, order, launch.failed).ok_or_else(|| not_started(order, launch.failed));
    }
    if let Some(shown) = shown {
        tell(bench.line, tag::STARTED, b"", &[shown.as_fd()])?;
    }
    let (stopped, main) = watch(bench, order, pid, &before)?;
    let wall = before.at.elapsed();
    let rest = end_all()?;
    Ok(before.settle(bench, stopped, wall, main, rest))
}

/// Where the program may lie: its own path, or each directory of `PATH`.
fn candidates(order: &Order) -> Vec<String> {
    let name = order.argv.first().cloned().unwrap_or_default();
    if name.contains('/') {
        return vec![name];
    }
    let path = order.env.iter().find_map(|e| e.strip_prefix("PATH="));
    match path {
        Some(path) => path.split(':').map(|dir| format!("{dir}/{name}")).collect(),
        None => PATH.iter().map(|dir| format!("{dir}/{name}")).collect(),
    }
}

/// A built program that lies there and cannot be executed (it names a loader that does not exist,
/// it is no program at all) is its author's doing: it ends as a shell would say it.
fn unfit(bench: &Bench, order: &Order, (step, _): (u32, i32)) -> Option<Reply> {
    let program = Path::new(order.argv.first()?);
    let built = bench.built.iter().any(|dir| program.starts_with(dir));
    let lies = std::fs::metadata(program).is_ok_and(|m| m.is_file());
    (sys::STEPS[step as usize] == "execute" && built && lies)
        .then(|| Reply { status: 126, ..Reply::default() })
}

fn not_started(order: &Order, (step, error): (u32, i32)) -> io::Error {
    let what = if step == 6 {
        &order.argv[0]
    } else if step == 5 {
        &order.cwd
    } else {
        ""
    };
    let error = io::Error::from_raw_os_error(error);
    io::Error::new(error.kind(), format!("{} {what}: {error}", sys::STEPS[step as usize]))
}

/// Limits of each process; those of all together are the cgroup's and ours.
fn resource_limits(bench: &Bench, order: &Order) -> Vec<(u32, u64, u64)> {
    let l = &order.limits;
    let seconds = l.cpu.as_secs() + 2;
    let most = l.files.0.max(l.output.0).saturating_add(1);
    let same = |which: u32, n: u64| (which, n, n);
    let mut limits = vec![
        // A second net: the worker stops it long before.
        same(libc::RLIMIT_CPU, seconds),
        same(libc::RLIMIT_FSIZE, most),
    ];
    if bench.meters.is_none() {
        // Nets for each process: we look at what all of them touched, and runtimes reserve more than that.
        let slack = l.memory.0.saturating_add(Bytes::mib(1024).0);
        limits.push(same(libc::RLIMIT_DATA, slack));
        limits.push(same(libc::RLIMIT_NPROC, u64::from(l.processes) + bench.residents()));
    }
    limits
}

fn start(bench: &mut Bench, launch: &mut Launch) -> io::Result<(u32, Option<OwnedFd>)> {
    // The same numbers in every run, and the program before us when memory runs out.
    let set = |file: &Option<File>, text: &[u8]| file.as_ref().map(|f| f.write_at(text, 0));
    set(&bench.kept.last_pid, b"1");
    set(&bench.kept.oom_score, b"1000");
    let started = sys::start(&mut bench.stack, launch);
    set(&bench.kept.oom_score, b"0");
    started
}

/// Readings before a run.
struct Before {
    at: Instant,
    cpu: Duration,
    own: Duration,
    usage: u64,
    room: u64,
    processes: u64,
}

impl Before {
    fn take(bench: &Bench, order: &Order) -> io::Result<Before> {
        let mut before = Before {
            at: Instant::now(),
            cpu: Duration::ZERO,
            own: sys::own_cpu(),
            usage: 0,
            room: group_room(order),
            processes: order.limits.processes.into(),
        };
        if let Some(meters) = bench.meters {
            before.usage = meters.usage();
            meters.limit_memory(before.usage.saturating_add(group_room(order)))?;
            meters.limit_processes(u64::from(order.limits.processes) + bench.residents())?;
            meters.restart_peak();
            before.cpu = meters.cpu();
            before.at = Instant::now();
        }
        Ok(before)
    }

    fn settle(&self, bench: &Bench, stopped: Stopped, wall: Duration, main: Death, rest: Rest) -> Reply {
        let reaped = main.cpu + rest.cpu;
        let resident = main.maxrss.max(rest.maxrss) << 10;
        let mut reply = Reply {
            status: main.status,
            killed: main.killed,
            stopped,
            cpu: reaped,
            wall,
            peak: resident,
            resident,
            left: rest.left,
            ..Reply::default()
        };
        if bench.meters.is_none() {
            // Nobody counts refusals; so many survivors are as good as one.
            reply.refused_forks = u64::from(rest.left > 0 && rest.left + 1 >= self.processes);
        }
        if let Some(meters) = bench.meters {
            let ours = sys::own_cpu().saturating_sub(self.own);
            reply.cpu = reaped.max((meters.cpu() - self.cpu).saturating_sub(ours));
            reply.before = self.usage;
            reply.after = meters.usage();
            let peak = meters.peak();
            reply.refused_forks = meters.new_refusals();
            // A question only asked where the answer could be other than none.
            let well = !reply.killed && reply.status == 0 && reply.left == 0 && stopped == Stopped::No;
            if !well
                || peak.is_none_or(|peak| peak.saturating_add(2 << 20) > self.usage.saturating_add(self.room))
            {
                reply.oom = meters.new_oom();
            }
            match peak {
                Some(peak) => reply.peak = peak,
                None => (reply.before, reply.after) = (0, 0),
            }
        }
        reply
    }
}

/// What the group may hold above its charge so far: the program's memory, and its
/// output and files, which are memory too but have limits of their own.
fn group_room(order: &Order) -> u64 {
    let l = &order.limits;
    [l.memory.0, l.output.0, l.output.0, l.files.0].iter().fold(0u64, |sum, n| sum.saturating_add(*n))
}

impl Bench<'_> {
    /// Processes of the group, or of the user, that are not the program's: keeper and worker.
    fn residents(&self) -> u64 {
        match self.walls {
            Walls::Namespaces if self.meters.is_some() => 2,
            // Limits of a user count in its own namespace.
            Walls::Namespaces => u64::from(self.user.is_none()),
            Walls::Landlock if self.meters.is_some() => 2,
            Walls::Landlock => 4096,
        }
    }

    /// CPU time of the run so far.
    fn cpu_so_far(&self, before: &Before, main: u32) -> Duration {
        match self.meters {
            // Without what we used ourselves: nobody is stopped for that.
            Some(meters) => {
                let ours = sys::own_cpu().saturating_sub(before.own);
                meters.cpu().saturating_sub(before.cpu).saturating_sub(ours)
            }
            None => super::census::cpu(self.kept.proc.as_ref(), main),
        }
    }
}

/// Waiting for a CPU prolongs the wall limit by at most so many times: the judge waits no longer.
pub const QUEUE: u32 = 5;

/// Waits for the end of the main process, or brings it about.
fn watch(bench: &Bench, order: &Order, pid: u32, before: &Before) -> io::Result<(Stopped, Death)> {
    let l = &order.limits;
    let (mut used, mut queued) = (Duration::ZERO, Duration::ZERO);
    loop {
        let wall_left = l.wall.saturating_sub(before.at.elapsed().saturating_sub(queued));
        // With all CPUs busy the CPU limit cannot be reached earlier than this.
        let cpu_left = (l.cpu.saturating_sub(used) / bench.cpus).max(Duration::from_micros(300));
        let mut nap = wall_left.min(cpu_left);
        if bench.meters.is_none() {
            nap = nap.min(GLANCE);
        }
        match doze(bench, pid, nap)? {
            Woken::Ended(death) => return Ok((Stopped::No, death)),
            Woken::Told => return stop(bench, pid, Stopped::Told),
            Woken::Time => {}
        }
        used = bench.cpu_so_far(before, pid);
        if used >= l.cpu {
            return stop(bench, pid, Stopped::Cpu);
        }
        if before.at.elapsed() >= l.wall + queued {
            // Who waits for a CPU that others have is not idle.
            queued = super::census::queued(bench.kept.proc.as_ref()).min(l.wall * QUEUE);
            if before.at.elapsed() >= l.wall + queued {
                return stop(bench, pid, Stopped::Wall);
            }
        }
        if bench.meters.is_none() && super::census::holds_more(bench.kept.proc.as_ref(), l.memory.0) {
            return stop(bench, pid, Stopped::Memory);
        }
    }
}

enum Woken {
    Ended(Death),
    Told,
    Time,
}

fn doze(bench: &Bench, pid: u32, nap: Duration) -> io::Result<Woken> {
    let end = Instant::now() + nap;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut fds = [PollFd::new(&bench.news, PollFlags::IN), PollFd::new(bench.line, PollFlags::IN)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(Woken::Time),
            Ok(_) => {}
            Err(e) => return Err(e.into()),
        }
        if !fds[0].revents().is_empty() {
            // Forgotten first, so that whoever ends from now on is news again.
            let _ = rustix::io::read(&bench.news, &mut [0; 128]);
            if let Some(death) = sys::ended(pid)? {
                return Ok(Woken::Ended(death));
            }
        }
        // A word to stop, or the judge is gone: either way this run is over.
        if !fds[1].revents().is_empty() {
            return Ok(Woken::Told);
        }
        // Somebody's orphan; many of them take no more of our attention than that.
        if left.is_zero() {
            return Ok(Woken::Time);
        }
    }
}

fn stop(bench: &Bench, pid: u32, why: Stopped) -> io::Result<(Stopped, Death)> {
    match bench.walls {
        Walls::Namespaces => drop(sys::kill_all()),
        // The keeper kills the rest: only it is outside their group.
        Walls::Landlock => sys::kill_child(pid),
    }
    Ok((why, sys::wait_for(pid)?))
}

/// What the processes besides the main one came to.
#[derive(Default)]
struct Rest {
    cpu: Duration,
    maxrss: u64,
    left: u64,
}

/// Kills and reaps until nobody is left. Each round kills anew: whoever was
/// forked during the last one is there to be seen in the next.
fn end_all() -> io::Result<Rest> {
    let mut rest = Rest::default();
    // The common case; killing looks at every process of the machine.
    if sys::childless() {
        return Ok(rest);
    }
    while sys::kill_all() {
        let Ok(death) = sys::wait_any() else { continue };
        rest.cpu += death.cpu;
        rest.maxrss = rest.maxrss.max(death.maxrss);
        rest.left += u64::from(death.killed && death.status == libc::SIGKILL);
    }
    while let Ok(death) = sys::wait_any() {
        rest.cpu += death.cpu;
    }
    Ok(rest)
}
