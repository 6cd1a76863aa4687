//! Measures through `/proc` if no cgroup does: the processes of a run, their CPU time and their memory. A
//! process that cannot be read is treated as absent.

use crate::sys;
use rustix::fs::{AtFlags, Dir, Mode, OFlags, openat, readlinkat, statat};
use std::{
    collections::BTreeMap,
    fs::File,
    io::Read,
    os::fd::{AsRawFd, OwnedFd},
    time::Duration,
};

/// An open `/proc` that stays usable without paths, and which of its processes are ours.
pub(crate) struct ProcessView {
    dir: OwnedFd,
    scope: ProcessScope,
}

#[derive(PartialEq)]
enum ProcessScope {
    /// All except process 1: its namespace belongs to the run.
    Namespace,
    /// Our children and theirs: orphans become our children, so none is missing.
    Descendants,
}

/// A run with more processes is over its limit anyway.
const MAX_LISTED: usize = 512;

impl ProcessView {
    pub(crate) fn of_namespace(dir: OwnedFd) -> ProcessView {
        ProcessView { dir, scope: ProcessScope::Namespace }
    }

    /// Through the existing `/proc`, which may show other processes and use other numbers.
    pub(crate) fn of_descendants() -> Option<ProcessView> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = rustix::fs::open("/proc", flags, Mode::empty()).ok()?;
        // Not every kernel lists children.
        read_text(&dir, "thread-self/children")?;
        Some(ProcessView { dir, scope: ProcessScope::Descendants })
    }

    pub(crate) fn dir(&self) -> &OwnedFd {
        &self.dir
    }

    /// The numbers of all processes except ourselves, as this `/proc` counts them.
    fn list_processes(&self) -> Vec<u32> {
        match self.scope {
            ProcessScope::Namespace => {
                let Ok(dir) = Dir::read_from(&self.dir) else { return Vec::new() };
                let own = std::process::id();
                numeric_entries(dir).filter(|pid| *pid != own && *pid != 1).collect()
            }
            ProcessScope::Descendants => {
                let mut found = list_children(&self.dir, "self");
                let mut next = 0;
                // A fork bomb grows faster than it can be counted.
                while found.len() < MAX_LISTED
                    && let Some(pid) = found.get(next)
                {
                    let children = list_children(&self.dir, &pid.to_string());
                    found.extend(children);
                    next += 1;
                }
                found
            }
        }
    }

    /// Whether more processes than this are alive. Stops shortly after that number: there is no time to check
    /// thousands of processes that compete with us.
    pub(crate) fn has_more_than(&self, max: u32) -> bool {
        let mut queue = list_children(&self.dir, "self");
        let mut alive = 0;
        while let Some(pid) = queue.pop() {
            alive += u32::from(self.is_alive(pid));
            if alive > max {
                return true;
            }
            queue.extend(list_children(&self.dir, &pid.to_string()));
        }
        false
    }

    fn is_alive(&self, pid: u32) -> bool {
        let stat = read_text(&self.dir, &format!("{pid}/stat"));
        stat.is_some_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| !rest.starts_with(['Z', 'X'])))
    }

    /// The number by which we can refer to a process.
    fn own_number(&self, pid: u32) -> Option<u32> {
        match self.scope {
            ProcessScope::Namespace => Some(pid),
            ProcessScope::Descendants => {
                let status = read_text(&self.dir, &format!("{pid}/status"))?;
                let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
                numbers.split_whitespace().last()?.parse().ok()
            }
        }
    }

    /// Our numbers of all processes of the run.
    pub(crate) fn running(&self) -> Vec<u32> {
        self.list_processes().into_iter().filter_map(|pid| self.own_number(pid)).collect()
    }
}

fn list_children(proc: &OwnedFd, process: &str) -> Vec<u32> {
    let of_thread = |path: String| read_text(proc, &path).unwrap_or_default();
    let threads = thread_paths(proc, process).into_iter().map(|path| of_thread(path + "/children"));
    threads.flat_map(|text| text.split(' ').filter_map(|n| n.parse().ok()).collect::<Vec<_>>()).collect()
}

fn numeric_entries(dir: Dir) -> impl Iterator<Item = u32> {
    dir.flatten().filter_map(|entry| entry.file_name().to_str().ok()?.parse().ok())
}

fn read_text(proc: &OwnedFd, path: &str) -> Option<String> {
    let mut text = String::new();
    let fd = openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    File::from(fd).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The visible processes and threads of our user on this machine.
pub(crate) fn tasks_of_user() -> u64 {
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let user = rustix::process::getuid().as_raw().to_string();
    let threads_in = |status: String| -> Option<u64> {
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let ours = field("Uid:")?.split_whitespace().next()? == user;
        if ours { field("Threads:")?.trim().parse().ok() } else { None }
    };
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let processes = entries.flatten().filter(|entry| is_number(&entry.file_name()));
    processes.filter_map(|entry| threads_in(std::fs::read_to_string(entry.path().join("status")).ok()?)).sum()
}

/// The CPU time of each process as seen so far. The kernel drops that of a child whose parent ignores its
/// end; this keeps the observed part.
#[derive(Default)]
pub(crate) struct ObservedTimes {
    processes: BTreeMap<u32, ObservedProcess>,
    /// Processes that were alive at the last look.
    alive: Vec<u32>,
}

#[derive(Default)]
struct ObservedProcess {
    cpu: Duration,
    /// The time after the start at which it was first missed; until then the time of the last look.
    gone_by: Duration,
}

impl ObservedTimes {
    /// Records the processes that are alive at this time after the start.
    fn note(&mut self, at: Duration, living: &[(u32, Duration)]) {
        for (pid, cpu) in living {
            let seen = self.processes.entry(*pid).or_default();
            seen.cpu = seen.cpu.max(*cpu);
        }
        let living = living.iter().map(|(pid, _)| *pid).collect();
        let before = std::mem::replace(&mut self.alive, living);
        for pid in before.iter().chain(&self.alive) {
            self.processes.entry(*pid).or_default().gone_by = at;
        }
    }

    /// A lower bound of the CPU time of all of them together.
    pub(crate) fn total(&self) -> Duration {
        self.processes.values().map(|seen| seen.cpu).sum()
    }

    /// The latest time at which a process outside `waited_for` may have ended; zero if there is none. The
    /// parents of such processes may have ignored their end.
    pub(crate) fn unaccounted_until(&self, waited_for: &[u32], wall: Duration) -> Duration {
        let others = self.processes.iter().filter(|(pid, _)| !waited_for.contains(pid));
        let ends = others.map(|(pid, seen)| if self.alive.contains(pid) { wall } else { seen.gone_by });
        ends.max().unwrap_or_default()
    }
}

/// The CPU time of all living processes, or of all processes seen so far if that is more, at this time after
/// the start; zero without a view of them.
pub(crate) fn total_cpu_time(view: Option<&ProcessView>, at: Duration, seen: &mut ObservedTimes) -> Duration {
    let Some(view) = view else { return Duration::ZERO };
    let mut total = Duration::ZERO;
    let mut living = Vec::new();
    for pid in view.list_processes() {
        let Some(own) = view.own_number(pid) else { continue };
        let Some(cpu) = cpu_of_process(&view.dir, pid) else { continue };
        living.push((own, cpu.own));
        total += cpu.own + cpu.waited_for;
    }
    seen.note(at, &living);
    total.max(seen.total())
}

/// The CPU time of a process, and of the children it waited for. Both are at most 20 ms too low, because the
/// kernel counts user and system time in ticks of 10 ms here. Programs may not use the exact clock, and a
/// worker has their filter.
struct ProcessCpu {
    own: Duration,
    waited_for: Duration,
}

fn cpu_of_process(proc: &OwnedFd, pid: u32) -> Option<ProcessCpu> {
    let stat = read_text(proc, &format!("{pid}/stat"))?;
    let fields = stat.rsplit(") ").next()?.split(' ').skip(11);
    let ticks: Vec<u64> = fields.take(4).map_while(|field| field.parse().ok()).collect();
    let [user, system, children_user, children_system] = ticks[..] else { return None };
    let time = |ticks: u64| Duration::from_millis(ticks * 10);
    Some(ProcessCpu { own: time(user + system), waited_for: time(children_user + children_system) })
}

/// The scheduling statistics of the threads of a run.
#[derive(Default)]
pub(crate) struct ThreadTimes {
    /// Whether any of them runs, or is ready to run.
    pub(crate) is_ready: bool,
    /// By number: time on a CPU, and time waiting for one. Zero if the kernel does not count it.
    pub(crate) threads: BTreeMap<u32, (Duration, Duration)>,
}

impl ThreadTimes {
    /// How long the thread that waited most was ready to run while others had the CPUs.
    pub(crate) fn longest_wait(&self) -> Duration {
        self.threads.values().map(|(_, waited)| *waited).max().unwrap_or_default()
    }
}

/// The threads that are alive now; `None` without a view of them.
pub(crate) fn thread_times(view: Option<&ProcessView>) -> Option<ThreadTimes> {
    let view = view?;
    let mut times = ThreadTimes::default();
    for path in view.list_processes().into_iter().flat_map(|pid| thread_paths(&view.dir, &pid.to_string())) {
        let read = |file: &str| read_text(&view.dir, &format!("{path}/{file}"));
        // It may have ended in the meantime.
        let Some((stat, counted)) = read("stat").zip(read("schedstat").or(Some(String::new()))) else {
            continue;
        };
        times.is_ready |= stat.rsplit(") ").next()?.starts_with('R');
        let mut counted = counted.split_whitespace().map_while(|n| n.parse().ok().map(Duration::from_nanos));
        let [ran, waited] = [counted.next(), counted.next()].map(Option::unwrap_or_default);
        times.threads.insert(path.rsplit('/').next()?.parse().ok()?, (ran, waited));
    }
    Some(times)
}

fn thread_paths(proc: &OwnedFd, process: &str) -> Vec<String> {
    let path = format!("{process}/task");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(dir) = openat(proc, path.as_str(), flags, Mode::empty()) else { return Vec::new() };
    let Ok(dir) = Dir::read_from(&dir) else { return Vec::new() };
    numeric_entries(dir).map(|thread| format!("{path}/{thread}")).collect()
}

/// Which memory of a process counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedMemory {
    /// All memory that may be its own, including shared memory and the possible contents of its descriptors.
    All,
    /// Only memory that is certainly its own.
    Private,
}

/// Whether all processes together hold more memory than this.
pub(crate) fn memory_exceeds(view: Option<&ProcessView>, limit: u64, counted: CountedMemory) -> bool {
    let Some(view) = view else { return false };
    let proc = &view.dir;
    let pids = view.list_processes();
    let counts_all = counted == CountedMemory::All;
    let rough = |pid: &u32| {
        let status = read_text(proc, &format!("{pid}/status"))?;
        let private = sum_of_fields(&status, &["RssAnon:", "VmPTE:"])?;
        let shared = || Some(sum_of_fields(&status, &["RssShmem:"])? + most_in_descriptors(&status));
        Some(private + if counts_all { shared()? } else { 0 })
    };
    let exact = |pid: &u32| {
        let tables = sum_of_fields(&read_text(proc, &format!("{pid}/status"))?, &["VmPTE:"])?;
        let rollup = read_text(proc, &format!("{pid}/smaps_rollup"))?;
        let private = sum_of_fields(&rollup, &["Pss_Anon:"])? + tables;
        let shared = || Some(sum_of_fields(&rollup, &["Pss_Shmem:"])? + in_descriptors(proc, *pid));
        Some(private + if counts_all { shared()? } else { 0 })
    };
    // The rough sum counts pages shared after a fork once for each process. The exact one makes the kernel
    // walk every page table, which is too expensive for every look: it only confirms a suspicion.
    pids.iter().filter_map(rough).sum::<u64>() > limit
        && pids.iter().filter_map(|pid| exact(pid).or_else(|| rough(pid))).sum::<u64>() > limit
}

/// The most data in flight in a socket with its default buffer.
const IN_A_SOCKET: u64 = 256 << 10;
/// Half of the data in flight in a pipe.
const IN_A_PIPE_END: u64 = 32 << 10;
/// The smallest table of descriptors; this many are not counted.
const FEW_DESCRIPTORS: u64 = 64;

/// The most memory that descriptors of a process can hold, by the size of their table.
fn most_in_descriptors(status: &str) -> u64 {
    let size = status.lines().find_map(|line| line.strip_prefix("FDSize:")?.trim().parse::<u64>().ok());
    size.unwrap_or(0).saturating_sub(FEW_DESCRIPTORS) * IN_A_SOCKET
}

/// The most memory that its sockets and pipes may hold; counts all descriptors as sockets if they cannot be
/// read.
fn in_descriptors(proc: &OwnedFd, pid: u32) -> u64 {
    let path = format!("{pid}/fd");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = openat(proc, path.as_str(), flags, Mode::empty());
    let Some((dir, fd)) = fd.ok().and_then(|fd| Some((Dir::read_from(&fd).ok()?, fd))) else {
        // Since Linux 6.2 the size is their number.
        let count = statat(proc, path.as_str(), AtFlags::empty()).map_or(0, |stat| stat.st_size as u64);
        return count.saturating_sub(FEW_DESCRIPTORS) * IN_A_SOCKET;
    };
    let held = numeric_entries(dir).map(|number| match readlinkat(&fd, number.to_string(), Vec::new()) {
        Ok(name) if name.to_bytes().starts_with(b"socket:") => IN_A_SOCKET,
        Ok(name) if name.to_bytes().starts_with(b"pipe:") => IN_A_PIPE_END,
        Ok(_) | Err(_) => 0,
    });
    held.sum::<u64>().saturating_sub(FEW_DESCRIPTORS * IN_A_SOCKET)
}

/// The sum of fields in kB, as bytes.
fn sum_of_fields(text: &str, names: &[&str]) -> Option<u64> {
    let field = |name: &&str| -> Option<u64> {
        text.lines().find_map(|l| l.strip_prefix(*name)?.trim().strip_suffix(" kB")?.trim().parse().ok())
    };
    Some(names.iter().map(field).sum::<Option<u64>>()? << 10)
}

/// The number of a process from its descriptor.
fn pid_of(pidfd: &OwnedFd) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).ok()?;
    text.lines().find_map(|l| l.strip_prefix("Pid:")?.trim().parse().ok())
}

/// A process and its descendants at one moment.
pub(crate) struct ProcessTree {
    /// Whether any of their threads runs or could run.
    pub(crate) is_ready: bool,
    /// CPU time of the living processes.
    pub(crate) cpu: Duration,
}

/// The living processes behind a descriptor, as the judge sees them; `None` if it may not see them. The tree
/// of a process that has ended is empty and resting.
pub(crate) fn watch_tree(pidfd: &OwnedFd) -> Option<ProcessTree> {
    let proc = rustix::fs::open("/proc", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut tree = ProcessTree { is_ready: false, cpu: Duration::ZERO };
    for pid in list_tree(&proc, pidfd) {
        tree.cpu += sys::cpu_time_of(pid).unwrap_or_default();
        for path in thread_paths(&proc, &pid.to_string()) {
            let stat = read_text(&proc, &(path + "/stat"))?;
            tree.is_ready |= stat.rsplit(") ").next()?.starts_with('R');
        }
    }
    Some(tree)
}

/// The living processes behind a descriptor. Not every kernel lists children.
fn list_tree(proc: &OwnedFd, pidfd: &OwnedFd) -> Vec<u32> {
    with_descendants(proc, pid_of(pidfd).into_iter().collect())
}

fn with_descendants(proc: &OwnedFd, mut found: Vec<u32>) -> Vec<u32> {
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let children = list_children(proc, &pid.to_string());
        found.extend(children);
        next += 1;
    }
    found
}

/// Whether the main process behind a descriptor is exiting, though not yet seen dead.
pub(crate) fn is_exiting(pidfd: &OwnedFd) -> bool {
    // The kernel's PF_EXITING, set before the descriptors are closed.
    const EXITING: u64 = 4;
    let flags = || -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid_of(pidfd)?)).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(6)?.parse().ok()
    };
    // A process that cannot be read is gone.
    flags().is_none_or(|flags| flags & EXITING != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_its_parent_reaps_is_unaccounted_until_it_is_missed() {
        let millis = Duration::from_millis;
        let mut seen = ObservedTimes::default();
        let looks: [(u64, &[(u32, u64)]); 5] = [
            (8, &[(2, 5)]),
            (20, &[(2, 6), (3, 4)]),
            (31, &[(2, 7), (4, 1)]),
            (40, &[(2, 7), (4, 9)]),
            (55, &[(2, 22), (5, 3)]),
        ];
        for (at, living) in looks {
            let living: Vec<_> = living.iter().map(|(pid, cpu)| (*pid, millis(*cpu))).collect();
            seen.note(millis(at), &living);
        }
        assert_eq!(seen.total(), millis(22 + 4 + 9 + 3));
        let until = |waited_for: &[u32]| seen.unaccounted_until(waited_for, millis(60));
        assert_eq!(until(&[2, 3, 4, 5]), millis(0));
        assert_eq!(until(&[2, 4, 5]), millis(31));
        assert_eq!(until(&[2, 5]), millis(55));
        assert_eq!(until(&[2]), millis(60), "it may have lived until the end");
    }
}
