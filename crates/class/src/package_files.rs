//! Assigns the files of a hand-in to several packages.

use super::{
    found_files::{FoundFile, plain_name},
    litter::is_data,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The files for a package: if a file has its name, that file and all files that belong to no other package; else
/// those in a directory with its name. Ignores case, hyphens and underscores. Empty if there are none.
pub(super) fn files_for_package(files: &[FoundFile], package: &str, all: &[String]) -> Vec<FoundFile> {
    let own = plain_name(package);
    let inside = |file: &FoundFile| path_inside(&file.name, &own);
    // Data such as the statement may have the name, too.
    let is_named =
        |file: &FoundFile| is_called(&file.name, &own) && inside(file).is_none() && !is_data(&file.name);
    if !files.iter().any(is_named) {
        let within: Vec<&FoundFile> = files.iter().filter(|file| inside(file).is_some()).collect();
        let short: BTreeSet<PathBuf> = within.iter().filter_map(|file| inside(file)).collect();
        // Files of several directories may have one name.
        let name = |file: &FoundFile| match short.len() == within.len() {
            true => inside(file).unwrap_or_default(),
            false => file.name.clone(),
        };
        return within.iter().map(|file| FoundFile { name: name(file), ..(*file).clone() }).collect();
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
        let file = |name: &&str| FoundFile::below(&root, name.into());
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

    #[test]
    fn a_file_with_the_name_is_not_hidden_by_a_directory() {
        assert_eq!(matched(&["pf/input.txt", "pf.cpp"], "pf"), ["pf/input.txt", "pf.cpp"]);
        assert_eq!(matched(&["pf/main.cpp", "pf.pdf"], "pf"), ["main.cpp"]);
        assert_eq!(matched(&["pf/pf.cpp", "pf/pf.h"], "pf"), ["pf.cpp", "pf.h"]);
        assert_eq!(matched(&["new/pf/a.h", "old/pf/a.h"], "pf"), ["new/pf/a.h", "old/pf/a.h"]);
    }
}
