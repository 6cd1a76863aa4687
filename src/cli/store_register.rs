//! The ids of the stores that this user created, one note each in the user's state directory.

use super::user_directories::{absolute_variable, cache_named};
use crate::base::{Digest, files::write_atomic};
use anyhow::{Context, Result};
use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The directories of the notes.
pub(super) struct StoreRegister {
    /// The state directory and the cache; the first writable one is used.
    dirs: Vec<PathBuf>,
}

impl StoreRegister {
    pub(super) fn of_user() -> StoreRegister {
        let home = || Some(absolute_variable("HOME")?.join(".local/state"));
        let state = absolute_variable("XDG_STATE_HOME").or_else(home);
        let state = state.map(|dir| dir.join("kopek/stores"));
        StoreRegister { dirs: state.into_iter().chain(cache_named("kopek-stores")).collect() }
    }

    #[cfg(test)]
    pub(super) fn at(dir: &Path) -> StoreRegister {
        StoreRegister { dirs: vec![dir.to_owned()] }
    }

    /// The id of the store that this user created in this directory.
    pub(super) fn id_at(&self, store: &Path) -> Option<String> {
        let mut notes = self.dirs.iter().filter_map(|dir| read_note(&dir.join(note_name(store))));
        notes.find(|note| note.store == store).map(|note| note.id)
    }

    /// Notes that this user created the store in this directory.
    pub(super) fn enter(&self, store: &Path, id: &str) -> Result<()> {
        let note = [id.as_bytes(), b"\n", store.as_os_str().as_bytes()].concat();
        let mut written = Err(anyhow::anyhow!("neither HOME, XDG_STATE_HOME nor XDG_CACHE_HOME is set"));
        for dir in &self.dirs {
            written = write_atomic(&dir.join(note_name(store)), &note);
            if written.is_ok() {
                forget_removed(dir);
                break;
            }
        }
        written.with_context(|| format!("note that the store {} is yours", store.display()))
    }
}

fn note_name(store: &Path) -> String {
    Digest::of(store.as_os_str().as_bytes()).to_string()
}

/// The id of a store and its directory.
struct StoreNote {
    id: String,
    store: PathBuf,
}

fn read_note(file: &Path) -> Option<StoreNote> {
    let note = fs::read(file).ok()?;
    let line = note.iter().position(|&byte| byte == b'\n')?;
    let id = std::str::from_utf8(&note[..line]).ok()?;
    Some(StoreNote { id: id.to_owned(), store: PathBuf::from(OsStr::from_bytes(&note[line + 1..])) })
}

/// Removes the notes of stores that no longer exist. Keeps unreadable notes.
fn forget_removed(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_gone = |store: &Path| {
            store.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        if read_note(&entry.path()).is_some_and(|note| is_gone(&note.store)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_found_by_the_directory_and_goes_with_it() {
        let home = tempfile::tempdir().unwrap();
        let (one, other) = (home.path().join("one\n"), home.path().join("other"));
        fs::create_dir(&one).unwrap();
        fs::create_dir(&other).unwrap();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        let register = StoreRegister { dirs: vec![file, home.path().join("notes")] };
        register.enter(&one, "1").unwrap();
        register.enter(&other, "2").unwrap();
        register.enter(&other, "3").unwrap();
        assert_eq!(
            (register.id_at(&one).as_deref(), register.id_at(&other).as_deref()),
            (Some("1"), Some("3"))
        );
        fs::remove_dir(&one).unwrap();
        register.enter(&other, "4").unwrap();
        assert_eq!((register.id_at(&one), register.id_at(&other).as_deref()), (None, Some("4")));
    }
}
