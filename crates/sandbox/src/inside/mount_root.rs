//! The mounts of a worker: a new root that contains only the view and the box.
//!
//! Mounts are cloned by descriptor (`open_tree`), made read-only and then attached. A bind mount would be
//! writable for a moment, and needs a path that we can walk.

use super::mount_table::{DEVICES, basis_paths, host_device};
use crate::{
    errors::while_doing,
    exec::ReadOnlyMount,
    run::messages::{Isolation, WorkerSetup},
    sys::{self, DeviceFiles},
};
use rustix::{
    fs::{CWD, Mode, OFlags},
    mount::{
        FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
        UnmountFlags, fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount,
        open_tree, unmount,
    },
};
use std::{
    fs::{self, File},
    io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

/// The users inside: runtimes look up their own name.
const PASSWD: &str = "root:x:0:0::/:/bin/false\nbox:x:1000:1000::/box:/bin/false\n";

/// A mount that is not attached yet.
pub(crate) struct MountSource {
    tree: OwnedFd,
    inside: PathBuf,
    is_directory: bool,
}

/// A new root that this process has entered.
pub(crate) struct NewRoot {
    /// Writable for the judge.
    pub(crate) box_dir: OwnedFd,
    /// The `/proc` of this namespace, not attached to any path.
    pub(crate) proc: Option<OwnedFd>,
}

/// Opens the paths of the view. As root this is before the new namespaces, because their root may not enter
/// the homes of others; otherwise it is afterwards, when we have the right.
pub(crate) fn open_sources_before_fork(setup: &WorkerSetup) -> io::Result<Vec<MountSource>> {
    let may_mount = || {
        let sets = rustix::thread::capabilities(None);
        sets.is_ok_and(|sets| sets.effective.contains(rustix::thread::CapabilitySet::SYS_ADMIN))
    };
    match (setup.isolation, setup.ids) {
        (Isolation::Namespaces, Some(_)) if may_mount() => open_sources(setup),
        _ => Ok(Vec::new()),
    }
}

pub(crate) fn open_sources(setup: &WorkerSetup) -> io::Result<Vec<MountSource>> {
    let mut all = Vec::new();
    for path in basis_paths() {
        if fs::symlink_metadata(&path).is_ok_and(|m| !m.is_symlink()) {
            all.push(open_source(&path, &path, DeviceFiles::Forbidden)?);
        }
    }
    for device in DEVICES {
        let inside = Path::new("/dev").join(device);
        all.push(open_source(&host_device(setup, device), &inside, DeviceFiles::Allowed)?);
    }
    for ReadOnlyMount { host, inside } in &setup.view.mounts {
        all.push(open_source(host, inside, DeviceFiles::Forbidden)?);
    }
    Ok(all)
}

fn open_source(host: &Path, inside: &Path, devices: DeviceFiles) -> io::Result<MountSource> {
    let act = || format!("show {} at {}", host.display(), inside.display());
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, host, flags).map_err(while_doing(act()))?;
    sys::make_read_only(tree.as_fd(), devices).map_err(while_doing(act()))?;
    let is_directory = fs::metadata(host).map_err(while_doing(act()))?.is_dir();
    Ok(MountSource { tree, inside: inside.to_owned(), is_directory })
}

/// Makes and enters a new root that contains only the view and the box.
pub(crate) fn build_root(setup: &WorkerSetup, sources: Vec<MountSource>) -> io::Result<NewRoot> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", private).map_err(while_doing("make mounts private"))?;
    let links: Vec<_> =
        basis_paths().into_iter().filter_map(|p| Some((fs::read_link(&p).ok()?, p))).collect();
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let root = new_tmpfs(&[("size", "1m"), ("nr_inodes", "4096"), ("mode", "0755")], attributes)
        .map_err(while_doing("mount a new root"))?;
    // Any existing directory: it becomes the root below, and its contents are left behind.
    attach(&root, Path::new("/tmp"))
        .or_else(|_| attach(&root, Path::new("/mnt")))
        .map_err(while_doing("mount a new root"))?;
    rustix::process::fchdir(&root).map_err(while_doing("enter the new root"))?;
    for (target, path) in links {
        make_parents(&path)?;
        std::os::unix::fs::symlink(target, relative_to_root(&path))
            .map_err(while_doing(format!("link {}", path.display())))?;
    }
    // First: it would cover anything mounted below /tmp.
    let box_dir = make_box(setup)?;
    for source in &sources {
        mount_at(source)?;
    }
    let proc = open_own_proc();
    if setup.view.proc {
        mount_proc()?;
    }
    // Our own file: it has the users that a run needs, and none of the host's.
    fs::write("etc/passwd", PASSWD).map_err(while_doing("write /etc/passwd"))?;
    // Onto itself: the old root is then on top of the new one, and the next step removes it.
    rustix::process::pivot_root(".", ".").map_err(while_doing("enter the new root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(while_doing("leave the old root"))?;
    let here = OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let root = open_tree(CWD, "/", here).map_err(while_doing("open the new root"))?;
    sys::make_top_read_only(root.as_fd()).map_err(while_doing("make the root read-only"))?;
    // The working directory of programs.
    std::env::set_current_dir("/box").map_err(while_doing("enter the box"))?;
    Ok(NewRoot { box_dir, proc })
}

/// Makes one file system of limited size with two directories: the box and, if it is writable, `/tmp`.
fn make_box(setup: &WorkerSetup) -> io::Result<OwnedFd> {
    let size = setup.box_size.0.to_string();
    let inodes = setup.inodes.to_string();
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let act = || "make the box";
    let box_dir = new_tmpfs(&[("size", &size), ("nr_inodes", &inodes), ("mode", "0755")], attributes)
        .map_err(while_doing(act()))?;
    // Before Linux 6.15 only attached mounts can be cloned.
    let point = Path::new("box");
    fs::create_dir(point).and_then(|()| attach(&box_dir, point)).map_err(while_doing(act()))?;
    let parts = ["box", "tmp"].map(|name| make_part(&box_dir, name).map_err(while_doing(act())));
    unmount(point, UnmountFlags::DETACH).map_err(while_doing(act()))?;
    for (name, part) in ["/box", "/tmp"].into_iter().zip(parts) {
        let part = part?;
        if !setup.view.writable {
            sys::make_read_only(part.as_fd(), DeviceFiles::Forbidden).map_err(while_doing(act()))?;
        }
        if setup.view.writable || name == "/box" {
            mount_at(&MountSource { tree: part, inside: name.into(), is_directory: true })?;
        }
    }
    Ok(box_dir)
}

/// Makes a directory in the box's file system, as a separate mount.
fn make_part(box_dir: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    let mode = Mode::from_raw_mode(0o777);
    rustix::fs::mkdirat(box_dir, name, mode)?;
    rustix::fs::chmodat(box_dir, name, mode, rustix::fs::AtFlags::empty())?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    Ok(open_tree(box_dir, name, flags)?)
}

/// A `/proc` of this namespace, not attached to any path.
fn new_proc(hidden: &str) -> io::Result<OwnedFd> {
    let proc = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(&proc, "subset", "pid")?;
    fsconfig_set_string(&proc, "hidepid", hidden)?;
    fsconfig_create(&proc)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    Ok(fsmount(&proc, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

/// For our own measurements. `None` in containers that cover parts of `/proc`: the kernel then refuses a new
/// one.
fn open_own_proc() -> Option<OwnedFd> {
    // As root, the program runs as another user, and must be visible all the same.
    let proc = new_proc("off").ok()?;
    let files = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat(&proc, ".", files, Mode::empty()).ok()
}

fn mount_proc() -> io::Result<()> {
    for (link, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        let link = Path::new("dev").join(link);
        std::os::unix::fs::symlink(target, link).map_err(while_doing("link /dev/fd"))?;
    }
    let inside = Path::new("/proc");
    match new_proc("invisible") {
        Ok(tree) => mount_at(&MountSource { tree, inside: inside.into(), is_directory: true }),
        // Fall back to the existing one: no process in here has the rights to look into others.
        Err(_) => mount_at(&open_source(inside, inside, DeviceFiles::Forbidden)?),
    }
}

fn new_tmpfs(options: &[(&str, &str)], attributes: MountAttrFlags) -> io::Result<OwnedFd> {
    let tmpfs = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(&tmpfs, *key, *value)?;
    }
    fsconfig_create(&tmpfs)?;
    Ok(fsmount(&tmpfs, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

fn attach(tree: &OwnedFd, at: &Path) -> io::Result<()> {
    Ok(move_mount(tree, "", CWD, at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// An inside path relative to the new root before we enter it.
fn relative_to_root(inside: &Path) -> PathBuf {
    inside.strip_prefix("/").unwrap_or(inside).to_owned()
}

fn make_parents(inside: &Path) -> io::Result<()> {
    match relative_to_root(inside).parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(while_doing(format!("make a place for {}", inside.display())))
        }
        None => Ok(()),
    }
}

fn mount_at(source: &MountSource) -> io::Result<()> {
    let inside = &source.inside;
    let point = relative_to_root(&source.inside);
    let act = || format!("show something at {}", inside.display());
    make_parents(inside)?;
    if fs::symlink_metadata(&point).is_err() {
        let created =
            if source.is_directory { fs::create_dir(&point) } else { File::create(&point).map(drop) };
        created.map_err(while_doing(format!("make a place for {}", inside.display())))?;
    }
    attach(&source.tree, &point).map_err(while_doing(act()))
}
