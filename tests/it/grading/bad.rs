//! One bad hand-in costs its owner points and never the batch.

use super::{json, kopek};
use std::{fs, os::unix::ffi::OsStrExt, path::Path};

const PROBLEM: &str = "\
problem_format_version: 2025-09
name: Echo
uuid: 9d9ac92b-24ca-4cf5-b6d8-4e9cb6c3ffdb
limits: {time_limit: 1, code: 64}
";

fn package(dir: &Path) {
    let files = [
        ("problem.yaml", PROBLEM),
        ("statement/problem.en.md", "Print the number that you read.\n"),
        ("submissions/accepted/a.py", "print(input())\n"),
        ("input_validators/v.py", "exit(42)\n"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/2.in", "2\n"),
        ("data/secret/2.ans", "2\n"),
    ];
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_bad_hand_in_costs_its_owner_points_and_never_the_batch() {
    let dir = tempfile::tempdir().unwrap();
    let (echo, class) = (dir.path().join("echo"), dir.path().join("class"));
    package(&echo);
    fs::create_dir_all(class.join("hollow")).unwrap();
    fs::write(class.join("ada.py"), "print(input())\n").unwrap();
    fs::write(class.join("broken.py"), "print(\n").unwrap();
    fs::write(class.join("empty.c"), "").unwrap();
    fs::write(class.join("huge.py"), vec![b'#'; 100 << 20]).unwrap();
    fs::write(class.join("notes.docx"), "not a program").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", class.join("sly.py")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"o\xffdd.py");
    fs::write(class.join(odd), "print(input())\n").unwrap();
    let mut command = kopek();
    command
        .arg("grade")
        .arg(&echo)
        .arg(&class)
        .args(["--format", "json", "--store"])
        .arg(dir.path().join("s"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let graded = json(&output);
    let got: Vec<(&str, &str)> = graded["participants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["verdict"].as_str().unwrap_or("none")))
        .collect();
    let expected = [
        ("ada", "AC"),
        ("broken", "CE"),
        ("empty", "NP"),
        ("hollow", "NP"),
        ("huge", "NP"),
        ("notes", "NP"),
        // It may be right: the teacher renames it.
        ("o\u{fffd}dd", "none"),
        ("sly", "NP"),
    ];
    assert_eq!(got, expected);
    let fault = graded["faults"][0].to_string();
    assert!(fault.contains("the name of o\u{fffd}dd.py is not UTF-8; rename it"), "{fault}");
}

#[test]
fn a_time_limit_that_the_package_does_not_name_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (echo, class) = (dir.path().join("echo"), dir.path().join("class"));
    package(&echo);
    fs::create_dir(&class).unwrap();
    fs::write(class.join("ada.py"), "print(input())\n").unwrap();
    let warned = |manifest: &str| {
        fs::write(echo.join("problem.yaml"), manifest).unwrap();
        let mut command = kopek();
        command
            .arg("grade")
            .args([&echo, &class])
            .args(["--format", "json", "--store"])
            .arg(dir.path().join("s"));
        let output = command.output().unwrap();
        let graded = json(&output);
        assert_eq!(graded["participants"][0]["verdict"], "AC");
        graded["warnings"].to_string()
    };
    let warning = "echo: problem.yaml has no time limit, so it is 2 s here; `kopek limits` proposes one";
    assert!(!warned(PROBLEM).contains("no time limit"));
    let text = warned(&PROBLEM.replace("time_limit: 1, ", ""));
    assert!(text.contains(warning), "{text}");
}
