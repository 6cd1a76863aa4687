//! Temporary directories that are removed even if their process is killed.
//!
//! All those of a process are in one directory, with a lock that the kernel releases with the process. Each
//! new process removes the directories whose lock is free.

use std::{
    cell::RefCell,
    fs::{self, File, Permissions},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

/// The prefix of their names.
const PREFIX: &str = "kopek-scratch-";
const LOCK: &str = "lock";
/// Making a directory with its lock takes milliseconds.
const MAX_MAKING: Duration = Duration::from_secs(3600);

/// The parent of this process's temporary directories; removed when its last user drops it.
#[derive(Debug)]
pub struct ScratchRoot {
    dir: TempDir,
    _lock: File,
}

#[derive(Debug)]
pub struct ScratchDir {
    // Before the root: its contents are removed first.
    dir: TempDir,
    _root: Arc<ScratchRoot>,
}

static ROOT: Mutex<Weak<ScratchRoot>> = Mutex::new(Weak::new());

thread_local! {
    /// Replaces that of the process.
    static ROOT_OF_THREAD: RefCell<Option<Arc<ScratchRoot>>> = const { RefCell::new(None) };
}

impl ScratchRoot {
    /// The parent of this process. Keep it while making many directories.
    pub fn shared() -> io::Result<Arc<ScratchRoot>> {
        let mut known = ROOT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = known.upgrade() {
            return Ok(root);
        }
        let above = std::env::temp_dir();
        remove_stale(&above);
        let root = Arc::new(ScratchRoot::below(&above)?);
        *known = Arc::downgrade(&root);
        Ok(root)
    }

    /// Makes a parent in a directory.
    pub fn below(above: &Path) -> io::Result<ScratchRoot> {
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(above)?;
        let draft = dir.path().join("lock.new");
        let lock = File::create(&draft)?;
        lock.lock()?;
        // Last, because any process may remove a directory with a free lock.
        fs::rename(draft, dir.path().join(LOCK))?;
        // Programs in the sandbox, which run as other users, may enter but not list it.
        fs::set_permissions(dir.path(), Permissions::from_mode(0o711))?;
        Ok(ScratchRoot { dir, _lock: lock })
    }
}

impl ScratchDir {
    /// A new directory that only this user can enter.
    pub fn new() -> io::Result<ScratchDir> {
        let root = match ROOT_OF_THREAD.with_borrow(Clone::clone) {
            Some(root) => root,
            None => ScratchRoot::shared()?,
        };
        let dir = TempDir::new_in(root.dir.path())?;
        Ok(ScratchDir { dir, _root: root })
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Runs `act` with this thread's temporary directories below another parent.
pub fn with_scratch_root<T>(root: &Arc<ScratchRoot>, act: impl FnOnce() -> T) -> T {
    let before = ROOT_OF_THREAD.replace(Some(root.clone()));
    let done = act();
    ROOT_OF_THREAD.set(before);
    done
}

/// Removes directories of this user's processes that were killed.
fn remove_stale(above: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == user);
        let is_stale = || match File::open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // It is being made or removed right now, unless its process was killed in between.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                entry.metadata().is_ok_and(|meta| is_old(&meta))
            }
            Err(_) => false,
        };
        if ours && is_stale() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_old(meta: &fs::Metadata) -> bool {
    let age = meta.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    age.is_some_and(|age| age > MAX_MAKING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unlocked_directories_are_removed() {
        let above = tempfile::tempdir().unwrap();
        let held = ScratchRoot::below(above.path()).unwrap();
        let left = ScratchRoot::below(above.path()).unwrap();
        let ScratchRoot { dir, _lock } = left;
        let left = dir.keep();
        fs::create_dir_all(left.join("deep/inside")).unwrap();
        let without_lock = |name: &str, age: Duration| {
            let dir = above.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&dir).unwrap();
            File::open(&dir).unwrap().set_modified(SystemTime::now() - age).unwrap();
            dir
        };
        let new = without_lock("being-made", MAX_MAKING / 2);
        let abandoned = without_lock("abandoned", MAX_MAKING * 2);
        fs::create_dir(above.path().join("another")).unwrap();
        remove_stale(above.path());
        assert!(left.exists(), "it is still in use");
        drop(_lock);
        remove_stale(above.path());
        assert!(!left.exists());
        assert!(!abandoned.exists());
        assert!(held.dir.path().exists() && new.exists() && above.path().join("another").exists());
    }

    #[test]
    fn the_directory_of_all_goes_with_the_last_who_holds_it() {
        let one = ScratchDir::new().unwrap();
        let root = one._root.dir.path().to_owned();
        let two = ScratchDir::new().unwrap();
        assert!(two.path().starts_with(&root) && one.path() != two.path());
        drop(one);
        assert!(root.exists());
        let (path, weak) = (two.path().to_owned(), Arc::downgrade(&two._root));
        drop(two);
        // Other tests in this process may use the root.
        assert!(!path.exists() && (weak.upgrade().is_some() || !root.exists()));
    }
}
