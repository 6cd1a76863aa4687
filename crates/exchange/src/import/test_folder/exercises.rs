//! The exercises of a source: directories of tests, and packages with a manifest.

use super::{
    domjudge_settings::SETTINGS,
    found_pairs::{FoundPair, find_pairs},
    loose_programs::{is_header, is_program},
};
use crate::import::{
    draft_files::{base_name, join, parent},
    source::{ForeignPackage, PERMISSIONS},
};
use kopek_base::natural_order;
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

pub struct Exercise {
    /// Its path in the source, for reports.
    pub at: String,
    pub files: ForeignPackage,
}

/// Names of directories, of tests or groups, that belong to the exercise above them, without blanks and dashes.
const TEST_FOLDERS: &str = "^((public|sample|secret|hidden)?(tests?|testsets?|testcases?|testdata|testfiles|cases)|\
                            public|samples?|examples?|secret|data|in|out|inputs?|outputs?|io|\
                            easy|medium|hard|small|large|(subtask|group|g|st)\\d+)$";

/// The exercises in natural order. `has_manifest`: whether a package of another format is in this directory.
pub fn find_exercises(
    source: &ForeignPackage,
    has_manifest: impl Fn(&ForeignPackage, &str) -> bool,
) -> Vec<Exercise> {
    let mut packages: Vec<String> = all_folders(source).into_iter().collect();
    packages.retain(|dir| has_manifest(source, dir));
    let outer = packages.clone();
    packages.retain(|dir| !outer.iter().any(|other| other != dir && is_below(dir, other)));
    let marked: BTreeSet<String> = source
        .paths()
        .filter(|path| [PERMISSIONS, SETTINGS].contains(&base_name(path)))
        .map(|path| parent(path).to_owned())
        .collect();
    let mut roots: BTreeMap<String, Vec<FoundPair>> =
        marked.iter().map(|dir| (dir.clone(), Vec::new())).collect();
    for pair in find_pairs(source).pairs {
        roots.entry(exercise_of(&pair.dir, &marked)).or_default().push(pair);
    }
    lift_tests_beside_programs(source, &marked, &mut roots);
    roots.retain(|dir, _| !packages.iter().any(|package| is_below(dir, package)));
    let all: Vec<String> = roots.keys().chain(&packages).cloned().collect();
    let mut found = Vec::new();
    for package in &packages {
        found.push(whole_exercise(source, package, &[], &all));
    }
    for (dir, pairs) in &roots {
        let names = if marked.contains(dir) { Vec::new() } else { exercise_names(source, dir, pairs) };
        if names.is_empty() {
            let above = if marked.contains(dir) { Vec::new() } else { named_above(source, dir, &all) };
            found.push(whole_exercise(source, dir, &above, &all));
        } else {
            found.extend(split_exercises(source, dir, pairs, &names));
        }
    }
    found.sort_by(|a, b| natural_order(&a.at, &b.at));
    found
}

/// All directories above files, the top included.
fn all_folders(source: &ForeignPackage) -> BTreeSet<String> {
    let mut folders = BTreeSet::from([String::new()]);
    for path in source.paths() {
        let mut dir = parent(path);
        while !dir.is_empty() && folders.insert(dir.to_owned()) {
            dir = parent(dir);
        }
    }
    folders
}

/// Whether a path is a directory itself or below it.
fn is_below(path: &str, dir: &str) -> bool {
    dir.is_empty() || path == dir || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

/// The directory of the exercise whose tests are in this one.
fn exercise_of(dir: &str, marked: &BTreeSet<String>) -> String {
    let mut above = std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| parent(dir)));
    if let Some(found) = above.clone().find(|dir| marked.contains(*dir)) {
        return found.to_owned();
    }
    let pattern = Regex::new(TEST_FOLDERS).expect("a pattern that was tried");
    let is_test_folder = |dir: &str| {
        let name = base_name(dir).to_ascii_lowercase().replace(['-', '_', ' '], "");
        pattern.is_match(&name)
    };
    above.find(|dir| dir.is_empty() || !is_test_folder(dir)).unwrap_or_default().to_owned()
}

/// A directory of tests without a program is part of the directory above it, if that has programs and no other
/// tests below it.
fn lift_tests_beside_programs(
    source: &ForeignPackage,
    marked: &BTreeSet<String>,
    roots: &mut BTreeMap<String, Vec<FoundPair>>,
) {
    let programs: Vec<&str> = source.paths().filter(|path| is_program(path)).collect();
    for dir in roots.keys().cloned().collect::<Vec<_>>() {
        let above = parent(&dir).to_owned();
        let beside = [above.clone(), join(&above, "src")];
        let is_alone = roots.keys().all(|other| *other == dir || !is_below(other, &above));
        let lacks_program = !programs.iter().any(|path| is_below(path, &dir));
        // With a program of its own name, the directory is an exercise.
        let own = [base_name(&dir).to_ascii_lowercase()];
        let is_named = programs.iter().any(|path| parent(path) == above && name_of(path, &own).is_some());
        let has_program = programs.iter().any(|path| beside.iter().any(|place| parent(path) == place));
        if !is_named && !dir.is_empty() && !marked.contains(&dir) && is_alone && lacks_program && has_program
        {
            let pairs = roots.remove(&dir).unwrap_or_default();
            roots.entry(above).or_default().extend(pairs);
        }
    }
}

/// Programs and statements above an exercise that have its name.
fn named_above<'a>(source: &'a ForeignPackage, dir: &str, all: &[String]) -> Vec<&'a str> {
    let names: Vec<String> = all.iter().map(|dir| base_name(dir).to_ascii_lowercase()).collect();
    let own = base_name(dir).to_ascii_lowercase();
    let is_meant = |path: &&str| {
        (is_program(path) || path.ends_with(".pdf"))
            && *path != dir
            && is_below(dir, parent(path))
            && !is_below(path, dir)
            && !all.iter().any(|other| other != dir && is_below(path, other))
            && name_of(path, &names) == Some(&own)
    };
    if dir.is_empty() { Vec::new() } else { source.paths().filter(is_meant).collect() }
}

/// All files of a directory except those of exercises below it, and the given files above it.
fn whole_exercise(source: &ForeignPackage, dir: &str, above: &[&str], all: &[String]) -> Exercise {
    let inner: Vec<&String> = all.iter().filter(|other| *other != dir && is_below(other, dir)).collect();
    let base = above.iter().map(|path| parent(path)).min_by_key(|place| place.len()).unwrap_or(dir);
    let is_own = |path: &str| {
        let path = join(base, path);
        let is_inside = is_below(&path, dir) && !inner.iter().any(|other| is_below(&path, other));
        is_inside || above.contains(&path.as_str())
    };
    let name = if dir.is_empty() { source.name() } else { base_name(dir) };
    Exercise {
        at: if dir.is_empty() { ".".into() } else { dir.to_owned() },
        files: source.part(base, name, is_own),
    }
}

/// Several exercises in one directory: the common beginnings of their file names. Each has a sample or a
/// program; a single one is the whole directory.
fn exercise_names(source: &ForeignPackage, dir: &str, pairs: &[FoundPair]) -> Vec<String> {
    let titled = Regex::new(r"^(.+)[-_.](sample|example|test|user[-_]?test)s?[-_]?\d*$").expect("tried");
    let numbered = Regex::new(r"^(.*[^-_.\d])[-_.]?\d*$").expect("tried");
    let programs: BTreeSet<String> =
        source.paths().filter(|path| is_below(path, dir) && is_program(path)).map(stem_of).collect();
    let mut names = BTreeSet::new();
    for pair in pairs {
        let title = pair.title.to_ascii_lowercase();
        match titled.captures(&title) {
            Some(found) if found[2].ends_with("ample") || programs.contains(&found[1]) => {
                names.insert(found[1].to_owned());
            }
            Some(_) => {}
            None => {
                let bare = numbered.captures(&title).map(|found| found[1].to_owned());
                names.extend(bare.filter(|name| programs.contains(name) && !is_general(name)));
            }
        }
    }
    if names.len() < 2 { Vec::new() } else { names.into_iter().collect() }
}

/// Words that name a test rather than an exercise.
fn is_general(name: &str) -> bool {
    ["sample", "example", "test", "input", "in", "main", "solution"].contains(&name)
}

fn stem_of(path: &str) -> String {
    base_name(path).split('.').next().unwrap_or_default().to_ascii_lowercase()
}

/// The exercise of a file: the longest name it begins with.
fn name_of<'a>(path: &str, names: &'a [String]) -> Option<&'a String> {
    let file = base_name(path).to_ascii_lowercase();
    let begins = |name: &&String| {
        let rest = file.strip_prefix(name.as_str());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    };
    names.iter().filter(begins).max_by_key(|name| name.len())
}

fn split_exercises(
    source: &ForeignPackage,
    dir: &str,
    pairs: &[FoundPair],
    names: &[String],
) -> Vec<Exercise> {
    let mut found = Vec::new();
    for name in names {
        let is_wanted = |path: &str| match name_of(path, names) {
            Some(owner) => owner == name,
            None => is_header(path),
        };
        found.push(Exercise { at: join(dir, name), files: source.part(dir, name, is_wanted) });
    }
    if pairs.iter().any(|pair| name_of(&pair.input, names).is_none()) {
        let name = if dir.is_empty() { source.name() } else { base_name(dir) };
        let files = source.part(dir, name, |path| name_of(path, names).is_none());
        found.push(Exercise { at: join(dir, "(others)"), files });
    }
    found
}
