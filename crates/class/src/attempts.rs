//! Several attempts in one hand-in: `attempt_1/…`, `2/…`, `attempt_3_sums.py`.

use super::found_files::FoundFile;
use regex_lite::Regex;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// The attempt that counts if there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttemptPolicy {
    /// The last one.
    #[default]
    Latest,
    /// The first one.
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
    fn what_lies_beside_attempts_is_not_passed_over() {
        let files = ["1/a.py", "a.py"];
        assert_eq!(counting(&files, AttemptPolicy::Latest), [(None, files.map(str::to_owned).to_vec())]);
        assert_eq!(counting(&["v2.py", "v1.py"], AttemptPolicy::Latest)[0].0, None);
    }
}
