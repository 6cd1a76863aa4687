//! The directories of a store, and who may enter them.

use super::trouble;
use anyhow::Result;
use std::{
    fs::{self, Metadata, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::Path,
};

const TAG: &str = "CACHEDIR.TAG";

/// The directories. The topmost is the owner's alone: hand-ins, tests and verdicts lie below it. What lies
/// deeper can be read by everybody, because programs in the sandbox may be other users.
pub(crate) fn make_directories(dir: &Path) -> Result<()> {
    let make = || -> io::Result<()> {
        if make_closed(dir)? {
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# made by kopek\n";
            fs::write(dir.join(TAG), tag)?;
            // Whoever has a repository around it never commits it by accident.
            fs::write(dir.join(".gitignore"), "*\n")?;
        }
        close_to_others(dir)?;
        make_passable(&dir.join("blobs"))?;
        make_closed(&dir.join("tmp"))?;
        Ok(())
    };
    make().map_err(|error| trouble::of_files(dir, &error))
}

/// Makes a directory for its owner alone, and those above it as usual; whether it was not there.
fn make_closed(dir: &Path) -> io::Result<bool> {
    if dir.is_dir() {
        return Ok(false);
    }
    dir.parent().map_or(Ok(()), fs::create_dir_all)?;
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        // Another process was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        done => done.map(|()| true),
    }
}

/// Takes from others what earlier versions gave; a group that its owner let in, and a way for programs, stay.
fn close_to_others(dir: &Path) -> io::Result<()> {
    let metadata = fs::metadata(dir)?;
    let mode = metadata.mode() & 0o7777;
    // Not a directory that happens to be there and is not a store yet.
    if mode & 0o6 == 0 || !is_ours(&metadata) || !dir.join(TAG).exists() {
        return Ok(());
    }
    let closed = if mode & 0o20 == 0 { mode & !0o77 } else { mode & !0o7 };
    fs::set_permissions(dir, Permissions::from_mode(closed))
}

fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Lets other users pass to blobs whose names they know: programs that are such users and find what they run
/// by its path.
pub(crate) fn let_others_pass(dir: &Path) -> io::Result<()> {
    // First, for then others can reach what lies in it.
    for entry in fs::read_dir(dir)?.flatten().filter(|entry| entry.path().is_file()) {
        fs::set_permissions(entry.path(), Permissions::from_mode(0o600))?;
    }
    let mode = fs::metadata(dir)?.mode() & 0o7777;
    fs::set_permissions(dir, Permissions::from_mode(mode | 0o1))
}

/// Makes a directory that all may pass and only its owner may list, whatever the umask says.
/// One that is there is as its owner wants it.
pub(crate) fn make_passable(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)?;
    fs::set_permissions(dir, Permissions::from_mode(0o711))
}
