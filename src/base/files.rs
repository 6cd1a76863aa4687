//! Files that are whole or absent.

use anyhow::{Context, Result};
use std::{
    fs::{File, Permissions},
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Writes a file so that it is found whole or not at all, whatever happens meanwhile.
pub fn write_atomic(path: &Path, contents: &[u8]) -> Result<()> {
    write_atomic_with(path, |file| Ok(file.write_all(contents)?))
}

/// As [`write_atomic`], for contents that are never in memory as a whole.
pub fn write_atomic_with(path: &Path, contents: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let dir = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file: readable by whom the user's mask lets.
    let mode = Permissions::from_mode(0o666);
    let write = || -> Result<()> {
        std::fs::create_dir_all(dir)?;
        let mut file = tempfile::Builder::new().prefix(".kopek-").permissions(mode).tempfile_in(dir)?;
        contents(file.as_file_mut())?;
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
