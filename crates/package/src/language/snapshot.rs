//! Reads a source's files into memory once, so that the bytes that are digested are the bytes that are built.
//!
//! A user with write access to a hand-in could replace a file between two reads, or put a link in its place.
//! So every file is opened once, and its path is not used again.

use super::SourceFiles;
use kopek_base::{Bytes, Digest};
use kopek_sentences::{Decimal, Said};
use rustix::{
    fs::{CWD, Mode, OFlags, openat},
    io::Errno,
};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    os::{fd::OwnedFd, unix::fs::PermissionsExt},
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// Files by their path in the layout.
pub type FileBytes = BTreeMap<PathBuf, SourceFile>;

/// One file of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub bytes: Arc<[u8]>,
    /// The digest of its contents.
    pub digest: Digest,
    /// Whether it may be executed.
    pub executable: bool,
}

impl SourceFile {
    /// A file that is not executable.
    pub fn new(bytes: &[u8]) -> SourceFile {
        SourceFile { bytes: bytes.into(), digest: Digest::of(bytes), executable: false }
    }
}

/// Whether to follow links below a source's root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// For packages: programs share files with their neighbours.
    Follow,
    /// For hand-ins: a link could lead to any file that the judge can read.
    Refuse,
}

/// Why a source could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The files are larger than allowed.
    #[error("{size} were handed in; the limit is {limit}")]
    TooLarge {
        /// The total size of all files.
        size: Bytes,
        limit: Bytes,
    },
    /// A link or a device in the place of a file.
    #[error("{0} is a link or no regular file; hand in the file itself")]
    NotAFile(String),
    /// A fault of ours: the file is gone, or cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable { path: String, error: io::Error },
}

impl From<&SnapshotError> for Said {
    fn from(error: &SnapshotError) -> Said {
        match error {
            SnapshotError::TooLarge { size, limit } => {
                Said::HandInTooLarge { size: Decimal::new(size), limit: Decimal::new(limit) }
            }
            SnapshotError::NotAFile(file) => Said::NoRegularFile { file: file.clone() },
            SnapshotError::Unreadable { .. } => Said::foreign(error.to_string()),
        }
    }
}

/// Reads all files of a source.
pub fn read_files(source: &SourceFiles, links: Links, limit: Bytes) -> Result<FileBytes, SnapshotError> {
    let mut left = limit.0;
    let mut files = FileBytes::new();
    for below in &source.files {
        let file = read_file(&source.root, below, links, left).map_err(|error| match error {
            ReadError::TooLarge => too_large(source, limit),
            ReadError::Odd => SnapshotError::NotAFile(below.display().to_string()),
            ReadError::Io(error) => {
                SnapshotError::Unreadable { path: source.root.join(below).display().to_string(), error }
            }
        })?;
        left -= file.bytes.len() as u64;
        files.insert(below.clone(), file);
    }
    Ok(files)
}

enum ReadError {
    TooLarge,
    Odd,
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

fn read_file(root: &Path, below: &Path, links: Links, max: u64) -> Result<SourceFile, ReadError> {
    let file = match links {
        Links::Follow => File::open(root.join(below))?,
        // A file without a directory has the empty path as its root.
        Links::Refuse if root.as_os_str().is_empty() => open_beneath(Path::new("."), below)?.into(),
        Links::Refuse => open_beneath(root, below)?.into(),
    };
    // The metadata of the open file: its path may lead to another one by now.
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(ReadError::Odd);
    }
    if meta.len() > max {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    // It may grow while it is read: never read more than allowed.
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(ReadError::TooLarge);
    }
    let executable = meta.permissions().mode() & 0o111 != 0;
    Ok(SourceFile { executable, ..SourceFile::new(&bytes) })
}

/// Opens a file below a directory without following a link on the way. Goes step by step, because the
/// system-call filters of many containers refuse `openat2`.
fn open_beneath(root: &Path, below: &Path) -> Result<OwnedFd, ReadError> {
    let fail = |error: Errno| match error {
        Errno::LOOP | Errno::NOTDIR => ReadError::Odd,
        other => ReadError::Io(other.into()),
    };
    let directory = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The root of a hand-in that is a directory could also be replaced by a link.
    let mut dir = openat(CWD, root, directory, Mode::empty()).map_err(fail)?;
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Err(ReadError::Odd) };
        let flags = match parts.peek() {
            Some(_) => directory,
            // A pipe in the place of a file must not block the judge.
            None => OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC,
        };
        dir = openat(&dir, name, flags, Mode::empty()).map_err(fail)?;
    }
    Ok(dir)
}

fn too_large(source: &SourceFiles, limit: Bytes) -> SnapshotError {
    let size =
        |file: &PathBuf| std::fs::symlink_metadata(source.root.join(file)).map_or(0, |meta| meta.len());
    // Files may have shrunk in the meantime: a size within the limit would contradict the message.
    let size = Bytes(source.files.iter().map(size).sum::<u64>().max(limit.0 + 1));
    SnapshotError::TooLarge { size, limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn source(root: &Path, files: &[&str]) -> SourceFiles {
        SourceFiles { root: root.to_owned(), files: files.iter().map(PathBuf::from).collect() }
    }

    #[test]
    fn a_link_in_a_hand_in_is_refused_wherever_it_stands() {
        let (home, secret) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(secret.path().join("key"), "private").unwrap();
        std::os::unix::fs::symlink(secret.path().join("key"), home.path().join("a.c")).unwrap();
        std::os::unix::fs::symlink(secret.path(), home.path().join("dir")).unwrap();
        std::os::unix::fs::symlink(secret.path(), home.path().join("root")).unwrap();
        for (root, file) in [("", "a.c"), ("", "dir/key"), ("root", "key")] {
            let source = source(&home.path().join(root), &[file]);
            let refused = read_files(&source, Links::Refuse, Bytes::kib(1)).unwrap_err();
            assert!(matches!(refused, SnapshotError::NotAFile(_)), "{file}: {refused}");
            assert_eq!(read_files(&source, Links::Follow, Bytes::kib(1)).unwrap().len(), 1, "{file}");
        }
    }

    #[test]
    fn the_limit_holds_for_all_files_together() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("a"), [b'x'; 600]).unwrap();
        fs::write(home.path().join("b"), [b'x'; 500]).unwrap();
        let source = source(home.path(), &["a", "b"]);
        assert!(read_files(&source, Links::Refuse, Bytes(1100)).is_ok());
        let refused = read_files(&source, Links::Refuse, Bytes(1099)).unwrap_err().to_string();
        assert!(refused.contains("were handed in; the limit is"), "{refused}");
    }

    #[test]
    fn a_pipe_does_not_hold_the_judge_up() {
        let home = tempfile::tempdir().unwrap();
        let pipe = home.path().join("a.c");
        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        let refused = read_files(&source(home.path(), &["a.c"]), Links::Refuse, Bytes::kib(1));
        assert!(matches!(refused, Err(SnapshotError::NotAFile(_))));
    }
}
