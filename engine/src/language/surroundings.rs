//! What changes a toolchain though no tool of its row names it: headers and modules that somebody
//! installs later, and the parts of a compiler behind its driver.
//!
//! There are tens of thousands of such files, and they are looked at in every run. So they are not
//! read: a path, a size and a time of modification stand for a file, which costs some 2 µs each. And
//! what lies around several toolchains is looked at once, as long as nothing changes there.

use super::{
    Language, locate,
    surroundings_watch::{WatchList, Watched, Watcher, is_passed_over},
};
use crate::base::{Digest, DigestFields};
use rustix::{
    fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, open, statat},
    io::Errno,
};
use std::{
    collections::{BTreeMap, HashMap},
    ffi::{CString, OsStr},
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// What was seen around toolchains.
#[derive(Default)]
pub struct Surroundings {
    /// None where the kernel gives us none.
    watcher: OnceLock<Option<Arc<Watcher>>>,
    /// Each place is looked at by one at a time.
    seen: Mutex<HashMap<PathBuf, Arc<Mutex<Option<KnownPlace>>>>>,
}

/// A place that is watched since before it was looked at.
#[derive(Clone)]
struct KnownPlace {
    digest: Digest,
    watched: Watched,
}

/// What lies around a row's tools.
pub(super) struct Around {
    pub(super) digest: Digest,
    pub(super) watches: WatchList,
}

impl Surroundings {
    /// All files around the row's tools, with the row's `needs`.
    pub(super) fn around(
        &self,
        language: &Language,
        tools: &BTreeMap<String, PathBuf>,
        search: &locate::Search,
    ) -> Around {
        let (mut fields, mut watches) = (DigestFields::new("surroundings"), WatchList::default());
        for place in surrounding_places(language, tools, search) {
            let (digest, watched) = self.look(&place);
            fields = fields.with("place", place.as_os_str().as_bytes()).with("files", digest.as_bytes());
            watches.extend(watched);
        }
        Around { digest: fields.digest(), watches }
    }

    fn look(&self, place: &Path) -> (Digest, Option<Watched>) {
        let of_place = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.entry(place.to_owned()).or_default().clone()
        };
        let mut seen = of_place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = seen.as_ref().filter(|known| known.watched.touched().is_none()) {
            return (known.digest, Some(known.watched.clone()));
        }
        let watcher = self.watcher.get_or_init(|| Watcher::start().map(Arc::new)).clone();
        let mut look = Look {
            fields: DigestFields::new("files"),
            watched: watcher.map(Watched::nothing),
            path: place.to_owned(),
        };
        look.at_place();
        let digest = look.fields.digest();
        // What nobody watches is looked at again the next time.
        *seen = look.watched.clone().map(|watched| KnownPlace { digest, watched });
        (digest, look.watched)
    }
}

/// None of them lies in another.
fn surrounding_places(
    language: &Language,
    tools: &BTreeMap<String, PathBuf>,
    search: &locate::Search,
) -> Vec<PathBuf> {
    let mut places = locate::visible_roots(tools, search);
    places.extend(locate::existing_paths(&language.needs));
    places.extend(locate::existing_paths(&language.surroundings));
    places.sort();
    places.dedup_by(|later, earlier| later.starts_with(earlier));
    places
}

/// A look at everything below a place.
struct Look {
    fields: DigestFields,
    /// None once something could not be watched.
    watched: Option<Watched>,
    /// Where the look is.
    path: PathBuf,
}

impl Look {
    fn at_place(&mut self) {
        match statat(rustix::fs::CWD, &self.path, AtFlags::empty()) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => self.at_directory(),
            stat => {
                self.watch();
                self.note_file(stat.ok());
            }
        }
    }

    fn at_directory(&mut self) {
        if is_passed_over(&self.path) {
            return;
        }
        // Before its files are listed: what changes from now on is noticed.
        self.watch();
        match list_files(&self.path) {
            Ok((dir, files)) => files.into_iter().for_each(|file| self.at_file(&dir, file)),
            // What cannot be read cannot be used; that it is there is part of the picture.
            Err(_) => self.note("unreadable"),
        }
    }

    fn at_file(&mut self, dir: &OwnedFd, (name, kind): (CString, FileType)) {
        self.path.push(OsStr::from_bytes(name.to_bytes()));
        if kind == FileType::Directory {
            self.at_directory();
        } else if !is_passed_over(&self.path) {
            // Through links: what they lead to is what is used.
            self.note_file(statat(dir, &name, AtFlags::empty()).ok());
        }
        self.path.pop();
    }

    fn note(&mut self, what: &str) {
        self.fields.add(what, self.path.as_os_str().as_bytes());
    }

    /// A path, and what stands for the file's contents; of a link to nowhere nothing.
    fn note_file(&mut self, stat: Option<Stat>) {
        self.note("path");
        let look = stat.map_or(String::new(), |stat| {
            let executable = stat.st_mode & 0o111 != 0;
            format!("{} {}.{} {executable}", stat.st_size, stat.st_mtime, stat.st_mtime_nsec)
        });
        self.fields.add("look", look.as_bytes());
    }

    fn watch(&mut self) {
        if self.watched.as_ref().is_some_and(|watched| !watched.add(&self.path)) {
            self.watched = None;
        }
    }
}

/// What lies in a directory, in order: each machine lists it in another.
fn list_files(path: &Path) -> Result<(OwnedFd, Vec<(CString, FileType)>), Errno> {
    let dir = open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut files = Vec::new();
    for entry in Dir::read_from(&dir)? {
        let entry = entry?;
        if [c".", c".."].contains(&entry.file_name()) {
            continue;
        }
        // Not every file system tells with the name what it is.
        let kind = match entry.file_type() {
            FileType::Unknown => statat(&dir, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode)),
            kind => kind,
        };
        files.push((entry.file_name().to_owned(), kind));
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok((dir, files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;
    use std::fs;

    #[test]
    fn a_file_that_is_installed_changed_or_removed_is_another_surrounding() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("modules3.1/__pycache__")).unwrap();
        fs::write(at("modules3.1/one.py"), "1").unwrap();
        let row = LanguageTable::embedded().get("python3").unwrap().clone();
        let row = Language { surroundings: vec![at("modules3*")], ..row };
        let looks = Surroundings::default();
        // The same one each time: what it has seen before must not hide what has changed since.
        let digest = || looks.around(&row, &BTreeMap::new(), &locate::Search::default()).digest;
        let first = digest();
        fs::write(at("modules3.1/__pycache__/one.pyc"), "1").unwrap();
        assert_eq!(digest(), first, "a cache is no change");
        fs::write(at("modules3.1/two.py"), "2").unwrap();
        let second = digest();
        assert_ne!(second, first);
        fs::write(at("modules3.1/two.py"), "22").unwrap();
        let third = digest();
        assert_ne!(third, second);
        fs::remove_file(at("modules3.1/two.py")).unwrap();
        assert_eq!(digest(), first);
        fs::create_dir(at("modules3.2")).unwrap();
        std::os::unix::fs::symlink(at("modules3.1/one.py"), at("modules3.2/three.py")).unwrap();
        let linked = digest();
        assert_ne!(linked, first);
        fs::write(at("modules3.1/one.py"), "changed behind the link").unwrap();
        assert_ne!(digest(), linked);
    }
}
