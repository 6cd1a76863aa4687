//! The folder of a report. kopek replaces files of an older report, and never touches other files.

use super::earlier_report::EarlierReport;
use anyhow::{Context, Result, bail, ensure};
use kopek_base::{
    files::write_atomic,
    wording::{counted, one_line, shortened},
};
use kopek_package::package::Package;
use std::{
    collections::BTreeSet,
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Component, Path, PathBuf},
};

/// Lists the files of a report, one per line. kopek replaces or removes only these.
const LIST: &str = ".kopek-report";
/// Holds a report until it is complete.
const DRAFT: &str = ".kopek-draft";
/// Only its owner can open it: a lock on the folder itself could be held by everyone who may read the report.
const LOCK: &str = ".kopek-lock";
/// Files of every report.
const MAIN_FILES: [&str; 4] = ["index.html", "report.txt", "report.json", "report.csv"];

/// Checks the folder before judging. Refuses one that is not writable, that is inside a package or the
/// hand-ins, or whose other files are in the way.
pub fn check_folder(dir: &Path, packages: &[PathBuf], hand_ins: &[&Path]) -> Result<()> {
    let out = dir.display();
    if let Some(package) = packages.iter().find(|package| is_inside(dir, package)) {
        bail!("--out {out} is inside the package {}; choose another folder", package.display());
    }
    if let Some(hand_ins) = hand_ins.iter().find(|hand_ins| is_inside(dir, hand_ins)) {
        bail!("--out {out} is inside the hand-ins {}; choose another folder", hand_ins.display());
    }
    refuse_foreign(dir, &list_of_files(dir)?, MAIN_FILES.map(Path::new))?;
    check_writable(dir).with_context(|| format!("--out {}: cannot write to this folder", dir.display()))
}

/// A folder that no other run writes into until this is dropped.
#[must_use]
pub struct FolderLock {
    _locked: File,
}

/// Locks the folder for a whole run, because what it checks in the folder must still be true when it writes. Makes a
/// missing folder.
pub fn lock_folder(dir: &Path) -> Result<FolderLock> {
    let act = || format!("--out {}: lock this folder", dir.display());
    fs::create_dir_all(dir).with_context(act)?;
    let mut options = OpenOptions::new();
    let lock = options.write(true).create(true).truncate(false).mode(0o600).open(dir.join(LOCK));
    let lock = lock.with_context(act)?;
    match lock.try_lock() {
        Ok(()) => Ok(FolderLock { _locked: lock }),
        Err(TryLockError::WouldBlock) => bail!(
            "--out {}: another kopek is writing a report into this folder; wait until it ends, or choose another folder",
            dir.display()
        ),
        Err(TryLockError::Error(error)) => Err(error).with_context(act),
    }
}

/// Fails if the folder has a report of participants or packages that are not graded now, whose pages and points would
/// be lost.
pub fn keep_others(dir: &Path, graded: &BTreeSet<String>, packages: &[&Package]) -> Result<()> {
    let Some(there) = last_report(dir)? else {
        let files = list_of_files(dir)?;
        ensure!(
            files.is_empty(),
            "--out {}: has pages of a report whose report.json is missing; choose another folder for a part of the class",
            dir.display()
        );
        return Ok(());
    };
    let besides = there.packages_besides(packages);
    ensure!(
        besides.is_empty(),
        "--out {}: has a report of packages that would be removed: {}; choose another folder for a part of the class",
        dir.display(),
        one_line(&besides.join(", "))
    );
    let others = there.names().filter(|name| !graded.contains(*name));
    let others: BTreeSet<String> = others.map(one_line).collect();
    ensure!(
        others.is_empty(),
        "--out {}: has a report of {} who would be removed: {}; choose another folder for a part of the class",
        dir.display(),
        counted(others.len(), "other participant"),
        shortened(&others.into_iter().collect::<Vec<_>>(), 5, ", ")
    );
    Ok(())
}

/// Fails if a run for a whole class has one participant, and the report that it replaces or is compared with has
/// several: a download of one person, in which the others seem to have handed in nothing.
pub fn refuse_single_download(
    dir: Option<&Path>,
    earlier: Option<&EarlierReport>,
    graded: &BTreeSet<String>,
) -> Result<()> {
    // A report that cannot be read is replaced.
    let replaced = dir.and_then(|dir| last_report(dir).ok().flatten());
    for report in earlier.into_iter().chain(&replaced) {
        let there: BTreeSet<&str> = report.names().collect();
        ensure!(
            graded.len() != 1 || there.len() < 2,
            "{}: a report of {}, but only one handed in now; if this is a download of one person, put the file in the \
                place of the old one in the folder of the whole class, and grade that folder; else add --only NAME, \
                with another --out",
            report.place,
            counted(there.len(), "participant")
        );
    }
    Ok(())
}

/// Whether the report in a folder has names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamesThere {
    Nobody,
    Named,
    Anonymous,
}

/// Fails if the folder has a report with names: its gradebook and its zip would stay beside an anonymous one.
pub fn refuse_named_report(dir: &Path) -> Result<()> {
    ensure!(
        names_there(dir)? != NamesThere::Named,
        "--anonymous: --out {} has a report with names; choose another --out",
        dir.display()
    );
    Ok(())
}

/// Fails if the folder has an anonymous report, which others may see.
pub fn refuse_anonymous_report(dir: &Path) -> Result<()> {
    ensure!(
        names_there(dir)? != NamesThere::Anonymous,
        "--out {} has an anonymous report, which others may see; choose another --out",
        dir.display()
    );
    Ok(())
}

fn names_there(dir: &Path) -> Result<NamesThere> {
    if list_of_files(dir)?.is_empty() {
        return Ok(NamesThere::Nobody);
    }
    // One that cannot be read may have names.
    let Ok(Some(report)) = last_report(dir) else { return Ok(NamesThere::Named) };
    Ok(if report.is_anonymous() { NamesThere::Anonymous } else { NamesThere::Named })
}

/// The report in a folder.
fn last_report(dir: &Path) -> Result<Option<EarlierReport>> {
    let file = dir.join("report.json");
    let place = file.display().to_string();
    let text = match fs::read_to_string(&file) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        read => read.with_context(|| format!("read {place}"))?,
    };
    let report =
        EarlierReport::parse(&place, &text).with_context(|| format!("read the last report {place}"))?;
    Ok(Some(report))
}

/// Tries to write into a folder, or into its nearest existing parent.
pub fn check_writable(dir: &Path) -> Result<()> {
    let there = existing_part(dir);
    // An unnamed file, so that a killed run leaves nothing.
    tempfile::tempfile_in(there).with_context(|| format!("write into {}", there.display()))?;
    Ok(())
}

/// The path if it exists, else its nearest existing parent.
fn existing_part(path: &Path) -> &Path {
    let exists = |path: &&Path| fs::symlink_metadata(path).is_ok();
    let above = path.ancestors().filter(|path| !path.as_os_str().is_empty()).find(exists);
    above.unwrap_or(Path::new("."))
}

/// Whether a path is a folder or inside it. The path need not exist.
pub fn is_inside(path: &Path, folder: &Path) -> bool {
    let whole = |path: &Path| {
        let there = existing_part(path);
        let below = path.strip_prefix(there).unwrap_or(path);
        there.canonicalize().map(|there| there.join(below))
    };
    whole(path).is_ok_and(|path| whole(folder).is_ok_and(|folder| path.starts_with(folder)))
}

/// Writes a report, and removes stale files of the last one, such as the page of a former participant. An error
/// leaves the last report intact. After a kill, the next report replaces the rest.
pub fn write_report(dir: &Path, files: &[(PathBuf, String)]) -> Result<()> {
    let old = list_of_files(dir)?;
    let new: BTreeSet<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    refuse_foreign(dir, &old, new.iter().map(PathBuf::as_path))?;
    let draft = dir.join(DRAFT);
    make_draft(dir, &draft)?;
    for (path, text) in files {
        write_atomic(&draft.join(path), text.as_bytes())?;
    }
    // Written before the files, because unlisted files are never replaced.
    write_list(dir, &old.union(&new).cloned().collect())?;
    for path in &new {
        let to = dir.join(path);
        fs::create_dir_all(to.parent().unwrap_or(dir))
            .and_then(|()| fs::rename(draft.join(path), &to))
            .with_context(|| format!("write {}", to.display()))?;
    }
    for path in old.difference(&new) {
        remove_old(dir, path)?;
    }
    write_list(dir, &new)?;
    remove_draft(&draft)
}

/// Fails if a file that no report wrote is in the way.
fn refuse_foreign<'a>(
    dir: &Path,
    known: &BTreeSet<PathBuf>,
    files: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let is_foreign = |path: &&Path| !known.contains(*path) && dir.join(path).symlink_metadata().is_ok();
    match files.into_iter().find(is_foreign) {
        None => Ok(()),
        Some(path) => bail!(
            "--out {}: kopek did not write {} and does not replace it; move it, or choose another folder",
            dir.display(),
            path.display()
        ),
    }
}

fn list_of_files(dir: &Path) -> Result<BTreeSet<PathBuf>> {
    let list = dir.join(LIST);
    match fs::read_to_string(&list) {
        Ok(text) => Ok(text.lines().map(PathBuf::from).collect()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(BTreeSet::new())
        }
        Err(error) => Err(error).with_context(|| format!("read {}", list.display())),
    }
}

fn write_list(dir: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    let lines: Vec<&str> = files.iter().filter_map(|path| path.to_str()).collect();
    let draft = dir.join(DRAFT).join(LIST);
    let list = dir.join(LIST);
    write_atomic(&draft, (lines.join("\n") + "\n").as_bytes())?;
    fs::rename(draft, &list).with_context(|| format!("write {}", list.display()))
}

/// Makes an empty draft that only its owner can open.
fn make_draft(dir: &Path, draft: &Path) -> Result<()> {
    remove_draft(draft)?;
    let make = || {
        fs::create_dir_all(dir)?;
        DirBuilder::new().mode(0o700).create(draft)
    };
    make().with_context(|| format!("make {}", draft.display()))
}

fn remove_draft(draft: &Path) -> Result<()> {
    match fs::remove_dir_all(draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("remove {}", draft.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn remove_old(dir: &Path, path: &Path) -> Result<()> {
    // Someone may have edited the list.
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let path = dir.join(path);
    let below = plain
        && path
            .parent()
            .and_then(|parent| parent.canonicalize().ok())
            .is_some_and(|parent| dir.canonicalize().is_ok_and(|dir| parent.starts_with(dir)));
    if !below || !fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()) {
        return Ok(());
    }
    fs::remove_file(&path).with_context(|| format!("remove {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    fn files(names: &[&str]) -> Vec<(PathBuf, String)> {
        names.iter().map(|name| (PathBuf::from(name), "x".to_owned())).collect()
    }

    #[test]
    fn a_folder_is_of_one_run_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        let first = lock_folder(&dir).unwrap();
        let refusal = lock_folder(&dir).map(drop).unwrap_err().to_string();
        assert!(refusal.contains("another kopek is writing a report into this folder"), "{refusal}");
        write_report(&dir, &files(&["index.html"])).unwrap();
        drop(first);
        // As everybody who may read the report can.
        let folder = File::open(&dir).unwrap();
        folder.lock().unwrap();
        drop(lock_folder(&dir).unwrap());
        assert_eq!(dir.join(LOCK).metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn pages_of_removed_participants_are_deleted_and_foreign_files_stay() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        write_report(&dir, &files(&["index.html", "pages/ada.html", "pages/bob.html"])).unwrap();
        fs::write(dir.join("pages/notes.html"), "mine").unwrap();
        write_report(&dir, &files(&["index.html", "pages/ada.html"])).unwrap();
        let exists = |name: &str| dir.join(name).exists();
        assert!(exists("pages/ada.html") && exists("pages/notes.html") && !exists("pages/bob.html"));
    }

    #[test]
    fn a_file_that_kopek_did_not_write_is_not_replaced() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        let check =
            || check_folder(&dir, &[], &[&home.path().join("class")]).map_err(|error| error.to_string());
        check().unwrap();
        fs::create_dir_all(dir.join("pages")).unwrap();
        fs::write(dir.join("pages/ada.html"), "mine").unwrap();
        check().unwrap();
        let error = write_report(&dir, &files(&["index.html", "pages/ada.html"])).unwrap_err().to_string();
        assert!(error.contains("did not write pages/ada.html"), "{error}");
        assert!(!dir.join("index.html").exists() && !dir.join(LIST).exists());
        fs::write(dir.join("index.html"), "mine").unwrap();
        assert!(check().unwrap_err().contains("did not write index.html"));
    }

    #[test]
    fn a_failure_leaves_the_last_report_and_a_rest_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        write_report(&dir, &files(&["index.html", "report.txt"])).unwrap();
        // The second file cannot be written, because the first is not a directory.
        let broken = [("index.html", "new"), ("index.html/x", "new")];
        let broken = broken.map(|(path, text)| (PathBuf::from(path), text.to_owned()));
        write_report(&dir, &broken).unwrap_err();
        let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
        assert_eq!((read("index.html"), read("report.txt")), ("x".into(), "x".into()));
        // A killed run leaves a draft, which others cannot read.
        assert_eq!(dir.join(DRAFT).metadata().unwrap().mode() & 0o777, 0o700);
        write_report(&dir, &files(&["index.html"])).unwrap();
        let mut left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [LIST, "index.html"]);
    }

    #[test]
    fn a_list_removes_nothing_outside_of_its_folder() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        fs::create_dir_all(&dir).unwrap();
        fs::write(home.path().join("precious"), "x").unwrap();
        std::os::unix::fs::symlink(home.path(), dir.join("link")).unwrap();
        let absolute = home.path().join("precious").display().to_string();
        fs::write(dir.join(LIST), format!("../precious\nlink/precious\n{absolute}\n")).unwrap();
        write_report(&dir, &files(&["index.html"])).unwrap();
        assert!(home.path().join("precious").exists());
    }
}
