//! Foreign packages, and what must become of them.
//!
//! `source/` is the package or the exercise; `expected.toml` says `error` (a part of the message), or
//! `lost`, `changed` (`where: what`) and `findings`; `sound`: it keeps its claims when
//! judged; `points`: what each of `handins/` gets. What their programs need of a library
//! lies in `tiny/`.

use crate::scratch;
use anyhow::Result;
use kopek::import::{ImportOptions, ImportResult, Imported, Regenerate, TestScoring, Testlib, import};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Where the command looks for `testlib.h`.
const INCLUDE: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// What must become of a foreign package.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct ExpectedImport {
    pub error: Option<String>,
    /// Whether `testlib.h` is given.
    pub bare: bool,
    /// Whether groups of a folder of tests share 100 points.
    pub groups: bool,
    pub lost: Vec<String>,
    pub changed: Vec<String>,
    pub findings: Vec<String>,
    pub sound: bool,
    pub points: BTreeMap<String, String>,
}

pub struct ForeignPackage {
    pub name: String,
    dir: PathBuf,
    pub expected: ExpectedImport,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/import")
}

/// Small courses, in the forms that teachers have them.
pub fn courses() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/courses")
}

pub fn tiny() -> PathBuf {
    root().join("tiny")
}

/// All of them, by name.
pub fn all_packages() -> Vec<ForeignPackage> {
    let entries = [root(), courses()].map(|dir| fs::read_dir(dir).unwrap()).into_iter().flatten();
    let entries = entries.map(|entry| entry.unwrap().path());
    let mut dirs: Vec<PathBuf> = entries.filter(|dir| dir.join("expected.toml").is_file()).collect();
    dirs.sort();
    dirs.iter().map(|dir| read_expectation(dir)).collect()
}

pub fn named(name: &str) -> ForeignPackage {
    read_expectation(&root().join(name))
}

fn read_expectation(dir: &Path) -> ForeignPackage {
    let text = fs::read_to_string(dir.join("expected.toml"));
    let text = text.unwrap_or_else(|error| panic!("{}/expected.toml: {error}", dir.display()));
    let expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    ForeignPackage {
        name: dir.file_name().unwrap().to_string_lossy().into_owned(),
        dir: dir.to_owned(),
        expected,
    }
}

/// Runs kopek in a directory.
pub fn kopek(args: &[&OsStr], here: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kopek"))
        .args(args)
        .current_dir(here)
        .env_remove("CPATH")
        .env("KOPEK_STORE", scratch::store())
        .output()
        .unwrap()
}

impl ForeignPackage {
    pub fn source(&self) -> PathBuf {
        self.dir.join("source")
    }

    /// Imports it as `made` in a new directory.
    pub fn import(&self, regenerate: Regenerate) -> (TempDir, Result<ImportResult>) {
        let home = tempfile::tempdir().unwrap();
        let testlib =
            Testlib { given: (!self.expected.bare).then(tiny), path: INCLUDE.map(PathBuf::from).into() };
        let scoring = if self.expected.groups { TestScoring::EqualShares } else { TestScoring::None };
        let options = ImportOptions { testlib, regenerate, scoring, ..ImportOptions::default() };
        let imported = import(&self.source(), Some(&home.path().join("made")), &options);
        let package = |imported| match imported {
            Imported::Package(package) => package,
            Imported::Course(course) => panic!("{} is a course: {course:?}", self.name),
        };
        (home, imported.map(package))
    }

    /// Imports it by the command.
    pub fn import_by_command(&self, more: &[&str]) -> (TempDir, Output) {
        let home = tempfile::tempdir().unwrap();
        let (source, testlib) = (self.source(), tiny());
        let target = home.path().join("made");
        let mut args = vec![OsStr::new("import"), source.as_os_str(), target.as_os_str()];
        if !self.expected.bare {
            args.extend([OsStr::new("--testlib"), testlib.as_os_str()]);
        }
        args.extend(more.iter().map(OsStr::new));
        let output = kopek(&args, home.path());
        (home, output)
    }

    /// The difference between the import and the expectation.
    pub fn difference(&self) -> Option<String> {
        let (home, imported) = self.import(Regenerate::Missing);
        let actual = match (&self.expected.error, imported) {
            (Some(part), Err(error))
                if format!("{error:#}").contains(part) && !home.path().join("made").exists() =>
            {
                return None;
            }
            (None, Ok(imported)) => report_of(&imported),
            (_, other) => return Some(format!("{}: {:?}", self.name, other.err())),
        };
        let ExpectedImport { lost, changed, findings, .. } = &self.expected;
        let same = (&actual.lost, &actual.changed, &actual.findings) == (lost, changed, findings);
        (!same).then(|| format!("{}:\n{}", self.name, to_toml(&actual)))
    }

    /// What `kopek verify` has against the package.
    pub fn unsound(&self) -> Option<String> {
        let (home, _) = self.import(Regenerate::Missing);
        let (made, store) = (home.path().join("made"), scratch::store());
        let args = [OsStr::new("verify"), made.as_os_str(), OsStr::new("--store"), store.as_os_str()];
        let output = kopek(&args, home.path());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code() != Some(0))
            .then(|| format!("{}: {text}{}", self.name, String::from_utf8_lossy(&output.stderr)))
    }

    /// Hand-ins whose points are others than expected.
    pub fn wrong_points(&self) -> Option<String> {
        let (home, _) = self.import(Regenerate::Missing);
        let (made, handins, store) = (home.path().join("made"), self.dir.join("handins"), scratch::store());
        let words = ["--format", "json", "--store", store.to_str().unwrap()].map(OsStr::new);
        let args = [&[OsStr::new("grade"), made.as_os_str(), handins.as_os_str()], words.as_slice()].concat();
        let output = kopek(&args, home.path());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let Ok(report) = serde_json::from_str::<serde_json::Value>(&text) else {
            return Some(format!("{}: {text}{}", self.name, String::from_utf8_lossy(&output.stderr)));
        };
        let participants = report["participants"].as_array().unwrap().iter();
        let actual: BTreeMap<String, String> = participants
            .map(|one| {
                (
                    one["name"].as_str().unwrap().to_owned(),
                    one["points"].to_string().trim_matches('"').to_owned(),
                )
            })
            .collect();
        let faults = report["faults"].as_array().map_or(0, Vec::len);
        (actual != self.expected.points || faults > 0)
            .then(|| format!("{}: {actual:?} {}", self.name, report["faults"]))
    }
}

fn report_of(imported: &ImportResult) -> ExpectedImport {
    let report = serde_json::to_value(imported).unwrap();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let changes = |loss: &str| {
        let all = report["changes"].as_array().unwrap().iter().filter(|change| change["loss"] == loss);
        all.map(|change| format!("{}: {}", word(&change["at"]), word(&change["what"]))).collect()
    };
    let findings = report["findings"].as_array().unwrap().iter();
    // Without the line.
    let file = |at: &serde_json::Value| word(at).split(':').next().unwrap_or_default().to_owned();
    let findings = findings.map(|finding| format!("{}: {}", file(&finding["at"]), word(&finding["what"])));
    ExpectedImport {
        lost: changes("lost"),
        changed: changes("changed"),
        findings: findings.collect(),
        ..ExpectedImport::default()
    }
}

/// In the form of `expected.toml`.
fn to_toml(actual: &ExpectedImport) -> String {
    let list = |name: &str, items: &[String]| match items {
        [] => String::new(),
        items => format!(
            "{name} = [\n{}]\n",
            items.iter().map(|item| format!("    {item:?},\n")).collect::<String>()
        ),
    };
    list("lost", &actual.lost) + &list("changed", &actual.changed) + &list("findings", &actual.findings)
}
