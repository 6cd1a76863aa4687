//! Assigns the files of a hand-in to several packages.

use super::found_files::FoundFile;
use std::path::{Path, PathBuf};

/// The files for a package: those in a directory with its name, else the file with its name plus the files
/// that belong to no other package. Ignores case, hyphens and underscores. Empty if there are none.
pub(super) fn files_for_package(files: &[FoundFile], package: &str, all: &[String]) -> Vec<FoundFile> {
    let own = plain_name(package);
    let inside: Vec<FoundFile> = files
        .iter()
        .filter_map(|file| Some(FoundFile { name: path_inside(&file.name, &own)?, ..file.clone() }))
        .collect();
    if !inside.is_empty() {
        return inside;
    }
    if !files.iter().any(|file| is_called(&file.name, &own)) {
        return Vec::new();
    }
    let is_of_another = |file: &FoundFile| {
        let others = all.iter().map(|name| plain_name(name)).filter(|name| *name != own);
        others.into_iter().any(|other| belongs(&file.name, &other))
    };
    files.iter().filter(|file| !is_of_another(file)).cloned().collect()
}

/// Files that belong to no package and are not part of another file's program.
pub(super) fn unmatched_files(files: &[FoundFile], all: &[String]) -> Vec<PathBuf> {
    let matched = |file: &FoundFile| all.iter().any(|name| belongs(&file.name, &plain_name(name)));
    files.iter().filter(|file| !matched(file)).map(|file| file.name.clone()).collect()
}

/// A normalized name: people vary case and separators.
pub(super) fn plain_name(name: &str) -> String {
    name.to_lowercase().replace(['-', '_', ' '], "")
}

fn belongs(path: &Path, plain: &str) -> bool {
    is_called(path, plain) || path_inside(path, plain).is_some()
}

fn is_called(path: &Path, plain: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Up to the first dot: `sums.cpp.txt` is for `sums`.
    plain_name(name.split('.').next().unwrap_or_default()) == plain
}

/// The path relative to the directory with this name.
fn path_inside(path: &Path, plain: &str) -> Option<PathBuf> {
    let parts: Vec<_> = path.iter().collect();
    let directories = parts.len().saturating_sub(1);
    let at = parts[..directories].iter().position(|part| plain_name(&part.to_string_lossy()) == plain)?;
    Some(parts[at + 1..].iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(names: &[&str], package: &str) -> Vec<String> {
        let root: std::sync::Arc<Path> = Path::new("/").into();
        let file = |name: &&str| FoundFile { name: name.into(), root: root.clone(), below: name.into() };
        let files: Vec<FoundFile> = names.iter().map(file).collect();
        let all = ["pf".to_owned(), "two-sums".to_owned()];
        files_for_package(&files, package, &all).iter().map(|f| f.name.display().to_string()).collect()
    }

    #[test]
    fn names_are_matched_without_case() {
        assert_eq!(matched(&["Pf.cpp", "Two_Sums.py"], "pf"), ["Pf.cpp"]);
        assert_eq!(matched(&["Pf.cpp", "Two_Sums.py"], "two-sums"), ["Two_Sums.py"]);
        assert_eq!(matched(&["ex3/PF/a.cpp", "ex3/PF/a.h", "x.cpp"], "pf"), ["a.cpp", "a.h"]);
        assert_eq!(matched(&["pf.cpp", "pile.h", "two_sums.cpp"], "pf"), ["pf.cpp", "pile.h"]);
        assert!(matched(&["pfff.cpp"], "pf").is_empty());
    }
}
