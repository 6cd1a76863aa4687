//! Hand-ins judged for real: what used to get nothing because another file was run.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

pub fn write_file(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A package of one group: the sum of two numbers.
pub fn sums_package(dir: &Path) {
    for (path, text) in [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\ntype: scoring\nname: Sums\nuuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a38\nlimits: {time_limit: 5}\n",
        ),
        ("statement/problem.en.md", "Print the sum.\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n"),
        ("data/secret/1/test_group.yaml", "max_score: 60\nscore_aggregation: pass-fail\n"),
        ("data/secret/1/a.in", "2 3\n"),
        ("data/secret/1/a.ans", "5\n"),
        ("data/secret/2/test_group.yaml", "max_score: 40\nscore_aggregation: pass-fail\n"),
        ("data/secret/2/b.in", "20 30\n"),
        ("data/secret/2/b.ans", "50\n"),
    ] {
        write_file(&dir.join(path), text);
    }
}

pub const SUM: &str = "print(sum(map(int, input().split())))\n";
pub const WRONG: &str = "print(0)\n";
/// Right for small numbers only: 60 points.
pub const HALF: &str = "n = sum(map(int, input().split()))\nprint(n if n < 9 else 0)\n";

pub fn kopek(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().unwrap()
}

pub fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(home).env("KOPEK_STORE", home.join("store")).args(args);
    command
}

/// Name to points, file and verdict.
fn graded(home: &Path, class: &str, args: &[&str], code: i32) -> Vec<(String, Option<u64>, String, String)> {
    let output = kopek(home, &[&["grade", "sums", class, "--format", "json"], args].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("none").to_owned();
    let row = |row: &serde_json::Value| {
        (text(&row["name"]), row["points"].as_u64(), text(&row["entry"]), text(&row["verdict"]))
    };
    report["participants"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn the_right_file_is_run_or_a_person_is_asked() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let helper = "def add():\n    return sum(map(int, input().split()))\n";
    for (path, text) in [
        ("a/a_helper.py", helper),
        ("a/b_solution.py", "from a_helper import add\nprint(add())\n"),
        ("b/conftest.py", WRONG),
        ("b/solution.py", SUM),
        ("c/brute.py", WRONG),
        ("c/sums.py", SUM),
        ("d/.venv/lib/a.py", WRONG),
        ("d/x.py", SUM),
        ("e/attempt_1_x.py", SUM),
        ("e/attempt_2_x.py", HALF),
        ("f/one.py", SUM),
        ("f/two.py", WRONG),
        ("g.PY", SUM),
        ("h.txt", "I was ill.\n"),
    ] {
        write_file(&home.join("class").join(path), text);
    }
    let row =
        |name: &str, points, entry: &str, verdict: &str| (name.into(), points, entry.into(), verdict.into());
    let mut wanted = vec![
        row("a", Some(100), "b_solution.py", "AC"),
        row("b", Some(100), "solution.py", "AC"),
        row("c", Some(100), "sums.py", "AC"),
        row("d", Some(100), "x.py", "AC"),
        row("e", Some(60), "x.py", "WA"),
        row("f", None, "none", "none"),
        row("g", Some(100), "g.PY", "AC"),
        row("h", Some(0), "none", "NP"),
    ];
    assert_eq!(graded(home, "class", &[], 3), wanted);
    // The person decides, and the best attempt may count.
    write_file(&home.join("decisions.csv"), "participant,entry\nf,one.py\n");
    wanted[4] = row("e", Some(100), "x.py", "AC");
    wanted[5] = row("f", Some(100), "one.py", "AC");
    assert_eq!(graded(home, "class", &["--decisions", "decisions.csv", "--attempts", "best"], 0), wanted);
}

/// Fails on words instead of refusing them: such outputs are not judged.
const FRAGILE: &str = "\
import sys
answer, found = int(open(sys.argv[2]).read()), int(sys.stdin.read())
sys.exit(42 if answer == found else 43)
";

#[test]
fn run_takes_a_participant_of_a_class() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/output_validator/check.py"), FRAGILE);
    let words = HALF.replace("0)", "'many')");
    for (name, number, text) in [("Ada L", 17, HALF), ("Bo Li", 18, &words), ("Dora", 20, SUM)] {
        write_file(&home.join(format!("class/{name}_{number}_assignsubmission_file_/sums.py")), text);
    }
    write_file(
        &home.join("decisions.csv"),
        "participant,case,verdict,reason,by\nBo Li,secret/2/b,wrong answer,he prints words,Noether\n",
    );
    for (only, options, code, part) in [
        ("Dora", &[][..], 0, "100 of 100 points, accepted"),
        ("17", &[], 1, "60 of 100 points"),
        ("Eve", &[], 2, "no such participant in class"),
        ("Bo Li", &[], 3, "secret/2/b"),
        ("Bo Li", &["--decisions", "decisions.csv"], 1, "decided by Noether"),
    ] {
        let output = kopek(home, &[&["run", "sums", "class", "--only", only], options].concat());
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.code() == Some(code) && text.contains(part), "{only}: {text}");
    }
}

#[test]
fn every_command_judges_the_program_that_is_named() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    for (path, text) in [
        ("mixed/first.py", SUM),
        ("mixed/zero.py", WRONG),
        ("class2026/ada.py", SUM),
        ("class2026/bob.c", "int main(void) { return x; }\n"),
        ("class2026/cid.py", WRONG),
        ("class2026/dan/main.py", HALF),
    ] {
        write_file(&home.join("sums/submissions").join(path), text);
    }
    let folder = "sums/submissions";
    for (program, code) in [("mixed/first.py", 0), ("mixed/zero.py", 1), ("class2026/bob.c", 1)] {
        let path = format!("{folder}/{program}");
        for args in [
            &["run", "sums", &path][..],
            &["run", "sums", &path, "--case", "1/a"],
            &["run", "sums", &path, "--debug"],
            &["test", &path],
            &["test", &path, "sums"],
        ] {
            let output = kopek(home, args);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        }
    }
    let zero = kopek(
        &home.join(folder).join("mixed"),
        &["run", "../..", "zero.py", "--input", "../../data/sample/1.in"],
    );
    assert_eq!(String::from_utf8_lossy(&zero.stdout), "0\n");
    let row = |name: &str, points, file: &str, verdict: &str| {
        (name.into(), Some(points), file.into(), verdict.into())
    };
    let class = [
        row("ada", 100, "ada.py", "AC"),
        row("bob", 0, "bob.c", "CE"),
        row("cid", 0, "cid.py", "WA"),
        row("dan", 60, "main.py", "WA"),
    ];
    assert_eq!(graded(home, &format!("{folder}/class2026"), &[], 0), class);
}

#[test]
fn a_folder_of_submissions_is_one_program_and_a_crash_names_the_files_left_out() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    // The name of the file is computed.
    let program = "# values txt\nexec(open(__file__[:-len('start.py')] + 'st' + 'ep.inc').read())\n";
    for folder in ["sums/submissions/accepted/parts", "class/ada"] {
        write_file(&home.join(folder).join("start.py"), program);
        write_file(&home.join(folder).join("step.inc"), SUM);
        write_file(&home.join(folder).join("values.csv"), "1\n");
    }
    write_file(&home.join("class/ada/values.txt"), &"1\n".repeat(70_000));
    let example = "sums/submissions/accepted";
    for args in
        [&["run", "sums", &format!("{example}/parts")][..], &["grade", "sums", example], &["verify", "sums"]]
    {
        let output = kopek(home, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
    for args in [["run", "sums", "class/ada"], ["grade", "sums", "class"]] {
        let output = kopek(home, &args);
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains("run without step.inc, values.csv; a program gets the files"), "{text}");
        assert!(line.contains("values.txt (136.7 KiB) is skipped: with it the program exceeds"), "{text}");
    }
}
