//! The directories of a store.

use super::trouble;
use anyhow::Result;
use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// The directories, readable by everybody: programs in the sandbox run as other users.
pub(crate) fn make_directories(dir: &Path) -> Result<()> {
    let make = || -> io::Result<()> {
        if open_to_all(dir)? {
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# made by kopek\n";
            fs::write(dir.join("CACHEDIR.TAG"), tag)?;
            // Whoever has a repository around it never commits it by accident.
            fs::write(dir.join(".gitignore"), "*\n")?;
        }
        open_to_all(&dir.join("blobs"))?;
        open_to_all(&dir.join("tmp"))?;
        Ok(())
    };
    make().map_err(|error| trouble::of_files(dir, &error))
}

/// Makes a directory that all may read, whatever the umask says; whether it was not there.
/// One that is there is as its owner wants it.
pub(crate) fn open_to_all(dir: &Path) -> io::Result<bool> {
    if dir.is_dir() {
        return Ok(false);
    }
    fs::create_dir_all(dir)?;
    fs::set_permissions(dir, Permissions::from_mode(0o755))?;
    Ok(true)
}
