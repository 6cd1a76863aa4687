//! Blobs: directories and files named by the digest of their contents.
//!
//! A blob is copied into `tmp/`, digested there and renamed into place, so a blob under its name is complete.
//! Its modification time is the time of its last use, so a lookup writes nothing to the database.

use super::{directories::make_passable, trouble};
use anyhow::{Context, Result, bail};
use kopek_base::{Digest, Stamp, tree_digest};
use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File, FileTimes, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;
use walkdir::WalkDir;

pub(crate) struct BlobStore {
    dir: PathBuf,
    /// Blobs that this process has verified: hashing a program once is enough, and later checks only compare
    /// stamps. `None` for a blob that was damaged after that: jobs may have used it, and warm workers of the sandbox may
    /// hold its old files even if it is whole again, so this process uses it no more.
    verified: Mutex<HashMap<Digest, Option<VerifiedFiles>>>,
}

/// The files of a verified blob, with their stamps from before the verification.
type VerifiedFiles = Arc<[(PathBuf, Stamp)]>;

/// The state of a blob's path.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Placed {
    Verified,
    Unverified,
}

/// Removes unfinished files. Requires the exclusive lock.
pub(crate) fn sweep(dir: &Path) -> Result<()> {
    let sweep = || -> io::Result<()> {
        fs::create_dir_all(dir.join("tmp"))?;
        for entry in fs::read_dir(dir.join("tmp"))? {
            remove(&entry?.path())?;
        }
        Ok(())
    };
    sweep().map_err(|error| trouble::of_files(dir, &error))
}

/// Removes a blob, or all of them. Renames it first, so that a kill leaves no half blob. Requires the
/// exclusive lock.
pub(crate) fn discard(dir: &Path, path: &Path) -> io::Result<()> {
    let aside = dir.join("tmp").join("discarded");
    fs::rename(path, &aside)?;
    remove(&aside)
}

/// Removes a file, or a directory with its contents.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

impl BlobStore {
    /// The blobs of a store's directory.
    pub(crate) fn new(dir: &Path) -> BlobStore {
        BlobStore { dir: dir.to_owned(), verified: Mutex::default() }
    }

    /// Keeps a directory of files.
    pub(crate) fn put_tree(&self, files: &Path) -> Result<Digest> {
        let draft = self.draft()?;
        let copy = draft.path().join("tree");
        copy_tree(&self.dir, files, &copy)?;
        // Of the original: the copy is compared with it once it is in place.
        let digest = tree_digest(files)?;
        self.settle(&copy, &digest, tree_digest)?;
        Ok(digest)
    }

    /// Keeps bytes.
    pub(crate) fn put_bytes(&self, bytes: &[u8]) -> Result<Digest> {
        let digest = Digest::of(bytes);
        let draft = self.draft()?;
        let copy = draft.path().join("bytes");
        let write = || -> io::Result<()> {
            fs::write(&copy, bytes)?;
            seal(&copy, DATA_MODE)
        };
        write().map_err(|error| trouble::of_files(&self.dir, &error))?;
        self.settle(&copy, &digest, file_digest)?;
        Ok(digest)
    }

    /// Keeps the data of a reader if it has this digest; otherwise keeps nothing and returns `false`. Uses
    /// constant memory.
    pub(crate) fn put_stream(&self, digest: &Digest, mut from: impl io::Read) -> Result<bool> {
        let failed = |error: io::Error| trouble::of_files(&self.dir, &error);
        let draft = self.draft()?;
        let copy = draft.path().join("bytes");
        let mut file = File::create(&copy).map_err(failed)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(got) => file.write_all(&buffer[..got]).map_err(failed)?,
                Err(_) => return Ok(false),
            }
        }
        if file_digest(&copy)? != *digest {
            return Ok(false);
        }
        seal(&copy, DATA_MODE).map_err(failed)?;
        self.settle(&copy, digest, file_digest)?;
        Ok(true)
    }

    /// The path of a kept directory, with its contents verified.
    pub(crate) fn tree(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.verified_path(digest, Path::is_dir, tree_digest)
    }

    /// The path of a kept file, with its contents verified.
    pub(crate) fn file(&self, digest: &Digest) -> Result<Option<PathBuf>> {
        self.verified_path(digest, Path::is_file, file_digest)
    }

    fn verified_path(
        &self,
        digest: &Digest,
        is_there: fn(&Path) -> bool,
        digest_of: fn(&Path) -> Result<Digest>,
    ) -> Result<Option<PathBuf>> {
        let path = self.place(digest);
        if !is_there(&path) {
            return Ok(None);
        }
        if !self.is_verified(digest) {
            use_today(&path);
            self.verify(&path, digest, digest_of)?;
        }
        Ok(Some(path))
    }

    /// Whether the blob exists here.
    pub(crate) fn has(&self, digest: &Digest) -> bool {
        self.place(digest).exists()
    }

    /// Kept bytes.
    pub(crate) fn bytes(&self, digest: &Digest) -> Result<Option<Vec<u8>>> {
        let path = self.place(digest);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(trouble::of_files(&self.dir, &error)),
        };
        if Digest::of(&bytes) != *digest {
            return Err(self.damaged(&path));
        }
        use_today(&path);
        Ok(Some(bytes))
    }

    /// Whether a blob's contents match its name.
    pub(crate) fn is_whole(path: &Path) -> bool {
        let digest_of = if path.is_dir() { tree_digest } else { file_digest };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        digest_of(path).is_ok_and(|digest| digest.to_string() == name)
    }

    /// Moves a complete draft into place. If another process was faster, its blob is as good; if the existing
    /// blob is damaged, ours replaces it.
    fn settle(&self, copy: &Path, digest: &Digest, digest_of: fn(&Path) -> Result<Digest>) -> Result<()> {
        let place = self.place(digest);
        let settle = || -> io::Result<Placed> {
            let shelf = place.parent().expect("a blob's place has two directories above it");
            make_passable(shelf)?;
            if place.exists() {
                if self.is_verified(digest) && self.check_untouched(digest).is_ok() {
                    return Ok(Placed::Verified);
                }
                if digest_of(&place).is_ok_and(|found| found == *digest) {
                    return Ok(Placed::Unverified);
                }
                fs::rename(&place, copy.with_extension("damaged"))?;
            }
            match fs::rename(copy, &place) {
                // A directory cannot be renamed onto a non-empty one: another process settled the same blob
                // first.
                Err(_) if place.exists() => Ok(Placed::Unverified),
                done => done.map(|()| Placed::Unverified),
            }
        };
        let placed = settle().map_err(|error| trouble::of_files(&self.dir, &error))?;
        use_today(&place);
        // Not earlier: others could write to the draft until it was in place.
        if placed == Placed::Unverified && self.verify(&place, digest, digest_of).is_err() {
            if !BlobStore::is_whole(&place) {
                // Moved away, so that the next process that makes the blob can put it there.
                let _ = fs::rename(&place, copy.with_extension("damaged"));
            }
            bail!("{} was changed while it was kept; run again", place.display());
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Digest, Option<VerifiedFiles>>> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_verified(&self, digest: &Digest) -> bool {
        self.known().get(digest).is_some_and(Option::is_some)
    }

    fn verify(&self, path: &Path, digest: &Digest, digest_of: fn(&Path) -> Result<Digest>) -> Result<()> {
        let damaged = |error: String| trouble::damaged_error(&self.dir, &error);
        let look = || -> Result<VerifiedFiles> {
            // Before the contents are read, so that later changes are noticed.
            let stamps =
                file_stamps(path).map_err(|error| damaged(format!("read {}: {error}", path.display())))?;
            if digest_of(path).map_err(|error| damaged(format!("{error:#}")))? != *digest {
                return Err(self.damaged(path));
            }
            Ok(stamps.into())
        };
        let looked = look();
        let stamps = looked.as_ref().ok().cloned();
        match self.known().entry(*digest) {
            Entry::Occupied(mut known) if known.get().is_some() => drop(known.insert(stamps)),
            Entry::Occupied(_) => bail!("{} was damaged while it was in use; run again", path.display()),
            // Nothing has used it yet, so it may be made again.
            Entry::Vacant(_) if stamps.is_none() => {}
            Entry::Vacant(unknown) => drop(unknown.insert(stamps)),
        }
        looked.map(drop)
    }

    /// Fails if a verified blob is damaged now, or was found damaged since. Called when a job is done: a blob
    /// that is unchanged then was unchanged all the time.
    pub(crate) fn check_untouched(&self, digest: &Digest) -> Result<()> {
        let known = self.known().get(digest).cloned();
        let Some(stamps) = known else { return Ok(()) };
        let is_untouched = |(file, stamp): &(PathBuf, Stamp)| Stamp::of_path(file).ok() == Some(*stamp);
        if stamps.is_some_and(|stamps| stamps.iter().all(is_untouched)) {
            return Ok(());
        }
        // Another process may have linked it, marked it as used, or replaced it by an equal blob.
        let path = self.place(digest);
        self.verify(&path, digest, if path.is_dir() { tree_digest } else { file_digest })
    }

    fn damaged(&self, path: &Path) -> anyhow::Error {
        trouble::damaged_error(&self.dir, &format!("{} was changed", path.display()))
    }

    fn draft(&self) -> Result<TempDir> {
        let draft = tempfile::Builder::new().prefix("draft-").tempdir_in(self.dir.join("tmp"));
        draft.map_err(|error| trouble::of_files(&self.dir, &error))
    }

    fn place(&self, digest: &Digest) -> PathBuf {
        let name = digest.to_string();
        self.dir.join("blobs").join(&name[..2]).join(name)
    }
}

/// The files of a blob: the blob itself, or everything in it except directories.
fn file_stamps(path: &Path) -> io::Result<Vec<(PathBuf, Stamp)>> {
    let files = WalkDir::new(path)
        .into_iter()
        .filter(|entry| entry.as_ref().map_or(true, |entry| !entry.file_type().is_dir()));
    files
        .map(|entry| {
            let path = entry.map_err(io::Error::other)?.into_path();
            let stamp = Stamp::of_path(&path)?;
            Ok((path, stamp))
        })
        .collect()
}

/// Files and directories below a directory, relative to it.
pub(crate) fn everything_below(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let below = |entry: walkdir::DirEntry| entry.path().strip_prefix(dir).map(Path::to_owned);
    WalkDir::new(dir).min_depth(1).into_iter().map(|entry| below(entry?).map_err(io::Error::other)).collect()
}

/// Copies regular files and directories and makes them read-only; refuses anything else.
fn copy_tree(store: &Path, from: &Path, to: &Path) -> Result<()> {
    for entry in WalkDir::new(from).sort_by_file_name() {
        let entry = entry.with_context(|| format!("read {}", from.display()))?;
        let below = entry.path().strip_prefix(from).expect("walkdir stays below its root");
        let target = if below.as_os_str().is_empty() { to.to_owned() } else { to.join(below) };
        let copy = || -> io::Result<()> {
            if entry.file_type().is_dir() {
                fs::create_dir(&target)?;
                return fs::set_permissions(&target, Permissions::from_mode(0o755));
            }
            let executable = entry.path().metadata()?.permissions().mode() & 0o111 != 0;
            fs::copy(entry.path(), &target)?;
            seal(&target, if executable { PROGRAM_MODE } else { DATA_MODE })
        };
        if !entry.file_type().is_dir() && !entry.file_type().is_file() {
            bail!("{} is neither a file nor a directory", entry.path().display());
        }
        copy()
            .map_err(|error| trouble::of_files(store, &error))
            .with_context(|| format!("copy {}", entry.path().display()))?;
    }
    Ok(())
}

const DATA_MODE: u32 = 0o444;
const PROGRAM_MODE: u32 = 0o555;

/// Syncs a file to the disk and makes it readable by all.
fn seal(path: &Path, mode: u32) -> io::Result<()> {
    // An explicit mode, not the umask's: programs in the sandbox run as other users.
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    File::open(path)?.sync_all()
}

fn file_digest(path: &Path) -> Result<Digest> {
    Digest::of_file(path).with_context(|| format!("read {}", path.display()))
}

/// Marks a blob as used now, unless it was used lately. Another user's blob cannot be marked, and need not
/// be.
fn use_today(path: &Path) {
    // At most one write per blob and day: pruning counts in whole days.
    let old = |at: SystemTime| at.elapsed().is_ok_and(|age| age > Duration::from_secs(86_400));
    let used = fs::metadata(path).and_then(|meta| meta.modified());
    if used.is_ok_and(old)
        && let Ok(file) = File::open(path)
    {
        let _ = file.set_times(FileTimes::new().set_modified(SystemTime::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_store() -> (TempDir, BlobStore) {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("tmp")).unwrap();
        let store = BlobStore::new(home.path());
        (home, store)
    }

    fn overwrite(path: &Path, text: &str) {
        fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn every_user_of_a_changed_blob_gets_an_error() {
        let (home, store) = open_store();
        let digest = store.put_bytes(b"a program").unwrap();
        let path = store.file(&digest).unwrap().unwrap();
        store.check_untouched(&digest).unwrap();
        overwrite(&path, "another");
        for user in 0..2 {
            assert!(store.check_untouched(&digest).is_err(), "user {user}");
        }
        assert!(store.file(&digest).is_err());
        overwrite(&path, "a program");
        for user in 0..2 {
            assert!(store.check_untouched(&digest).is_err(), "user {user}: it was another for a while");
        }
        assert!(store.put_bytes(b"a program").is_err() && store.file(&digest).is_err());
        assert_eq!(
            BlobStore::new(home.path()).file(&digest).unwrap(),
            Some(path),
            "another process may use it"
        );
    }

    #[test]
    fn a_blob_that_was_damaged_before_its_first_use_is_made_again() {
        let (home, store) = open_store();
        let digest = store.put_bytes(b"a program").unwrap();
        let path = store.file(&digest).unwrap().unwrap();
        overwrite(&path, "another");
        let later = BlobStore::new(home.path());
        assert!(later.file(&digest).is_err());
        assert_eq!(later.put_bytes(b"a program").unwrap(), digest);
        assert_eq!(later.file(&digest).unwrap(), Some(path));
    }

    #[test]
    fn a_stream_is_kept_only_if_it_has_its_digest() {
        let (home, store) = open_store();
        let digest = Digest::of(b"a program");
        for other in [&b"a progra"[..], b"a programs", b""] {
            assert!(!store.put_stream(&digest, other).unwrap());
        }
        assert_eq!(store.file(&digest).unwrap(), None);
        assert!(store.put_stream(&digest, &b"a program"[..]).unwrap());
        assert_eq!(store.bytes(&digest).unwrap().unwrap(), b"a program");
        assert_eq!(fs::read_dir(home.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn a_draft_that_somebody_wrote_to_is_not_kept() {
        let (home, store) = open_store();
        let draft = home.path().join("tmp/draft");
        fs::write(&draft, "half a prog").unwrap();
        let digest = Digest::of(b"a program");
        assert!(store.settle(&draft, &digest, file_digest).is_err());
        assert_eq!(store.file(&digest).unwrap(), None);
        assert_eq!(store.put_bytes(b"a program").unwrap(), digest);
        assert!(store.file(&digest).unwrap().is_some());
    }
}
