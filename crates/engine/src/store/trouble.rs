//! Error messages about a store, each with its remedy.

use anyhow::{Error, anyhow};
use rusqlite::ErrorCode;
use rustix::process::{Resource, getrlimit};
use std::{io, path::Path};

/// The error for data that was changed after it was written.
pub(crate) fn damaged_error(dir: &Path, what: &str) -> Error {
    let dir = dir.display();
    anyhow!(
        "the store is damaged: {what}\n  remedy: `kopek clean --store {dir}` removes damaged data, which is judged again on demand"
    )
}

/// The error for a database that cannot be read at all.
pub(crate) fn unreadable(dir: &Path, what: &str) -> Error {
    let dir = dir.display();
    anyhow!(
        "the store is damaged: {what}\n  remedy: `kopek clean --all --store {dir}` empties it; everything is judged again"
    )
}

/// The error for a failed database operation.
pub(crate) fn of_database(dir: &Path, error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => disk_full(dir, &error.to_string()),
        Some(ErrorCode::SystemIoFailure) => disk_full(dir, &format!("{error}{}", extended(error))),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            not_writable(dir, &error.to_string())
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
            anyhow!(
                "another process keeps the store locked ({error})\n  remedy: wait for it, or name another store with --store PATH"
            )
        }
        _ => unreadable(dir, &error.to_string()),
    }
}

/// The error for a failed file operation.
pub(crate) fn of_files(dir: &Path, error: &io::Error) -> Error {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => disk_full(dir, &error.to_string()),
        _ => not_writable(dir, &error.to_string()),
    }
}

fn extended(error: &rusqlite::Error) -> String {
    error.sqlite_error().map(|e| format!(", code {}", e.extended_code)).unwrap_or_default()
}

fn disk_full(dir: &Path, what: &str) -> Error {
    let dir = dir.display();
    // A process cannot tell these two apart.
    let (or_limit, or_without) = match getrlimit(Resource::Fsize).current {
        None => (String::new(), ""),
        Some(max) => (
            format!(", or a file reached the limit of {max} bytes under which kopek was started"),
            " or start kopek without it (`ulimit -f unlimited`)",
        ),
    };
    anyhow!(
        "the disk is full or fails{or_limit}: {what}\n  remedy: make room (`kopek clean --store {dir}`){or_without} and run again; finished work is kept"
    )
}

fn not_writable(dir: &Path, what: &str) -> Error {
    let dir = dir.display();
    anyhow!("{dir} cannot be written: {what}\n  remedy: name another store with --store PATH")
}
