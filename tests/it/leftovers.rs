//! What runs could leave behind on the machine, and whose it is.

use std::{fs, process};

/// Children of a process, and theirs.
pub fn descendants(pid: u32) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").unwrap().flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut others: Vec<(u32, u32)> = all.filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut found = vec![pid];
    loop {
        let is_known = |(_, parent): &(u32, u32)| found.contains(parent);
        let (known, unknown): (Vec<_>, Vec<_>) = others.into_iter().partition(is_known);
        if known.is_empty() {
            break;
        }
        found.extend(known.into_iter().map(|(pid, _)| pid));
        others = unknown;
    }
    found[1..].to_vec()
}

/// The names of cgroups that these living processes make: the time of their start belongs to them, since numbers
/// are given out again.
pub fn cgroup_names(keepers: &[u32]) -> Vec<String> {
    let started = |pid: u32| -> Option<String> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Some(stat.rsplit(") ").next()?.split(' ').nth(19)?.to_owned())
    };
    keepers.iter().filter_map(|pid| Some(format!("kopek.{pid}.{}", started(*pid)?))).collect()
}

/// How many cgroups have one of these names.
pub fn count_cgroups(names: &[String]) -> usize {
    let walk = walkdir::WalkDir::new("/sys/fs/cgroup").max_depth(6).into_iter().flatten();
    walk.filter(|e| e.file_type().is_dir() && names.iter().any(|name| e.file_name() == name.as_str())).count()
}

#[derive(Debug, PartialEq)]
pub struct Leftovers {
    pub processes: usize,
    pub mounts: usize,
    pub cgroups: usize,
    pub descriptors: usize,
}

impl Leftovers {
    /// Those of this process. Only in a child process: other tests start processes and open files, too.
    pub fn count() -> Leftovers {
        let family = descendants(process::id());
        Leftovers {
            processes: family.len(),
            mounts: fs::read_to_string("/proc/self/mountinfo").unwrap().lines().count(),
            cgroups: count_cgroups(&cgroup_names(&family)),
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
        }
    }
}
