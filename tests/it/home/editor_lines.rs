//! `--format lines`: what editors list, a line for each finding and nothing else.

use super::{Desk, ended, run::sums};
use std::fs;

const UNDECLARED: &str = "#include <cstdio>\nint main() {\n  return x;\n}\n";

#[test]
fn a_compile_error_is_a_line_with_a_path_from_the_current_directory() {
    let desk = sums();
    desk.write("mine/bad.cpp", UNDECLARED);
    for words in [&["run", "sums", "mine/bad.cpp"][..], &["test", "mine/bad.cpp", "sums/data/sample"]] {
        let (code, out, err) = ended(&desk.kopek(&[words, &["--format", "lines"]].concat()));
        assert_eq!(code, 1, "{out}{err}");
        assert!(out.starts_with("mine/bad.cpp:3:10: error: ") && out.lines().count() == 1, "{out}");
    }
    let elsewhere = Desk::new();
    let (package, whole) = (desk.path().join("sums"), desk.path().join("mine/bad.cpp"));
    let paths = [&package, &whole].map(|path| path.to_str().unwrap());
    let (_, out, _) = ended(&elsewhere.kopek(&["run", paths[0], paths[1], "--format", "lines"]));
    assert!(out.starts_with(&format!("{}:3:10: error: ", whole.canonicalize().unwrap().display())), "{out}");
}

#[test]
fn a_stop_is_a_line_at_its_place() {
    let desk = sums();
    desk.write("crash.py", "def f():\n    return 1 // 0\nf()\n");
    let (code, out, _) = ended(&desk.kopek(&["run", "sums", "crash.py", "--samples", "--format", "lines"]));
    let wanted = "crash.py:2:1: error: ZeroDivisionError: integer division or modulo by zero (on sample/1)\n";
    assert_eq!((code, out.as_str()), (1, wanted));
}

#[test]
fn a_debug_build_says_first_where_the_program_stopped() {
    let desk = sums();
    desk.write(
        "at.cpp",
        "#include <vector>\nint main() {\n  std::vector<int> v(3);\n  int n = 3;\n  return v[n];\n}\n",
    );
    let (_, out, _) = ended(&desk.kopek(&["run", "sums", "at.cpp", "--samples", "--debug"]));
    assert!(out.starts_with("at.cpp:5: index 3 of 3\n\nat.cpp (cpp)"), "{out}");
    let lines = ["run", "sums", "at.cpp", "--samples", "--debug", "--format", "lines"];
    let (_, out, _) = ended(&desk.kopek(&lines));
    assert_eq!(out, "at.cpp:5:1: error: index 3 of 3 (on sample/1)\n");
}

#[test]
fn findings_of_a_package_are_lines() {
    let desk = Desk::new();
    assert!(desk.kopek(&["init", "two-ends"]).status.success());
    desk.write("two-ends/submissions/accepted/bad.cpp", UNDECLARED);
    let (code, out, err) = ended(&desk.kopek(&["verify", "two-ends", "--format", "lines"]));
    assert_eq!(code, 1, "{out}{err}");
    let bad = "two-ends/submissions/accepted/bad.cpp:3:10: error: ";
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
