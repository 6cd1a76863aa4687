//! The end of the output of `kopek grade`: missing compilers, open cases, and the next commands.

use super::{
    graded::{SUM, WRONG, command, kopek, sums_package, write_file},
    in_memory::{self, FAKE_SUM, FAKE_WRONG},
};
use crate::skip;
use std::{fs, process::Command};

/// Go has no compiler here.
const LANGUAGES: &str = "[[language]]\ncode = 'go'\ntools = { go = ['no-such-go'] }\n";

#[test]
fn a_student_reads_which_programs_can_count_and_once_which_files_have_no_package() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    for name in ["sums", "twin", "third"] {
        sums_package(&home.join(name));
    }
    for (path, text) in [
        ("ada/sums/a.py", FAKE_SUM),
        ("ada/sums/b.py", FAKE_WRONG),
        ("ada/sums/test_a.py", "import unittest\n"),
        ("bo/x.py", FAKE_SUM),
        ("bo/y.py", FAKE_SUM),
    ] {
        write_file(&home.join("class").join(path), text);
    }
    in_memory::grade(home, &["sums", "twin", "third", "class", "--out", "out"]).unwrap();
    let page = |name: &str| fs::read_to_string(home.join(format!("out/pages/{name}.html"))).unwrap();
    let [ada, bo] = ["ada", "bo"].map(page);
    assert!(ada.contains("which of these files counts: a.py, b.py<") && !ada.contains("test_a"), "{ada}");
    assert_eq!(bo.matches("x.py, y.py").count(), 1, "{bo}");
    assert_eq!(bo.matches("nothing was handed in for ").count(), 3, "{bo}");
}

#[test]
fn a_missing_compiler_is_one_line_with_the_command_that_installs_it() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let go = "package main\nfunc main() {}\n";
    for (name, text) in [("ada.py", SUM), ("eve.py", WRONG), ("gauss.go", go), ("noether.go", go)] {
        write_file(&home.join("class").join(name), text);
    }
    write_file(&home.join("languages.toml"), LANGUAGES);
    let grade = |more: &[&str]| {
        let mut command = command(home, &[&["grade", "sums", "class"], more].concat());
        command.env("KOPEK_LANGUAGES", "languages.toml").output().unwrap()
    };
    let output = grade(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("\n*  gauss: not judged: Go is not installed here\n*  noether: "), "{text}");
    let mut end = text.split("\n2 of 4 participants graded in ").nth(1).unwrap().split("\n\n").skip(1);
    let missing = end.next().unwrap();
    assert!(
        missing.starts_with("2 participants need Go: ") && missing.ends_with(", then run again"),
        "{text}"
    );
    let next = end.next().unwrap();
    assert!(
        next.starts_with("Next: ") && next.contains("--out report\n") && !next.contains("gauss"),
        "{text}"
    );
    assert!(next.trim_end().ends_with(" run sums class/eve.py") && end.next().is_none(), "{text}");
    let json = grade(&["--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let fault = report["faults"][1].as_str().unwrap();
    assert!(fault.starts_with("sums: noether: needs Go: "), "{fault}");
}

#[test]
fn a_table_names_chosen_files_and_equal_programs_in_one_line_each() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let same = format!("# the same\n{SUM}");
    for (name, text) in [
        ("ada/sums.py", SUM),
        ("ada/old.py", WRONG),
        ("bob.py", &same),
        ("cy.py", &same),
        ("dan.py", &same),
        ("eve.py", SUM),
    ] {
        write_file(&home.join("class").join(name), text);
    }
    let output = kopek(home, &["grade", "sums", "class", "--out", "out"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    for line in [
        "*  of several files, sums.py was run: ada",
        "*  same program: ada, eve",
        "*  same program: bob, cy, dan",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    assert!(text.contains("\n5 participants graded in "), "{text}");
    assert!(
        text.contains("\nNext: xdg-open out/index.html\n") && text.ends_with(" similar class\n"),
        "{text}"
    );
    let again = kopek(home, &["grade", "sums", "class", "--out", "out", "--similar"]);
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    let page = fs::read_to_string(home.join("out/similar.html")).unwrap();
    assert!(page.contains("Similar programs: sums"), "{page}");
}

#[test]
fn no_name_of_a_hand_in_moves_the_cursor_or_begins_a_line() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    // The export of a system that does not know the folder.
    write_file(&home.join("class/submission_metadata.yml"), "{}\n");
    write_file(&home.join("class/a\x1b[2Jb\n::error::c\u{202e}/main.py"), SUM);
    write_file(&home.join("class/.d\x1b[2Je\n::error::f.txt"), "left out");
    for args in [&["grade", "sums", "class"][..], &["grade", "sums", "class", "--only", "no\x1b[2J"]] {
        let output = kopek(home, args);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!text.contains(['\x1b', '\u{202e}']) && !text.contains("\n::"), "{text}");
        assert!(text.contains("::error::c") || text.contains("::error::f"), "{text}");
    }
}

#[test]
fn a_source_that_kills_its_compiler_stays_open_alone_and_is_explained() {
    if Command::new("perl").arg("-v").output().is_err() {
        return skip::report("perl is missing");
    }
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada.py"), SUM);
    write_file(&home.join("class/eve.pl"), "#!/usr/bin/perl\nBEGIN { kill 9, $$ }\n");
    let output = kopek(home, &["grade", "sums", "class"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(" 100/100 "), "{text}");
    assert!(words.contains("the source has code that did it during the build"), "{text}");
    write_file(&home.join("decisions.csv"), "participant,entry\neve,-\n");
    let decided = kopek(home, &["grade", "sums", "class", "--decisions", "decisions.csv"]);
    assert_eq!(decided.status.code(), Some(0));
}
