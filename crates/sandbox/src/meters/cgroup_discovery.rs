//! Finds the places where cgroups can be created, by searching and trying.
//!
//! In version 2, a cgroup that enables controllers for its children may not contain processes. A judge in its
//! own cgroup therefore moves into a leaf of it first, and back when it no longer needs it.

use super::cgroup::{CgroupParents, owner_name};
use kopek_base::Bytes;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

struct Hierarchy {
    /// Empty for version 2.
    controllers: Vec<String>,
    /// Our own cgroup in it.
    own: PathBuf,
}

impl Hierarchy {
    fn has(&self, controller: &str) -> bool {
        self.controllers.iter().any(|c| c == controller)
    }
}

fn mounted_hierarchies() -> Vec<Hierarchy> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mount = |line: &str| {
        let (left, right) = line.split_once(" - ")?;
        let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
        let root = left.get(3)?;
        let point = left.get(4)?;
        let kind = right.first()?;
        let controllers: Vec<String> = match *kind {
            "cgroup" => right.get(2)?.split(',').map(str::to_owned).collect(),
            "cgroup2" => vec![],
            _ => return None,
        };
        let ours = own.lines().find_map(|line| {
            let (names, path) = line.split_once(':')?.1.split_once(':')?;
            // The line of version 2 names no controllers: `0::/path`.
            let ours = match &controllers[..] {
                [] => names.is_empty(),
                list => names.split(',').any(|name| list.iter().any(|c| c == name)),
            };
            if ours { Some(path) } else { None }
        })?;
        let below = Path::new(ours).strip_prefix(root).unwrap_or(Path::new(""));
        Some(Hierarchy { own: Path::new(point).join(below), controllers })
    };
    mounts.lines().filter_map(mount).collect()
}

/// The hierarchies of version 1 that count memory, processes and CPU time, if they are mounted.
pub(crate) fn find_v1() -> Option<CgroupParents> {
    let all = mounted_hierarchies();
    let find = |name: &str| Some(all.iter().find(|hierarchy| hierarchy.has(name))?.own.clone());
    Some(CgroupParents::V1 { memory: find("memory")?, pids: find("pids")?, cpu: find("cpuacct")? })
}

/// The smallest memory limit of the cgroups around us; `None` without a limit.
pub(crate) fn memory_around() -> Option<Bytes> {
    let limits = mounted_hierarchies().into_iter().flat_map(|hierarchy| {
        let file = match &hierarchy.controllers[..] {
            [] => "memory.max",
            _ if hierarchy.has("memory") => "memory.limit_in_bytes",
            _ => return vec![],
        };
        let read = |dir: &Path| fs::read_to_string(dir.join(file)).ok()?.trim().parse::<u64>().ok();
        hierarchy.own.ancestors().filter_map(read).collect::<Vec<u64>>()
    });
    // Version 1 writes "none" as a huge number.
    limits.filter(|limit| *limit < 1 << 60).min().map(Bytes)
}

/// Our leaf in a cgroup that enables controllers for its children.
struct LeafCgroup {
    parent: PathBuf,
    own: PathBuf,
}

/// The leaf of this process. All sandboxes share it, because a process is in one cgroup only.
static LEAF: Mutex<Option<SharedLeaf>> = Mutex::new(None);

struct SharedLeaf {
    leaf: LeafCgroup,
    holders: usize,
}

fn lock_leaf() -> MutexGuard<'static, Option<SharedLeaf>> {
    LEAF.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// This process stays in its leaf while one of these exists.
#[derive(Debug)]
pub(crate) struct LeafHold(());

impl Drop for LeafHold {
    fn drop(&mut self) {
        let mut shared = lock_leaf();
        match &mut *shared {
            Some(SharedLeaf { leaf, holders: 1 }) if leaf.leave_if_unused() => *shared = None,
            // If others still use it, the last one to release it tries again.
            Some(SharedLeaf { holders, .. }) => *holders -= 1,
            None => {}
        }
    }
}

/// A cgroup of version 2 for children with memory and pids.
pub(crate) struct FoundCgroup {
    pub(crate) parents: CgroupParents,
    /// The hold on our leaf, if it needs one.
    pub(crate) hold: Option<LeafHold>,
}

/// The cgroup of version 2 to use, or why there is none.
pub(crate) fn find_v2() -> Result<FoundCgroup, String> {
    let mut shared = lock_leaf();
    if let Some(SharedLeaf { leaf, holders }) = &mut *shared {
        *holders += 1;
        return Ok(FoundCgroup { parents: leaf.parents(), hold: Some(LeafHold(())) });
    }
    let unified = mounted_hierarchies().into_iter().find(|hierarchy| hierarchy.controllers.is_empty());
    let own = unified.ok_or("the hierarchy of cgroup v2 is not mounted")?.own;
    if let Some(base) = find_prepared(&own) {
        return Ok(FoundCgroup { parents: CgroupParents::V2 { base, own }, hold: None });
    }
    match LeafCgroup::enter(&own) {
        Ok(leaf) => {
            let parents = leaf.parents();
            *shared = Some(SharedLeaf { leaf, holders: 1 });
            Ok(FoundCgroup { parents, hold: Some(LeafHold(())) })
        }
        Err(why) => {
            let base = find_above(&own).ok_or(why)?;
            Ok(FoundCgroup { parents: CgroupParents::V2 { base, own }, hold: None })
        }
    }
}

/// A cgroup that needs no preparation: the root, our own if it is ready, or one that the judge above us has
/// prepared.
fn find_prepared(own: &Path) -> Option<PathBuf> {
    let top = own.ancestors().filter(|dir| dir.join("cgroup.procs").exists()).last()?;
    let in_leaf = own.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"kopek."));
    let leaf_of = if in_leaf { own.parent() } else { None };
    [Some(top), leaf_of, Some(own)]
        .into_iter()
        .flatten()
        .find(|dir| enable_controllers(dir))
        .map(Path::to_owned)
}

/// The nearest cgroup above that already enables controllers and that we may use.
fn find_above(own: &Path) -> Option<PathBuf> {
    let ours = |dir: &Path| is_writable(dir) && is_writable(&dir.join("cgroup.procs"));
    let found = own.ancestors().skip(1).find(|dir| controllers_enabled(dir) && ours(dir));
    found.filter(|_| ours(own)).map(Path::to_owned)
}

const NOT_GIVEN: &str = "it is not given the controllers memory and pids";

impl LeafCgroup {
    fn parents(&self) -> CgroupParents {
        CgroupParents::V2 { base: self.parent.clone(), own: self.own.clone() }
    }

    /// Moves this process into a leaf of its cgroup, which can then enable controllers.
    fn enter(parent: &Path) -> Result<LeafCgroup, String> {
        let why = |what: String| format!("{}: {what}", parent.display());
        // Beside hierarchies of version 1 there may be one without controllers: do not create anything there.
        if !offers_controllers(parent) {
            return Err(why(NOT_GIVEN.into()));
        }
        let name = owner_name(std::process::id()).map_err(|e| why(e.to_string()))?;
        let leaf = LeafCgroup { parent: parent.to_owned(), own: parent.join(name) };
        // A judge that was killed could not leave its own.
        leaf.parents().remove_stale();
        fs::create_dir(&leaf.own).map_err(|e| why(format!("no group can be made in it: {e}")))?;
        let moved = fs::write(leaf.own.join("cgroup.procs"), "0");
        if moved.is_ok() && enable_controllers(parent) {
            return Ok(leaf);
        }
        let reason = match moved {
            Err(e) => format!("we cannot move within it: {e}"),
            Ok(()) if !is_empty_cgroup(parent) => {
                "other processes are in it too, so it cannot hand memory and pids down".into()
            }
            Ok(()) => NOT_GIVEN.into(),
        };
        leaf.leave();
        Err(why(reason))
    }

    /// Moves back, unless others still use it; returns whether it did.
    fn leave_if_unused(&self) -> bool {
        // Removes cgroups of supervisors that were killed.
        self.parents().remove_stale();
        let own = std::process::id().to_string();
        let inside = fs::read_to_string(self.own.join("cgroup.procs")).unwrap_or_default();
        let entries = fs::read_dir(&self.parent).into_iter().flatten().flatten();
        let others = entries.filter(|e| e.path() != self.own && e.path().is_dir()).count();
        let free = others == 0 && inside.lines().all(|pid| pid == own);
        if free {
            // In this order: no process may enter while controllers are enabled for children.
            let _ = fs::write(self.parent.join("cgroup.subtree_control"), "-memory -pids");
            self.leave();
        }
        free
    }

    fn leave(&self) {
        let _ = fs::write(self.parent.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.own);
    }
}

fn is_empty_cgroup(group: &Path) -> bool {
    fs::read_to_string(group.join("cgroup.procs")).is_ok_and(|all| all.trim().is_empty())
}

fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

fn controllers_enabled(dir: &Path) -> bool {
    lists_ours(&dir.join("cgroup.subtree_control"))
}

/// Whether this cgroup has memory and pids to pass on.
fn offers_controllers(dir: &Path) -> bool {
    lists_ours(&dir.join("cgroup.controllers"))
}

fn lists_ours(file: &Path) -> bool {
    let list = fs::read_to_string(file).unwrap_or_default();
    ["memory", "pids"].iter().all(|want| list.split_whitespace().any(|c| c == *want))
}

/// Whether children of this cgroup can have memory and pids; enables them if necessary.
fn enable_controllers(dir: &Path) -> bool {
    let control = dir.join("cgroup.subtree_control");
    is_writable(dir)
        && (controllers_enabled(dir)
            || (fs::write(control, "+memory +pids").is_ok() && controllers_enabled(dir)))
}
