//! The class of machine: times on one class say little about another.

use kopek_base::Digest;
use kopek_sandbox::Sandbox;
use serde::{Deserialize, Serialize};
use std::fs;

/// The part of a machine that is in keys: outcomes of different kinds are not mixed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MachineKind {
    pub isolation: String,
    pub class: String,
}

impl MachineKind {
    /// The kind of this machine.
    pub fn of_this_machine(sandbox: &Sandbox) -> MachineKind {
        MachineKind { isolation: sandbox.mode_name(), class: machine_class() }
    }
}

/// The processor's model as the kernel names it.
pub fn machine_class() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let model = line.and_then(|line| line.split_once(':')).map(|(_, model)| model.trim());
    format!("{} {}", std::env::consts::ARCH, model.unwrap_or("of an unnamed model"))
}

/// The CPUs this process may use.
pub fn available_cpus() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None);
    let all = set.map(|set| (0..rustix::thread::CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect());
    match all {
        Ok(cpus) => cpus,
        Err(_) => vec![0],
    }
}

/// A stable name of this machine: a digest of its id and of its host name, because containers may share an
/// id.
pub fn machine_name() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let text = Digest::of(format!("{} {host} {}", id.trim(), machine_class()).as_bytes()).to_string();
    format!("{host} {}", &text[..8])
}
