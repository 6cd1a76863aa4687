//! The files below a row's `needs` and `surroundings` that no package manager lists: modules, headers, libraries. They
//! may change in place, so the guard has the stamp of each, and the identity has their contents.

use kopek_base::{Digest, DigestFields, Stamp, is_program};
use rustix::fs::{CWD, Dir, DirEntry, FileType, Mode, OFlags, openat};
use std::{
    ffi::{CStr, CString, OsStr},
    fs,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
};

/// Here the list of installed packages changes with the files.
const PACKAGED: [&str; 2] = ["/usr", "/var/lib"];

/// A part of these in which people install without a package manager.
const BY_HAND: &str = "/usr/local";

/// Python writes it beside modules that run outside the sandbox.
const CACHE: &CStr = c"__pycache__";

/// Files and directories with their stamps, from before the contents were read.
#[derive(Debug, Default)]
pub(crate) struct Modules(Vec<(PathBuf, Stamp)>);

impl Modules {
    /// The modules at and below these paths. Links below them to directories are not followed.
    pub(super) fn below(paths: &[PathBuf]) -> Modules {
        let real = paths.iter().filter_map(|path| fs::canonicalize(path).ok());
        let mut places: Vec<PathBuf> = real.filter(|place| !is_packaged(place)).collect();
        places.sort();
        places.dedup_by(|place, earlier| place.starts_with(earlier));
        let mut modules = Modules::default();
        for place in places {
            // A directory is looked at before it is listed, or changes in between would go unnoticed.
            let stamp = Stamp::of_path(&place).unwrap_or(Stamp::NONE);
            modules.0.push((place.clone(), stamp));
            let name = CString::new(place.as_os_str().as_bytes()).expect("it is the path of a file");
            modules.add_entries(CWD, &name, &place);
        }
        modules
    }

    /// Adds the entries of a directory. By its descriptor: paths from the root would take four times as long.
    fn add_entries(&mut self, parent: BorrowedFd, name: &CStr, path: &Path) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(dir) = openat(parent, name, flags, Mode::empty()) else { return };
        let Ok(listing) = Dir::read_from(&dir) else { return };
        let is_module = |entry: &DirEntry| {
            // The times of a pipe are those of the messages in it.
            let is_pipe = matches!(entry.file_type(), FileType::Fifo | FileType::Socket);
            !is_pipe && ![c".", c"..", CACHE].contains(&entry.file_name())
        };
        let mut entries: Vec<DirEntry> = listing.flatten().filter(is_module).collect();
        entries.sort_by(|one, other| one.file_name().cmp(other.file_name()));
        for entry in entries {
            let name = entry.file_name();
            let path = path.join(OsStr::from_bytes(name.to_bytes()));
            let stamp = Stamp::of_entry(&dir, name).unwrap_or(Stamp::NONE);
            self.0.push((path.clone(), stamp));
            // Some file systems do not know it.
            if matches!(entry.file_type(), FileType::Directory | FileType::Unknown) {
                self.add_entries(dir.as_fd(), name, &path);
            }
        }
    }

    /// A digest of all stamps: it is valid on this machine only.
    pub(super) fn stamps(&self) -> Digest {
        let mut fields = DigestFields::new("stamps of modules");
        for (path, stamp) in &self.0 {
            fields.add("path", path.as_os_str().as_bytes());
            fields.add("stamp", &stamp.to_bytes());
        }
        fields.digest()
    }

    /// A digest of the contents, equal on equal machines; `None` if there are no files.
    pub(super) fn contents(&self) -> Option<Digest> {
        let mut files = self.0.iter().map(|(path, _)| path).filter(|path| path.is_file()).peekable();
        files.peek()?;
        let mut fields = DigestFields::new("modules");
        for path in files {
            // Programs can read no file that kopek cannot.
            let contents = Digest::of_file(path).map(|digest| *digest.as_bytes()).unwrap_or_default();
            let kind = if is_program(path).unwrap_or_default() { "program" } else { "file" };
            fields.add("path", path.as_os_str().as_bytes());
            fields.add(kind, &contents);
        }
        Some(fields.digest())
    }
}

fn is_packaged(place: &Path) -> bool {
    PACKAGED.iter().any(|dir| place.starts_with(dir)) && !place.starts_with(BY_HAND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn contents_are_equal_in_equal_directories_and_read_through_places_that_overlap_once() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("lib/pack/__pycache__")).unwrap();
        fs::create_dir(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/two.py"), "2").unwrap();
        symlink(at("elsewhere"), at("lib/linked")).unwrap();
        symlink("gone", at("lib/dangling")).unwrap();
        let contents = || Modules::below(&[at("lib/pack"), at("lib"), at("none")]).contents();
        assert_eq!(contents(), None, "nothing that a program could read");
        fs::write(at("lib/pack/one.py"), "1").unwrap();
        let (one, stamps) = (contents(), Modules::below(&[at("lib")]).stamps());
        assert!(one.is_some());
        assert_eq!(Modules::below(&[at("lib"), at("lib/pack")]).stamps(), stamps);
        fs::write(at("lib/pack/one.py"), "2").unwrap();
        assert_ne!(contents(), one);
        fs::write(at("lib/pack/one.py"), "1").unwrap();
        fs::write(at("lib/pack/__pycache__/one.pyc"), "1").unwrap();
        assert_eq!(contents(), one, "stamps differ, contents do not");
        assert_ne!(Modules::below(&[at("lib")]).stamps(), stamps);
        // A place that is a link itself.
        assert!(Modules::below(&[at("lib/linked")]).contents().is_some());
    }

    #[test]
    fn places_of_package_managers_are_left_to_their_lists() {
        for (path, is_theirs) in [
            ("/usr/lib/python3", true),
            ("/var/lib/ghc", true),
            ("/usr/local/include", false),
            ("/opt/python/lib", false),
        ] {
            assert_eq!(is_packaged(Path::new(path)), is_theirs, "{path}");
        }
    }
}
