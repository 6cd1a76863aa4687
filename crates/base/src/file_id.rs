//! Identifies the contents of a file and detects later changes, so that the bytes in use are the bytes that
//! were digested.

use super::Digest;
use rustix::fs::{AtFlags, Stat};
use serde::{Deserialize, Serialize};
use std::{
    ffi::CStr,
    fs::File,
    io,
    os::fd::AsFd,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// Metadata that the kernel updates with every change of a file. The change time cannot be set back, so a
/// file that was replaced and restored does not look unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// A stamp that no file has.
    pub const NONE: Stamp = Stamp { device: 0, inode: 0, size: -1, modified: (0, 0), changed: (0, 0) };

    /// The current stamp of a path; follows links.
    pub fn of_path(path: &Path) -> io::Result<Stamp> {
        Ok(Stamp::from_stat(&rustix::fs::stat(path)?))
    }

    /// The current stamp of an entry of an open directory; follows links.
    pub fn of_entry(dir: impl AsFd, name: &CStr) -> io::Result<Stamp> {
        Ok(Stamp::from_stat(&rustix::fs::statat(dir, name, AtFlags::empty())?))
    }

    /// The size of the file.
    pub fn size(&self) -> u64 {
        u64::try_from(self.size).unwrap_or(0)
    }

    /// All fields as bytes, for a digest.
    pub fn to_bytes(self) -> Vec<u8> {
        let times = [self.modified.0, self.modified.1, self.changed.0, self.changed.1];
        let numbers = [self.device.to_le_bytes(), self.inode.to_le_bytes(), self.size.to_le_bytes()];
        numbers.into_iter().chain(times.map(i64::to_le_bytes)).flatten().collect()
    }

    /// Whether the last change of the file was before this time.
    pub(super) fn changed_before(&self, time: SystemTime) -> bool {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.changed < (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), i64::from(since.subsec_nanos()))
    }

    /// The stamp of an open file.
    pub fn of_file(file: impl AsFd) -> io::Result<Stamp> {
        Ok(Stamp::from_stat(&rustix::fs::fstat(file)?))
    }

    #[expect(clippy::unnecessary_cast, reason = "the fields' types differ between architectures")]
    fn from_stat(stat: &Stat) -> Stamp {
        Stamp {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: stat.st_size as i64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

/// A file's contents by digest, with its stamp while they were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    /// The digest of the contents.
    pub digest: Digest,
    /// The stamp of the file.
    pub stamp: Stamp,
}

impl FileId {
    /// Digests a file. Fails if the file changes in the meantime.
    pub fn read(path: &Path) -> io::Result<FileId> {
        let file = File::open(path)?;
        let stamp = Stamp::of_file(&file)?;
        let digest = Digest::of_reader(&file)?;
        match Stamp::of_file(&file)? == stamp {
            true => Ok(FileId { digest, stamp }),
            false => Err(io::Error::other("it changed while it was read")),
        }
    }
}

/// A directory's files by one digest, with the stamp of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeId {
    /// The digest of paths, executable bits and contents: see [`tree_digest`](super::tree_digest).
    pub digest: Digest,
    /// Path relative to the directory, with the stamp.
    pub stamps: Vec<(PathBuf, Stamp)>,
}
