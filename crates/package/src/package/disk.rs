//! The package's directory as the format sees it: forbidden names are absent, and links may not leave the
//! package.
//!
//! A link may lead anywhere below the package's parent directory, because the problems of a set share
//! programs. A link never reaches a hidden directory, and in a package directly below `/` links must stay
//! inside the package.

use crate::package::Message;
use kopek_base::{Stamp, files};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

#[derive(Debug, Clone)]
pub(super) struct Disk {
    pub dir: PathBuf,
    root: PathBuf,
    workspace: PathBuf,
    links: LinkReach,
}

/// Where links of a package may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkReach {
    /// Below the package's parent directory.
    #[default]
    Workspace,
    /// Anywhere, for a package that the user trusts.
    Anywhere,
}

/// A file or directory of the package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    pub name: String,
    /// Its path below the package.
    pub path: PathBuf,
    /// Whether it is a directory.
    pub is_dir: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Listing {
    /// Files and directories that count, sorted by name.
    pub items: Vec<Item>,
    /// Names that the format ignores, sorted.
    pub ignored: Vec<String>,
}

impl Listing {
    /// Reports the names in this directory that the format ignores, except hidden ones.
    pub(super) fn report_ignored(&self, dir: &Path, findings: &mut Vec<Message>) {
        for name in self.ignored.iter().filter(|name| !name.starts_with('.')) {
            findings.push(forbidden_name(&dir.join(name)));
        }
    }
}

/// A file whose name the format does not allow.
pub(super) fn forbidden_name(path: &Path) -> Message {
    Message::warning(path, "is ignored: the format does not allow this name")
        .todo("use letters, digits, `_`, `.` and `-`, and do not begin with `.` or `-`")
}

/// Manifests and sources that we read ourselves are at most this long.
const MAX_LENGTH: u64 = 16 << 20;
/// The directory tree of a program is at most this deep, and has at most this many files.
const DEEPEST: usize = 16;
const MAX_COUNT: usize = 5_000;

impl Disk {
    pub(crate) fn open(dir: &Path, links: LinkReach) -> io::Result<Disk> {
        let root = fs::canonicalize(dir)?;
        // For a package directly below `/` the workspace would be the whole machine.
        let workspace = match root.parent() {
            Some(parent) if parent.parent().is_some() => parent.to_owned(),
            _ => root.clone(),
        };
        Ok(Disk { dir: dir.to_owned(), root, workspace, links })
    }

    /// A file's path below the package.
    pub(crate) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.dir.join(below)
    }

    /// The contents of a directory; empty if it does not exist.
    pub(crate) fn list(&self, dir: &Path, findings: &mut Vec<Message>) -> Listing {
        let mut listing = Listing::default();
        let entries = match fs::read_dir(self.path(dir)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return listing,
            Err(error) => {
                findings.push(Message::error(dir, format!("cannot be listed: {error}")));
                return listing;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            // A name that is not UTF-8 gets a replacement character here, which makes it illegal below.
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type() {
                _ if !is_legal_name(&name) => listing.ignored.push(name),
                Ok(kind) if kind.is_symlink() => listing.items.extend(self.follow_link(dir, name, findings)),
                Ok(kind) if kind.is_file() || kind.is_dir() => {
                    listing.items.push(Item { path: dir.join(&name), name, is_dir: kind.is_dir() });
                }
                _ => findings
                    .push(Message::warning(dir.join(name), "is neither a file nor a directory: ignored")),
            }
        }
        // The order of `read_dir` differs between file systems; ours must not.
        listing.items.sort();
        listing.ignored.sort();
        listing
    }

    /// The file or directory with this path, if it exists and counts.
    pub(crate) fn item(&self, below: impl AsRef<Path>, findings: &mut Vec<Message>) -> Option<Item> {
        let below = below.as_ref();
        let name = below.file_name()?.to_str()?.to_owned();
        // Not `metadata`, which follows a link before its target is checked.
        let kind = fs::symlink_metadata(self.path(below)).ok()?.file_type();
        if kind.is_symlink() {
            self.follow_link(below.parent()?, name, findings)
        } else if kind.is_file() || kind.is_dir() {
            Some(Item { name, path: below.to_owned(), is_dir: kind.is_dir() })
        } else {
            None
        }
    }

    fn follow_link(&self, dir: &Path, name: String, findings: &mut Vec<Message>) -> Option<Item> {
        let path = dir.join(&name);
        let Ok(target) = fs::canonicalize(self.path(&path)) else {
            findings.push(Message::error(path, "is a broken link").todo("fix or remove it"));
            return None;
        };
        let plain =
            |rest: &Path| rest.components().all(|part| part.as_os_str().to_str().is_some_and(is_legal_name));
        // The package itself may be in a hidden directory.
        let allowed =
            [&self.root, &self.workspace].into_iter().any(|top| target.strip_prefix(top).is_ok_and(plain));
        let kind = fs::metadata(&target).ok()?;
        let allowed = allowed || self.links == LinkReach::Anywhere;
        if !allowed || !(kind.is_file() || kind.is_dir()) {
            let what = format!("is a link out of the package, to {}: ignored", target.display());
            let hint = "copy the file into the package, or allow such links by KOPEK_FOLLOW_LINKS=1";
            findings.push(Message::error(path, what).todo(hint));
            return None;
        }
        Some(Item { name, path, is_dir: kind.is_dir() })
    }

    /// The bytes of a file that a person wrote.
    pub fn read(&self, below: &Path) -> io::Result<Vec<u8>> {
        // A longer text is cut off here, but the YAML reader refuses it anyway.
        files::read_beginning(&self.path(below), MAX_LENGTH)
    }

    /// All files below a directory of a program, relative to it, sorted.
    pub(crate) fn files(&self, dir: &Path, findings: &mut Vec<Message>) -> Vec<PathBuf> {
        // One more than allowed shows that there are too many, without walking further.
        let mut files = self.at_most(MAX_COUNT + 1, dir, findings);
        if files.len() > MAX_COUNT {
            findings.push(Message::error(dir, format!("has more than {MAX_COUNT} files")));
            files.truncate(MAX_COUNT);
        }
        files
    }

    /// All files below a directory, relative to it, sorted; without a limit, because there may be many test
    /// cases.
    pub(crate) fn every_file(&self, dir: &Path, findings: &mut Vec<Message>) -> Vec<PathBuf> {
        self.at_most(usize::MAX, dir, findings)
    }

    /// A directory and all below it, relative to it, with their stamps from before they were listed.
    pub(crate) fn directory_stamps(&self, dir: &Path) -> Vec<(PathBuf, Stamp)> {
        let mut stamps = Vec::new();
        self.gather_stamps(dir, Path::new(""), DEEPEST, &mut stamps);
        stamps
    }

    fn gather_stamps(&self, dir: &Path, below: &Path, depth: usize, stamps: &mut Vec<(PathBuf, Stamp)>) {
        let path = dir.join(below);
        // One that has disappeared in the meantime has changed the stamp of the directory above it.
        let Ok(stamp) = Stamp::of_path(&self.root.join(&path)) else { return };
        stamps.push((below.to_owned(), stamp));
        if depth == 0 {
            return;
        }
        let items = self.list(&path, &mut Vec::new()).items;
        for item in items.iter().filter(|item| item.is_dir) {
            self.gather_stamps(dir, &below.join(&item.name), depth - 1, stamps);
        }
    }

    fn at_most(&self, max: usize, dir: &Path, findings: &mut Vec<Message>) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut walk = DirectoryWalk { dir, max, files: &mut files, findings };
        self.gather_files(Path::new(""), DEEPEST, &mut walk);
        files.sort();
        files
    }

    fn gather_files(&self, below: &Path, depth: usize, walk: &mut DirectoryWalk) {
        // The walk follows links, so a loop of links would never end.
        if depth == 0 {
            let what = format!("has directories deeper than {DEEPEST}, or a loop of links");
            walk.findings.push(Message::error(walk.dir, what));
            return;
        }
        for item in self.list(&walk.dir.join(below), walk.findings).items {
            let path = below.join(&item.name);
            if walk.files.len() >= walk.max {
                return;
            }
            if item.is_dir {
                self.gather_files(&path, depth - 1, walk);
            } else {
                walk.files.push(path);
            }
        }
    }
}

/// A directory walk and its results.
struct DirectoryWalk<'a> {
    dir: &'a Path,
    max: usize,
    files: &'a mut Vec<PathBuf>,
    findings: &'a mut Vec<Message>,
}

/// Whether the format allows this file name.
pub(super) fn is_legal_name(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    first && name.len() <= 255 && name.bytes().all(inner)
}

/// A file's name without its last ending: `a.b.py` is `a.b`.
pub(super) fn file_stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn names_are_legal_as_the_format_says() {
        assert!(["a", "_1", "1.in", "a-b.c", &"x".repeat(255)].into_iter().all(is_legal_name));
        assert!(
            ["", ".git", "-a", "a b", "ä", "a/b", &"x".repeat(256)]
                .into_iter()
                .all(|name| !is_legal_name(name))
        );
    }

    #[test]
    fn a_link_stays_in_the_workspace() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("set");
        for dir in ["set/a", "set/shared", "set/.hidden"] {
            fs::create_dir_all(outer.path().join(dir)).unwrap();
        }
        fs::write(root.join("shared/x.py"), "").unwrap();
        fs::write(root.join(".hidden/key"), "").unwrap();
        symlink("../shared/x.py", root.join("a/good.py")).unwrap();
        symlink("/etc/passwd", root.join("a/passwd")).unwrap();
        symlink("../.hidden/key", root.join("a/key")).unwrap();
        symlink("../..", root.join("a/up")).unwrap();
        symlink("nowhere", root.join("a/gone")).unwrap();
        let mut findings = Vec::new();
        let listing =
            Disk::open(&root.join("a"), LinkReach::Workspace).unwrap().list(Path::new(""), &mut findings);
        let names: Vec<&str> = listing.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["good.py"]);
        assert_eq!(findings.len(), 4, "{findings:?}");
        let mut findings = Vec::new();
        let trusted = Disk::open(&root.join("a"), LinkReach::Anywhere).unwrap();
        let listing = trusted.list(Path::new(""), &mut findings);
        let names: Vec<&str> = listing.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["good.py", "key", "passwd", "up"]);
        assert_eq!(findings.len(), 1, "a broken link stays an error: {findings:?}");
    }

    #[test]
    fn a_link_in_a_circle_ends() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("a");
        fs::create_dir_all(root.join("x")).unwrap();
        fs::write(root.join("x/f"), "").unwrap();
        symlink(".", root.join("x/again")).unwrap();
        let mut findings = Vec::new();
        let files = Disk::open(&root, LinkReach::Workspace).unwrap().files(Path::new("x"), &mut findings);
        assert_eq!(files.len(), DEEPEST);
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
}
