//! The digest of a directory: relative paths, kinds, executable bits and contents.

use super::{Digest, DigestFields, KnownFiles, TreeId};
use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// The digest of a directory, entry by entry: in the order of a sorted walk, parents first.
pub struct TreeFields(DigestFields);

impl Default for TreeFields {
    fn default() -> TreeFields {
        TreeFields(DigestFields::new("tree"))
    }
}

impl TreeFields {
    /// Adds a directory, by its path relative to the root.
    pub fn add_directory(&mut self, below: &Path) {
        self.add(below, "directory", b"");
    }

    /// Adds a file, by its path relative to the root.
    #[expect(clippy::fn_params_excessive_bools, reason = "a mode of the file")]
    pub fn add_file(&mut self, below: &Path, is_program: bool, contents: &Digest) {
        self.add(below, if is_program { "program" } else { "file" }, contents.as_bytes());
    }

    fn add(&mut self, below: &Path, kind: &str, contents: &[u8]) {
        self.0.add("path", below.as_os_str().as_bytes());
        self.0.add(kind, contents);
    }

    /// The digest of all entries.
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }
}

/// The digest of everything below a directory.
pub fn tree_digest(dir: &Path) -> Result<Digest> {
    let mut fields = TreeFields::default();
    // Sorted, because the order on disk differs between machines but the digest must not.
    for entry in WalkDir::new(dir).min_depth(1).sort_by_file_name() {
        let entry = entry.with_context(|| format!("read {}", dir.display()))?;
        let below = entry.path().strip_prefix(dir).expect("walkdir stays below its root");
        if entry.file_type().is_dir() {
            fields.add_directory(below);
            continue;
        }
        let digest = Digest::of_file(entry.path());
        let digest = digest.with_context(|| format!("read {}", entry.path().display()))?;
        fields.add_file(below, is_program(entry.path())?, &digest);
    }
    Ok(fields.digest())
}

/// The digest of a directory with exactly these files, following links.
pub fn tree_id(dir: &Path, files: &BTreeSet<PathBuf>, known: &KnownFiles) -> Result<TreeId> {
    // Every parent directory of a file, in walkdir's order: parents first, names sorted.
    let parents = files.iter().flat_map(|file| file.ancestors().skip(1).map(Path::to_owned));
    let mut all: Vec<(PathBuf, bool)> = files.iter().map(|file| (file.clone(), true)).collect();
    let parents: BTreeSet<PathBuf> = parents.filter(|path| !path.as_os_str().is_empty()).collect();
    all.extend(parents.into_iter().map(|path| (path, false)));
    all.sort();
    let (mut fields, mut stamps) = (TreeFields::default(), Vec::new());
    for (below, is_file) in all {
        if !is_file {
            fields.add_directory(&below);
            continue;
        }
        let path = dir.join(&below);
        let id = known.id(&path).with_context(|| format!("read {}", path.display()))?;
        fields.add_file(&below, is_program(&path)?, &id.digest);
        stamps.push((below, id.stamp));
    }
    Ok(TreeId { digest: fields.digest(), stamps })
}

/// Whether a file is executable.
pub fn is_program(path: &Path) -> Result<bool> {
    let mode = path.metadata().with_context(|| format!("read {}", path.display()))?.permissions().mode();
    Ok(mode & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_files_have_the_digest_of_a_directory_that_holds_only_them() {
        let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (dir, files) in
            [(&whole, &["a/b/c", "a.txt", "a/b.txt", "z"][..]), (&part, &["a/b/c", "a.txt", "a/b.txt"])]
        {
            for file in files {
                let path = dir.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, file).unwrap();
            }
        }
        let files = ["a/b/c", "a.txt", "a/b.txt"].map(PathBuf::from).into();
        assert_eq!(
            tree_id(whole.path(), &files, &KnownFiles::default()).unwrap().digest,
            tree_digest(part.path()).unwrap()
        );
        assert_ne!(
            tree_id(whole.path(), &files, &KnownFiles::default()).unwrap().digest,
            tree_digest(whole.path()).unwrap()
        );
    }
}
