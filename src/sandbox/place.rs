//! The box between runs: what is put in, what is taken out, and emptying it.
//!
//! The judge does all of it through a descriptor of the box, when no program is
//! alive, and never follows a link: what lies there is the program's work.

use super::exec::{Fault, Keep, Placed};
use rustix::{
    fd::{AsFd, BorrowedFd, OwnedFd},
    fs::{
        AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, fchmod, fstatvfs, mkdirat, openat2, statat,
        unlinkat,
    },
    io::Errno,
};
use std::{
    ffi::CStr,
    fs::{self, File},
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{OpenOptionsExt, PermissionsExt},
    },
    path::{Component, Path},
};

/// How deep we follow directories; who digs deeper gets a new box.
const DEEPEST: usize = 64;

/// A worker's box, held by the judge.
#[derive(Debug)]
pub struct Room {
    root: OwnedFd,
    /// The user that files placed in it belong to, if it is another than ours.
    owner: Option<u32>,
    /// The box and `/tmp`.
    parts: [OwnedFd; 2],
    /// The mode of both.
    mode: Mode,
    /// Files and directories of an empty box.
    empty: u64,
    /// Whether it shares a file system with others, and is counted by walking.
    shared: bool,
}

fn fault(act: impl std::fmt::Display, error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("{act}: {error}"))
}

fn beneath(
    dir: impl AsFd,
    path: impl rustix::path::Arg,
    flags: OFlags,
    mode: u32,
) -> rustix::io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(dir, path, flags | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::from_raw_mode(mode), resolve)
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

impl Room {
    /// Takes over an empty box.
    pub fn new(root: OwnedFd, owner: Option<u32>, shared: bool) -> Result<Room, Fault> {
        let open = |name| beneath(&root, name, DIRECTORY, 0).map_err(|e| fault("open the box", e));
        let parts = [open("box")?, open("tmp")?];
        // On a shared file system nobody else may enter.
        let mode = Mode::from_raw_mode(if shared { 0o700 } else { 0o777 });
        parts.iter().try_for_each(|part| reset(part, mode)).map_err(|e| fault("prepare the box", e))?;
        let mut room = Room { root, owner, parts, mode, empty: 0, shared };
        room.empty = room.usage().map_err(|e| fault("look at the box", e))?.1;
        Ok(room)
    }

    /// Bytes and inodes in use, and whether either has run out.
    pub fn usage(&self) -> io::Result<(u64, u64, bool)> {
        if self.shared {
            let both = self.parts.iter().map(|part| weigh(part, DEEPEST)).collect::<io::Result<Vec<_>>>()?;
            let (bytes, inodes) = both.iter().fold((0, 3), |(b, i), (more, files)| (b + more, i + files));
            return Ok((bytes, inodes, false));
        }
        let stat = fstatvfs(&self.root)?;
        let bytes = (stat.f_blocks - stat.f_bfree) * stat.f_frsize;
        Ok((bytes, stat.f_files - stat.f_ffree, stat.f_bfree == 0 || stat.f_ffree == 0))
    }

    /// Puts files in.
    pub fn fill(&self, files: &[Placed]) -> Result<(), Fault> {
        if files.is_empty() {
            return Ok(());
        }
        files.iter().try_for_each(|placed| self.place(&self.parts[0], placed))
    }

    fn place(&self, dir: &OwnedFd, placed: &Placed) -> Result<(), Fault> {
        match placed {
            Placed::Dir(path) => self.directory(dir, path),
            Placed::Bytes(path, bytes) => {
                let mut file = self.create(dir, path, false)?;
                file.write_all(bytes).map_err(|e| fault(format!("write /box/{}", path.display()), e))
            }
            Placed::File(path, host) => self.copy_in(dir, path, host),
            Placed::Tree(path, host) => self.copy_tree(dir, path, host, 0),
        }
    }

    /// Makes a directory and those above it.
    fn directory(&self, dir: &OwnedFd, path: &Path) -> Result<(), Fault> {
        let act = || format!("make /box/{}", path.display());
        let mut so_far = std::path::PathBuf::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => so_far.push(name),
                Component::CurDir => continue,
                _ => return Err(fault(act(), "the path leaves the box")),
            }
            let _owner = self.owner.map(super::sys::FileOwner::become_id);
            match mkdirat(dir, &so_far, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(e) => return Err(fault(act(), e)),
            }
        }
        Ok(())
    }

    fn create(&self, dir: &OwnedFd, path: &Path, executable: bool) -> Result<File, Fault> {
        self.directory(dir, path.parent().unwrap_or(Path::new("")))?;
        let act = || format!("make /box/{}", path.display());
        if path.file_name().is_none() {
            return Err(fault(act(), "the path names no file"));
        }
        let mode = if executable { 0o755 } else { 0o644 };
        let _owner = self.owner.map(super::sys::FileOwner::become_id);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let file = beneath(dir, path, flags, mode).map_err(|e| fault(act(), e))?;
        // Whatever our umask is.
        fchmod(&file, Mode::from_raw_mode(mode)).map_err(|e| fault(act(), e))?;
        Ok(File::from(file))
    }

    fn copy_in(&self, dir: &OwnedFd, path: &Path, host: &Path) -> Result<(), Fault> {
        let act = || format!("copy {} to /box/{}", host.display(), path.display());
        let mut from = File::open(host).map_err(|e| fault(act(), e))?;
        let metadata = from.metadata().map_err(|e| fault(act(), e))?;
        if !metadata.is_file() {
            return Err(fault(act(), "it is not a regular file"));
        }
        let mut to = self.create(dir, path, metadata.permissions().mode() & 0o111 != 0)?;
        io::copy(&mut from, &mut to).map(drop).map_err(|e| fault(act(), e))
    }

    fn copy_tree(&self, dir: &OwnedFd, path: &Path, host: &Path, depth: usize) -> Result<(), Fault> {
        let act = || format!("copy {} to /box/{}", host.display(), path.display());
        if depth > DEEPEST {
            return Err(fault(act(), "the directories are nested too deeply"));
        }
        self.directory(dir, path)?;
        for entry in fs::read_dir(host).map_err(|e| fault(act(), e))? {
            let entry = entry.map_err(|e| fault(act(), e))?;
            let kind = entry.file_type().map_err(|e| fault(act(), e))?;
            let inner = path.join(entry.file_name());
            if kind.is_dir() {
                self.copy_tree(dir, &inner, &entry.path(), depth + 1)?;
            } else if kind.is_file() {
                self.copy_in(dir, &inner, &entry.path())?;
            }
        }
        Ok(())
    }

    /// Takes files out; at most so many bytes, holes included. False when there is more, or it is
    /// nested deeper than anybody needs: that is the program's doing.
    pub fn keep(&self, keep: &Keep, mut most: u64) -> Result<bool, Fault> {
        let Keep::Below(from, to) = keep else { return Ok(true) };
        let act = || format!("take /box/{} out to {}", from.display(), to.display());
        let dir = &self.parts[0];
        // The program may have closed its own box.
        fchmod(dir, self.mode).map_err(|e| fault(act(), e))?;
        let done = if from.as_os_str().is_empty() {
            copy_out(dir, to, DEEPEST, &mut most)
        } else {
            match beneath(dir, from, DIRECTORY, 0) {
                Ok(inner) => copy_out(&inner, to, DEEPEST, &mut most),
                // It was not made, or is a link or a file: there is nothing below it.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV) => Ok(()),
                Err(e) => Err(e.into()),
            }
        };
        match done {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::FileTooLarge && most == 0 => Ok(false),
            Err(e) => Err(fault(act(), e)),
        }
    }

    /// Empties it. False when that did not work: then the worker and its box must go.
    pub fn empty(&self) -> bool {
        let done = || -> io::Result<bool> {
            for part in &self.parts {
                if !untouched(part, self.mode)? {
                    fchmod(part, self.mode)?;
                    remove_below(part, DEEPEST)?;
                    reset(part, self.mode)?;
                }
            }
            let (bytes, inodes, _) = self.usage()?;
            Ok(inodes == self.empty && bytes == 0)
        };
        done().unwrap_or(false)
    }
}

/// Nothing was made or removed in a directory, and its mode is ours.
fn untouched(part: &OwnedFd, mode: Mode) -> io::Result<bool> {
    let stat = rustix::fs::fstat(part)?;
    Ok(stat.st_mode & 0o7777 == mode.as_raw_mode() && stat.st_mtime == 0 && stat.st_nlink == 2)
}

/// The mode and time of a directory as always: even they could be a note.
fn reset(part: &OwnedFd, mode: Mode) -> io::Result<()> {
    fchmod(part, mode)?;
    let never = rustix::fs::Timespec { tv_sec: 0, tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: never, last_modification: never };
    Ok(rustix::fs::futimens(part, &times)?)
}

/// Names in a directory with their kinds.
fn entries(dir: &OwnedFd) -> io::Result<Vec<(Box<CStr>, FileType)>> {
    let mut list = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            let kind = statat(dir, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
            list.push((entry.file_name().into(), FileType::from_raw_mode(kind)));
        }
    }
    Ok(list)
}

/// Opens something the program made and may have made unreadable.
fn open_made(dir: &OwnedFd, name: &CStr, flags: OFlags) -> io::Result<OwnedFd> {
    match beneath(dir, name, flags, 0) {
        Err(Errno::ACCESS) => {
            rustix::fs::chmodat(dir, name, Mode::from_raw_mode(0o700), AtFlags::empty())?;
            Ok(beneath(dir, name, flags, 0)?)
        }
        other => Ok(other?),
    }
}

/// Copies what lies below; when it is more than `most`, or too deep, that becomes zero and it ends.
fn copy_out(from: &OwnedFd, to: &Path, depth: usize, most: &mut u64) -> io::Result<()> {
    if depth == 0 {
        *most = 0;
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    for (name, kind) in entries(from)? {
        let target = to.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        match kind {
            FileType::Directory => {
                let inner = open_made(from, &name, DIRECTORY)?;
                match fs::create_dir(&target) {
                    Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
                    _ => copy_out(&inner, &target, depth - 1, most)?,
                }
            }
            FileType::RegularFile => {
                // Not blocking, should it have become something else.
                let mut inner = File::from(open_made(from, &name, OFlags::RDONLY | OFlags::NONBLOCK)?);
                let metadata = inner.metadata()?;
                *most = most.checked_sub(metadata.len()).unwrap_or_default();
                if *most == 0 && metadata.len() > 0 {
                    return Err(io::ErrorKind::FileTooLarge.into());
                }
                let executable = metadata.permissions().mode() & 0o111 != 0;
                let mode = if executable { 0o755 } else { 0o644 };
                let _ = fs::remove_file(&target);
                let mut out = File::options().write(true).create_new(true).mode(mode).open(&target)?;
                io::copy(&mut inner, &mut out)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Bytes and entries below a directory.
fn weigh(dir: &OwnedFd, depth: usize) -> io::Result<(u64, u64)> {
    let (mut bytes, mut count) = (0, 0);
    for (name, kind) in entries(dir)? {
        count += 1;
        if kind == FileType::Directory && depth > 0 {
            let (more, files) = weigh(&open_made(dir, &name, DIRECTORY)?, depth - 1)?;
            (bytes, count) = (bytes + more, count + files);
        } else if kind == FileType::RegularFile {
            bytes += (statat(dir, &*name, AtFlags::SYMLINK_NOFOLLOW)?.st_blocks as u64) * 512;
        }
    }
    Ok((bytes, count))
}

fn remove_below(dir: &OwnedFd, depth: usize) -> io::Result<()> {
    if depth == 0 {
        return Err(io::Error::other("nested too deeply"));
    }
    for (name, kind) in entries(dir)? {
        if kind == FileType::Directory {
            remove_below(&open_made(dir, &name, DIRECTORY)?, depth - 1)?;
            unlinkat(dir, &*name, AtFlags::REMOVEDIR)?;
        } else {
            unlinkat(dir, &*name, AtFlags::empty())?;
        }
    }
    Ok(())
}

/// How much the files to be placed weigh in a box: whole pages, and one for each directory's sake.
pub fn weight(files: &[Placed]) -> Result<u64, Fault> {
    let pages = |n: u64| n.div_ceil(4096) * 4096;
    let mut sum = 0;
    for placed in files {
        sum += match placed {
            Placed::Dir(_) => 0,
            Placed::Bytes(_, bytes) => pages(bytes.len() as u64),
            Placed::File(_, host) => {
                pages(fs::metadata(host).map_err(|e| fault(format!("look at {}", host.display()), e))?.len())
            }
            Placed::Tree(_, host) => {
                tree_weight(host, 0).map_err(|e| fault(format!("look at {}", host.display()), e))?
            }
        };
    }
    Ok(sum)
}

fn tree_weight(host: &Path, depth: usize) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(host)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() && depth < DEEPEST {
            sum += tree_weight(&entry.path(), depth + 1)?;
        } else if metadata.is_file() {
            sum += metadata.len().div_ceil(4096) * 4096;
        }
    }
    Ok(sum)
}

/// A descriptor for reading only of something that can be written: the program cannot change it.
pub fn read_only(file: BorrowedFd) -> io::Result<File> {
    reopen(file, File::options().read(true))
}

/// A descriptor for writing only: the program cannot read what it wrote.
pub fn write_only(file: BorrowedFd) -> io::Result<File> {
    reopen(file, File::options().write(true))
}

fn reopen(file: BorrowedFd, how: &fs::OpenOptions) -> io::Result<File> {
    use std::os::fd::AsRawFd;
    how.open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
