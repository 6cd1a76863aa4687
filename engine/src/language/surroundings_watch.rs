//! Notices that something around a toolchain changes while it is in use, though it may be put back. A
//! header or a module that is missing for a moment would make a fact that looks like any other.

use rustix::{
    fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init},
    io::Errno,
};
use std::{
    collections::HashMap,
    ffi::OsStr,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Directories whose files change by themselves, or nothing.
const PASSED_OVER: [&str; 3] = ["__pycache__", "share/doc", "share/man"];

/// Whether what happens there changes nothing.
pub(super) fn is_passed_over(path: &Path) -> bool {
    PASSED_OVER.iter().any(|name| path.ends_with(name))
}

/// Watches over what lies around toolchains. Tells nothing of a toolchain, so all of them are equal.
#[derive(Debug, Clone, Default)]
pub struct WatchList(Vec<Watched>);

impl PartialEq for WatchList {
    fn eq(&self, _: &WatchList) -> bool {
        true
    }
}

impl Eq for WatchList {}

impl WatchList {
    pub(crate) fn append(&mut self, other: WatchList) {
        self.0.extend(other.0);
    }

    pub(super) fn extend(&mut self, watched: Option<Watched>) {
        self.0.extend(watched);
    }

    /// What was changed first since the watches were started, if anything was.
    pub(super) fn touched(&self) -> Option<PathBuf> {
        // Every trial asks, and the places of a toolchain have one watcher: it is listened to once.
        for places in self.0.chunk_by(|a, b| Arc::ptr_eq(&a.watcher, &b.watcher)) {
            places[0].watcher.listen();
        }
        self.0.iter().find_map(Watched::noted)
    }
}

/// Some directories and files that are watched together.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    watcher: Arc<Watcher>,
    number: usize,
}

impl Watched {
    /// Nothing yet.
    pub(super) fn nothing(watcher: Arc<Watcher>) -> Watched {
        let number = {
            let mut notes = watcher.notes();
            notes.touched.push(None);
            notes.touched.len() - 1
        };
        Watched { watcher, number }
    }

    /// Watches this directory, or file, too. False where the kernel gives us no more watches.
    pub(super) fn add(&self, path: &Path) -> bool {
        match add_watch(&self.watcher.events, path, CHANGES) {
            Ok(watch) => {
                let mut notes = self.watcher.notes();
                let watches = notes.watches.entry(watch).or_insert_with(|| (path.to_owned(), Vec::new()));
                watches.1.push(self.number);
                true
            }
            // What cannot be read cannot be used.
            Err(Errno::ACCESS | Errno::NOENT) => true,
            Err(_) => false,
        }
    }

    /// What of it was changed first, if anything was.
    pub(super) fn touched(&self) -> Option<PathBuf> {
        self.watcher.listen();
        self.noted()
    }

    /// The same, as far as it was heard of.
    fn noted(&self) -> Option<PathBuf> {
        self.watcher.notes().touched[self.number].clone()
    }
}

/// The kernel's reports of all that is watched.
#[derive(Debug)]
pub(super) struct Watcher {
    events: OwnedFd,
    notes: Mutex<WatchNotes>,
}

#[derive(Debug, Default)]
struct WatchNotes {
    /// By the number of a watch: where it is, and for whom.
    watches: HashMap<i32, (PathBuf, Vec<usize>)>,
    /// What was changed first, of each that watches.
    touched: Vec<Option<PathBuf>>,
}

const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF);

impl Watcher {
    pub(super) fn start() -> Option<Watcher> {
        let events = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        Some(Watcher { events, notes: Mutex::default() })
    }

    fn notes(&self) -> std::sync::MutexGuard<'_, WatchNotes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was changed.
    fn listen(&self) {
        // Held while reading: who asks next must not find the events taken and nothing noted.
        let mut notes = self.notes();
        let mut room = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.events, &mut room);
        while let Ok(event) = reader.next() {
            let notes = &mut *notes;
            match notes.watches.get(&event.wd()) {
                Some((place, watching)) => {
                    let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
                    let path = name.map_or(place.clone(), |name| place.join(name));
                    if !is_passed_over(&path) {
                        for &number in watching {
                            notes.touched[number].get_or_insert_with(|| path.clone());
                        }
                    }
                }
                // More happened than the kernel could keep.
                None => notes.touched.iter_mut().for_each(|first| {
                    first.get_or_insert_with(|| PathBuf::from("a toolchain"));
                }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_was_away_for_a_moment_is_noticed_and_a_cache_is_not() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("modules/deep")).unwrap();
        fs::write(at("modules/deep/one.py"), "1").unwrap();
        let Some(watcher) = Watcher::start().map(Arc::new) else { return };
        let start = || {
            let watched = Watched::nothing(watcher.clone());
            assert!(["modules", "modules/deep"].into_iter().all(|dir| watched.add(&at(dir))));
            let mut list = WatchList::default();
            list.extend(Some(watched));
            list
        };
        let first = start();
        fs::read(at("modules/deep/one.py")).unwrap();
        fs::create_dir(at("modules/__pycache__")).unwrap();
        assert_eq!(first.touched(), None, "reading and caches are no change");
        fs::rename(at("modules/deep/one.py"), at("aside")).unwrap();
        fs::rename(at("aside"), at("modules/deep/one.py")).unwrap();
        assert_eq!(first.touched(), Some(at("modules/deep/one.py")));
        let second = start();
        assert_eq!(second.touched(), None);
        fs::write(at("modules/two.py"), "2").unwrap();
        fs::remove_file(at("modules/two.py")).unwrap();
        assert_eq!(second.touched(), Some(at("modules/two.py")));
        let third = start();
        fs::write(at("modules/deep/one.py"), "1").unwrap();
        assert!(third.touched().is_some() && third.touched().is_some(), "once is for good");
    }
}
