//! Specimens: packages that are odd in exactly one way.
//!
//! A specimen is a directory with `expected.toml`:
//!
//! ```toml
//! base = "../../base/minimal"      # copied first; the specimen's files lie over it
//! remove = ["data/secret/1.ans"]   # removed after that
//! dirs = ["data/secret/empty"]     # made after that
//! findings = ["error problem.yaml:3 unknown key"] # level, place, part of the message
//! sees = ["limit time 2s"]         # lines of `list_facts` that must be there
//! unreadable = true                # no package comes of it
//! no_cases = true                  # the test set lacks secret cases
//! [links]
//! "data/secret/2.in" = "/etc/passwd"
//! [run]                            # what happens when it runs: see `running`
//! ```

use super::{package_facts::list_facts, running::ExpectedRun};
use kopek::package::{self, Message, NoCases};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// A package and its expectation.
pub struct Specimen {
    dir: PathBuf,
    expected: ExpectedReading,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedReading {
    base: Option<PathBuf>,
    #[serde(default)]
    remove: Vec<PathBuf>,
    #[serde(default)]
    dirs: Vec<PathBuf>,
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    findings: Vec<String>,
    #[serde(default)]
    sees: Vec<String>,
    #[serde(default)]
    unreadable: bool,
    #[serde(default)]
    no_cases: bool,
    run: Option<ExpectedRun>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/format")
}

/// All specimens: directories of directories, or single packages.
pub fn all() -> Vec<Specimen> {
    let mut all = Vec::new();
    for outer in directories(&root()) {
        match outer.join("problem.yaml").exists() || outer.join("expected.toml").exists() {
            true => all.push(Specimen::load(outer)),
            false => all.extend(directories(&outer).into_iter().map(Specimen::load)),
        }
    }
    all
}

/// The specimen of this name.
pub fn named(name: &str) -> Specimen {
    Specimen::load(root().join(name))
}

fn directories(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut dirs: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    dirs.sort();
    dirs
}

impl Specimen {
    fn load(dir: PathBuf) -> Specimen {
        let file = dir.join("expected.toml");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Specimen { dir, expected }
    }

    /// What it is expected to do when it runs, if anything.
    pub fn run(&self) -> Option<&ExpectedRun> {
        self.expected.run.as_ref()
    }

    /// Where it lies, for people.
    pub fn name(&self) -> String {
        self.dir.strip_prefix(root()).unwrap_or(&self.dir).display().to_string()
    }

    /// The whole package in a directory of its own.
    pub fn copy(&self) -> tempfile::TempDir {
        let temp = tempfile::Builder::new().prefix("specimen").tempdir().unwrap();
        self.fill(temp.path());
        temp
    }

    fn fill(&self, into: &Path) {
        if let Some(base) = &self.expected.base {
            Specimen::load(fs::canonicalize(self.dir.join(base)).unwrap()).fill(into);
        }
        copy_over(&self.dir, into);
        for path in &self.expected.remove {
            let path = into.join(path);
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }
                .unwrap_or_else(|error| panic!("{}: remove {}: {error}", self.dir.display(), path.display()));
        }
        self.expected.dirs.iter().for_each(|dir| fs::create_dir_all(into.join(dir)).unwrap());
        for (link, target) in &self.expected.links {
            fs::create_dir_all(into.join(link).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, into.join(link)).unwrap();
        }
    }

    /// What differs from the expectation.
    pub fn difference(&self) -> Option<String> {
        let temp = self.copy();
        let reading =
            package::read(temp.path()).unwrap_or_else(|error| panic!("{}: {error:#}", self.dir.display()));
        let mut findings = reading.findings;
        let mut faults = Vec::new();
        if reading.package.is_none() != self.expected.unreadable {
            faults.push(format!("unreadable: {}", reading.package.is_none()));
        }
        if let Some(package) = &reading.package {
            let (set, more, no_cases) = match package::read_tests(package) {
                Ok((set, more)) => (set, more, false),
                Err(error) => match error.downcast::<NoCases>() {
                    Ok(none) => (*none.tests, none.findings, true),
                    Err(error) => panic!("{}: {error:#}", self.dir.display()),
                },
            };
            findings.extend(more);
            if no_cases != self.expected.no_cases {
                faults.push(format!("no_cases: {no_cases}"));
            }
            let facts = list_facts(package, &set);
            let unseen = self.expected.sees.iter().filter(|fact| !facts.contains(fact));
            faults.extend(unseen.map(|fact| format!("not there: {fact}; but: {facts:#?}")));
        }
        faults.extend(self.compare(findings));
        (!faults.is_empty()).then(|| format!("{}\n  {}", self.dir.display(), faults.join("\n  ")))
    }

    /// Each finding fits exactly one expectation.
    fn compare(&self, findings: Vec<Message>) -> Vec<String> {
        let mut left: Vec<&String> = self.expected.findings.iter().collect();
        let mut faults = Vec::new();
        for finding in findings {
            match left.iter().position(|expected| fits_expectation(expected, &finding)) {
                Some(at) => drop(left.remove(at)),
                None => faults.push(format!("unexpected: {finding}")),
            }
        }
        faults.extend(left.into_iter().map(|expected| format!("missing: {expected}")));
        faults
    }
}

fn fits_expectation(expected: &str, finding: &Message) -> bool {
    let Message { level, what, todo, .. } = finding;
    let place = finding.place();
    let place = format!("{level} {} ", place.as_ref().unwrap());
    let message = format!("{what} {}", todo.as_deref().unwrap_or(""));
    expected.strip_prefix(&place).is_some_and(|part| !part.is_empty() && message.contains(part))
}

fn copy_over(from: &Path, into: &Path) {
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry.unwrap();
        let below = entry.path().strip_prefix(from).unwrap();
        if below == Path::new("expected.toml") {
            continue;
        }
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(into.join(below)).unwrap(),
            false => drop(fs::copy(entry.path(), into.join(below)).unwrap()),
        }
    }
}
