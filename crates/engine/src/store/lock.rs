//! The lock on an open store. The kernel releases it when its process ends, whatever the cause.

use super::trouble;
use anyhow::{Result, ensure};
use kopek_base::Patience;
use std::{
    fs::{File, TryLockError},
    path::Path,
    time::Duration,
};

/// A held lock; released when dropped.
pub(crate) struct Lock {
    _file: File,
}

/// A way to take the lock; runs the given function first, under the exclusive lock.
pub(crate) type Take = fn(&Path, &dyn Fn() -> Result<()>) -> Result<Lock>;

const PAUSE: Duration = Duration::from_millis(2);

/// While another process prunes or opens the store.
const WHILE_OTHERS_PRUNE: Patience = Patience { max: Duration::from_secs(60), pause: PAUSE };

/// While another process is about to end, and for a child between fork and exec.
const WHILE_OTHERS_END: Patience = Patience { max: Duration::from_millis(300), pause: PAUSE };

impl Lock {
    /// Takes the shared lock. If no other process has the store open, runs `first` under the exclusive lock
    /// before any other can get in: every shared lock comes after a completed `first`.
    pub(crate) fn shared(dir: &Path, first: &dyn Fn() -> Result<()>) -> Result<Lock> {
        let file = file(dir)?;
        if is_taken(dir, file.try_lock())? {
            first()?;
            // Unlocked first: the standard library does not promise to convert one lock into the other.
            file.unlock().map_err(|error| trouble::of_files(dir, &error))?;
        }
        let shared = WHILE_OTHERS_PRUNE.retry(is_held, || file.try_lock_shared());
        ensure!(
            is_taken(dir, shared)?,
            "another kopek process has been pruning it for a minute; try again later"
        );
        Ok(Lock { _file: file })
    }

    /// Takes the exclusive lock, or reports which process holds the lock.
    pub(crate) fn alone(dir: &Path, first: &dyn Fn() -> Result<()>) -> Result<Lock> {
        let file = file(dir)?;
        let alone = WHILE_OTHERS_END.retry(is_held, || file.try_lock());
        ensure!(
            is_taken(dir, alone)?,
            "another kopek process is using it; nothing was removed: try again when it has ended"
        );
        first()?;
        Ok(Lock { _file: file })
    }
}

fn file(dir: &Path) -> Result<File> {
    // The file is never removed, not even by `clean --all`: a waiting process would lock an unlinked file.
    let open = File::options().create(true).truncate(false).write(true).open(dir.join("lock"));
    open.map_err(|error| trouble::of_files(dir, &error))
}

fn is_taken(dir: &Path, tried: Result<(), TryLockError>) -> Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(trouble::of_files(dir, &error)),
    }
}

fn is_held(error: &TryLockError) -> bool {
    matches!(error, TryLockError::WouldBlock)
}
