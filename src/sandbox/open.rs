//! What the machine offers, found by trying: the strongest way that works is taken.

use super::{
    exec::{Fault, View},
    groups::{Groups, Peaks},
    hierarchy::{self, Hold},
    order::{Setup, Walls},
    remedy,
    seat::Seat,
    slot::Slot,
};
use crate::base::Bytes;
use std::{fs::File, path::Path, sync::Arc};

/// What the machine offers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Ground>);

#[derive(Debug)]
struct Ground {
    exe: File,
    root: bool,
    walls: Walls,
    groups: Groups,
    peaks: Peaks,
    refused: Vec<String>,
    /// Our place beside the groups, if they take one.
    _hold: Option<Hold>,
}

/// What is asked of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wish {
    /// Refuse a machine that cannot keep every promise: namespaces, and limits on all processes together.
    pub strict: bool,
    /// Only with these walls; for tests of the weaker ones.
    pub walls: Option<Walls>,
    /// Without cgroups, though there are some; for tests.
    pub ungrouped: bool,
}

impl Sandbox {
    /// Finds out what the machine offers. `worker`: the program whose `main` calls
    /// [`super::worker_entry`] first; `kopek` itself.
    pub fn open(worker: &Path) -> Result<Sandbox, Fault> {
        Sandbox::open_with(worker, Wish::default())
    }

    /// The same, with wishes.
    pub fn open_with(worker: &Path, wish: Wish) -> Result<Sandbox, Fault> {
        let root = rustix::process::geteuid().is_root();
        let Found { kinds, mut refused, hold } = find(wish);
        for (walls, groups) in ways(wish, &kinds) {
            let exe =
                File::open(worker).map_err(|e| Fault::new(format!("open {}: {e}", worker.display())))?;
            groups.sweep();
            match try_out(&exe, root, walls, &groups) {
                Ok(peaks) => {
                    let _hold = hold.filter(|_| matches!(groups, Groups::V2 { .. }));
                    let ground = Ground { exe, root, walls, groups, peaks, refused, _hold };
                    return Ok(Sandbox(Arc::new(ground)));
                }
                Err(e) => refused.push(format!("{}: {e}", name(root, walls, &groups))),
            }
        }
        let exe = File::open(worker).ok();
        let bare = exe.map(|exe| try_out(&exe, root, Walls::Namespaces, &Groups::None));
        let walls = bare.is_some_and(|tried| tried.is_ok()).then_some(Walls::Namespaces);
        let steps = remedy::steps(root, walls, false).into_iter().map(|step| format!("remedy: {step}"));
        let lines: Vec<String> = refused.into_iter().chain(steps).collect();
        Err(Fault::new(format!("this machine cannot isolate programs as asked\n{}", lines.join("\n"))))
    }

    /// The name of the mode, for reports and keys.
    pub fn mode(&self) -> String {
        name(self.0.root, self.0.walls, &self.0.groups)
    }

    /// What this mode guarantees.
    pub fn guarantees(&self) -> Vec<String> {
        let mut all = vec![
            "no network, and no system call but those of the table",
            "writes only to its own box; no descriptor but its three streams",
            "killed at its CPU and wall limits",
        ];
        if self.0.walls == Walls::Namespaces {
            all.push("sees no file but what it is shown, and no process but its own");
            all.push("everything it started is dead before the next program starts");
        }
        if self.0.root {
            all.push("runs as a user of its own");
        }
        if self.0.groups != Groups::None {
            all.extend(together(self.0.peaks));
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// What this mode does not guarantee.
    pub fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.0.groups == Groups::None {
            all.push(
                "memory of several processes together is looked at every 10 ms, not held: no memory cgroup",
            );
            all.push("peak memory is that of the largest process, and never shown as less than our worker held, up to \
                 1 MiB: no memory cgroup");
            all.push("shared memory and files without a name are refused, not counted: no memory cgroup");
        }
        if self.0.walls == Walls::Landlock {
            all.push(
                "names and sizes of the machine's files can be found out, not their contents: no namespaces",
            );
            all.push("inside paths in arguments are put into host paths: no mount namespace");
            all.push("written files are limited one by one and added up afterwards: no mount namespace");
        }
        all.into_iter().map(str::to_owned).collect()
    }

    /// Exact steps towards a stronger mode.
    pub fn remedies(&self) -> Vec<String> {
        remedy::steps(self.0.root, Some(self.0.walls), self.0.groups != Groups::None)
    }

    /// Stronger modes that were tried, and why they did not work.
    pub fn refused(&self) -> &[String] {
        &self.0.refused
    }

    /// A place to run programs on this CPU (`None`: wherever).
    pub fn slot(&self, cpu: Option<usize>) -> Slot {
        Slot::new(self.clone(), cpu)
    }

    pub(super) fn exe(&self) -> &File {
        &self.0.exe
    }

    pub(super) fn setup(&self, view: View, cpu: Option<usize>, room: Bytes, inodes: u64) -> Setup {
        let Ground { root, walls, groups, .. } = &*self.0;
        Setup { cpu, view, room, inodes, ..setup(*root, *walls, groups) }
    }
}

/// A small one.
fn setup(root: bool, walls: Walls, groups: &Groups) -> Setup {
    Setup {
        walls,
        ids: root.then_some(1),
        groups: groups.clone(),
        cpu: None,
        view: View::default(),
        room: Bytes(4096),
        inodes: 64,
        host_box: std::env::temp_dir(),
    }
}

/// A worker that starts is the proof.
fn try_out(exe: &File, root: bool, walls: Walls, groups: &Groups) -> Result<Peaks, Fault> {
    Seat::default().worker(exe, setup(root, walls, groups)).map(|worker| worker.peaks)
}

/// What groups guarantee.
fn together(peaks: Peaks) -> Vec<&'static str> {
    const LIMITED: &str = "CPU time, memory and processes are limited for all its processes together";
    match peaks {
        Peaks::All => {
            vec!["CPU time, memory and processes are limited and measured for all its processes together"]
        }
        Peaks::Rising => vec![
            LIMITED,
            "peak memory is that of all its processes together where it is the highest so far, \
             else that of the largest (this kernel cannot start it again; Linux 6.12 can)",
        ],
        Peaks::None => vec![
            LIMITED,
            "peak memory is that of its largest process \
             (this kernel does not keep that of all together; Linux 5.19 does)",
        ],
    }
}

fn name(root: bool, walls: Walls, groups: &Groups) -> String {
    let who = if root { "root" } else { "user" };
    let walls = match walls {
        Walls::Namespaces => "namespaces",
        Walls::Landlock => "Landlock",
    };
    let groups = match groups {
        Groups::V1 { .. } => "cgroup v1",
        Groups::V2 { .. } => "cgroup v2",
        Groups::None => "no cgroup",
    };
    format!("{who}, {walls}, {groups}")
}

/// Where groups can be made.
struct Found {
    /// The strongest first.
    kinds: Vec<Groups>,
    /// Why there is none of version 2.
    refused: Vec<String>,
    hold: Option<Hold>,
}

fn find(wish: Wish) -> Found {
    let mut found = Found { kinds: vec![], refused: vec![], hold: None };
    if !wish.ungrouped {
        match hierarchy::find_v2() {
            Ok((groups, hold)) => (found.kinds, found.hold) = (vec![groups], hold),
            Err(why) => found.refused.push(format!("cgroup v2: {why}")),
        }
        found.kinds.extend(hierarchy::find_v1());
    }
    if !wish.strict {
        found.kinds.push(Groups::None);
    }
    found
}

/// The ways to isolate, the strongest first.
fn ways(wish: Wish, kinds: &[Groups]) -> Vec<(Walls, Groups)> {
    let walls = if wish.strict { vec![Walls::Namespaces] } else { vec![Walls::Namespaces, Walls::Landlock] };
    let walls = walls.into_iter().filter(|walls| wish.walls.is_none_or(|only| only == *walls));
    walls.flat_map(|walls| kinds.iter().map(move |groups| (walls, groups.clone()))).collect()
}
