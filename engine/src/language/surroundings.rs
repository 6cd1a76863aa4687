//! What changes a toolchain though no tool of its row names it: headers and modules that somebody
//! installs later, and the parts of a compiler behind its driver.
//!
//! There are tens of thousands of such files, and they are looked at in every run. So they are not
//! read: a path, a size and a time of modification stand for a file, which costs some 2 µs each.

use super::{Language, locate, surroundings_watch::is_passed_over};
use crate::base::{Digest, DigestFields};
use std::{
    collections::BTreeMap,
    fs::{self, Metadata},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// Of all files around the row's tools, with the row's `needs`.
pub(super) fn surroundings_digest(
    language: &Language,
    tools: &BTreeMap<String, PathBuf>,
    search: &locate::Search,
) -> Digest {
    let places = surrounding_places(language, tools, search);
    places.iter().fold(DigestFields::new("surroundings"), |fields, place| with_files(fields, place)).digest()
}

/// None of them lies in another.
pub(super) fn surrounding_places(
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

fn with_files(mut fields: DigestFields, place: &Path) -> DigestFields {
    let counts = |entry: &DirEntry| !is_passed_over(entry.path());
    // Sorted: directories list their files in another order on each machine.
    for entry in WalkDir::new(place).sort_by_file_name().into_iter().filter_entry(counts) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => {
                fields = fields.with("path", entry.path().as_os_str().as_encoded_bytes());
                // Through links: what they lead to is what is used.
                fields = fields.with("look", look_of(fs::metadata(entry.path()).ok()).as_bytes());
            }
            // What cannot be read cannot be used; that it is there is part of the picture.
            Err(error) => {
                let path = error.path().unwrap_or(place).as_os_str().as_encoded_bytes();
                fields = fields.with("unreadable", path);
            }
        }
    }
    fields
}

/// What stands for a file's contents; of a link to nowhere nothing.
fn look_of(meta: Option<Metadata>) -> String {
    meta.map_or(String::new(), |meta| {
        let executable = meta.permissions().mode() & 0o111 != 0;
        format!("{} {}.{} {executable}", meta.size(), meta.mtime(), meta.mtime_nsec())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LanguageTable;

    #[test]
    fn a_file_that_is_installed_changed_or_removed_is_another_surrounding() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("modules3.1/__pycache__")).unwrap();
        fs::write(at("modules3.1/one.py"), "1").unwrap();
        let row = LanguageTable::embedded().get("python3").unwrap().clone();
        let row = Language { surroundings: vec![at("modules3*")], ..row };
        let digest = || surroundings_digest(&row, &BTreeMap::new(), &locate::Search::default());
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
