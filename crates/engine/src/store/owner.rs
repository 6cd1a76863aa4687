//! Checks the owner of a store. The owner can neither replace nor remove files that another user leaves in
//! it, and another user could write any fact there.

use anyhow::{Result, bail};
use std::{io, os::unix::fs::MetadataExt, path::Path};

/// Fails if this process writes files as another user than the owner of the store.
pub(crate) fn check_owner(dir: &Path) -> Result<()> {
    let owners = || -> io::Result<(u32, u32)> {
        // A new file instead of our own uid: some shared folders map all files to one user.
        let new = tempfile::tempfile_in(dir.join("tmp"))?;
        Ok((dir.metadata()?.uid(), new.metadata()?.uid()))
    };
    match owners() {
        Ok((owner, ours)) if owner != ours => bail!(
            "it belongs to user {owner}, and this is user {ours}: use a store of your own (--store DIR), or \
             run as its owner"
        ),
        Ok(_) => Ok(()),
        Err(error) => Err(super::trouble::of_files(dir, &error)),
    }
}
