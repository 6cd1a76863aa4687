//! Detects saved files. It watches directories, not files: many editors write a new file and rename it over
//! the old one, so a watch on the old file would miss later saves.

use crate::base::files::directory_of;
use anyhow::{Context, Result};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init},
    io::Errno,
};
use std::{
    collections::HashMap,
    ffi::OsString,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use walkdir::WalkDir;

/// Watches a few places.
pub(super) struct SaveWatcher {
    events: OwnedFd,
    places: Vec<WatchedPlace>,
    /// By watch descriptor.
    directories: HashMap<i32, PathBuf>,
}

/// A file, or a directory with all its contents.
struct WatchedPlace {
    directory: PathBuf,
    /// `None` for every file below the directory.
    name: Option<OsString>,
}

/// A save ends after this time without events: formatters write a second time, and editors save many open
/// files one by one.
const QUIET: Duration = Duration::from_millis(15);
/// Maximum delay before a signal is noticed.
const MOMENT: Duration = Duration::from_millis(300);
/// Maximum duration of a save, even if events continue.
const MAX_SAVE: Duration = Duration::from_millis(300);
/// More directories than any solution has; each needs a kernel watch.
const MAX_DIRECTORIES: usize = 2000;

impl SaveWatcher {
    /// Watches files, and directories recursively.
    pub(super) fn new(paths: &[PathBuf]) -> Result<SaveWatcher> {
        let events = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).context("watch files (inotify)")?;
        let places = paths.iter().map(|path| WatchedPlace::of(path)).collect();
        let mut watcher = SaveWatcher { events, places, directories: HashMap::new() };
        watcher.watch_directories()?;
        Ok(watcher)
    }

    /// Waits for a save. Returns `None` if a signal came first.
    pub(super) fn wait(&mut self, is_over: impl Fn() -> bool) -> Result<Option<Vec<PathBuf>>> {
        let mut saved = Vec::new();
        while saved.is_empty() {
            if is_over() {
                return Ok(None);
            }
            // A timeout, because a signal just before this call would not interrupt it.
            if self.poll(MOMENT)? {
                saved.extend(self.saved_now()?);
            }
        }
        let since = Instant::now();
        while since.elapsed() < MAX_SAVE && self.poll(QUIET)? {
            saved.extend(self.saved_now()?);
        }
        // The next save may be in a new directory.
        self.watch_directories()?;
        Ok(Some(saved))
    }

    /// The files saved since the last call, without waiting.
    pub(super) fn saved_now(&mut self) -> Result<Vec<PathBuf>> {
        let mut buffer = [MaybeUninit::uninit(); 16 << 10];
        let mut reader = Reader::new(&self.events, &mut buffer);
        let mut saved = Vec::new();
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error).context("watch files (inotify)"),
            };
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                // The events are lost, but something was saved.
                saved.extend(self.places.first().map(|place| place.directory.clone()));
                continue;
            }
            let directory = self.directories.get(&event.wd());
            let name = event.file_name().map(|name| OsString::from_vec(name.to_bytes().to_vec()));
            if event.events().contains(ReadFlags::IGNORED) {
                self.directories.remove(&event.wd());
            } else if let (Some(directory), Some(name)) = (directory, name) {
                let path = directory.join(name);
                if self.places.iter().any(|place| place.holds(&path)) {
                    saved.push(path);
                }
            }
        }
        Ok(saved)
    }

    /// Whether an event arrives in time; false after a signal.
    fn poll(&self, patience: Duration) -> Result<bool> {
        let mut waiting = [PollFd::new(&self.events, PollFlags::IN)];
        let limit = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
        match poll(&mut waiting, Some(&limit)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error).context("wait for a save"),
        }
    }

    fn watch_directories(&mut self) -> Result<()> {
        let flags = WatchFlags::CLOSE_WRITE | WatchFlags::MOVED_TO | WatchFlags::CREATE | WatchFlags::DELETE;
        for directory in self.places.iter().flat_map(WatchedPlace::directories).take(MAX_DIRECTORIES) {
            // A directory that is already watched keeps its number.
            match add_watch(&self.events, &directory, flags | WatchFlags::ONLYDIR) {
                Ok(number) => drop(self.directories.insert(number, directory)),
                Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
                Err(error) => return Err(error).with_context(|| format!("watch {}", directory.display())),
            }
        }
        Ok(())
    }
}

impl WatchedPlace {
    fn of(path: &Path) -> WatchedPlace {
        if path.is_dir() {
            return WatchedPlace { directory: path.to_owned(), name: None };
        }
        WatchedPlace { directory: directory_of(path).to_owned(), name: path.file_name().map(OsString::from) }
    }

    fn directories(&self) -> Vec<PathBuf> {
        if self.name.is_some() {
            return vec![self.directory.clone()];
        }
        let visible = |entry: &walkdir::DirEntry| entry.depth() == 0 || !is_hidden(entry.path());
        let all = WalkDir::new(&self.directory).max_depth(20).into_iter().filter_entry(visible);
        let found = all.filter_map(Result::ok).filter(|entry| entry.file_type().is_dir());
        found.map(walkdir::DirEntry::into_path).collect()
    }

    fn holds(&self, path: &Path) -> bool {
        match &self.name {
            Some(name) => path.parent() == Some(&self.directory) && path.file_name() == Some(name),
            // Skips hidden files: swap files of editors, and the store.
            None => path.starts_with(&self.directory) && !is_hidden(path),
        }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_way_of_saving_is_seen_and_other_files_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let (own, header) = (dir.path().join("a.cpp"), dir.path().join("lib/x.h"));
        fs::create_dir(dir.path().join("lib")).unwrap();
        fs::write(&own, "1").unwrap();
        fs::write(&header, "1").unwrap();
        let mut watcher = SaveWatcher::new(&[own.clone(), dir.path().join("lib")]).unwrap();
        assert_eq!(watcher.saved_now().unwrap(), Vec::<PathBuf>::new());
        fs::write(dir.path().join("b.cpp"), "2").unwrap();
        fs::write(dir.path().join("lib/.x.h.swp"), "2").unwrap();
        assert_eq!(watcher.saved_now().unwrap(), Vec::<PathBuf>::new(), "not its own");
        fs::write(&own, "2").unwrap();
        assert_eq!(watcher.wait(|| false).unwrap().unwrap().first(), Some(&own), "written in place");
        fs::write(dir.path().join("a.cpp~"), "3").unwrap();
        fs::rename(dir.path().join("a.cpp~"), &own).unwrap();
        assert_eq!(watcher.wait(|| false).unwrap(), Some(vec![own.clone()]), "renamed into place");
        fs::write(&header, "2").unwrap();
        assert_eq!(watcher.wait(|| false).unwrap().unwrap().first(), Some(&header));
        fs::create_dir(dir.path().join("lib/deep")).unwrap();
        watcher.wait(|| false).unwrap();
        fs::write(dir.path().join("lib/deep/y.h"), "2").unwrap();
        let deep = watcher.wait(|| false).unwrap().unwrap();
        assert!(deep.contains(&dir.path().join("lib/deep/y.h")), "{deep:?}");
    }
}
