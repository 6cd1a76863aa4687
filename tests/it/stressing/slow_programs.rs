//! Programs of known slow inputs, each with one small case: how many of them `kopek stress --slow` finds, and that no
//! accepted one is called slow.

use super::{kopek, report};
use crate::scratch;
use std::{collections::BTreeMap, fs, path::PathBuf};

/// All packages of `testdata/slow`.
fn packages() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/slow");
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// How many of the 26 a quiet machine finds, without those that its noise may leave undecided.
const FOUND: usize = 22;

#[test]
#[ignore = "long: some twenty minutes"]
fn most_programs_get_an_input_on_which_they_are_slow() {
    let mut slowest = BTreeMap::new();
    let mut found = 0;
    for package in packages() {
        let name = package.file_name().unwrap().to_string_lossy().into_owned();
        let programs = ["time_limit_exceeded", "accepted"].map(|dir| {
            let mut files = fs::read_dir(package.join("submissions").join(dir)).unwrap();
            files.next().unwrap().unwrap().path()
        });
        let [package, slow, right] =
            [&package, &programs[0], &programs[1]].map(|path| path.to_str().unwrap());
        let args = ["stress", package, slow, right, "--slow", "--time", "60s", "--format", "json"];
        let report = report(&kopek(&scratch::store(), &args));
        let findings = report["findings"].as_array().unwrap();
        for finding in findings {
            assert!(finding["submission"].as_str().unwrap().contains("slow"), "{name}: {finding:#}");
        }
        found += findings.len();
        if findings.is_empty() {
            slowest.insert(name, report["not_found"].clone());
        }
    }
    assert!(found >= FOUND, "{found} found; not found: {slowest:#?}");
}
