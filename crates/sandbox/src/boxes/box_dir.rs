//! The box between runs: what is taken out of it, and emptying it.
//!
//! The judge does all of it through a descriptor of the box, when no program is
//! alive, and never follows a link: what lies there is the program's work.

use super::box_walk::{
    CopyOut, DIRECTORY, ExecutableRule, MAX_DEPTH, TreeSize, open_beneath, remove_all_below, size_below,
};
use crate::{errors::fault_in, exec::Keep, fault::Fault};
use rustix::{
    fd::OwnedFd,
    fs::{Mode, fchmod, fstatvfs},
    io::Errno,
};
use std::io;

/// Files and directories that a box may hold.
pub(crate) const MAX_INODES: u64 = 16 << 10;

/// A worker's box, held by the judge.
#[derive(Debug)]
pub(crate) struct BoxDir {
    root: OwnedFd,
    /// The user that files placed in it belong to, if it is another than ours.
    pub(crate) owner: Option<u32>,
    pub(crate) box_part: OwnedFd,
    tmp_part: OwnedFd,
    /// The mode of both.
    mode: Mode,
    /// Files and directories of an empty box.
    inodes_when_empty: u64,
    file_system: BoxFileSystem,
}

/// Where a box lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BoxFileSystem {
    /// On one of its own, which counts for us.
    Own,
    /// On the host's, where we count by walking.
    Shared,
}

/// How much lies in a box.
pub(crate) struct BoxUsage {
    pub(crate) bytes: u64,
    inodes: u64,
    /// Whether either has run out.
    pub(crate) full: bool,
}

/// Whether everything was taken out.
#[derive(PartialEq)]
pub(crate) enum TakenOut {
    All,
    /// There was more than allowed, or it was nested too deeply: the program's doing.
    TooMuch,
}

impl BoxDir {
    /// Takes over an empty box.
    pub(crate) fn new(
        root: OwnedFd,
        owner: Option<u32>,
        file_system: BoxFileSystem,
    ) -> Result<BoxDir, Fault> {
        let open = |name| open_beneath(&root, name, DIRECTORY, 0).map_err(|e| fault_in("open the box", e));
        let (box_part, tmp_part) = (open("box")?, open("tmp")?);
        let mode = match file_system {
            BoxFileSystem::Own => Mode::from_raw_mode(0o777),
            // No other user of the host may enter.
            BoxFileSystem::Shared => Mode::from_raw_mode(0o700),
        };
        let mut new = BoxDir { root, owner, box_part, tmp_part, mode, inodes_when_empty: 0, file_system };
        let prepared = new.parts().iter().try_for_each(|part| reset_mode_and_times(part, mode));
        prepared.map_err(|e| fault_in("prepare the box", e))?;
        new.inodes_when_empty = new.usage().map_err(|e| fault_in("look at the box", e))?.inodes;
        Ok(new)
    }

    fn parts(&self) -> [&OwnedFd; 2] {
        [&self.box_part, &self.tmp_part]
    }

    pub(crate) fn usage(&self) -> io::Result<BoxUsage> {
        if self.file_system == BoxFileSystem::Shared {
            let mut usage = BoxUsage { bytes: 0, inodes: 3, full: false };
            for part in self.parts() {
                let TreeSize { bytes, entries } = size_below(part, MAX_DEPTH)?;
                (usage.bytes, usage.inodes) = (usage.bytes + bytes, usage.inodes + entries);
            }
            usage.full = usage.inodes >= MAX_INODES;
            return Ok(usage);
        }
        // Less than a microsecond, where a fresh file system for each run would cost 100.
        let stat = fstatvfs(&self.root)?;
        Ok(BoxUsage {
            bytes: (stat.f_blocks - stat.f_bfree) * stat.f_frsize,
            inodes: stat.f_files - stat.f_ffree,
            full: stat.f_bfree == 0 || stat.f_ffree == 0,
        })
    }

    /// Takes files out; at most so many bytes, holes included.
    pub(crate) fn take_out(&self, keep: &Keep, most: u64) -> Result<TakenOut, Fault> {
        let Keep::Below(from, to) = keep else { return Ok(TakenOut::All) };
        let act = || format!("take /box/{} out to {}", from.display(), to.display());
        // The program may have closed its own box.
        fchmod(&self.box_part, self.mode).map_err(|e| fault_in(act(), e))?;
        let executables = match self.file_system {
            BoxFileSystem::Own => ExecutableRule::ByMode,
            BoxFileSystem::Shared => ExecutableRule::ByModeOrContents,
        };
        let mut copy = CopyOut { left: most, executables };
        let copied = if from.as_os_str().is_empty() {
            copy.copy_below(&self.box_part, to, MAX_DEPTH)
        } else {
            match open_beneath(&self.box_part, from, DIRECTORY, 0) {
                Ok(inner) => copy.copy_below(&inner, to, MAX_DEPTH),
                // It was not made, or is a link or a file: there is nothing below it.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV) => Ok(()),
                Err(e) => Err(e.into()),
            }
        };
        match copied {
            Ok(()) => Ok(TakenOut::All),
            // The host's own disk may be too small for a file, too: then `left` is not zero.
            Err(e) if e.kind() == io::ErrorKind::FileTooLarge && copy.left == 0 => Ok(TakenOut::TooMuch),
            Err(e) => Err(fault_in(act(), e)),
        }
    }

    /// Empties it. False when that did not work: then the worker and its box must go.
    pub(crate) fn clear(&self) -> bool {
        let clear_parts = || -> io::Result<bool> {
            for part in self.parts() {
                if !is_untouched(part, self.mode)? {
                    fchmod(part, self.mode)?;
                    remove_all_below(part, MAX_DEPTH)?;
                    reset_mode_and_times(part, self.mode)?;
                }
            }
            // Counted again: a deleted file that is still open somewhere has no name to be removed by.
            let usage = self.usage()?;
            Ok(usage.inodes == self.inodes_when_empty && usage.bytes == 0)
        };
        clear_parts().unwrap_or(false)
    }
}

/// Nothing was made or removed in a directory, and its mode is ours.
fn is_untouched(part: &OwnedFd, mode: Mode) -> io::Result<bool> {
    let stat = rustix::fs::fstat(part)?;
    Ok(stat.st_mode & 0o7777 == mode.as_raw_mode() && stat.st_mtime == 0 && stat.st_nlink == 2)
}

/// The mode and times of a directory as always: even they could be a note to the next run.
fn reset_mode_and_times(part: &OwnedFd, mode: Mode) -> io::Result<()> {
    fchmod(part, mode)?;
    let never = rustix::fs::Timespec { tv_sec: 0, tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: never, last_modification: never };
    Ok(rustix::fs::futimens(part, &times)?)
}
