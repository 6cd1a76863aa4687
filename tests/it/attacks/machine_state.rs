//! What attacks could leave changed on the machine: compared before and after all of them.

use rustix::process::{Pid, getppid, getpriority_process, getrlimit};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// What everybody relies on: whose it is, and who may do what with it.
const PATHS: &[&str] = &[
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/dev/full",
    "/dev/null",
    "/dev/shm",
    "/dev/tty",
    "/dev/zero",
    "/etc",
    "/home",
    "/lib",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/sys/fs/cgroup",
    "/tmp",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/var",
    "/var/tmp",
];

/// Files that an attack would like to write.
const FILES: &[&str] = &[
    "/etc/group",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/etc/resolv.conf",
    "/etc/shadow",
    "/proc/modules",
    "/proc/sysvipc/msg",
    "/proc/sysvipc/sem",
    "/proc/sysvipc/shm",
];

/// Settings of the kernel: hostname, core pattern, limits, address layout.
const SETTINGS: &[&str] = &["/proc/sys/kernel", "/proc/sys/fs", "/proc/sys/vm", "/proc/sys/user"];

/// Counters among them.
const COUNTERS: &[&str] = &[
    "dentry-state",
    "file-nr",
    "inode-nr",
    "inode-state",
    "ns_last_pid",
    "aio-nr",
    "nr",
    "entropy_avail",
    "uuid",
];

/// By name, in words.
type State = BTreeMap<String, String>;

/// The state that is equal in two successive readings, which leaves out the kernel's counters.
pub fn machine_state() -> State {
    let (first, second) = (look(), look());
    first.into_iter().filter(|(name, value)| second.get(name) == Some(value)).collect()
}

/// What differs; what only one of them knows was never steady.
pub fn differences(before: &State, after: &State) -> Vec<String> {
    let changed = |(name, old): (&String, &String)| {
        let new = after.get(name).filter(|new| *new != old)?;
        Some(format!("{name}: {old:?} became {new:?}"))
    };
    before.iter().filter_map(changed).collect()
}

fn look() -> State {
    let mut state = State::new();
    for path in PATHS {
        let told = fs::symlink_metadata(path).map(|m| format!("{:o} {} {}", m.mode(), m.uid(), m.gid()));
        state.insert(format!("mode of {path}"), format!("{told:?}"));
    }
    let settings = SETTINGS.iter().flat_map(|dir| files_below(Path::new(dir)));
    for file in FILES.iter().map(PathBuf::from).chain(settings) {
        let told = fs::read(&file).map(|bytes| match bytes.len() {
            0..200 => String::from_utf8_lossy(&bytes).trim().to_owned(),
            _ => blake3::hash(&bytes).to_string(),
        });
        state.insert(file.display().to_string(), told.unwrap_or_else(|error| error.kind().to_string()));
    }
    for dir in ["/dev", "/dev/shm", "/dev/mqueue"] {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        // Other programs add and remove names there; attacks use this one.
        names.retain(|name| dir == "/dev" || name == "hostile");
        names.sort();
        state.insert(format!("names in {dir}"), format!("{names:?}"));
    }
    for (who, pid) in [("us", None), ("our parent", getppid())] {
        state.insert(format!("priority of {who}"), format!("{:?}", getpriority_process(pid)));
        let number = pid.map_or("self".to_owned(), |pid: Pid| pid.as_raw_nonzero().to_string());
        let score = fs::read_to_string(format!("/proc/{number}/oom_score_adj"));
        state.insert(format!("score of {who}"), format!("{score:?}"));
        let limits = fs::read_to_string(format!("/proc/{number}/limits"));
        state.insert(format!("limits of {who}"), format!("{limits:?}"));
    }
    state.insert("open files".into(), format!("{:?}", getrlimit(rustix::process::Resource::Nofile)));
    state
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(dir).max_depth(2).into_iter().flatten();
    let is_counter = |name: &str| COUNTERS.contains(&name);
    let settings = files.filter(|entry| !is_counter(&entry.file_name().to_string_lossy()));
    settings.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect()
}

#[test]
fn changes_of_the_machine_are_named() {
    let before = machine_state();
    assert!(before.len() > 100, "{before:?}");
    assert!(before.contains_key("/proc/sys/kernel/core_pattern"), "{before:?}");
    let mut after = before.clone();
    after.insert("/proc/sys/kernel/hostname".into(), "pwned".into());
    let [only] = &differences(&before, &after)[..] else { panic!("one difference") };
    assert!(only.starts_with("/proc/sys/kernel/hostname") && only.ends_with("became \"pwned\""), "{only}");
}
