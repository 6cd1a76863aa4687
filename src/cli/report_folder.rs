//! The folder that a report is written into: its own files are replaced, others are left alone.

use crate::base::files::write_atomic;
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

/// Names the files of a whole report, a line each. Written last.
const LIST: &str = ".kopek-report";

/// Refuses a folder that cannot be written, or that lies in a package, before anything is judged.
pub(super) fn check_folder(dir: &Path, packages: &[&Path]) -> Result<()> {
    if let Some(package) = packages.iter().find(|package| is_inside(dir, package)) {
        bail!(
            "--out {}: this is inside of the package {}, and would be taken for a part of it: name another folder",
            dir.display(),
            package.display()
        );
    }
    check_writable(dir).with_context(|| format!("--out {}: this folder cannot be written", dir.display()))
}

/// Tries to write into a folder, or, if it is not there yet, where it would be made.
pub(super) fn check_writable(dir: &Path) -> Result<()> {
    let there = existing_part(dir);
    tempfile::NamedTempFile::new_in(there).with_context(|| format!("write into {}", there.display()))?;
    Ok(())
}

/// The nearest folder above that exists, or the path itself.
fn existing_part(path: &Path) -> &Path {
    let exists = |path: &&Path| fs::symlink_metadata(path).is_ok();
    let above = path.ancestors().filter(|path| !path.as_os_str().is_empty()).find(exists);
    above.unwrap_or(Path::new("."))
}

/// Whether a path, which need not exist yet, lies in a folder, or is it.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    let whole = |path: &Path| {
        let there = existing_part(path);
        let below = path.strip_prefix(there).unwrap_or(path);
        there.canonicalize().map(|there| there.join(below))
    };
    whole(path).is_ok_and(|path| whole(folder).is_ok_and(|folder| path.starts_with(folder)))
}

/// Writes a report. What the last one left here and this one has not, such as the page of somebody
/// who is gone, is removed.
pub(super) fn write_report(dir: &Path, files: &[(PathBuf, String)]) -> Result<()> {
    let old = list_of_files(dir)?;
    for (path, text) in files {
        write_atomic(&dir.join(path), text.as_bytes())?;
    }
    let new: BTreeSet<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
    for path in old.iter().filter(|path| !new.contains(path.as_path())) {
        remove_old(dir, path)?;
    }
    let list: Vec<&str> = new.iter().filter_map(|path| path.to_str()).collect();
    write_atomic(&dir.join(LIST), (list.join("\n") + "\n").as_bytes())
}

fn list_of_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let list = dir.join(LIST);
    match fs::read_to_string(&list) {
        Ok(text) => Ok(text.lines().map(PathBuf::from).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("read {}", list.display())),
    }
}

fn remove_old(dir: &Path, path: &Path) -> Result<()> {
    // The list is a file like any other: somebody may have written anything into it.
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

    fn files(names: &[&str]) -> Vec<(PathBuf, String)> {
        names.iter().map(|name| (PathBuf::from(name), "x".to_owned())).collect()
    }

    #[test]
    fn who_is_gone_has_no_page_and_files_of_others_stay() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("out");
        write_report(&dir, &files(&["index.html", "pages/ada.html", "pages/bob.html"])).unwrap();
        fs::write(dir.join("pages/notes.html"), "mine").unwrap();
        write_report(&dir, &files(&["index.html", "pages/ada.html"])).unwrap();
        let exists = |name: &str| dir.join(name).exists();
        assert!(exists("pages/ada.html") && exists("pages/notes.html") && !exists("pages/bob.html"));
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
