//! A folder of hand-ins: who handed in what.
//!
//! Nothing in a folder can spoil the batch: what cannot be judged becomes a
//! participant with a reason. Builds nothing and judges nothing.

use crate::{
    language::SourceFiles,
    package::{HandIn, NoSubmission, Participant, Submission},
};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// How a folder of hand-ins is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CohortLayout {
    /// A folder per participant, if every entry is a directory that holds an entry named like the
    /// package; else an entry per participant.
    Detect,
    /// A folder per participant, and in it an entry named like each package.
    FolderPerParticipant,
}

/// The hand-ins of all participants for one package.
pub fn read(folder: &Path, package: &str, layout: CohortLayout) -> Result<Vec<Participant>> {
    let entries = visible_entries(folder)?;
    if entries.is_empty() {
        bail!("read {}: no hand-ins in this folder", folder.display());
    }
    let mut cohort = match layout {
        CohortLayout::Detect if !all_hold(&entries, package) => {
            entries.iter().map(|path| participant_at(path)).collect()
        }
        CohortLayout::Detect | CohortLayout::FolderPerParticipant => read_folders(&entries, package)?,
    };
    // Last: only the whole cohort shows who has a namesake.
    give_namesakes_full_names(&mut cohort);
    Ok(cohort)
}

/// The one participant whose hand-in is this file or directory.
pub(crate) fn read_single(path: &Path) -> Result<Participant> {
    fs::symlink_metadata(path).with_context(|| format!("read {}", path.display()))?;
    Ok(participant_at(path))
}

/// Whether every entry is a directory with an entry for this package.
fn all_hold(entries: &[PathBuf], package: &str) -> bool {
    entries.iter().all(|path| path.is_dir() && !entries_for(path, package).unwrap_or_default().is_empty())
}

/// Participants who have a folder each. One who handed in nothing for this package is left out.
fn read_folders(folders: &[PathBuf], package: &str) -> Result<Vec<Participant>> {
    let mut cohort = Vec::new();
    // A linked folder could hold anybody's files.
    for folder in folders.iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        let name = file_name(folder);
        let entries = entries_for(folder, package)?;
        let Some(last) = entries.last() else { continue };
        let submission = match entries.len() {
            1 => submission_at(last),
            // Which one counts is for people to say: a guess could cost points.
            _ => Err(NoSubmission::Undecided(format!("several hand-ins for {package}; leave one"))),
        };
        let file = format!("{name}/{}", file_name(last));
        cohort.push(Participant { file, name, hand_in: HandIn::default(), submission });
    }
    Ok(cohort)
}

/// Entries of a participant's folder whose name without its extension is the package's.
fn entries_for(folder: &Path, package: &str) -> Result<Vec<PathBuf>> {
    Ok(visible_entries(folder)?.into_iter().filter(|path| file_stem(path) == package).collect())
}

/// Everything in a folder that is not hidden, in order of names.
fn visible_entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = read().with_context(|| format!("read {}", folder.display()))?;
    // Systems and editors leave hidden files everywhere.
    paths.retain(|path| !file_name(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn participant_at(path: &Path) -> Participant {
    Participant {
        name: file_stem(path),
        file: file_name(path),
        hand_in: HandIn::default(),
        submission: submission_at(path),
    }
}

fn submission_at(path: &Path) -> Result<Submission, NoSubmission> {
    let source = source_at(path).map_err(NoSubmission::Refused)?;
    let name = file_stem(path);
    Ok(Submission { name, source, contents: None, language: None, entry: None, tags: Vec::new() })
}

/// Files of a hand-in. Links and devices are refused, because they may lead anywhere.
fn source_at(path: &Path) -> Result<SourceFiles, String> {
    // Not `metadata`, which follows links.
    let kind = fs::symlink_metadata(path).map_err(|e| format!("cannot be read: {e}"))?.file_type();
    if kind.is_symlink() {
        return Err("a symbolic link; hand in the file itself".into());
    }
    let name = PathBuf::from(path.file_name().ok_or("has no name")?);
    // The teacher's own path may lead through links; from there on, none is followed.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parent = parent.canonicalize().map_err(|e| format!("cannot be read: {e}"))?;
    if kind.is_file() {
        return Ok(SourceFiles { root: parent, files: vec![name] });
    }
    if !kind.is_dir() {
        return Err("neither a file nor a directory".into());
    }
    let files = files_below(path)?;
    if files.is_empty() {
        Err("an empty directory".into())
    } else {
        Ok(SourceFiles { root: parent.join(name), files })
    }
}

/// More files than any honest hand-in has.
const MOST_FILES: usize = 1000;

fn files_below(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    // Sorted: directories list their files in another order on each machine.
    for entry in WalkDir::new(root).sort_by_file_name().min_depth(1).max_depth(20) {
        let entry = entry.map_err(|e| format!("cannot be read: {e}"))?;
        // Hidden files are litter of editors and systems, never part of the program.
        if entry.file_name().to_string_lossy().starts_with('.') || entry.file_type().is_dir() {
            continue;
        }
        let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_owned();
        if !entry.file_type().is_file() {
            return Err(format!("{} is a link or a device; hand in the file itself", path.display()));
        }
        // Counted while walking: a folder of a million files is refused before it is all listed.
        if files.len() == MOST_FILES {
            return Err(format!("more than {MOST_FILES} files"));
        }
        files.push(path);
    }
    Ok(files)
}

/// Participants of the same name are called by their whole file names.
fn give_namesakes_full_names(cohort: &mut [Participant]) {
    let mut namesakes: BTreeMap<String, usize> = BTreeMap::new();
    for participant in cohort.iter() {
        *namesakes.entry(participant.name.clone()).or_default() += 1;
    }
    for participant in cohort.iter_mut().filter(|p| namesakes[&p.name] > 1) {
        participant.name.clone_from(&participant.file);
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The name without its extension; a directory's whole name, for `a.b/` has no extension.
fn file_stem(path: &Path) -> String {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    stem.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{
        CohortLayout::{Detect, FolderPerParticipant},
        *,
    };

    fn folder_of(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        dir
    }

    fn participants(dir: &tempfile::TempDir, layout: CohortLayout) -> Vec<(String, bool)> {
        let cohort = read(dir.path(), "nim", layout).unwrap();
        cohort.into_iter().map(|p| (p.name, p.submission.is_ok())).collect()
    }

    #[test]
    fn every_entry_is_a_participant() {
        let dir = folder_of(&["ada.rs", "bob/Main.java", "bob/Pile.java", ".hidden"]);
        assert_eq!(participants(&dir, Detect), [("ada".into(), true), ("bob".into(), true)]);
    }

    #[test]
    fn a_folder_per_participant_is_recognised() {
        let dir = folder_of(&["ada/nim.rs", "bob/nim/Main.java", "bob/other.c"]);
        assert_eq!(participants(&dir, Detect), [("ada".into(), true), ("bob".into(), true)]);
        let dir = folder_of(&["ada/nim.rs", "bob/other.c"]);
        assert_eq!(participants(&dir, FolderPerParticipant), [("ada".into(), true)]);
    }

    #[test]
    fn namesakes_keep_their_endings() {
        let dir = folder_of(&["ada.rs", "ada.py"]);
        assert_eq!(participants(&dir, Detect), [("ada.py".into(), true), ("ada.rs".into(), true)]);
    }

    #[test]
    fn a_link_is_refused_and_spoils_nothing() {
        let dir = folder_of(&["ada.rs", "dir/x.c"]);
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("eve.c")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("dir/y.c")).unwrap();
        assert_eq!(
            participants(&dir, Detect),
            [("ada".into(), true), ("dir".into(), false), ("eve".into(), false)]
        );
    }

    #[test]
    fn two_hand_ins_for_one_problem_are_not_chosen_from() {
        let dir = folder_of(&["ada/nim.rs", "ada/nim.py"]);
        assert_eq!(participants(&dir, FolderPerParticipant), [("ada".into(), false)]);
    }
}
