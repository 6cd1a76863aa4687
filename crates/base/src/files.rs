//! Writes files atomically, and reads the beginning of files.

use anyhow::{Context, Result};
use std::{
    fs::{self, File, Permissions},
    io::{self, Read, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// The first bytes of a file, at most this many.
pub fn read_beginning(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len().min(max);
    // One byte more than its size: detects the end without growing the buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The directory that a path is in: `.` for a plain name.
pub fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}

/// The last part of a path, for people.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The extension in lower case; empty: there is none.
pub fn lower_ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Whether two files can be read and have the same contents.
pub fn have_same_bytes(one: &Path, other: &Path) -> bool {
    fs::read(one).is_ok_and(|bytes| fs::read(other).is_ok_and(|others| bytes == others))
}

/// Writes a file so that readers find it complete or not at all, even after a crash.
pub fn write_atomic(path: &Path, contents: &[u8]) -> Result<()> {
    write_atomic_with(path, |file| Ok(file.write_all(contents)?))
}

/// As [`write_atomic`], for contents that are not in memory as a whole.
pub fn write_atomic_with(path: &Path, contents: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let dir = directory_of(path);
    // As for any new file: temporary files are readable by their owner only, but the umask should decide.
    let mode = Permissions::from_mode(0o666);
    let write = || -> Result<()> {
        std::fs::create_dir_all(dir)?;
        // In the same folder: a rename works only within one file system.
        let mut file = tempfile::Builder::new().prefix(".kopek-").permissions(mode).tempfile_in(dir)?;
        contents(file.as_file_mut())?;
        // Before the rename: otherwise a crash could leave the new name without contents.
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b.txt");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
