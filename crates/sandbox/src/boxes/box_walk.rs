//! Walks through files that a program made. Never follows a link, and never opens a file that was replaced by
//! something else in the meantime.

use rustix::{
    fd::{AsFd, AsRawFd, OwnedFd},
    fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, openat2, statat, unlinkat},
    io::Errno,
};
use std::{
    ffi::CStr,
    fs::{self, File},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{FileExt, OpenOptionsExt, PermissionsExt},
    },
    path::Path,
};

/// The deepest directory that we follow; a program that goes deeper gets a new box.
pub(crate) const MAX_DEPTH: usize = 64;

pub(crate) const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// Opens a path below a directory without following any link.
pub(crate) fn open_beneath(
    dir: impl AsFd,
    path: impl rustix::path::Arg,
    flags: OFlags,
    mode: u32,
) -> rustix::io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(dir, path, flags | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::from_raw_mode(mode), resolve)
}

/// The names in a directory with their types, at most this many.
fn list_entries(dir: &OwnedFd, max: u64) -> io::Result<Vec<(Box<CStr>, FileType)>> {
    let mut list = Vec::new();
    for entry in Dir::read_from(dir)? {
        if list.len() as u64 >= max {
            break;
        }
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            let kind = statat(dir, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
            list.push((entry.file_name().into(), FileType::from_raw_mode(kind)));
        }
    }
    Ok(list)
}

/// Opens a file that the program may have made unreadable.
fn open_unreadable(dir: &OwnedFd, name: &CStr, flags: OFlags) -> io::Result<OwnedFd> {
    match open_beneath(dir, name, flags, 0) {
        Err(Errno::ACCESS) => {
            // By descriptor: a program that still runs could replace it by a link.
            let place = open_beneath(dir, name, OFlags::PATH, 0)?;
            let path = format!("/proc/self/fd/{}", place.as_raw_fd());
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
            Ok(open_beneath(dir, name, flags, 0)?)
        }
        other => Ok(other?),
    }
}

/// Which of the copied files become executable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ExecutableRule {
    ByMode,
    /// Also files that begin like a program or a script, for programs that cannot change modes.
    ByModeOrContents,
}

impl ExecutableRule {
    fn applies_to(self, file: &File, mode: u32) -> io::Result<bool> {
        let mut start = [0; 4];
        Ok(mode & 0o111 != 0
            || self == ExecutableRule::ByModeOrContents && {
                let length = file.read_at(&mut start, 0)?;
                start[..length].starts_with(b"#!") || start == *b"\x7fELF"
            })
    }
}

/// Makes files that begin like a program or a script executable.
pub(crate) fn make_programs_executable(dir: &OwnedFd, depth: usize) -> io::Result<()> {
    for (name, kind) in list_entries(dir, u64::MAX)? {
        if kind == FileType::Directory && depth > 0 {
            make_programs_executable(&open_unreadable(dir, &name, DIRECTORY)?, depth - 1)?;
        } else if kind == FileType::RegularFile {
            let file = File::from(open_unreadable(dir, &name, OFlags::RDONLY | OFlags::NONBLOCK)?);
            let mode = file.metadata()?.permissions().mode();
            if mode & 0o100 == 0 && ExecutableRule::ByModeOrContents.applies_to(&file, mode)? {
                file.set_permissions(fs::Permissions::from_mode(mode | 0o111))?;
            }
        }
    }
    Ok(())
}

/// Copies the contents of a directory.
pub(crate) struct CopyOut {
    /// The number of bytes that may still be copied. Becomes zero, and copying ends, if there are more or
    /// they are nested too deeply.
    pub(crate) left: u64,
    pub(crate) executables: ExecutableRule,
}

impl CopyOut {
    pub(crate) fn copy_below(&mut self, from: &OwnedFd, to: &Path, depth: usize) -> io::Result<()> {
        if depth == 0 {
            self.left = 0;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        for (name, kind) in list_entries(from, u64::MAX)? {
            let target = to.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
            match kind {
                FileType::Directory => {
                    let inner = open_unreadable(from, &name, DIRECTORY)?;
                    match fs::create_dir(&target) {
                        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
                        _ => self.copy_below(&inner, &target, depth - 1)?,
                    }
                }
                FileType::RegularFile => {
                    // Not blocking, in case it was replaced by something else.
                    let mut inner =
                        File::from(open_unreadable(from, &name, OFlags::RDONLY | OFlags::NONBLOCK)?);
                    let metadata = inner.metadata()?;
                    self.left = self.left.saturating_sub(metadata.len());
                    if self.left == 0 && metadata.len() > 0 {
                        return Err(io::ErrorKind::FileTooLarge.into());
                    }
                    let executable = self.executables.applies_to(&inner, metadata.permissions().mode())?;
                    let mode = if executable { 0o755 } else { 0o644 };
                    let _ = fs::remove_file(&target);
                    // Never through an existing link.
                    let mut out = File::options().write(true).create_new(true).mode(mode).open(&target)?;
                    io::copy(&mut inner, &mut out)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

pub(crate) struct TreeSize {
    pub(crate) bytes: u64,
    pub(crate) entries: u64,
}

/// The size of everything below a directory. Stops after this number of entries.
pub(crate) fn size_below(dir: &OwnedFd, depth: usize, max: u64) -> io::Result<TreeSize> {
    let mut size = TreeSize { bytes: 0, entries: 0 };
    for (name, kind) in list_entries(dir, max)? {
        if size.entries == max {
            break;
        }
        size.entries += 1;
        if kind == FileType::Directory && depth > 0 {
            let inner = size_below(&open_unreadable(dir, &name, DIRECTORY)?, depth - 1, max - size.entries)?;
            size.bytes += inner.bytes;
            size.entries += inner.entries;
        } else if kind == FileType::RegularFile {
            // Blocks, not length: a hole takes no space.
            size.bytes += (statat(dir, &*name, AtFlags::SYMLINK_NOFOLLOW)?.st_blocks as u64) * 512;
        }
    }
    Ok(size)
}

pub(crate) fn remove_all_below(dir: &OwnedFd, depth: usize) -> io::Result<()> {
    if depth == 0 {
        return Err(io::Error::other("nested too deeply"));
    }
    for (name, kind) in list_entries(dir, u64::MAX)? {
        if kind == FileType::Directory {
            remove_all_below(&open_unreadable(dir, &name, DIRECTORY)?, depth - 1)?;
            unlinkat(dir, &*name, AtFlags::REMOVEDIR)?;
        } else {
            unlinkat(dir, &*name, AtFlags::empty())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_counted_no_further_than_asked() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c/d", "c/e", "c/f/g"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            File::create(path).unwrap();
        }
        let root: OwnedFd = File::open(dir.path()).unwrap().into();
        let entries = |max| size_below(&root, MAX_DEPTH, max).unwrap().entries;
        assert_eq!([2, 3, 6, u64::MAX].map(entries), [2, 3, 6, 7]);
    }
}
