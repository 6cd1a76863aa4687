//! Arbitrary bytes at every reader: no panic, no hanging.

use kopek::package;
use proptest::prelude::*;
use std::{fs, path::Path};

/// Files that people write, in both versions.
const MODERN: &[&str] = &[
    "problem.yaml",
    "submissions/submissions.yaml",
    "data/secret/test_group.yaml",
    "data/sample/1.yaml",
    "kopek.toml",
];
const LEGACY: &[&str] =
    &["problem.yaml", "data/testdata.yaml", "data/secret/testdata.yaml", "domjudge-problem.ini"];

fn read_with(base: &Path, file: &str, bytes: &[u8]) {
    let temp = tempfile::tempdir().unwrap();
    for entry in walkdir::WalkDir::new(base).min_depth(1) {
        let entry = entry.unwrap();
        let to = temp.path().join(entry.path().strip_prefix(base).unwrap());
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(to).unwrap(),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
    fs::create_dir_all(temp.path().join(file).parent().unwrap()).unwrap();
    fs::write(temp.path().join(file), bytes).unwrap();
    let reading = package::read(temp.path()).unwrap();
    assert!(reading.package.is_some() || !reading.findings.is_empty(), "silently unreadable");
    if let Some(package) = reading.package {
        let _ = package::read_tests(&package);
    }
}

fn base(version: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/format/base").join(version)
}

/// Words that the readers look for, in a heap.
fn nearly_yaml() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
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
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_reader_panic(file in prop::sample::select(MODERN), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_with(&base("minimal"), file, &bytes);
    }

    #[test]
    fn nearly_right_texts_make_no_reader_panic(file in prop::sample::select(MODERN), bytes in nearly_yaml()) {
        read_with(&base("minimal"), file, &bytes);
    }

    #[test]
    fn nearly_right_texts_make_no_legacy_reader_panic(file in prop::sample::select(LEGACY), bytes in nearly_yaml()) {
        read_with(&base("legacy"), file, &bytes);
    }

    #[test]
    fn a_pattern_never_hangs(pattern in "[a*{},/]{0,40}", path in "[a/]{0,40}") {
        package::glob_matches(&pattern, &path);
        package::glob_fault(&pattern);
    }
}
