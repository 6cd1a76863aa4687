//! Control groups: where to create them, and how to remove stale ones.
//!
//! A supervisor creates one cgroup for itself and enters it; its workers and their programs are born there.
//! Nothing is attached per run: moving a process by writing `cgroup.procs` costs 0.3 ms when hot and 10 to 15
//! ms when cold, more than a run.
//!
//! A cgroup is named after its supervisor, so that those of dead supervisors can be recognised and removed.

use super::cgroup_meters::CgroupMeters;
use crate::{errors::while_doing, run::wire::path_as_bytes};
use kopek_base::Patience;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The parents of new cgroups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CgroupParents {
    None,
    /// Version 1: below our own cgroup of each of these hierarchies.
    V1 {
        #[serde(with = "path_as_bytes")]
        memory: PathBuf,
        #[serde(with = "path_as_bytes")]
        pids: PathBuf,
        #[serde(with = "path_as_bytes")]
        cpu: PathBuf,
    },
    V2 {
        /// The parent of ours.
        #[serde(with = "path_as_bytes")]
        base: PathBuf,
        /// A supervisor moves here before it removes its own.
        #[serde(with = "path_as_bytes")]
        own: PathBuf,
    },
}

impl CgroupParents {
    /// The parents of cgroups, each with the place to which a supervisor moves when it leaves.
    fn bases_and_own(&self) -> Vec<(&Path, &Path)> {
        match self {
            CgroupParents::None => vec![],
            CgroupParents::V1 { memory, pids, cpu } => vec![(memory, memory), (pids, pids), (cpu, cpu)],
            CgroupParents::V2 { base, own } => vec![(base, own)],
        }
    }

    /// Removes cgroups whose supervisor is dead.
    pub(crate) fn remove_stale(&self) {
        for (base, _) in self.bases_and_own() {
            for entry in fs::read_dir(base).into_iter().flatten().flatten() {
                if owner_is_dead(&entry.file_name().to_string_lossy()) {
                    let _ = remove_cgroup(&entry.path());
                }
            }
        }
    }
}

/// `kopek.<pid>.<start time>`: the kernel reuses process numbers.
pub(crate) fn owner_name(pid: u32) -> io::Result<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The program's name may contain anything, even `) `: split after its last occurrence.
    let start = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(19)).unwrap_or("0");
    Ok(format!("kopek.{pid}.{start}"))
}

pub(crate) fn owner_is_dead(name: &str) -> bool {
    let pid = name.strip_prefix("kopek.").and_then(|rest| rest.split('.').next()?.parse().ok());
    pid.is_some_and(|pid| owner_name(pid).map_or(true, |living| living != name))
}

fn remove_cgroup(dir: &Path) -> io::Result<()> {
    // Version 1 keeps charges of removed groups until the memory is needed; release them now.
    let _ = fs::write(dir.join("memory.force_empty"), "0");
    fs::remove_dir(dir)
}

pub(crate) struct Cgroup {
    /// For each hierarchy, its directory and the place to which the supervisor moves when it leaves.
    dirs: Vec<(PathBuf, PathBuf)>,
}

impl Cgroup {
    /// Creates a cgroup and moves the calling process into it.
    pub(crate) fn create_and_enter(parents: &CgroupParents) -> io::Result<Cgroup> {
        let name = owner_name(std::process::id())?;
        // Filled step by step: if a later step fails, dropping it removes the earlier ones.
        let mut cgroup = Cgroup { dirs: Vec::new() };
        for (base, own) in parents.bases_and_own() {
            let dir = base.join(&name);
            let act = format!("make control group {}", dir.display());
            fs::create_dir(&dir).map_err(while_doing(&act))?;
            cgroup.dirs.push((dir.clone(), own.to_owned()));
            fs::write(dir.join("cgroup.procs"), "0").map_err(while_doing(&act))?;
        }
        Ok(cgroup)
    }

    /// Opens all files that a worker reads and sets; `None` without cgroups.
    pub(crate) fn open_meters(&self) -> io::Result<Option<CgroupMeters>> {
        match &self.dirs[..] {
            [] => Ok(None),
            [(dir, _)] => CgroupMeters::open_v2(dir).map(Some),
            [(memory, _), (pids, _), (cpu, _), ..] => CgroupMeters::open_v1(memory, pids, cpu).map(Some),
            [_, _] => unreachable!("one hierarchy or three"),
        }
    }
}

/// At most a second: the judge waits for our end.
const WHILE_PROCESSES_DIE: Patience =
    Patience { max: Duration::from_secs(1), pause: Duration::from_millis(5) };

impl Drop for Cgroup {
    /// Leaves and removes it. Dying processes keep it for a moment.
    fn drop(&mut self) {
        for (dir, own) in &self.dirs {
            let _ = fs::write(own.join("cgroup.procs"), "0");
            let is_held = |error: &io::Error| error.kind() == io::ErrorKind::ResourceBusy;
            // The next judge removes one that remains.
            let _ = WHILE_PROCESSES_DIE.retry(is_held, || remove_cgroup(dir));
        }
    }
}
