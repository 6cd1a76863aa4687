//! Counting by hand what no cgroup counts: the processes in our namespace, their
//! CPU time and their memory. Looks only; an unreadable process is not there.

use super::sys;
use rustix::fs::{Dir, Mode, OFlags, openat};
use std::{
    fs::File,
    io::Read,
    os::fd::{AsRawFd, OwnedFd},
    time::Duration,
};

/// Numbers of all processes but ourselves.
fn everybody(proc: &OwnedFd) -> Vec<u32> {
    let Ok(dir) = Dir::read_from(proc) else { return Vec::new() };
    let number = |entry: rustix::fs::DirEntry| entry.file_name().to_str().ok()?.parse::<u32>().ok();
    let own = std::process::id();
    dir.flatten().filter_map(number).filter(|pid| *pid != own && *pid != 1).collect()
}

fn read(proc: &OwnedFd, path: &str) -> Option<String> {
    let mut text = String::new();
    let fd = openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    File::from(fd).read_to_string(&mut text).ok()?;
    Some(text)
}

/// CPU time of all living processes; without a view of them, of the main one.
pub fn cpu(proc: Option<&OwnedFd>, main: u32) -> Duration {
    let Some(proc) = proc else { return sys::cpu_of(main).unwrap_or_default() };
    everybody(proc).into_iter().filter_map(|pid| Some(sys::cpu_of(pid)? + waited(proc, pid))).sum()
}

/// CPU time of the children a process has waited for; in ticks.
fn waited(proc: &OwnedFd, pid: u32) -> Duration {
    let ticks = || -> Option<u64> {
        let stat = read(proc, &format!("{pid}/stat"))?;
        let mut fields = stat.rsplit(") ").next()?.split(' ').skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    Duration::from_millis(ticks().unwrap_or(0) * 10)
}

/// How long the thread that waited most was ready to run while others had the CPUs;
/// nothing where the kernel does not count it.
pub fn queued(proc: Option<&OwnedFd>) -> Duration {
    let Some(proc) = proc else { return Duration::ZERO };
    let threads = everybody(proc).into_iter().flat_map(|pid| threads(proc, pid));
    let delay = |path: String| read(proc, &path)?.split_whitespace().nth(1)?.parse().ok();
    Duration::from_nanos(threads.filter_map(delay).max().unwrap_or(0))
}

/// Paths of the scheduler's figures of all threads of a process.
fn threads(proc: &OwnedFd, pid: u32) -> Vec<String> {
    let path = format!("{pid}/task");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(dir) = openat(proc, path.as_str(), flags, Mode::empty()) else { return Vec::new() };
    let Ok(dir) = Dir::read_from(&dir) else { return Vec::new() };
    let number = |entry: rustix::fs::DirEntry| entry.file_name().to_str().ok()?.parse::<u32>().ok();
    dir.flatten().filter_map(number).map(|thread| format!("{path}/{thread}/schedstat")).collect()
}

/// Whether all processes together hold more memory than this.
pub fn holds_more(proc: Option<&OwnedFd>, limit: u64) -> bool {
    let Some(proc) = proc else { return false };
    let all = everybody(proc);
    let rough =
        |pid: &u32| fields(&read(proc, &format!("{pid}/status"))?, &["RssAnon:", "RssShmem:", "VmPTE:"]);
    // Pages shared after a fork count once for each sharer here; only a suspicion is worth the exact way.
    let exact = |pid: &u32| {
        let tables = fields(&read(proc, &format!("{pid}/status"))?, &["VmPTE:"])?;
        Some(fields(&read(proc, &format!("{pid}/smaps_rollup"))?, &["Pss_Anon:", "Pss_Shmem:"])? + tables)
    };
    all.iter().filter_map(rough).sum::<u64>() > limit
        && all.iter().filter_map(|pid| exact(pid).or_else(|| rough(pid))).sum::<u64>() > limit
}

/// The sum of fields in kB, as bytes.
fn fields(text: &str, names: &[&str]) -> Option<u64> {
    let field = |name: &&str| -> Option<u64> {
        text.lines().find_map(|l| l.strip_prefix(*name)?.trim().strip_suffix(" kB")?.trim().parse().ok())
    };
    Some(names.iter().map(field).sum::<Option<u64>>()? << 10)
}

/// The number of a process by its descriptor.
pub fn number_of(pidfd: &OwnedFd) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).ok()?;
    text.lines().find_map(|l| l.strip_prefix("Pid:")?.trim().parse().ok())
}
