//! Packages of DOMjudge without `problem.yaml`.

use super::courses::{folder, imported};
use std::fs;

const FILES: [(&str, &str); 6] = [
    ("problem.pdf", "%PDF"),
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", "1\n"),
    ("data/secret/1.in", "2\n"),
    ("data/secret/1.ans", "2\n"),
    ("submissions/accepted/a.py", "print(input())\n"),
];
const VALIDATOR: (&str, &str) = ("output_validators/near/check.py", "exit(42)\n");

#[test]
fn its_settings_are_those_of_the_package() {
    let settings = "; of 2014\nname = 'Two Sums'\ntimelimit=\"2.5\"\nspecial_compare = 'near'\ncolor = red\n";
    let home = folder(&[&FILES[..], &[("domjudge-problem.ini", settings), VALIDATOR]].concat());
    let (code, out, err) = imported(&home, &[]);
    assert_eq!(code, Some(0), "{out} {err}");
    assert!(out.contains("2 tests, no groups, 1 solution"), "{out}");
    assert!(out.contains("settings of a contest: color"), "{out}");
    assert!(!out.contains("the time limit is not in the folder"), "{out}");
    let read = |path: &str| fs::read_to_string(home.path().join("made").join(path)).unwrap();
    let manifest = read("problem.yaml");
    for line in ["type: pass-fail", "Two Sums", "time_limit: 2.5"] {
        assert!(manifest.contains(line), "{line}: {manifest}");
    }
    assert_eq!(read("output_validator/check.py"), VALIDATOR.1);
    assert_eq!(read("statement/problem.en.pdf"), "%PDF");
}

#[test]
fn a_program_that_talks_makes_the_problem_interactive() {
    let home =
        folder(&[&FILES[..], &[("domjudge-problem.ini", "special_run = 'talk'\n"), VALIDATOR]].concat());
    let (code, out, err) = imported(&home, &["--time-limit", "3"]);
    assert_eq!(code, Some(0), "{out} {err}");
    let manifest = fs::read_to_string(home.path().join("made/problem.yaml")).unwrap();
    assert!(manifest.contains("type: interactive") && manifest.contains("time_limit: 3"), "{manifest}");
}

#[test]
fn a_program_that_is_not_there_is_no_default_comparison() {
    for (settings, message) in [
        (
            "special_compare = 'float'\n",
            "special_compare is float, a program of DOMjudge that is not in the folder",
        ),
        (
            "special_run = 'boggle'\n",
            "special_run is boggle, a program of DOMjudge that is not in the folder",
        ),
        ("special_run = 'a'\nspecial_compare = 'b'\n", "special_run is a and special_compare is b"),
        ("timelimit = 'two'\n", "timelimit is \"two\", not a number of seconds"),
    ] {
        let home = folder(&[&FILES[..], &[("domjudge-problem.ini", settings)]].concat());
        let (code, _, err) = imported(&home, &[]);
        assert!(code == Some(2) && err.contains(message), "{settings}: {err}");
    }
    let home = folder(&[&FILES[..], &[("domjudge-problem.ini", "special_compare = 'compare'\n")]].concat());
    assert_eq!(imported(&home, &[]).0, Some(0));
}
