//! Folders of tests as teachers, courses and archives have them, and the errors where something is not clear.

use super::foreign_packages::{courses, kopek};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A folder with these files; a text that is not named is a number from the path.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = home.path().join("course").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

/// Imports the folder as `made`: exit code, report, messages.
pub fn imported(home: &TempDir, more: &[&str]) -> (Option<i32>, String, String) {
    let (source, target) = (home.path().join("course"), home.path().join("made"));
    let mut args = vec!["import".as_ref(), source.as_os_str(), target.as_os_str()];
    args.extend(more.iter().map(std::ffi::OsStr::new));
    let output = kopek(&args, home.path());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Inputs below a directory, by their path in `data/`, with the first line of their answers.
fn cases(package: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![package.join("data")];
    while let Some(dir) = todo.pop() {
        for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|ending| ending == "in") {
                let answer = fs::read_to_string(path.with_extension("ans")).unwrap();
                let name = path.strip_prefix(package.join("data")).unwrap().with_extension("");
                found.push(format!("{} {}", name.display(), answer.trim()));
            }
        }
    }
    found.sort();
    found
}

/// Pairs of these names; the answer of the n-th is n.
fn pairs(names: &[(&str, &str)]) -> TempDir {
    let texts: Vec<String> = (1..=names.len()).map(|number| format!("{number}\n")).collect();
    let files = names.iter().zip(&texts);
    let files = files.flat_map(|((input, answer), text)| [(*input, text.as_str()), (*answer, text.as_str())]);
    folder(&files.collect::<Vec<_>>())
}

#[test]
fn a_folder_of_tests_has_the_title_that_the_user_gives_its_package() {
    let home = pairs(&[("1.in", "1.out"), ("2.in", "2.out")]);
    let (code, out, err) = imported(&home, &["--time-limit", "1"]);
    assert_eq!(code, Some(0), "{out} {err}");
    let manifest = fs::read_to_string(home.path().join("made/problem.yaml")).unwrap();
    assert!(manifest.contains("made") && !manifest.contains("course"), "{manifest}");
}

#[test]
fn every_convention_of_names_becomes_samples_and_cases() {
    for (names, expected) in [
        (
            &[("1.in", "1.out"), ("10.in", "10.out"), ("2.in", "2.out")][..],
            "secret/01 1, secret/02 3, secret/10 2",
        ),
        (&[("I.1", "O.1"), ("I.2", "O.2")], "secret/1 1, secret/2 2"),
        (&[("sum1.IN", "sum1.ANS"), ("sum2.IN", "sum2.ANS")], "secret/sum1 1, secret/sum2 2"),
        (&[("sum.in1", "sum.ou1"), ("sum.in2", "sum.ou2")], "secret/sum-1 1, secret/sum-2 2"),
        (&[("tests/01", "tests/01.a"), ("tests/02", "tests/02.a")], "secret/01 1, secret/02 2"),
        (&[("t.s1-1.in", "t.s1-1.sol"), ("t.g1-1.in", "t.g1-1.sol")], "sample/t.s1-1 1, secret/t.g1-1 2"),
        (
            &[("in/abc0.in", "out/abc0.out"), ("in/abc1a.in", "out/abc1a.out")],
            "sample/abc0 1, secret/abc1a 2",
        ),
        (&[("0-01.in", "0-01.out"), ("1-01.in", "1-01.out")], "sample/0-01 1, secret/1-01 2"),
        (
            &[("Test01/S.INP", "Test01/S.OUT"), ("Test02/S.INP", "Test02/S.OUT")],
            "secret/Test01 1, secret/Test02 2",
        ),
        (
            &[("public/sample.in", "public/sample.out"), ("public/test1.in", "public/test1.out")],
            "sample/sample 1, secret/test1 2",
        ),
        (
            &[("samples/1.in", "samples/1.out"), ("secret/1.in", "secret/1.out")],
            "sample/1 1, secret/secret-1 2",
        ),
        (&[("a b.in", "a b.out"), ("a_b.in", "a_b.out")], "secret/a_b 1, secret/a_b-2 2"),
        (&[("sample.in", "sample.out")], "sample/sample 1, secret/sample 1"),
        (&[("1/in.txt", "1/out.txt"), ("2/in.txt", "2/out.txt")], "secret/1 1, secret/2 2"),
    ] {
        let home = pairs(names);
        let (code, out, err) = imported(&home, &[]);
        assert_eq!(code, Some(0), "{names:?}: {out} {err}");
        assert_eq!(cases(&home.path().join("made")).join(", "), expected, "{names:?}");
    }
}

#[test]
fn groups_and_points_are_those_that_are_asked_for() {
    let names = [("sample.in", "sample.out"), ("test1.in", "test1.out"), ("test2.in", "test2.out")];
    let home = pairs(&names);
    let (code, out, _) = imported(&home, &["--points", "20,40", "--time-limit", "500ms"]);
    assert!(code == Some(0) && out.contains("3 tests, 2 groups (60 points)"), "{out}");
    let read = |path: &str| fs::read_to_string(home.path().join("made").join(path)).unwrap();
    assert!(read("data/secret/test2/test_group.yaml").contains("max_score: 40"));
    assert!(read("problem.yaml").contains("time_limit: 0.5"), "{}", read("problem.yaml"));
    let (code, out, _) = imported(
        &pairs(&[("1a.in", "1a.out"), ("1b.in", "1b.out"), ("2a.in", "2a.out")]),
        &["--points", "equal"],
    );
    assert!(code == Some(0) && out.contains("3 tests, 2 groups (100 points)"), "{out}");
    let (code, _, err) = imported(&pairs(&names), &["--points", "20,40.5"]);
    assert!(code == Some(2) && err.contains("write whole numbers, such as 40,40,20"), "{err}");
    let (code, _, err) = imported(&pairs(&names), &["--points", "20,40,40"]);
    let message = "--points names 3 values, but there are 2 groups of one test each: test1 (1), test2 (1); name one value for each";
    assert!(code == Some(2) && err.contains(message), "{err}");
}

#[test]
fn groups_are_folders_or_prefixes_and_the_report_says_so() {
    for (names, points, report) in [
        (
            &[("easy/1.in", "easy/1.out"), ("easy/2.in", "easy/2.out"), ("hard/1.in", "hard/1.out")][..],
            "30,70",
            "groups by folder → easy (2), hard (1)",
        ),
        (
            &[("g1-mid0.in", "g1-mid0.out"), ("g1-mid1.in", "g1-mid1.out"), ("g2-big0.in", "g2-big0.out")],
            "equal",
            "groups by the name before the last number → g1-mid (2), g2-big (1)",
        ),
        (&[("1.in", "1.out"), ("2.in", "2.out")], "equal", "groups of one test each → 1 (1), 2 (1)"),
        (&[("1.in", "1.out"), ("2.in", "2.out")], "100", "groups of all tests together → all (2)"),
    ] {
        // Below a folder of its own, as `easy` and `hard` are no exercises.
        let placed: Vec<[String; 2]> = names
            .iter()
            .map(|(input, answer)| [format!("sum/tests/{input}"), format!("sum/tests/{answer}")])
            .collect();
        let placed: Vec<(&str, &str)> =
            placed.iter().map(|[input, answer]| (input.as_str(), answer.as_str())).collect();
        let home = pairs(&placed);
        fs::write(home.path().join("course/sum/sum.py"), "print(1)\n").unwrap();
        let (code, out, err) = imported(&home, &["--points", points]);
        assert!(code == Some(0) && out.contains(report), "{names:?}: {out} {err}");
        assert!(out.contains("(100 points)"), "{out}");
    }
}

#[test]
fn blanks_and_lines_count_where_that_is_asked_for() {
    let home = folder(&[("1.in", "1\n"), ("1.out", "* *\n *\n"), ("flat.py", "print('* * *')\n")]);
    assert_eq!(imported(&home, &["--exact", "--time-limit", "1"]).0, Some(0));
    let rule = fs::read_to_string(home.path().join("made/data/secret/test_group.yaml")).unwrap();
    assert_eq!(rule, "output_validator_args: [case_sensitive, space_change_sensitive]\n");
    let made = home.path().join("made");
    let flat = made.join("submissions/mixed/flat.py");
    let judged = kopek(&["run".as_ref(), made.as_os_str(), flat.as_os_str()], home.path());
    assert_eq!(judged.status.code(), Some(1), "{}", String::from_utf8_lossy(&judged.stdout));
}

#[test]
fn exercises_of_several_labs_keep_the_names_of_both_folders() {
    let home = pairs(&[
        ("lab01/ex01/1.in", "lab01/ex01/1.out"),
        ("lab01/ex02/1.in", "lab01/ex02/1.out"),
        ("lab02/ex01/1.in", "lab02/ex01/1.out"),
    ]);
    let (code, out, err) = imported(&home, &[]);
    assert_eq!(code, Some(0), "{out} {err}");
    let mut identities = std::collections::BTreeSet::new();
    for name in ["lab01-ex01", "lab01-ex02", "lab02-ex01"] {
        let manifest = fs::read_to_string(home.path().join("made").join(name).join("problem.yaml")).unwrap();
        assert!(manifest.contains(&format!("\n  en: {name}\n")), "{manifest}");
        identities.extend(manifest.lines().find(|line| line.starts_with("uuid")).map(str::to_owned));
    }
    assert_eq!(identities.len(), 3, "each is a problem of its own");
}

#[test]
fn a_course_becomes_a_package_for_each_exercise_and_a_contest() {
    let home = tempfile::tempdir().unwrap();
    let made = home.path().join("made");
    let source = courses().join("loose/source");
    let output = kopek(&["import".as_ref(), source.as_os_str(), made.as_os_str()], home.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("imported 2 exercises into"), "{text}");
    assert!(text.contains("lamp: testsets/lamp3.in: an input without an answer"), "{text}");
    assert!(text.contains("left out, as they belong to no exercise\n  README.md\n"), "{text}");
    assert_eq!(
        cases(&made.join("ferry")),
        ["sample/ferry-sample 3", "secret/ferry-test1 30", "secret/ferry-test2 700"]
    );
    assert_eq!(
        cases(&made.join("lamp")),
        ["secret/lamp00 0", "secret/lamp01 1", "secret/lamp02 0", "secret/lamp10 0"]
    );
    let contest = kopek::contest::read_contest(&made).unwrap();
    let ids: Vec<String> = contest.problems.iter().map(|one| format!("{} {}", one.label, one.id)).collect();
    assert_eq!(ids, ["A ferry", "B lamp"]);
    let judged = kopek(
        &["run".as_ref(), made.join("lamp").as_os_str(), source.join("lamp.py").as_os_str()],
        home.path(),
    );
    assert_eq!(judged.status.code(), Some(0), "{}", String::from_utf8_lossy(&judged.stdout));
}

#[test]
fn exercises_with_manifests_and_without_stand_side_by_side() {
    let home = folder(&[
        ("week1/sum/public/sample.in", "1\n"),
        ("week1/sum/public/sample.out", "1\n"),
        ("week1/sum/src/main.py", "print(input())\n"),
        ("week2/sum/1.in", "1\n"),
        ("week2/sum/1.out", "1\n"),
        ("week2/own/public/user_test.in", "1\n"),
        ("week2/own/public/user_test.out", "1\n"),
        ("week3/task/problem.yaml", "name: x\n"),
        ("week3/task/data/sample/1.in", "1\n"),
        ("week3/task/data/sample/1.ans", "1\n"),
    ]);
    let (code, out, err) = imported(&home, &[]);
    assert_eq!(code, Some(1), "not all were imported: {out} {err}");
    assert!(out.contains("imported 2 exercises into"), "{out}");
    assert!(
        out.contains("week2/own: no test is left (a test of the student's own: public/user_test.in)"),
        "{out}"
    );
    assert!(out.contains("week3/task: it holds problem.yaml: a package of this format already"), "{out}");
    let names: Vec<PathBuf> =
        ["week1-sum", "week2-sum", "problems.yaml"].map(|name| home.path().join("made").join(name)).into();
    assert!(names.iter().all(|path| path.exists()), "{names:?}");
    let (code, _, err) = imported(&home, &[]);
    assert!(code == Some(2) && err.contains("exists already: name another directory, or remove it"), "{err}");
}

#[test]
fn a_link_out_of_a_course_leaves_the_other_exercises() {
    for (place, lost) in [
        ("week2/sum/2.in", "week2/sum: 2.in is a link out of the source, to"),
        ("week2/sum/notes.txt", "week2/sum: notes.txt is a link out of the source, to"),
        ("week3", "week3: is a link out of the source, to"),
    ] {
        let home = pairs(&[
            ("week1/sum/1.in", "week1/sum/1.out"),
            ("week2/sum/1.in", "week2/sum/1.out"),
            ("week2/sum/2.txt", "week2/sum/2.out"),
        ]);
        symlink("/etc", home.path().join("course").join(place)).unwrap();
        let (code, out, err) = imported(&home, &[]);
        assert_eq!(code, Some(1), "not everything was imported: {out} {err}");
        assert!(out.contains(&format!("not imported {lost} /etc: refused; copy the file there")), "{out}");
        assert_eq!(cases(&home.path().join("made/week1-sum")), ["secret/1 1"]);
        assert_eq!(home.path().join("made/week2-sum").exists(), place == "week3");
    }
    let home = pairs(&[("1.in", "1.out")]);
    symlink("/etc", home.path().join("course/week2")).unwrap();
    let (code, _, err) = imported(&home, &[]);
    assert!(code == Some(2) && err.contains("week2 is a link out of the source"), "{err}");
    let home = pairs(&[("week1/1.in", "week1/1.out")]);
    symlink("/etc", home.path().join("course/week2")).unwrap();
    let (code, out, err) = imported(&home, &[]);
    assert_eq!(code, Some(1), "{out} {err}");
    assert!(home.path().join("made/week1/problem.yaml").is_file(), "{out}");
}

#[test]
fn tests_are_part_of_the_exercise_that_has_their_program() {
    for (dir, program) in [
        ("week1/hit/Test Cases", "week1/hit/hit.py"),
        ("week1/hit/all", "week1/hit/src/main.py"),
        ("week1/hit", "week1/hit.py"),
        ("hit", "hit/a.py"),
    ] {
        let (input, answer) = (format!("{dir}/1.in"), format!("{dir}/1.out"));
        let home = folder(&[(&input, "1\n"), (&answer, "1\n"), (program, "print(1)\n")]);
        let (code, out, err) = imported(&home, &[]);
        assert!(code == Some(0) && out.contains("1 test, no groups, 1 solution"), "{dir}: {out} {err}");
    }
}

#[test]
fn files_that_are_not_taken_are_reported() {
    let home = folder(&[
        ("1.in", "1\r\n"),
        ("1.out", "1"),
        ("1.ans", "1\n"),
        ("2.in", "2\n"),
        ("3.out", "3\n"),
        ("4.in", "4\n"),
        ("4.out", ""),
        ("5.in", ""),
        ("5.out", ""),
        ("6.in", "1\r\n"),
        ("6.out", "1\n"),
        ("notes.txt", "x"),
        ("gen.cpp", "int main() {}\n"),
        ("tests/1.in", "1\r\n"),
        ("tests/1.ans", "1\n"),
    ]);
    let (code, out, _) = imported(&home, &[]);
    assert_eq!(code, Some(0), "{out}");
    for part in [
        "1.out beside 1.ans: a second answer of one input",
        "4.in, 2.in: an input without an answer",
        "3.out: an answer without an input",
        "5.in: an empty input with an empty answer",
        "equal inputs: 1, 6",
        "2 files with Windows line ends",
        "tests/1.in of 1.in: the same test a second time",
        "gen.cpp, notes.txt: a file that is no part of a package",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn directories_of_submissions_keep_their_meaning() {
    let home = folder(&[
        ("tests/1.in", "1\n"),
        ("tests/1.out", "1\n"),
        ("submissions/accepted/right.py", "print(1)\n"),
        ("old/submissions/wrong_answer/wrong.py", "print(2)\n"),
        ("accepted/mine.py", "print(1)\n"),
    ]);
    let (code, out, _) = imported(&home, &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("accepted/mine.py: its expected verdict is not stated"), "{out}");
    for file in ["accepted/right.py", "wrong_answer/wrong.py", "mixed/mine.py"] {
        assert!(home.path().join("made/submissions").join(file).is_file(), "{file}: {out}");
    }
}

#[test]
fn a_folder_without_tests_is_refused_with_the_remedy() {
    for (files, message) in [
        (
            &[("readme.txt", "x")][..],
            "nor a test, which is an input and an answer such as 1.in and 1.out: found readme.txt",
        ),
        (&[("1.in", "1\n")], "nor a test"),
        (
            &[(".cx_metadata.json", "[]"), ("public/test1.in", "1\n"), ("public/test1.out", "1\n")],
            ".cx_metadata.json is not an object",
        ),
    ] {
        let home = folder(files);
        let (code, _, err) = imported(&home, &[]);
        assert!(code == Some(2) && err.contains(message), "{files:?}: {err}");
        assert!(!home.path().join("made").exists());
    }
    let home = pairs(&[("a/1.in", "a/1.out"), ("b/1.in", "b/1.out")]);
    let (code, _, err) = imported(&home, &["--points", "40,60"]);
    assert!(
        code == Some(2) && err.contains("--points of groups is for one exercise, and there are 2"),
        "{err}"
    );
    let (code, out, _) = imported(&home, &["--points", "100"]);
    assert!(code == Some(0) && out.contains("b: 1 test, 1 group (100 points)"), "{out}");
}
