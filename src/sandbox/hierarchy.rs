//! Where groups can be made: found by looking and trying.
//!
//! With version 2 a group that hands controllers down may hold no processes
//! itself. Who was put into a group of his own therefore moves into a leaf of it
//! first, and back when it is no longer needed.

use super::groups::{Groups, name_of};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

/// A mounted cgroup hierarchy: its controllers, and our own group in it.
fn mounted() -> Vec<(Vec<String>, PathBuf)> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mount = |line: &str| {
        let (left, right) = line.split_once(" - ")?;
        let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
        let (root, point, kind) = (left.get(3)?, left.get(4)?, right.first()?);
        let controllers: Vec<String> = match *kind {
            "cgroup" => right.get(2)?.split(',').map(str::to_owned).collect(),
            "cgroup2" => vec!["".into()],
            _ => return None,
        };
        let ours = own.lines().find_map(|line| {
            let (names, path) = line.split_once(':')?.1.split_once(':')?;
            names.split(',').any(|name| controllers.iter().any(|c| c == name)).then_some(path)
        })?;
        let below = Path::new(ours).strip_prefix(root).unwrap_or(Path::new(""));
        Some((controllers, Path::new(point).join(below)))
    };
    mounts.lines().filter_map(mount).collect()
}

/// The hierarchies of version 1 that count memory, processes and CPU time, if they are mounted.
pub fn find_v1() -> Option<Groups> {
    let all = mounted();
    let find = |name: &str| all.iter().find(|(c, _)| c.iter().any(|c| c == name)).map(|(_, dir)| dir.clone());
    Some(Groups::V1 { memory: find("memory")?, pids: find("pids")?, cpu: find("cpuacct")? })
}

/// Our place in a group that hands controllers down.
struct Leaf {
    group: PathBuf,
    own: PathBuf,
}

/// The leaf that this process is in, and how many need it.
static LEAF: Mutex<Option<(Leaf, usize)>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<(Leaf, usize)>> {
    LEAF.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// While somebody holds one of these this process stays in its leaf.
#[derive(Debug)]
pub struct Hold(());

impl Drop for Hold {
    fn drop(&mut self) {
        let mut place = lock();
        match &mut *place {
            Some((leaf, 1)) if leaf.leave() => *place = None,
            // Where others live by it the next to let go tries again.
            Some((_, holders)) => *holders -= 1,
            None => {}
        }
    }
}

/// A group of version 2 in which ours can be made with memory and pids, and the hold on our leaf
/// that takes; or why there is none.
pub fn find_v2() -> Result<(Groups, Option<Hold>), String> {
    let mut place = lock();
    if let Some((leaf, holders)) = &mut *place {
        *holders += 1;
        return Ok((leaf.groups(), Some(Hold(()))));
    }
    let mut all = mounted().into_iter();
    let unified = all.find(|(c, _)| c.iter().any(String::is_empty));
    let (_, own) = unified.ok_or("the hierarchy of cgroup v2 is not mounted")?;
    if let Some(base) = ready(&own) {
        return Ok((Groups::V2 { base, home: own }, None));
    }
    match Leaf::enter(&own) {
        Ok(leaf) => {
            let groups = leaf.groups();
            *place = Some((leaf, 1));
            Ok((groups, Some(Hold(()))))
        }
        Err(why) => above(&own).map(|base| (Groups::V2 { base, home: own }, None)).ok_or(why),
    }
}

/// A group that needs no preparation: the root, our own where that is one, or the one
/// that a judge before us, of whom we are a child, has prepared.
fn ready(own: &Path) -> Option<PathBuf> {
    let top = own.ancestors().filter(|dir| dir.join("cgroup.procs").exists()).last()?;
    let in_leaf = own.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"kopek."));
    let leaf_of = own.parent().filter(|_| in_leaf);
    [Some(top), leaf_of, Some(own)].into_iter().flatten().find(|dir| hands_down(dir)).map(Path::to_owned)
}

/// The nearest group above that hands controllers down already and is ours to use.
fn above(own: &Path) -> Option<PathBuf> {
    let ours = |dir: &Path| writable(dir) && writable(&dir.join("cgroup.procs"));
    let found = own.ancestors().skip(1).find(|dir| handed_down(dir) && ours(dir));
    found.filter(|_| ours(own)).map(Path::to_owned)
}

impl Leaf {
    fn groups(&self) -> Groups {
        Groups::V2 { base: self.group.clone(), home: self.own.clone() }
    }

    /// Moves this process into a leaf of its group, which can then hand controllers down.
    fn enter(group: &Path) -> Result<Leaf, String> {
        let why = |what: String| format!("{}: {what}", group.display());
        let name = name_of(std::process::id()).map_err(|e| why(e.to_string()))?;
        let leaf = Leaf { group: group.to_owned(), own: group.join(name) };
        // A judge that was killed could not leave its own.
        leaf.groups().sweep();
        fs::create_dir(&leaf.own).map_err(|e| why(format!("no group can be made in it: {e}")))?;
        let moved = fs::write(leaf.own.join("cgroup.procs"), "0");
        if moved.is_ok() && hands_down(group) {
            return Ok(leaf);
        }
        let reason = match moved {
            Err(e) => format!("we cannot move within it: {e}"),
            Ok(()) if !is_empty(group) => {
                "other processes are in it too, so it cannot hand memory and pids down".into()
            }
            Ok(()) => "it is not given the controllers memory and pids".into(),
        };
        leaf.leave();
        Err(why(reason))
    }

    /// Goes back, unless others live by it; whether that was so.
    fn leave(&self) -> bool {
        // Ours of keepers that were killed.
        self.groups().sweep();
        let own = std::process::id().to_string();
        let inside = fs::read_to_string(self.own.join("cgroup.procs")).unwrap_or_default();
        let entries = fs::read_dir(&self.group).into_iter().flatten().flatten();
        let others = entries.filter(|e| e.path() != self.own && e.path().is_dir()).count();
        let free = others == 0 && inside.lines().all(|pid| pid == own);
        if free {
            let _ = fs::write(self.group.join("cgroup.subtree_control"), "-memory -pids");
            let _ = fs::write(self.group.join("cgroup.procs"), "0");
            let _ = fs::remove_dir(&self.own);
        }
        free
    }
}

fn is_empty(group: &Path) -> bool {
    fs::read_to_string(group.join("cgroup.procs")).is_ok_and(|all| all.trim().is_empty())
}

fn writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

fn handed_down(dir: &Path) -> bool {
    let list = fs::read_to_string(dir.join("cgroup.subtree_control")).unwrap_or_default();
    ["memory", "pids"].iter().all(|want| list.split_whitespace().any(|c| c == *want))
}

fn hands_down(dir: &Path) -> bool {
    let control = dir.join("cgroup.subtree_control");
    writable(dir) && (handed_down(dir) || (fs::write(control, "+memory +pids").is_ok() && handed_down(dir)))
}
