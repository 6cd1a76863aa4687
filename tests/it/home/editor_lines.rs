//! `--format lines`: what editors list, a line for each finding and nothing else.

use super::{Desk, ended, run::sums};
use std::fs;

const UNDECLARED: &str = "#include <cstdio>\nint main() {\n  return x;\n}\n";

#[test]
fn a_compile_error_is_a_line_with_a_path_from_the_current_directory() {
    let desk = sums();
    let lines = |words: &[&str]| ended(&desk.kopek(&[words, &["--format", "lines"]].concat()));
    desk.write("mine/bad.cpp", UNDECLARED);
    for words in [&["run", "sums", "mine/bad.cpp"][..], &["test", "mine/bad.cpp", "sums/data/sample"]] {
        let (code, out, err) = lines(words);
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.starts_with("mine/bad.cpp:3:10: error: ") && out.lines().count() == 1, "{out}");
    }
    let elsewhere = Desk::new();
    let (package, whole) = (desk.path().join("sums"), desk.path().join("mine/bad.cpp"));
    let paths = [&package, &whole].map(|path| path.to_str().unwrap());
    let (_, out, _) = ended(&elsewhere.kopek(&["run", paths[0], paths[1], "--format", "lines"]));
    assert!(out.starts_with(&format!("{}:3:10: error: ", whole.canonicalize().unwrap().display())), "{out}");
    // So is every finding of a package.
    desk.write("sums/submissions/accepted/bad.cpp", UNDECLARED);
    let (code, out, err) = lines(&["verify", "sums"]);
    assert_eq!(code, 1, "{out}{err}");
    let bad = "sums/submissions/accepted/bad.cpp:3:10: error: ";
    assert!(out.lines().any(|line| line.starts_with(bad)), "{out}");
    for line in out.lines() {
        assert!(line.contains(": error: ") || line.contains(": warning: "), "{line}");
    }
}

#[test]
fn the_guide_has_the_files_of_editors() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/editors.md")).unwrap();
    let (_, tasks) = page.split_once("```json\n").unwrap();
    let tasks: serde_json::Value = serde_json::from_str(tasks.split_once("```").unwrap().0).unwrap();
    let tasks = tasks["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 4, "{tasks:?}");
    for task in tasks {
        let words = task["args"].as_array().unwrap();
        assert!(words.ends_with(&["--format".into(), "lines".into()]), "{task}");
        let pattern = &task["problemMatcher"]["pattern"]["regexp"];
        assert_eq!(pattern, r"^(.+?):(\d+):(\d+): (error|warning): (.*)$");
    }
}
