//! The files of a hand-in for a package, and of several attempts: `attempt_1/…`, `2/…`, `attempt_3_sums.py`.

use super::{
    found_files::{FoundFile, plain_name},
    litter::is_data,
};
use regex_lite::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::LazyLock,
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
        let name = |file: &FoundFile| {
            if short.len() == within.len() { inside(file).unwrap_or_default() } else { file.name.clone() }
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
    let unmatched = files.iter().filter(|file| !matched(file));
    unmatched.map(|file| file.name.clone()).collect()
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

/// The attempt that counts if there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttemptPolicy {
    #[default]
    Latest,
    First,
    /// The one with the most points; all are judged.
    Best,
}

/// One attempt, with its number where there are several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) number: Option<u32>,
    pub(super) files: Vec<FoundFile>,
}

const WORDS: &str = "attempt|submission|version|try|versuch|abgabe|v";

static DIRECTORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?i)^(?:(?:{WORDS})[ _-]*)?(\d{{1,4}})$")).expect("a pattern of ours")
});
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?i)^(?:{WORDS})[ _-]*(\d{{1,4}})[ _-]+(.+)$")).expect("a pattern of ours")
});

/// The attempts that are judged.
pub(super) fn counting_attempts(files: Vec<FoundFile>, policy: AttemptPolicy) -> Vec<Attempt> {
    let mut all = split_attempts(files);
    match policy {
        AttemptPolicy::Latest => all.drain(..all.len() - 1).for_each(drop),
        AttemptPolicy::First => all.truncate(1),
        AttemptPolicy::Best => {}
    }
    all
}

/// All attempts in order, at least one. Splits only if every file belongs to an attempt: another file could
/// be the program.
fn split_attempts(files: Vec<FoundFile>) -> Vec<Attempt> {
    let numbered: Option<Vec<(u32, PathBuf)>> = files.iter().map(|file| numbered_name(&file.name)).collect();
    let Some(numbered) = numbered.filter(|names| !names.is_empty()) else {
        return vec![Attempt { number: None, files }];
    };
    let mut attempts: BTreeMap<u32, Vec<FoundFile>> = BTreeMap::new();
    for (file, (number, name)) in files.into_iter().zip(numbered) {
        attempts.entry(number).or_default().push(FoundFile { name, ..file });
    }
    attempts.into_iter().map(|(number, files)| Attempt { number: Some(number), files }).collect()
}

/// The number of a file's attempt, and the file's name within the attempt.
fn numbered_name(path: &Path) -> Option<(u32, PathBuf)> {
    let first = path.iter().next()?.to_str()?;
    let rest = path.strip_prefix(first).ok()?;
    if rest.as_os_str().is_empty() {
        let found = FILE.captures(first)?;
        return Some((found[1].parse().ok()?, PathBuf::from(&found[2])));
    }
    Some((DIRECTORY.captures(first)?[1].parse().ok()?, rest.to_owned()))
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

    fn counting(names: &[&str], policy: AttemptPolicy) -> Vec<(Option<u32>, Vec<String>)> {
        let root: std::sync::Arc<Path> = Path::new("/").into();
        let file = |name: &&str| FoundFile::below(&root, name.into());
        let attempts = counting_attempts(names.iter().map(file).collect(), policy);
        let names = |files: &[FoundFile]| files.iter().map(|f| f.name.display().to_string()).collect();
        attempts.iter().map(|attempt| (attempt.number, names(&attempt.files))).collect()
    }

    #[test]
    fn the_latest_attempt_counts_unless_another_is_wanted() {
        use AttemptPolicy::{Best, First, Latest};
        let files = ["attempt_2_a.py", "attempt_10_a.py", "attempt_1_a.py"];
        assert_eq!(counting(&files, Latest), [(Some(10), vec!["a.py".to_owned()])]);
        assert_eq!(counting(&files, First), [(Some(1), vec!["a.py".to_owned()])]);
        assert_eq!(counting(&files, Best).len(), 3);
        assert_eq!(counting(&["1/a.py", "2/b/c.py"], Latest), [(Some(2), vec!["b/c.py".to_owned()])]);
    }

    #[test]
    fn a_file_beside_attempts_leaves_the_choice_open() {
        let files = ["1/a.py", "a.py"];
        assert_eq!(counting(&files, AttemptPolicy::Latest), [(None, files.map(str::to_owned).to_vec())]);
        assert_eq!(counting(&["v2.py", "v1.py"], AttemptPolicy::Latest)[0].0, None);
    }
}
