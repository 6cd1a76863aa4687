//! Who has the store open. The kernel drops a lock with its process, however it died.

use super::trouble;
use anyhow::{Result, bail};
use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// A held lock; released when dropped.
pub(crate) struct Lock {
    _file: File,
}

/// A way of taking the lock; what is given is done first, by the one who is alone.
pub(crate) type Take = fn(&Path, &dyn Fn() -> Result<()>) -> Result<Lock>;

/// How long to wait for one who prunes or opens.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who is about to end, and a child between fork and exec, are gone after so long.
const BLINK: Duration = Duration::from_millis(300);

impl Lock {
    /// Shares the store with others. Whichever process is alone at this moment does `first`
    /// before any other gets in: no process shares a store for which it was not done.
    pub(crate) fn shared(dir: &Path, first: &dyn Fn() -> Result<()>) -> Result<Lock> {
        let file = file(dir)?;
        if try_alone(dir, &file)? {
            first()?;
            // Unlocked before it is shared: the standard library does not promise to turn one lock into the other.
            file.unlock().map_err(|error| trouble::of_files(dir, &error))?;
        }
        let since = Instant::now();
        while let Err(error) = file.try_lock_shared() {
            failed(dir, error)?;
            if since.elapsed() > PATIENCE {
                bail!("another kopek process has been pruning it for a minute; try again later");
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(Lock { _file: file })
    }

    /// Has the store alone, or says who is in the way.
    pub(crate) fn alone(dir: &Path, first: &dyn Fn() -> Result<()>) -> Result<Lock> {
        let file = file(dir)?;
        let since = Instant::now();
        while !try_alone(dir, &file)? {
            if since.elapsed() > BLINK {
                bail!("another kopek process is using it; nothing was removed: try again when it has ended");
            }
            thread::sleep(Duration::from_millis(2));
        }
        first()?;
        Ok(Lock { _file: file })
    }
}

fn file(dir: &Path) -> Result<File> {
    // The file is never removed, not even by `clean --all`: a waiter would lock a file that has no name.
    let open = File::options().create(true).truncate(false).write(true).open(dir.join("lock"));
    open.map_err(|error| trouble::of_files(dir, &error))
}

fn try_alone(dir: &Path, file: &File) -> Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(error) => failed(dir, error).map(|()| false),
    }
}

fn failed(dir: &Path, error: TryLockError) -> Result<()> {
    match error {
        TryLockError::WouldBlock => Ok(()),
        TryLockError::Error(error) => Err(trouble::of_files(dir, &error)),
    }
}
