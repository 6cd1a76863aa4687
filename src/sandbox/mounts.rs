//! What a worker mounts: a new root with nothing in it but what is shown, and the box.

use super::{
    exec::Shown,
    groups::Groups,
    inside::{Kept, named},
    order::{Setup, Walls},
    sys,
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

/// Host paths every program sees if the host has them; links stay links. A star ends a prefix.
const BASIS: &[(&str, &str)] = &[
    ("/usr", "programs, libraries, toolchains"),
    ("/bin", "a link into /usr, or its programs"),
    ("/sbin", "as /bin"),
    ("/lib", "as /bin"),
    ("/lib32", "as /bin"),
    ("/lib64", "as /bin: the loader's name is /lib64/ld-linux-x86-64.so.2"),
    ("/libx32", "as /bin"),
    ("/etc/alternatives", "what cc, java or lua are"),
    ("/etc/ld.so.cache", "where libraries are"),
    ("/etc/ld-musl*", "where musl's are"),
    ("/etc/java*", "the runtime does not start without its configuration"),
    ("/etc/fpc*", "the Pascal compiler's library paths"),
    ("/etc/php", "the interpreter's extensions"),
    ("/etc/perl", "a place of modules"),
    ("/etc/python3*", "a place of modules"),
    ("/etc/mono", "the runtime's library names"),
    ("/etc/ssl/openssl.cnf", "node warns without it"),
];

/// Devices every program sees.
pub const DEVICES: &[&str] = &["null", "zero", "full", "urandom", "random"];

/// Where no cgroup counts memory, `/dev/zero` is the host's `/dev/full`: it reads the same, but cannot be
/// mapped to become memory that nobody sees.
fn host_device(setup: &Setup, device: &str) -> PathBuf {
    let mappable = device == "zero" && setup.groups == Groups::None;
    Path::new("/dev").join(if mappable { "full" } else { device })
}

/// Who is who inside: runtimes look up their own name.
const PASSWD: &str = "root:x:0:0::/:/bin/false\nbox:x:1000:1000::/box:/bin/false\n";

/// A mount on its way in.
pub struct Source {
    tree: OwnedFd,
    inside: PathBuf,
    directory: bool,
}

/// Opens what is shown: as root before the new namespaces, because the root of
/// those may not even enter `/root`; otherwise afterwards, when we have the right to.
pub fn sources_for(setup: &Setup) -> io::Result<Vec<Source>> {
    match (setup.walls, setup.ids) {
        (Walls::Namespaces, Some(_)) => sources(setup),
        _ => Ok(Vec::new()),
    }
}

fn sources(setup: &Setup) -> io::Result<Vec<Source>> {
    let mut all = Vec::new();
    for path in basis() {
        if fs::symlink_metadata(&path).is_ok_and(|m| !m.is_symlink()) {
            all.push(source(&path, &path, false)?);
        }
    }
    for device in DEVICES {
        let inside = Path::new("/dev").join(device);
        all.push(source(&host_device(setup, device), &inside, true)?);
    }
    for Shown { host, inside } in &setup.view.shown {
        all.push(source(host, inside, false)?);
    }
    Ok(all)
}

fn source(host: &Path, inside: &Path, device: bool) -> io::Result<Source> {
    let act = || format!("show {} at {}", host.display(), inside.display());
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, host, flags).map_err(named(act()))?;
    sys::make_read_only(tree.as_fd(), device).map_err(named(act()))?;
    let directory = fs::metadata(host).map_err(named(act()))?.is_dir();
    Ok(Source { tree, inside: inside.to_owned(), directory })
}

/// The paths of the basis that the host has.
pub fn basis() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for (pattern, _) in BASIS {
        match pattern.strip_suffix('*') {
            None => paths.push(PathBuf::from(pattern)),
            Some(prefix) => {
                let prefix = Path::new(prefix);
                let (Some(dir), Some(start)) = (prefix.parent(), prefix.file_name()) else { continue };
                let entries = fs::read_dir(dir).into_iter().flatten().flatten();
                let alike = entries
                    .filter(|e| e.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes()));
                paths.extend(alike.map(|e| e.path()));
            }
        }
    }
    paths.retain(|path| fs::symlink_metadata(path).is_ok());
    paths
}

/// A new root with nothing in it but what is shown. Returns the box, writable for the judge.
pub fn build_root(setup: &Setup, shown: Vec<Source>, kept: &mut Kept) -> io::Result<OwnedFd> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", private).map_err(named("make mounts private"))?;
    let shown = if setup.ids.is_some() { shown } else { sources(setup)? };
    let links: Vec<_> = basis().into_iter().filter_map(|p| Some((fs::read_link(&p).ok()?, p))).collect();
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let root = new_tmpfs(&[("size", "1m"), ("nr_inodes", "4096"), ("mode", "0755")], attributes)
        .map_err(named("mount a new root"))?;
    attach(&root, Path::new("/tmp"))
        .or_else(|_| attach(&root, Path::new("/mnt")))
        .map_err(named("mount a new root"))?;
    rustix::process::fchdir(&root).map_err(named("enter the new root"))?;
    for (target, path) in links {
        make_parents(&path)?;
        std::os::unix::fs::symlink(target, below(&path))
            .map_err(named(format!("link {}", path.display())))?;
    }
    // First: what is shown below /tmp would lie under it.
    let room = make_box(setup)?;
    for source in &shown {
        mount_at(source)?;
    }
    make_proc(setup, kept)?;
    fs::write("etc/passwd", PASSWD).map_err(named("write /etc/passwd"))?;
    rustix::process::pivot_root(".", ".").map_err(named("enter the new root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(named("leave the old root"))?;
    let here = OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let root = open_tree(CWD, "/", here).map_err(named("open the new root"))?;
    sys::make_top_read_only(root.as_fd()).map_err(named("make the root read-only"))?;
    // Where programs start.
    std::env::set_current_dir("/box").map_err(named("enter the box"))?;
    Ok(room)
}

/// One file system, bounded, with two directories: the box and, if it is writable, `/tmp`.
fn make_box(setup: &Setup) -> io::Result<OwnedFd> {
    let (size, inodes) = (setup.room.0.to_string(), setup.inodes.to_string());
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let act = || "make the box";
    let room = new_tmpfs(&[("size", &size), ("nr_inodes", &inodes), ("mode", "0755")], attributes)
        .map_err(named(act()))?;
    // Before Linux 6.15 only what is attached can be cloned.
    let point = Path::new("box");
    fs::create_dir(point).and_then(|()| attach(&room, point)).map_err(named(act()))?;
    let parts = ["box", "tmp"].map(|name| part_of(&room, name).map_err(named(act())));
    unmount(point, UnmountFlags::DETACH).map_err(named(act()))?;
    for (name, part) in ["/box", "/tmp"].into_iter().zip(parts) {
        let part = part?;
        if !setup.view.writable {
            sys::make_read_only(part.as_fd(), false).map_err(named(act()))?;
        }
        if setup.view.writable || name == "/box" {
            mount_at(&Source { tree: part, inside: name.into(), directory: true })?;
        }
    }
    Ok(room)
}

/// A directory made in the box's file system, as a mount of its own.
fn part_of(room: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    let mode = Mode::from_raw_mode(0o777);
    rustix::fs::mkdirat(room, name, mode)?;
    rustix::fs::chmodat(room, name, mode, rustix::fs::AtFlags::empty())?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    Ok(open_tree(room, name, flags)?)
}

/// A `/proc` of the processes of this namespace, not attached to anything.
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

/// `/proc` of our own processes: one kept for ourselves, another shown if asked for.
fn make_proc(setup: &Setup, kept: &mut Kept) -> io::Result<()> {
    // Containers that cover parts of /proc forbid new ones: then nothing is counted by hand.
    // As root the program is another user than we are, and must be visible all the same.
    if let Ok(proc) = new_proc("off") {
        let files = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        kept.proc = rustix::fs::openat(&proc, ".", files, Mode::empty()).ok();
    }
    if setup.view.proc {
        for (link, target) in [
            ("fd", "/proc/self/fd"),
            ("stdin", "/proc/self/fd/0"),
            ("stdout", "/proc/self/fd/1"),
            ("stderr", "/proc/self/fd/2"),
        ] {
            std::os::unix::fs::symlink(target, Path::new("dev").join(link)).map_err(named("link /dev/fd"))?;
        }
        let proc = new_proc("invisible").map_err(named("mount /proc"))?;
        mount_at(&Source { tree: proc, inside: "/proc".into(), directory: true })?;
    }
    Ok(())
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

/// An inside path as seen from the new root before we enter it.
fn below(inside: &Path) -> PathBuf {
    inside.strip_prefix("/").unwrap_or(inside).to_owned()
}

fn make_parents(inside: &Path) -> io::Result<()> {
    match below(inside).parent() {
        Some(parent) => {
            fs::create_dir_all(parent).map_err(named(format!("make a place for {}", inside.display())))
        }
        None => Ok(()),
    }
}

fn mount_at(source: &Source) -> io::Result<()> {
    let (inside, point) = (&source.inside, below(&source.inside));
    let act = || format!("show something at {}", inside.display());
    make_parents(inside)?;
    if fs::symlink_metadata(&point).is_err() {
        let made = if source.directory { fs::create_dir(&point) } else { File::create(&point).map(drop) };
        made.map_err(named(format!("make a place for {}", inside.display())))?;
    }
    attach(&source.tree, &point).map_err(named(act()))
}
