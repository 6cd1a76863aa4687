//! Who has the store open. The kernel drops a lock with its process, however it died.

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

/// A way of taking the lock; what is given is done first, by the one who is alone.
pub(crate) type Take = fn(&Path, &dyn Fn() -> Result<()>) -> Result<Lock>;

const PAUSE: Duration = Duration::from_millis(2);

/// For a process that prunes or opens.
const WHILE_OTHERS_PRUNE: Patience = Patience { most: Duration::from_secs(60), pause: PAUSE };

/// For a process that is about to end, and for a child between fork and exec.
const WHILE_OTHERS_END: Patience = Patience { most: Duration::from_millis(300), pause: PAUSE };

impl Lock {
    /// Shares the store with others. Whichever process is alone at this moment does `first`
    /// before any other gets in: no process shares a store for which it was not done.
    pub(crate) fn shared(dir: &Path, first: &dyn Fn() -> Result<()>) -> Result<Lock> {
        let file = file(dir)?;
        if is_taken(dir, file.try_lock())? {
            first()?;
            // Unlocked before it is shared: the standard library does not promise to turn one lock into the other.
            file.unlock().map_err(|error| trouble::of_files(dir, &error))?;
        }
        let shared = WHILE_OTHERS_PRUNE.retry(is_held, || file.try_lock_shared());
        ensure!(
            is_taken(dir, shared)?,
            "another kopek process has been pruning it for a minute; try again later"
        );
        Ok(Lock { _file: file })
    }

    /// Has the store alone, or says who is in the way.
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
    // The file is never removed, not even by `clean --all`: a waiter would lock a file that has no name.
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
