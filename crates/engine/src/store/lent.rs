//! Blobs outside the store: small ones in memory, and files and directories of a package in their place.
//! Nothing is copied. A file that was changed since it was digested is refused, because it no longer matches
//! its key.

use anyhow::{Result, bail};
use kopek_base::{Digest, FileId, Stamp, TreeId};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

/// The contents of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// In a file that must not change.
    File(PathBuf),
}

/// Blobs that the process lends to a store.
#[derive(Default)]
pub(crate) struct Lent {
    files: RwLock<HashMap<Digest, LentFile>>,
    trees: RwLock<HashMap<Digest, LentTree>>,
}

enum LentFile {
    Bytes(Arc<[u8]>),
    File(PathBuf, Stamp),
}

struct LentTree {
    dir: PathBuf,
    stamps: Arc<[(PathBuf, Stamp)]>,
}

impl Lent {
    pub(crate) fn hold(&self, digest: Digest, bytes: Arc<[u8]>) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        // A blob that is already lent stays: equal digests mean equal bytes.
        files.entry(digest).or_insert(LentFile::Bytes(bytes));
    }

    pub(crate) fn lend_file(&self, path: &Path, id: FileId) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.insert(id.digest, LentFile::File(path.to_owned(), id.stamp));
    }

    pub(crate) fn lend_tree(&self, dir: &Path, id: &TreeId) {
        let mut trees = self.trees.write().unwrap_or_else(PoisonError::into_inner);
        let stamps = id.stamps.clone().into();
        trees.insert(id.digest, LentTree { dir: dir.to_owned(), stamps });
    }

    /// The contents of a lent file.
    pub(crate) fn file(&self, digest: &Digest) -> Option<Contents> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files.get(digest).map(|file| match file {
            LentFile::Bytes(bytes) => Contents::Bytes(bytes.clone()),
            LentFile::File(path, _) => Contents::File(path.clone()),
        })
    }

    /// The path of a lent directory. It may contain other files, too.
    pub(crate) fn tree(&self, digest: &Digest) -> Option<PathBuf> {
        let trees = self.trees.read().unwrap_or_else(PoisonError::into_inner);
        trees.get(digest).map(|tree| tree.dir.clone())
    }

    /// Fails if a file was changed since it was digested. Called when a job is done: a file that is unchanged
    /// then was unchanged all the time.
    pub(crate) fn check_file(&self, digest: &Digest) -> Result<()> {
        match self.files.read().unwrap_or_else(PoisonError::into_inner).get(digest) {
            Some(LentFile::File(path, stamp)) => check_stamp(path, stamp),
            Some(LentFile::Bytes(_)) | None => Ok(()),
        }
    }

    /// Fails if a file of a directory was changed since it was digested.
    pub(crate) fn check_tree(&self, digest: &Digest) -> Result<()> {
        let trees = self.trees.read().unwrap_or_else(PoisonError::into_inner);
        let Some(tree) = trees.get(digest) else { return Ok(()) };
        tree.stamps.iter().try_for_each(|(below, stamp)| check_stamp(&tree.dir.join(below), stamp))
    }

    /// The files of a lent directory, relative to it. Directories have stamps, too, but the digest has only those
    /// that hold its files.
    pub(crate) fn tree_files(&self, digest: &Digest) -> Option<Vec<PathBuf>> {
        let trees = self.trees.read().unwrap_or_else(PoisonError::into_inner);
        let tree = trees.get(digest)?;
        let below = tree.stamps.iter().map(|(below, _)| below);
        Some(below.filter(|below| !tree.dir.join(below).is_dir()).cloned().collect())
    }
}

fn check_stamp(path: &Path, stamp: &Stamp) -> Result<()> {
    match Stamp::of_path(path) {
        Ok(now) if now == *stamp => Ok(()),
        Ok(_) => bail!("{} was changed while it was in use; run again", path.display()),
        Err(error) => bail!("{} can no longer be read: {error}; run again", path.display()),
    }
}
