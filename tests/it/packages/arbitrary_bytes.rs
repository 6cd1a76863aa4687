//! Arbitrary bytes and nearly right texts at every reader of packages: no panic, no hang, no silence. The reader of recipes
//! has its own tests.

use kopek::package;
use proptest::{collection::vec, prelude::*, sample::Index};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A package of `testdata/format`, in which one file gets other bytes.
struct Sample {
    home: tempfile::TempDir,
    file: PathBuf,
    /// What the file holds.
    right: Vec<u8>,
}

impl Sample {
    fn new(package: &str, file: &str) -> Sample {
        let home = tempfile::tempdir().unwrap();
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/format").join(package);
        for entry in walkdir::WalkDir::new(&base).min_depth(1) {
            let entry = entry.unwrap();
            let to = home.path().join(entry.path().strip_prefix(&base).unwrap());
            match entry.file_type().is_dir() {
                true => fs::create_dir_all(to).unwrap(),
                false => drop(fs::copy(entry.path(), to).unwrap()),
            }
        }
        let file = home.path().join(file);
        let right = fs::read(&file).unwrap_or_default();
        Sample { home, file, right }
    }

    fn read_with(&self, bytes: &[u8]) {
        fs::write(&self.file, bytes).unwrap();
        let reading = package::read(self.home.path()).unwrap();
        assert!(reading.package.is_some() || !reading.findings.is_empty(), "silently unreadable");
        if let Some(package) = reading.package {
            let _ = package::read_tests(&package);
        }
    }
}

/// Words that the readers look for.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "problem_format_version: 2025-09\n",
        "problem_format_version: legacy\n",
        "name:",
        " x\n",
        "limits:\n",
        "  time_limit:",
        " 1e999\n",
        " -1\n",
        " .5\n",
        "type: [scoring, interactive]\n",
        "validation: custom score\n",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "&a ",
        "*a",
        "<<: *a\n",
        "\n",
        "  ",
        "!!binary x",
        "\"",
        "'",
        "|\n",
        ">-\n",
        "# c\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "accepted:\n",
        "  permitted: [AC]\n",
        "max_score: 1\n",
        "require_pass: sample\n",
        "range: 0 1\n",
        "grading: default\n",
        "args: [a]\n",
        "input_validator_args: {a: [b]}\n",
        "? ",
        ": ",
        "\t",
        "ä",
        "\u{feff}",
        "0x1f",
        "99999999999999999999",
        "constants: {a: {value: 1}}\n",
        "credits: {authors: {name: a}}\n",
        "null",
        "~",
        "true",
        "[files]\n",
        "input = 'a'\n",
    ])
}

/// Any bytes; words in a heap; the right text with words in place of some of its bytes.
fn some_bytes(right: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<Index>(), 0..12usize, word());
    let edited = vec(edit, 1..5).prop_map(move |edits| {
        let mut text = right.clone();
        for (from, cut, word) in edits {
            let from = from.index(text.len() + 1);
            let to = (from + cut).min(text.len());
            text.splice(from..to, word.bytes());
        }
        text
    });
    let heap = vec(word(), 0..40).prop_map(|words| words.concat().into_bytes());
    prop_oneof![vec(any::<u8>(), 0..300), heap, edited]
}

fn try_readers(files: &[(&str, &str)]) {
    for (package, file) in files {
        let sample = Sample::new(package, file);
        let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(bytes in some_bytes(sample.right.clone()))| sample.read_with(&bytes));
    }
}

#[test]
fn problem_yaml_may_hold_any_bytes() {
    try_readers(&[("everything", "problem.yaml"), ("legacy/full", "problem.yaml")]);
}

#[test]
fn submissions_yaml_may_hold_any_bytes() {
    try_readers(&[("everything", "submissions/submissions.yaml")]);
}

#[test]
fn test_group_yaml_may_hold_any_bytes() {
    try_readers(&[
        ("everything", "data/secret/test_group.yaml"),
        ("everything", "data/secret/2/test_group.yaml"),
    ]);
}

#[test]
fn testdata_yaml_may_hold_any_bytes() {
    try_readers(&[
        ("legacy/flags-for-validators-by-name", "data/testdata.yaml"),
        ("legacy/groups-inherit", "data/secret/testdata.yaml"),
    ]);
}

#[test]
fn files_beside_them_may_hold_any_bytes() {
    try_readers(&[
        ("everything", "data/secret/2/args.yaml"),
        ("problem/named-files", "kopek.toml"),
        ("legacy/time-limit-in-domjudge-ini", "domjudge-problem.ini"),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pattern_never_hangs(pattern in "[a*{},/]{0,40}", path in "[a/]{0,40}") {
        package::glob_matches(&pattern, &path);
        package::glob_fault(&pattern);
    }
}
