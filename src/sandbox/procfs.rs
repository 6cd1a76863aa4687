//! Measuring by hand what no cgroup measures: the processes in our namespace, their
//! CPU time and their memory. A process that cannot be read counts as not there.

use super::sys;
use rustix::fs::{Dir, Mode, OFlags, openat};
use std::{
    fs::File,
    io::Read,
    os::fd::{AsRawFd, OwnedFd},
    time::Duration,
};

/// Numbers of all processes but ourselves.
fn list_processes(proc: &OwnedFd) -> Vec<u32> {
    let Ok(dir) = Dir::read_from(proc) else { return Vec::new() };
    let own = std::process::id();
    numeric_entries(dir).filter(|pid| *pid != own && *pid != 1).collect()
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

/// CPU time of all living processes; without a view of them, of the main one.
pub(super) fn total_cpu_time(proc: Option<&OwnedFd>, main: u32) -> Duration {
    let Some(proc) = proc else { return sys::cpu_time_of(main).unwrap_or_default() };
    let pids = list_processes(proc).into_iter();
    pids.filter_map(|pid| Some(sys::cpu_time_of(pid)? + reaped_cpu_time(proc, pid))).sum()
}

/// CPU time of the children a process has waited for; in ticks of 10 ms. A process' own
/// time comes from its clock, which is exact.
fn reaped_cpu_time(proc: &OwnedFd, pid: u32) -> Duration {
    let ticks = || -> Option<u64> {
        let stat = read_text(proc, &format!("{pid}/stat"))?;
        let mut fields = stat.rsplit(") ").next()?.split(' ').skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    Duration::from_millis(ticks().unwrap_or(0) * 10)
}

/// How long the thread that waited most was ready to run while others had the CPUs;
/// nothing where the kernel does not count it.
pub(super) fn longest_queue_time(proc: Option<&OwnedFd>) -> Duration {
    let Some(proc) = proc else { return Duration::ZERO };
    let paths = list_processes(proc).into_iter().flat_map(|pid| schedstat_paths(proc, pid));
    let delay = |path: String| read_text(proc, &path)?.split_whitespace().nth(1)?.parse().ok();
    Duration::from_nanos(paths.filter_map(delay).max().unwrap_or(0))
}

/// Paths of the scheduler's figures of all threads of a process.
fn schedstat_paths(proc: &OwnedFd, pid: u32) -> Vec<String> {
    let path = format!("{pid}/task");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(dir) = openat(proc, path.as_str(), flags, Mode::empty()) else { return Vec::new() };
    let Ok(dir) = Dir::read_from(&dir) else { return Vec::new() };
    numeric_entries(dir).map(|thread| format!("{path}/{thread}/schedstat")).collect()
}

/// Whether all processes together hold more memory than this.
pub(super) fn memory_exceeds(proc: Option<&OwnedFd>, limit: u64) -> bool {
    let Some(proc) = proc else { return false };
    let pids = list_processes(proc);
    let rough = |pid: &u32| {
        sum_of_fields(&read_text(proc, &format!("{pid}/status"))?, &["RssAnon:", "RssShmem:", "VmPTE:"])
    };
    let exact = |pid: &u32| {
        let tables = sum_of_fields(&read_text(proc, &format!("{pid}/status"))?, &["VmPTE:"])?;
        let rollup = read_text(proc, &format!("{pid}/smaps_rollup"))?;
        Some(sum_of_fields(&rollup, &["Pss_Anon:", "Pss_Shmem:"])? + tables)
    };
    // The rough sum counts pages shared after a fork once for each sharer. The exact one makes the kernel
    // walk every page table, too dear for every look: it only confirms a suspicion.
    pids.iter().filter_map(rough).sum::<u64>() > limit
        && pids.iter().filter_map(|pid| exact(pid).or_else(|| rough(pid))).sum::<u64>() > limit
}

/// The sum of fields in kB, as bytes.
fn sum_of_fields(text: &str, names: &[&str]) -> Option<u64> {
    let field = |name: &&str| -> Option<u64> {
        text.lines().find_map(|l| l.strip_prefix(*name)?.trim().strip_suffix(" kB")?.trim().parse().ok())
    };
    Some(names.iter().map(field).sum::<Option<u64>>()? << 10)
}

/// The number of a process by its descriptor.
fn pid_of(pidfd: &OwnedFd) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).ok()?;
    text.lines().find_map(|l| l.strip_prefix("Pid:")?.trim().parse().ok())
}

/// Whether the main process behind a descriptor is on its way out, though not yet seen dead.
pub(super) fn is_exiting(pidfd: &OwnedFd) -> bool {
    // The kernel's PF_EXITING, set before the descriptors are closed.
    const EXITING: u64 = 4;
    let flags = || -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid_of(pidfd)?)).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(6)?.parse().ok()
    };
    // One that cannot be read is gone.
    flags().is_none_or(|flags| flags & EXITING != 0)
}
