//! Rules of the sources that neither the compiler nor clippy (`clippy.toml`) checks.

use regex_lite::Regex;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder with one of these endings, relative to the root.
fn files_below(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = WalkDir::new(root().join(folder)).sort_by_file_name().into_iter().map(Result::unwrap);
    let paths = entries.map(|entry| entry.path().strip_prefix(root()).unwrap().to_owned());
    paths.filter(|path| path.extension().is_some_and(|own| own == ending)).collect()
}

fn holds_tests(file: &Path) -> bool {
    file.to_string_lossy().ends_with("tests.rs")
}

/// The text of a Rust file without the module of its tests and lines of comments.
fn shipped_code(file: &Path) -> String {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let shipped = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let lines = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn assert_none(culprits: &[String], rule: &str) {
    assert!(culprits.is_empty(), "{rule}:\n{}", culprits.join("\n"));
}

/// Crates of several modules, in layers.
const LAYERED: [&str; 8] = [
    "src",
    "crates/engine/src",
    "crates/exchange/src",
    "crates/hunt/src",
    "crates/judge/src",
    "crates/lab/src",
    "crates/package/src",
    "crates/plan/src",
];

#[test]
fn a_module_uses_only_modules_above_it() {
    let imports = Regex::new(r"\bcrate::(?:\w+|\{[^;]*;)").unwrap();
    let mut culprits = Vec::new();
    for folder in LAYERED {
        let text = fs::read_to_string(root().join(folder).join("lib.rs")).unwrap();
        let modules: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
        for (at, module) in modules.iter().enumerate() {
            let own_file = PathBuf::from(format!("{folder}/{module}.rs"));
            let own_files = files_below(folder, "rs").into_iter();
            let own_files =
                own_files.filter(|file| *file == own_file || file.starts_with(own_file.with_extension("")));
            for file in own_files.filter(|file| !holds_tests(file)) {
                let code = shipped_code(&file);
                for lower in &modules[at + 1..] {
                    let word = Regex::new(&format!(r"\b{lower}\b")).unwrap();
                    if imports.find_iter(&code).any(|import| word.is_match(import.as_str())) {
                        culprits.push(format!("{} uses crate::{lower}", file.display()));
                    }
                }
            }
        }
    }
    assert_none(&culprits, "a module may use only modules above it in `lib.rs`");
}

/// Places, words that their files do not contain, except these files, and why.
const WITHOUT: [(&str, &[&str], &[&str], &str); 7] = [
    ("crates/package/src/verdict.rs", FILES, &[], "verdicts touch no files"),
    ("crates/package/src/points.rs", FILES, &[], "points touch no files"),
    ("crates/plan/src", FILES, &[], "jobs, times and scores touch no files"),
    ("crates/results/src", FILES, &[], "results touch no files"),
    ("crates/render/src", FILES, &[], "a renderer makes texts"),
    ("crates/plan/src/plan", &[":?}"], &[], "a compiler may change debug output, and keys must stay"),
    ("tests", &["thread::sleep", "    sleep("], SLEEPERS, "wait for an event (tests/it/events.rs)"),
];
const FILES: &[&str] = &["fs::", "File::", "io::stdin", "io::stdout", "io::stderr"];
/// A machine stands still for longer than a limit; processes are killed and files change at any moment.
const SLEEPERS: &[&str] = &["held_up.rs", "killed_processes.rs", "killed_runs.rs", "chaos.rs", "rules.rs"];

#[test]
fn files_do_without_the_words_of_others() {
    let mut culprits = Vec::new();
    for (folder, words, exceptions, why) in WITHOUT {
        let files = files_below(folder, "rs");
        assert!(!files.is_empty(), "{folder} is gone");
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap();
            if exceptions.contains(&name) || holds_tests(&file) {
                continue;
            }
            let code = shipped_code(&file);
            let found = words.iter().filter(|word| code.contains(*word));
            culprits.extend(found.map(|word| format!("{}: `{word}`: {why}", file.display())));
        }
    }
    assert_none(&culprits, "words in the wrong place");
}

#[test]
fn documents_name_files_that_exist() {
    let path = r"`((?:crates|src|tests|docs|testdata|benches|packaging|problems|\.ci)/[\w./-]+)`";
    let path = Regex::new(path).unwrap();
    let named_in = Regex::new(r"`(\w+)` \(`([\w./-]+\.rs)`").unwrap();
    let mut culprits = Vec::new();
    for document in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "src/lib.rs"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let gone = path.captures_iter(&text).filter(|found| !root().join(&found[1]).exists());
        culprits.extend(gone.map(|found| format!("{document}: {}", &found[1])));
        for found in named_in.captures_iter(&text) {
            let there = fs::read_to_string(root().join(&found[2])).unwrap_or_default();
            if !there.contains(&found[1]) {
                culprits.push(format!("{document}: {} is not in {}", &found[1], &found[2]));
            }
        }
    }
    assert_none(&culprits, "documents name what does not exist");
}

#[test]
fn every_sentence_is_said_somewhere() {
    const TABLE: &str = "crates/sentences/src/said.rs";
    let table = fs::read_to_string(root().join(TABLE)).unwrap();
    let sentences = table.split("\nsentences! {").nth(1).unwrap();
    let keys = Regex::new(r"(?m)^    (\w+)(?: \{.*\})?,$").unwrap();
    let said = Regex::new(r"\bSaid::(\w+)").unwrap();
    let files = ["src", "crates"].map(|folder| files_below(folder, "rs")).concat().into_iter();
    let files = files.filter(|file| !holds_tests(file) && file != Path::new(TABLE));
    let code: String = files.map(|file| shipped_code(&file)).collect();
    let said: BTreeSet<&str> =
        said.captures_iter(&code).map(|found| found.get(1).unwrap().as_str()).collect();
    let keys: BTreeSet<&str> =
        keys.captures_iter(sentences).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(keys.len() > 300, "{} sentences were found", keys.len());
    let unused: Vec<String> = keys.difference(&said).map(|key| format!("{TABLE}: {key}")).collect();
    assert_none(&unused, "nobody says it");
}
