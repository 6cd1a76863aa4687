//! Files of cases on disk: whole or absent, inside the package, and removed only
//! if we made them.
//!
//! A case exists if its `.in` does. So that a case is never half old and half new,
//! a changing case first loses its `.in` and gets it back last.

use anyhow::{Context, Result};
use kopek_base::{Digest, KnownFiles, files};
use kopek_package::package::Message;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Files of a case by extension: `in`, `ans.download`; `files/a.txt` below its `.files`.
pub type CaseContents = BTreeMap<String, Vec<u8>>;
/// Digests of these files.
pub type CaseDigests = BTreeMap<String, Digest>;

/// Computes the digests of files.
pub fn digests(files: &CaseContents) -> CaseDigests {
    files.iter().map(|(ext, bytes)| (ext.clone(), Digest::of(bytes))).collect()
}

/// The path of a file of a case.
pub fn path(data: &Path, case: &str, ext: &str) -> PathBuf {
    data.join(format!("{case}.{ext}"))
}

/// Whether the path is a regular file, not a link, with these contents.
pub fn holds(path: &Path, digest: &Digest) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
        && Digest::of_file(path).is_ok_and(|found| found == *digest)
}

/// Whether all files of a case are in place with these contents.
pub fn stands(data: &Path, case: &str, digests: &CaseDigests, known: &KnownFiles) -> bool {
    let holds = |path: PathBuf, digest: &Digest| {
        !path.is_symlink() && known.id(&path).is_ok_and(|id| id.digest == *digest)
    };
    digests.iter().all(|(ext, digest)| holds(path(data, case, ext), digest))
}

/// The result of placing a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlacedCase {
    /// Nothing was written: the case was in place already.
    pub stood: bool,
    /// Replaced files that kopek had not made, relative to `data/`.
    pub replaced: Vec<String>,
}

/// Puts a case in its place. `old`: the digests of the files kopek made there before.
pub fn put(data: &Path, case: &str, new: &CaseContents, old: &CaseDigests) -> Result<PlacedCase> {
    if stands(data, case, &digests(new), &KnownFiles::default()) {
        return Ok(PlacedCase { stood: true, replaced: Vec::new() });
    }
    make_parent(data, &format!("{case}.in"))?;
    let foreign = |(ext, bytes): &(&String, &Vec<u8>)| {
        let path = path(data, case, ext);
        let ours = |digest: Digest| old.get(*ext) == Some(&digest) || digest == Digest::of(bytes);
        fs::symlink_metadata(&path).is_ok() && !Digest::of_file(&path).is_ok_and(ours)
    };
    let replaced = new.iter().filter(foreign).map(|(ext, _)| format!("{case}.{ext}")).collect();
    // From here until the last write the case does not exist: a kill leaves no mixture of old and new.
    remove(&path(data, case, "in"))?;
    for (ext, digest) in old.iter().filter(|(ext, _)| !new.contains_key(*ext)) {
        remove_ours(data, &format!("{case}.{ext}"), digest)?;
    }
    for (ext, bytes) in new.iter().filter(|(ext, _)| *ext != "in").chain(new.get_key_value("in")) {
        let below = format!("{case}.{ext}");
        make_parent(data, &below)?;
        files::write_atomic(&data.join(below), bytes)?;
    }
    Ok(PlacedCase { stood: false, replaced })
}

/// Removes a file, even one that kopek did not make, because its rule declares it absent.
pub fn remove_named(data: &Path, below: &str) -> Result<()> {
    if inside(data, below) { remove(&data.join(below)) } else { Ok(()) }
}

/// The end of a file that kopek made.
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    Removed,
    /// It did not exist any longer.
    Missing,
    /// It was edited, so it is kept.
    Edited,
}

/// Removes a file that kopek made.
pub fn remove_ours(data: &Path, below: &str, digest: &Digest) -> Result<Removal> {
    let path = data.join(below);
    if fs::symlink_metadata(&path).is_err() {
        return Ok(Removal::Missing);
    }
    if !inside(data, below) || !holds(&path, digest) {
        return Ok(Removal::Edited);
    }
    remove(&path)?;
    for parent in Path::new(below).ancestors().skip(1) {
        // Removes empty directories only, and stops at the first that is not empty.
        if parent.as_os_str().is_empty() || fs::remove_dir(data.join(parent)).is_err() {
            break;
        }
    }
    Ok(Removal::Removed)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// There is a link where a directory is expected; it could lead anywhere.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a directory, and generated files are not written through symlinks")]
pub struct LinkInTheWay(String);

/// Files, relative to the package, that people edited or put where a rule writes its own.
#[derive(Debug, thiserror::Error)]
#[error("{} was changed by hand", .0.join(", "))]
pub struct EditedByHand(pub Vec<String>);

impl EditedByHand {
    pub fn findings(&self) -> impl Iterator<Item = Message> {
        let what = "was changed by hand, so it is kept";
        let hint = "to keep it, `copy` it in the recipe; to discard it, delete it";
        self.0.iter().map(move |file| Message::error(file, what).todo(hint))
    }
}

/// Creates the directory of a file below `data`. Refuses links on the way: they could lead anywhere.
pub fn make_parent(data: &Path, below: &str) -> Result<()> {
    let parent = Path::new(below).parent().unwrap_or(Path::new(""));
    fs::create_dir_all(data).with_context(|| format!("make {}", data.display()))?;
    let mut dir = data.to_owned();
    for part in parent.components() {
        dir.push(part);
        match fs::symlink_metadata(&dir) {
            Ok(meta) if meta.is_dir() => (),
            Ok(_) => return Err(LinkInTheWay(dir.display().to_string()).into()),
            Err(_) => make_directory(&dir).with_context(|| format!("make {}", dir.display()))?,
        }
    }
    Ok(())
}

/// Creates a directory, unless another thread has just done so.
fn make_directory(dir: &Path) -> std::io::Result<()> {
    match fs::create_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && !dir.is_symlink() => Ok(()),
        other => other,
    }
}

/// Whether there is no link on the way to a file below `data`.
fn inside(data: &Path, below: &str) -> bool {
    let parent = Path::new(below).parent().unwrap_or(Path::new(""));
    let mut dir = data.to_owned();
    parent.components().all(|part| {
        dir.push(part);
        fs::symlink_metadata(&dir).is_ok_and(|meta| meta.is_dir())
    })
}

/// Removes drafts that a killed run left behind. Requires that no other run is active.
pub fn sweep(data: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(data).into_iter().filter_map(Result::ok) {
        let draft = entry.file_name().to_str().is_some_and(|name| name.starts_with(".kopek-"));
        if draft && entry.file_type().is_file() {
            remove(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(files: &[(&str, &str)]) -> CaseContents {
        files.iter().map(|(ext, text)| ((*ext).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn a_case_is_replaced_whole_and_loses_what_it_no_longer_has() {
        let dir = tempfile::tempdir().unwrap();
        let old = case(&[("in", "1"), ("ans", "2"), ("files/x/a.txt", "3")]);
        assert_eq!(put(dir.path(), "secret/a", &old, &CaseDigests::new()).unwrap(), PlacedCase::default());
        assert!(put(dir.path(), "secret/a", &old, &CaseDigests::new()).unwrap().stood);
        assert!(stands(dir.path(), "secret/a", &digests(&old), &KnownFiles::default()));
        fs::write(dir.path().join("secret/a.ans"), "by hand").unwrap();
        let put = put(dir.path(), "secret/a", &case(&[("in", "4"), ("ans", "5")]), &digests(&old)).unwrap();
        assert_eq!(put.replaced, ["secret/a.ans"]);
        let mut left: Vec<_> =
            fs::read_dir(dir.path().join("secret")).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.ans", "a.in"]);
    }

    #[test]
    fn files_changed_by_hand_are_not_removed() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.in"), "mine").unwrap();
        let removal = |text: &[u8]| remove_ours(dir.path(), "a.in", &Digest::of(text)).unwrap();
        assert_eq!(removal(b"ours"), Removal::Edited);
        assert_eq!(removal(b"mine"), Removal::Removed);
        assert_eq!(removal(b"mine"), Removal::Missing);
    }

    #[test]
    fn nothing_is_written_or_removed_through_a_link() {
        let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), dir.path().join("secret")).unwrap();
        fs::write(other.path().join("a.in"), "x").unwrap();
        let refused = put(dir.path(), "secret/b", &case(&[("in", "1")]), &CaseDigests::new());
        assert!(refused.unwrap_err().to_string().contains("not written through symlinks"));
        assert_eq!(remove_ours(dir.path(), "secret/a.in", &Digest::of(b"x")).unwrap(), Removal::Edited);
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    }
}
