//! The box between runs: copying files out of it, and emptying it.
//!
//! The judge works through a descriptor of the box while no program is alive, and never follows a link: the
//! program made the contents.

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

/// The largest number of files and directories in a box.
pub(crate) const MAX_INODES: u64 = 16 << 10;

/// A worker's box, held by the judge.
#[derive(Debug)]
pub(crate) struct BoxDir {
    root: OwnedFd,
    /// The owner of files placed in it, if it is not our own user.
    pub(crate) owner: Option<u32>,
    pub(crate) box_part: OwnedFd,
    tmp_part: OwnedFd,
    /// The mode of both.
    mode: Mode,
    /// The number of files and directories in an empty box.
    inodes_when_empty: u64,
    file_system: BoxFileSystem,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BoxFileSystem {
    /// Its own, which enforces the size.
    Own,
    /// The host's, where we compute the size by walking.
    Shared,
}

/// The contents of a box in numbers.
pub(crate) struct BoxUsage {
    pub(crate) bytes: u64,
    inodes: u64,
    /// Whether bytes or inodes have run out.
    pub(crate) full: bool,
}

/// Whether everything was copied out.
#[derive(PartialEq)]
pub(crate) enum TakenOut {
    All,
    /// There was more than allowed, or it was nested too deeply: caused by the program.
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
        let box_part = open("box")?;
        let tmp_part = open("tmp")?;
        let mode = match file_system {
            BoxFileSystem::Own => Mode::from_raw_mode(0o777),
            // No other user of the host may enter it.
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

    /// Further descriptors of both parts.
    pub(crate) fn copy_parts(&self) -> io::Result<[OwnedFd; 2]> {
        Ok([self.box_part.try_clone()?, self.tmp_part.try_clone()?])
    }

    pub(crate) fn usage(&self) -> io::Result<BoxUsage> {
        if self.file_system == BoxFileSystem::Shared {
            let mut usage = BoxUsage { bytes: 0, inodes: 3, full: false };
            for part in self.parts() {
                let TreeSize { bytes, entries } = size_below(part, MAX_DEPTH, MAX_INODES)?;
                (usage.bytes, usage.inodes) = (usage.bytes + bytes, usage.inodes + entries);
            }
            usage.full = usage.inodes >= MAX_INODES;
            return Ok(usage);
        }
        // Less than a microsecond, where a new file system for each run would cost 100.
        let stat = fstatvfs(&self.root)?;
        Ok(BoxUsage {
            bytes: (stat.f_blocks - stat.f_bfree) * stat.f_frsize,
            inodes: stat.f_files - stat.f_ffree,
            full: stat.f_bfree == 0 || stat.f_ffree == 0,
        })
    }

    /// Copies files out, at most this many bytes including holes.
    pub(crate) fn take_out(&self, keep: &Keep, max: u64) -> Result<TakenOut, Fault> {
        let Keep::Below(from, to) = keep else { return Ok(TakenOut::All) };
        let act = || format!("take /box/{} out to {}", from.display(), to.display());
        // The program may have removed permissions from its own box.
        fchmod(&self.box_part, self.mode).map_err(|e| fault_in(act(), e))?;
        let executables = match self.file_system {
            BoxFileSystem::Own => ExecutableRule::ByMode,
            BoxFileSystem::Shared => ExecutableRule::ByModeOrContents,
        };
        let mut copy = CopyOut { left: max, executables };
        let copied = if from.as_os_str().is_empty() {
            copy.copy_below(&self.box_part, to, MAX_DEPTH)
        } else {
            match open_beneath(&self.box_part, from, DIRECTORY, 0) {
                Ok(inner) => copy.copy_below(&inner, to, MAX_DEPTH),
                // The path does not exist, or is a link or a file: there is nothing below it.
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

    /// Empties it. Returns false if that failed: then the worker and its box must be replaced.
    pub(crate) fn clear(&self) -> bool {
        let clear_parts = || -> io::Result<bool> {
            for part in self.parts() {
                if !is_untouched(part, self.mode)? {
                    fchmod(part, self.mode)?;
                    remove_all_below(part, MAX_DEPTH)?;
                    reset_mode_and_times(part, self.mode)?;
                }
            }
            // Counted again: a deleted file that is still open somewhere cannot be removed by name.
            let usage = self.usage()?;
            Ok(usage.inodes == self.inodes_when_empty && usage.bytes == 0)
        };
        clear_parts().unwrap_or(false)
    }
}

/// Whether a directory has its original mode and nothing was made or removed in it.
fn is_untouched(part: &OwnedFd, mode: Mode) -> io::Result<bool> {
    let stat = rustix::fs::fstat(part)?;
    Ok(stat.st_mode & 0o7777 == mode.as_raw_mode() && stat.st_mtime == 0 && stat.st_nlink == 2)
}

/// Resets the mode and times of a directory: even they could carry a message to the next run.
fn reset_mode_and_times(part: &OwnedFd, mode: Mode) -> io::Result<()> {
    fchmod(part, mode)?;
    let never = rustix::fs::Timespec { tv_sec: 0, tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: never, last_modification: never };
    Ok(rustix::fs::futimens(part, &times)?)
}
