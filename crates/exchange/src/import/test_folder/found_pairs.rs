//! All inputs and answers below a directory, found by file names alone.

use crate::import::{
    draft_files::{base_name, join, parent},
    source::ForeignPackage,
};
use kopek_package::package::{FilePair, PAIRED_FOLDERS, pair_files, pair_folders};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone)]
pub struct FoundPair {
    /// Its directory; empty: the top.
    pub dir: String,
    /// The common part of both names.
    pub title: String,
    pub input: String,
    pub answer: String,
    pub others: Vec<String>,
}

#[derive(Debug, Default)]
pub struct FoundPairs {
    pub pairs: Vec<FoundPair>,
    pub unanswered: Vec<String>,
}

/// Names of files by their directory.
type Folders = BTreeMap<String, Vec<String>>;

pub fn find_pairs(source: &ForeignPackage) -> FoundPairs {
    let folders = files_by_folder(source);
    let mut found = FoundPairs::default();
    for (dir, names) in &folders {
        let here = pair_files(names);
        found.unanswered.extend(here.unanswered.iter().map(|name| join(dir, name)));
        found.pairs.extend(here.pairs.into_iter().map(|pair| located(dir, dir, dir, pair)));
    }
    for (inputs, answers) in PAIRED_FOLDERS {
        for (dir, names) in folders.iter().filter(|(dir, _)| base_name(dir).eq_ignore_ascii_case(inputs)) {
            let above = parent(dir);
            let beside = folders
                .iter()
                .find(|(other, _)| parent(other) == above && base_name(other).eq_ignore_ascii_case(answers));
            let Some((other, there)) = beside else { continue };
            let both = pair_folders(names, there);
            found.pairs.extend(both.into_iter().map(|pair| located(above, dir, other, pair)));
        }
    }
    let answered: BTreeSet<&String> = found.pairs.iter().map(|pair| &pair.input).collect();
    found.unanswered.retain(|path| !answered.contains(path));
    lift_folder_per_case(&mut found.pairs);
    found
}

fn files_by_folder(source: &ForeignPackage) -> Folders {
    let mut folders = Folders::new();
    for path in source.paths() {
        folders.entry(parent(path).to_owned()).or_default().push(base_name(path).to_owned());
    }
    folders
}

fn located(dir: &str, inputs: &str, answers: &str, pair: FilePair) -> FoundPair {
    FoundPair {
        dir: dir.to_owned(),
        title: pair.title,
        input: join(inputs, &pair.input),
        answer: join(answers, &pair.answer),
        others: pair.others.iter().map(|name| join(answers, name)).collect(),
    }
}

/// `Test01/sum.inp`, `Test02/sum.inp`, or `1/in.txt`, `2/in.txt`: the directory is the case.
fn lift_folder_per_case(pairs: &mut [FoundPair]) {
    let case = Regex::new(r"^(test|case|tc)[-_ ]?\d+$").expect("a pattern that was tried");
    let number = Regex::new(r"^\d+$").expect("a pattern that was tried");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for pair in pairs.iter() {
        *counts.entry(pair.dir.clone()).or_default() += 1;
    }
    for pair in pairs {
        let name = base_name(&pair.dir).to_ascii_lowercase();
        let is_case =
            case.is_match(&name) || number.is_match(&name) && ["in", "input"].contains(&&*pair.title);
        if counts[&pair.dir] == 1 && is_case {
            pair.title = base_name(&pair.dir).to_owned();
            pair.dir = parent(&pair.dir).to_owned();
        }
    }
}
