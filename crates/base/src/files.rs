//! Files that are written whole or not at all, and read as far as is wanted.

use anyhow::{Context, Result};
use std::{
    fs::{File, Permissions},
    io::{self, Read, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// The first bytes of a file: all of them, or so many.
pub fn read_beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len().min(most);
    // One byte more than it has: the end is seen without making room for more.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file so that readers find it whole or not at all, even after a crash.
pub fn write_atomic(path: &Path, contents: &[u8]) -> Result<()> {
    write_atomic_with(path, |file| Ok(file.write_all(contents)?))
}

/// As [`write_atomic`], for contents that are never in memory as a whole.
pub fn write_atomic_with(path: &Path, contents: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let dir = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file: temporary files are for their owner only, and the user's mask shall decide.
    let mode = Permissions::from_mode(0o666);
    let write = || -> Result<()> {
        std::fs::create_dir_all(dir)?;
        // In the same folder: a file can be renamed into place only within one file system.
        let mut file = tempfile::Builder::new().prefix(".kopek-").permissions(mode).tempfile_in(dir)?;
        contents(file.as_file_mut())?;
        // Before the rename, or a crash could leave the new name with no contents.
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
