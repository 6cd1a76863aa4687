//! Whose a store is. What one user leaves in another's store the owner can neither replace nor
//! remove; and what somebody else may write there could be any fact.

use anyhow::{Result, bail};
use std::{io, os::unix::fs::MetadataExt, path::Path};

/// Fails if the store belongs to somebody else than what this process writes.
pub(crate) fn check_owner(dir: &Path) -> Result<()> {
    let owners = || -> io::Result<(u32, u32)> {
        // A new file, not our own number: some shared folders give all files to one user.
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
