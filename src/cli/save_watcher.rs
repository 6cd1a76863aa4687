//! Detects saved files by their time stamps, because editors save in many ways: in place, or by renaming a new file
//! over the old one.

use std::{
    collections::BTreeMap,
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};
use walkdir::{DirEntry, WalkDir};

/// Watches files, and directories with all their contents.
pub(super) struct SaveWatcher {
    places: Vec<PathBuf>,
    stamps: BTreeMap<PathBuf, Stamp>,
    looked: Instant,
}

/// Changes with every save.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    inode: u64,
}

const PAUSE: Duration = Duration::from_millis(200);
/// More files than any solution has.
const MAX_FILES: usize = 2000;

impl SaveWatcher {
    pub(super) fn new(paths: &[PathBuf]) -> SaveWatcher {
        SaveWatcher { places: paths.to_owned(), stamps: stamps_of(paths), looked: Instant::now() }
    }

    /// Waits for a save. Returns `None` if a signal came first.
    pub(super) fn wait(&mut self, is_over: impl Fn() -> bool) -> Option<Vec<PathBuf>> {
        while !is_over() {
            thread::sleep(PAUSE.saturating_sub(self.looked.elapsed()));
            let saved = self.saved_now();
            if !saved.is_empty() {
                return Some(saved);
            }
        }
        None
    }

    /// The files saved since the last look, or none if that was a moment ago.
    pub(super) fn saved_now(&mut self) -> Vec<PathBuf> {
        if self.looked.elapsed() < PAUSE { Vec::new() } else { self.look() }
    }

    fn look(&mut self) -> Vec<PathBuf> {
        let now = stamps_of(&self.places);
        let is_new = |(path, stamp): &(&PathBuf, &Stamp)| self.stamps.get(*path) != Some(*stamp);
        let is_gone = |path: &&PathBuf| !now.contains_key(*path);
        let new = now.iter().filter(is_new).map(|(path, _)| path);
        let saved = new.chain(self.stamps.keys().filter(is_gone)).cloned().collect();
        self.stamps = now;
        self.looked = Instant::now();
        saved
    }
}

fn stamps_of(places: &[PathBuf]) -> BTreeMap<PathBuf, Stamp> {
    let mut stamps = BTreeMap::new();
    for place in places {
        // Skips hidden files, such as swap files of editors. Files come before directories, for the limit.
        let is_visible = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.path());
        let all = WalkDir::new(place).max_depth(20).sort_by_key(|entry| entry.file_type().is_dir());
        for entry in all.into_iter().filter_entry(is_visible).filter_map(Result::ok).take(MAX_FILES) {
            // Follows links: the solution may be one.
            if let Ok(found) = fs::metadata(entry.path())
                && found.is_file()
            {
                stamps.insert(entry.into_path(), Stamp::of(&found));
            }
        }
    }
    stamps
}

impl Stamp {
    fn of(found: &Metadata) -> Stamp {
        Stamp { modified: found.modified().ok(), bytes: found.len(), inode: found.ino() }
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_saving_is_seen_and_other_files_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let (own, header) = (dir.path().join("a.cpp"), dir.path().join("lib/x.h"));
        fs::create_dir(dir.path().join("lib")).unwrap();
        fs::write(&own, "1").unwrap();
        fs::write(&header, "1").unwrap();
        let mut watcher = SaveWatcher::new(&[own.clone(), dir.path().join("lib")]);
        fs::write(dir.path().join("b.cpp"), "22").unwrap();
        fs::write(dir.path().join("lib/.x.h.swp"), "22").unwrap();
        assert_eq!(watcher.look(), Vec::<PathBuf>::new(), "not its own");
        fs::write(&own, "22").unwrap();
        assert_eq!(watcher.look(), std::slice::from_ref(&own), "written in place");
        fs::write(dir.path().join("a.cpp~"), "33").unwrap();
        fs::rename(dir.path().join("a.cpp~"), &own).unwrap();
        assert_eq!(watcher.look(), std::slice::from_ref(&own), "renamed into place");
        fs::write(&header, "22").unwrap();
        let deep = dir.path().join("lib/deep/y.h");
        fs::create_dir(deep.parent().unwrap()).unwrap();
        fs::write(&deep, "2").unwrap();
        assert_eq!(watcher.wait(|| false).unwrap(), [deep, header]);
        fs::remove_file(&own).unwrap();
        assert_eq!(watcher.look(), [own]);
        assert_eq!(watcher.wait(|| true), None);
    }
}
