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
use walkdir::WalkDir;

/// Directories whose files change by themselves, or nothing.
const PASSED_OVER: [&str; 3] = ["__pycache__", "share/doc", "share/man"];

/// Whether what happens there changes nothing.
pub(super) fn is_passed_over(path: &Path) -> bool {
    PASSED_OVER.iter().any(|name| path.ends_with(name))
}

/// Watches over what lies around toolchains. Tells nothing of a toolchain, so all of them are equal.
#[derive(Debug, Clone, Default)]
pub struct WatchList(Vec<Arc<SurroundingsWatch>>);

impl PartialEq for WatchList {
    fn eq(&self, _: &WatchList) -> bool {
        true
    }
}

impl Eq for WatchList {}

impl WatchList {
    /// Of everything below these places. Empty where the kernel gives us no more watches.
    pub(super) fn start(places: &[PathBuf]) -> WatchList {
        WatchList(SurroundingsWatch::start(places).into_iter().map(Arc::new).collect())
    }

    pub(crate) fn extend(&mut self, other: WatchList) {
        self.0.extend(other.0);
    }

    /// What was changed first since the watches were started, if anything was.
    pub(super) fn touched(&self) -> Option<PathBuf> {
        self.0.iter().find_map(|watch| watch.touched())
    }
}

#[derive(Debug)]
struct SurroundingsWatch {
    events: OwnedFd,
    /// By the number of their watch.
    places: HashMap<i32, PathBuf>,
    first_touched: Mutex<Option<PathBuf>>,
}

const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF);

impl SurroundingsWatch {
    fn start(places: &[PathBuf]) -> Option<SurroundingsWatch> {
        let events = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let mut watched = HashMap::new();
        for place in places {
            let entries = WalkDir::new(place).into_iter().filter_entry(|entry| !is_passed_over(entry.path()));
            // A directory tells of its files; only a place that is a file has a watch of its own.
            let watchable = entries.flatten().filter(|e| e.file_type().is_dir() || e.depth() == 0);
            for entry in watchable {
                match add_watch(&events, entry.path(), CHANGES) {
                    Ok(number) => drop(watched.insert(number, entry.into_path())),
                    // What cannot be read cannot be used.
                    Err(Errno::ACCESS | Errno::NOENT) => {}
                    Err(_) => return None,
                }
            }
        }
        Some(SurroundingsWatch { events, places: watched, first_touched: Mutex::default() })
    }

    fn touched(&self) -> Option<PathBuf> {
        let mut first = self.first_touched.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.events, &mut room);
        while first.is_none() {
            let Ok(event) = reader.next() else { break };
            let place = self.places.get(&event.wd()).map_or(Path::new("a toolchain"), PathBuf::as_path);
            let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
            let path = name.map_or(place.to_owned(), |name| place.join(name));
            if !is_passed_over(&path) {
                *first = Some(path);
            }
        }
        first.clone()
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
        let start = || WatchList::start(&[at("modules")]);
        let first = start();
        if first.0.is_empty() {
            return;
        }
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
