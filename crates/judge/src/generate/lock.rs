//! The lock: a committed digest of every generated file, which shows by file where another machine generates other
//! bytes.

use anyhow::{Context, Result};
use kopek_base::{Digest, files};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, io, path::Path};

/// The path of the lock, relative to the package.
pub const FILE: &str = "generators/lock.toml";

/// Digests by path relative to the package.
pub type LockedFiles = BTreeMap<String, Digest>;

#[derive(Serialize, Deserialize)]
struct LockFile {
    version: u32,
    files: LockedFiles,
}

const VERSION: u32 = 1;
const HEAD: &str = "# BLAKE3 digests of all files that `kopek generate` makes from the recipe beside this file.\n\
                    # Commit it. `kopek generate --check` compares, `kopek generate --update` updates it.\n";

/// How a file differs from the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Relative to the package.
    pub file: String,
    /// The digest in the lock; `None` if there is none.
    pub locked: Option<Digest>,
    /// The digest of the generated file; `None` if there is none.
    pub made: Option<Digest>,
}

/// The digests of the package's lock, if it has one.
pub fn read(package: &Path) -> Result<Option<LockedFiles>> {
    let path = package.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("read {}", path.display()))?,
    };
    let lock: LockFile = toml::from_str(&text).with_context(|| format!("read {}", path.display()))?;
    anyhow::ensure!(
        lock.version == VERSION,
        "read {}: unknown version {}; this kopek writes version {VERSION}",
        path.display(),
        lock.version
    );
    Ok(Some(lock.files))
}

/// Whether git tracks the lock, so that others rely on it. Reads only the paths in the index.
pub fn is_tracked(package: &Path) -> bool {
    let Ok(package) = package.canonicalize() else { return false };
    let Some(root) = package.ancestors().find(|dir| dir.join(".git").exists()) else { return false };
    let below = package.strip_prefix(root).unwrap_or(&package).join(FILE);
    let entry = [below.as_os_str().as_encoded_bytes(), b"\0"].concat();
    // In a worktree `.git` is a file that names the directory.
    let named = std::fs::read_to_string(root.join(".git")).unwrap_or_default();
    let dir = named.strip_prefix("gitdir:").unwrap_or(".git").trim();
    let index = std::fs::read(root.join(dir).join("index")).unwrap_or_default();
    index.windows(entry.len()).any(|part| part == entry)
}

/// Writes the digests unless the lock has the same already.
pub fn write(package: &Path, files: &LockedFiles) -> Result<()> {
    let path = package.join(FILE);
    let body = toml::to_string(&LockFile { version: VERSION, files: files.clone() })?;
    let text = format!("{HEAD}{body}");
    if std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    files::write_atomic(&path, text.as_bytes())
}

/// All differences, in order of the paths.
pub(super) fn compare(locked: &LockedFiles, made: &LockedFiles) -> Vec<Drift> {
    let paths: std::collections::BTreeSet<&String> = locked.keys().chain(made.keys()).collect();
    let drift = |path: &String| Drift {
        file: path.clone(),
        locked: locked.get(path).copied(),
        made: made.get(path).copied(),
    };
    paths.into_iter().map(drift).filter(|drift| drift.locked != drift.made).collect()
}

impl std::fmt::Display for Drift {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Drift { file, locked, made } = self;
        match (locked, made) {
            (Some(locked), Some(made)) => {
                write!(f, "{file}: differs: {}, in the lock {}", made.short(), locked.short())
            }
            (None, _) => write!(f, "{file}: made, but not in the lock"),
            (_, None) => write!(f, "{file}: in the lock, but not made"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_read_as_it_was_written_and_differences_are_listed_by_file() {
        let dir = tempfile::tempdir().unwrap();
        let files: LockedFiles =
            [("data/a.in", b"1"), ("data/b.in", b"2")].map(|(p, b)| (p.to_owned(), Digest::of(b))).into();
        assert_eq!(read(dir.path()).unwrap(), None);
        write(dir.path(), &files).unwrap();
        assert_eq!(read(dir.path()).unwrap().as_ref(), Some(&files));
        let other: LockedFiles =
            [("data/a.in", b"x"), ("data/c.in", b"2")].map(|(p, b)| (p.to_owned(), Digest::of(b))).into();
        let lines: Vec<_> = compare(&files, &other).iter().map(|drift| drift.to_string()).collect();
        assert!(lines[0].starts_with("data/a.in: differs: "), "{lines:?}");
        assert_eq!(
            lines[1..],
            ["data/b.in: in the lock, but not made", "data/c.in: made, but not in the lock"]
        );
    }

    #[test]
    fn a_lock_is_tracked_once_the_index_of_git_has_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("contest/sum");
        std::fs::create_dir_all(&package).unwrap();
        assert!(!is_tracked(&package), "no repository");
        let index = |path: &str| {
            std::fs::write(dir.path().join(".git/index"), format!("DIRC\0\x1a{path}\0\0")).unwrap()
        };
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        assert!(!is_tracked(&package), "nothing was added");
        for (path, tracked) in [
            ("contest/sum/generators/generators.yaml", false),
            ("contest/sum/generators/lock.toml", true),
            ("contest/sum/generators/lock.toml.old", false),
        ] {
            index(path);
            assert_eq!(is_tracked(&package), tracked, "{path}");
        }
    }

    #[test]
    fn a_lock_of_another_version_or_with_junk_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("generators")).unwrap();
        for text in ["version = 2\n[files]\n", "files = 3", "version = 1\n[files]\n'a' = 'zz'\n"] {
            std::fs::write(dir.path().join(FILE), text).unwrap();
            assert!(format!("{:#}", read(dir.path()).unwrap_err()).contains("lock.toml"), "{text}");
        }
    }
}
