//! A folder of hand-ins: who handed in what.
//!
//! Nothing in a folder can spoil the batch: what cannot be judged becomes a
//! participant with a reason. Builds nothing and judges nothing.

use crate::{language::Source, package::Submission, package::Tags};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// A participant and what was found for a problem.
#[derive(Debug, Clone)]
pub struct HandIn {
    /// The participant's name: the entry's name without its ending.
    pub name: String,
    /// The entry as named in the folder, for the reader.
    pub file: String,
    /// What was handed in, or why it is nothing that can be judged.
    pub submission: Result<Submission, String>,
}

/// Hand-ins for one package: one entry of the folder per participant; or, if
/// every entry is a directory that holds an entry named like the package, a
/// folder per participant. `several`: always a folder per participant.
pub fn read(folder: &Path, package: &str, several: bool) -> Result<Vec<HandIn>> {
    let entries = entries(folder)?;
    if entries.is_empty() {
        bail!("read {}: no hand-ins in this folder", folder.display());
    }
    let nested = several
        || entries
            .iter()
            .all(|path| path.is_dir() && !matching(path, package).unwrap_or_default().is_empty());
    let mut found = if nested {
        nested_hand_ins(&entries, package)?
    } else {
        entries.iter().map(|p| hand_in(p)).collect()
    };
    tell_apart(&mut found);
    Ok(found)
}

/// The one hand-in at a path: a file or a directory.
pub fn single(path: &Path) -> Result<HandIn> {
    fs::symlink_metadata(path).with_context(|| format!("read {}", path.display()))?;
    Ok(hand_in(path))
}

fn nested_hand_ins(entries: &[PathBuf], package: &str) -> Result<Vec<HandIn>> {
    let mut found = Vec::new();
    for folder in entries.iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        let name = file_name(folder);
        let mut matching = matching(folder, package)?;
        let mut hand_in = match (matching.pop(), matching.is_empty()) {
            (None, _) => continue,
            (Some(only), true) => hand_in(&only),
            (Some(last), false) => HandIn {
                file: file_name(&last),
                submission: Err(format!("several hand-ins for {package}; leave one")),
                name: String::new(),
            },
        };
        hand_in.file = format!("{name}/{}", hand_in.file);
        hand_in.name = name;
        found.push(hand_in);
    }
    Ok(found)
}

/// Entries in a participant's folder whose name without ending is the package's.
fn matching(folder: &Path, package: &str) -> Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| stem(path) == package).collect())
}

/// Everything in a folder that is not hidden, in order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = read().with_context(|| format!("read {}", folder.display()))?;
    paths.retain(|path| !file_name(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn hand_in(path: &Path) -> HandIn {
    HandIn { name: stem(path), file: file_name(path), submission: submission(path) }
}

fn submission(path: &Path) -> Result<Submission, String> {
    let source = source(path)?;
    Ok(Submission { name: stem(path), source, language: None, entry: None, tags: Tags::default() })
}

/// Files of a hand-in; links and devices are refused, for they may lead anywhere.
fn source(path: &Path) -> Result<Source, String> {
    let kind = fs::symlink_metadata(path).map_err(|e| format!("cannot be read: {e}"))?.file_type();
    if kind.is_symlink() {
        return Err("a symbolic link; hand in the file itself".into());
    }
    if kind.is_file() {
        let root = path.parent().unwrap_or(Path::new(".")).to_owned();
        let file = PathBuf::from(path.file_name().ok_or("has no name")?);
        return Ok(Source { root, files: vec![file] });
    }
    if !kind.is_dir() {
        return Err("neither a file nor a directory".into());
    }
    let files = files_below(path)?;
    if files.is_empty() {
        Err("an empty directory".into())
    } else {
        Ok(Source { root: path.to_owned(), files })
    }
}

/// More files than any honest hand-in has.
const MOST_FILES: usize = 1000;

fn files_below(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name().min_depth(1).max_depth(20) {
        let entry = entry.map_err(|e| format!("cannot be read: {e}"))?;
        if entry.file_name().to_string_lossy().starts_with('.') || entry.file_type().is_dir() {
            continue;
        }
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_owned();
        if !entry.file_type().is_file() {
            return Err(format!("{} is a link or a device; hand in the file itself", path.display()));
        }
        if files.len() == MOST_FILES {
            return Err(format!("more than {MOST_FILES} files"));
        }
        files.push(path);
    }
    Ok(files)
}

/// Participants of the same name keep their whole file names.
fn tell_apart(found: &mut [HandIn]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for hand_in in found.iter() {
        *seen.entry(hand_in.name.clone()).or_default() += 1;
    }
    for hand_in in found.iter_mut().filter(|h| seen[&h.name] > 1) {
        hand_in.name.clone_from(&hand_in.file);
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    stem.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        dir
    }

    fn names(dir: &tempfile::TempDir, several: bool) -> Vec<(String, bool)> {
        let found = read(dir.path(), "nim", several).unwrap();
        found.into_iter().map(|h| (h.name, h.submission.is_ok())).collect()
    }

    #[test]
    fn every_entry_is_a_participant() {
        let dir = folder(&["ada.rs", "bob/Main.java", "bob/Pile.java", ".hidden"]);
        assert_eq!(names(&dir, false), [("ada".into(), true), ("bob".into(), true)]);
    }

    #[test]
    fn a_folder_per_participant_is_recognised() {
        let dir = folder(&["ada/nim.rs", "bob/nim/Main.java", "bob/other.c"]);
        assert_eq!(names(&dir, false), [("ada".into(), true), ("bob".into(), true)]);
        let dir = folder(&["ada/nim.rs", "bob/other.c"]);
        assert_eq!(names(&dir, true), [("ada".into(), true)]);
    }

    #[test]
    fn namesakes_keep_their_endings() {
        let dir = folder(&["ada.rs", "ada.py"]);
        assert_eq!(names(&dir, false), [("ada.py".into(), true), ("ada.rs".into(), true)]);
    }

    #[test]
    fn a_link_is_refused_and_spoils_nothing() {
        let dir = folder(&["ada.rs", "dir/x.c"]);
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("eve.c")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("dir/y.c")).unwrap();
        assert_eq!(names(&dir, false), [("ada".into(), true), ("dir".into(), false), ("eve".into(), false)]);
    }

    #[test]
    fn two_hand_ins_for_one_problem_are_not_chosen_from() {
        let dir = folder(&["ada/nim.rs", "ada/nim.py"]);
        assert_eq!(names(&dir, true), [("ada".into(), false)]);
    }
}
