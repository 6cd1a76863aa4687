//! The profile of a mode of isolation: its name, its guarantees and its weak points.

use super::{
    program_ids::ProgramUsers,
    remedies::{self, ModeStrength},
};
use crate::{
    meters::{cgroup::CgroupParents, cgroup_meters::PeakSupport},
    run::messages::{Isolation, ProcOrigin},
};
use kopek_base::{Digest, DigestFields};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

/// The isolation of a machine, as named in reports and keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SandboxProfile {
    pub(crate) users: ProgramUsers,
    pub(crate) isolation: Isolation,
    pub(crate) cgroups: CgroupVersion,
    pub(crate) peaks: PeakSupport,
    pub(crate) proc: ProcOrigin,
    /// Stronger modes that were tried, and why they failed.
    pub(crate) refused: Vec<String>,
}

/// The cgroups that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CgroupVersion {
    None,
    V1,
    V2,
}

impl From<&CgroupParents> for CgroupVersion {
    fn from(parents: &CgroupParents) -> CgroupVersion {
        match parents {
            CgroupParents::None => CgroupVersion::None,
            CgroupParents::V1 { .. } => CgroupVersion::V1,
            CgroupParents::V2 { .. } => CgroupVersion::V2,
        }
    }
}

/// The name of a mode, for reports and keys.
pub(crate) fn mode_name(users: ProgramUsers, isolation: Isolation, cgroups: CgroupVersion) -> String {
    let user = match users {
        ProgramUsers::Own => "root",
        ProgramUsers::RootItself => "root without other users",
        ProgramUsers::Judge => "user",
    };
    let isolation = match isolation {
        Isolation::Namespaces => "namespaces",
        Isolation::Landlock => "Landlock",
    };
    let cgroups = match cgroups {
        CgroupVersion::V1 => "cgroup v1",
        CgroupVersion::V2 => "cgroup v2",
        CgroupVersion::None => "no cgroup",
    };
    format!("{user}, {isolation}, {cgroups}")
}

impl SandboxProfile {
    pub(crate) fn name(&self) -> String {
        mode_name(self.users, self.isolation, self.cgroups)
    }

    pub(crate) fn guarantees(&self) -> Vec<String> {
        let mut all = vec![
            "no network, and only the system calls of the table",
            "writes only to its own box; has only its three streams open",
            "killed at its CPU and wall limits",
        ];
        if self.isolation == Isolation::Namespaces {
            all.push(match self.proc {
                ProcOrigin::Own => "sees only the files that it is shown, and only its own processes",
                ProcOrigin::Host => {
                    "sees only the files that it is shown, and can signal only its own processes"
                }
            });
            all.push("everything it started is dead before the next program starts");
        }
        if self.users == ProgramUsers::Own {
            all.push("runs as a user of its own");
        }
        if self.cgroups != CgroupVersion::None {
            all.extend(cgroup_guarantees(self.peaks));
        }
        all.into_iter().map(str::to_owned).collect()
    }

    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.cgroups == CgroupVersion::None {
            all.push(
                "total memory of several processes is checked every 10 ms, not limited: no memory cgroup",
            );
            all.push(
                "peak memory is that of the largest process, and at least that of our worker, up to 5 MiB: \
                 no memory cgroup",
            );
            all.push("shared memory and files without a name are refused, not counted: no memory cgroup");
            all.push("CPU time of ended child processes is not always reported; a run that may be above the limit because \
                 of it is undecided: no cgroup");
        }
        if self.isolation == Isolation::Namespaces && self.proc == ProcOrigin::Host {
            all.push(
                "programs that need /proc see other processes: parts of it are covered, as in containers, \
                 so the kernel refuses a new one",
            );
        }
        if self.users == ProgramUsers::RootItself {
            all.push("programs run as root like the judge, without its rights: no other user is available");
            if self.isolation == Isolation::Namespaces && self.cgroups == CgroupVersion::None {
                all.push("processes are counted every 10 ms, not limited: the kernel does not limit root's, and there is \
                     no pids cgroup");
            }
        }
        if self.isolation == Isolation::Landlock {
            if self.users != ProgramUsers::Own {
                all.push("programs run as the judge's own user; Landlock and the table of calls protect its files: \
                     no user namespace");
            }
            if self.users != ProgramUsers::Own && self.cgroups == CgroupVersion::None {
                all.push("processes are counted every 10 ms, not limited: no user namespace, no pids cgroup");
            }
            all.push(
                "programs can find out names and sizes of the machine's files, but not their contents: no namespaces",
            );
            all.push("programs that need /proc see all processes of the machine: no process namespace");
            all.push("changes of modes and times of files are ignored, except that programs built in a box can run: \
                 no mount namespace");
            all.push("inside paths in arguments are replaced by host paths: no mount namespace");
            all.push("written files are limited one by one, and their sum is checked afterwards: no mount namespace");
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// Exact steps towards a stronger mode.
    pub(crate) fn remedies(&self) -> Vec<String> {
        let cgroups = self.cgroups != CgroupVersion::None;
        remedies::steps_from(ModeStrength { users: self.users, isolation: Some(self.isolation), cgroups })
    }
}

fn cgroup_guarantees(peaks: PeakSupport) -> Vec<&'static str> {
    const LIMITED: &str = "CPU time, memory and processes are limited for all its processes together";
    match peaks {
        PeakSupport::All => {
            vec!["CPU time, memory and processes are limited and measured for all its processes together"]
        }
        PeakSupport::Highest => vec![
            LIMITED,
            "peak memory is that of all its processes together if it is the highest so far, \
             else that of the largest (this kernel cannot reset it; Linux 6.12 can)",
        ],
        PeakSupport::None => vec![
            LIMITED,
            "peak memory is that of its largest process \
             (this kernel does not keep that of all together; Linux 5.19 does)",
        ],
    }
}

/// The cached profile, if the surroundings are the same.
pub(crate) fn recall_profile(memory: &Path, surroundings: Digest) -> Option<SandboxProfile> {
    let (of, profile): (Digest, SandboxProfile) = serde_json::from_slice(&fs::read(memory).ok()?).ok()?;
    if of == surroundings { Some(profile) } else { None }
}

/// A digest of everything that decides on the isolation: while it is unchanged, the cached mode can be named
/// without a test.
pub(crate) fn surroundings() -> Digest {
    let mut fields = DigestFields::new("surroundings");
    for file in ["/proc/sys/kernel/random/boot_id", "/proc/self/cgroup"] {
        fields.add(file, &fs::read(file).unwrap_or_default());
    }
    // Our users and rights, and the filters of system calls around us.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let fixed = ["Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp"];
    for line in status.lines().filter(|line| fixed.iter().any(|name| line.starts_with(name))) {
        fields.add("status", line.as_bytes());
    }
    // Containers on one machine differ in their namespaces.
    for namespace in ["mnt", "user", "pid"] {
        let name = fs::read_link(format!("/proc/self/ns/{namespace}")).unwrap_or_default();
        fields.add(namespace, name.as_os_str().as_encoded_bytes());
    }
    fields.digest()
}
