//! Hydro, CMS and DMOJ: what they pay, by their own rules, and their checkers compiled and run.

use super::{package, read, there_and_back};
use crate::packing::worth::{card, input, right_by_mask};
use kopek::{
    base::Digest,
    import::{ImportOptions, Regenerate, TestScoring, Testlib, import},
    pack::{PackRefusal, Target, pack},
    package::{
        Package, TestSet,
        yaml::{YamlNode, YamlValue, parse_text},
    },
    points::Points,
    score::LegacyReading,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

const HEAD: &str = "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\nlimits: {time_limit: 2.0}\n";

/// A package of groups: what `secret` says, and of each group what it says and how many cases it has.
pub fn grouped(kind: &str, secret: &str, groups: &[(&str, usize)], more: &[(&str, &str)]) -> TempDir {
    let mut files = vec![
        ("problem.yaml".to_owned(), format!("{HEAD}type: {kind}\n")),
        ("statement/problem.en.md".into(), "Print $n$.\n\n{{nextsample}}\n".into()),
        ("statement/problem.en.pdf".into(), "%PDF\n".into()),
        ("input_validators/any.py".into(), "exit(42)\n".into()),
        ("submissions/accepted/cat.py".into(), "print(input())\n".into()),
        ("submissions/wrong_answer/one.py".into(), "print(1)\n".into()),
        ("data/sample/1.in".into(), "0\n".into()),
        ("data/sample/1.ans".into(), "0\n".into()),
    ];
    if kind == "scoring" {
        files.push(("data/secret/test_group.yaml".into(), format!("{{{secret}}}\n")));
    }
    let mut number = 0;
    for (at, (rule, cases)) in groups.iter().enumerate() {
        let dir = if rule.is_empty() { "data/secret".to_owned() } else { format!("data/secret/{}", at + 1) };
        if !rule.is_empty() {
            files.push((format!("{dir}/test_group.yaml"), format!("{{{rule}}}\n")));
        }
        for case in 0..*cases {
            number += 1;
            files.push((format!("{dir}/{case}.in"), format!("{number}\n")));
            files.push((format!("{dir}/{case}.ans"), format!("{number}\n")));
        }
    }
    let own: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    package(&[&own[..], more].concat())
}

/// Groups whose worth all three express.
fn specimens() -> Vec<(&'static str, TempDir)> {
    vec![
        ("pass-fail", grouped("pass-fail", "", &[("", 3)], &[])),
        (
            "two groups",
            grouped(
                "scoring",
                "",
                &[
                    ("max_score: 40, score_aggregation: pass-fail", 2),
                    ("max_score: 60, score_aggregation: min", 3),
                ],
                &[],
            ),
        ),
        (
            "a chain of requirements",
            grouped(
                "scoring",
                "",
                &[
                    ("max_score: 10, score_aggregation: pass-fail", 2),
                    ("max_score: 30, score_aggregation: pass-fail, require_pass: secret/1", 1),
                    ("max_score: 60, score_aggregation: pass-fail, require_pass: secret/2", 2),
                ],
                &[],
            ),
        ),
        (
            "samples required",
            grouped(
                "scoring",
                "",
                &[("max_score: 100, score_aggregation: pass-fail, require_pass: sample", 2)],
                &[],
            ),
        ),
        (
            "shares without groups",
            grouped("scoring", "max_score: 100, score_aggregation: sum", &[("", 4)], &[]),
        ),
        (
            "sixty points",
            grouped(
                "scoring",
                "max_score: 60",
                &[
                    ("max_score: 20, score_aggregation: pass-fail", 2),
                    ("max_score: 40, score_aggregation: pass-fail", 1),
                ],
                &[],
            ),
        ),
    ]
}

fn yaml(path: PathBuf) -> YamlNode {
    parse_text(&path, &fs::read_to_string(&path).unwrap(), &mut Vec::new()).unwrap()
}

fn list(node: Option<&YamlNode>) -> Vec<YamlNode> {
    match node.map(|node| &node.value) {
        Some(YamlValue::List(items)) => items.clone(),
        _ => Vec::new(),
    }
}

fn numbers(node: Option<&YamlNode>) -> Vec<usize> {
    list(node).iter().map(|item| item.integer().unwrap() as usize).collect()
}

fn is_right(dir: &Path, node: &YamlNode, key: &str, right: &dyn Fn(&Digest) -> bool) -> bool {
    right(&Digest::of(&fs::read(dir.join(node.get(key).unwrap().text().unwrap())).unwrap()))
}

/// The points that Hydro gives: least or sum of a subtask's cases, if what it requires did not fail.
fn hydro_points(packed: &Path, right: &dyn Fn(&Digest) -> bool) -> u64 {
    let data = packed.join("testdata");
    let (mut failed, mut total, mut sum) = (Vec::new(), 0, 0);
    for subtask in list(yaml(data.join("config.yaml")).get("subtasks")) {
        let score = subtask.get("score").unwrap().integer().unwrap() as u64;
        sum += score;
        let cases = list(subtask.get("cases"));
        let rights: Vec<bool> = cases.iter().map(|case| is_right(&data, case, "input", right)).collect();
        let required = numbers(subtask.get("if")).iter().all(|id| !failed.contains(id));
        let own = match subtask.get("type").unwrap().text().unwrap() {
            "min" => {
                if rights.iter().all(|&right| right) {
                    score
                } else {
                    0
                }
            }
            _ => cases
                .iter()
                .zip(&rights)
                .filter(|(_, right)| **right)
                .map(|(case, _)| case.get("score").unwrap().integer().unwrap() as u64)
                .sum(),
        };
        if !required || rights.contains(&false) {
            failed.push(subtask.get("id").unwrap().integer().unwrap() as usize);
        }
        total += if required { own } else { 0 };
    }
    assert_eq!(sum, 100, "Hydro shares the rest of 100 points among subtasks without points");
    total
}

/// The points that DMOJ gives, and the maximum: a batch is worth its least case, if its dependencies are whole.
fn dmoj_points(packed: &Path, right: &dyn Fn(&Digest) -> bool) -> (u64, u64) {
    let (mut passed, mut total, mut most) = (Vec::new(), 0, 0);
    for case in list(yaml(packed.join("init.yml")).get("test_cases")) {
        let points = case.get("points").unwrap().integer().unwrap() as u64;
        most += points;
        let Some(batch) = case.get("batched") else {
            total += if is_right(packed, &case, "in", right) { points } else { 0 };
            continue;
        };
        let ready = numbers(case.get("dependencies")).iter().all(|number| passed[number - 1]);
        let whole = ready && list(Some(batch)).iter().all(|case| is_right(packed, case, "in", right));
        passed.push(whole);
        total += if whole { points } else { 0 };
    }
    (total, most)
}

fn points(text: &str) -> Points {
    text.parse().unwrap()
}

/// The same part of the maximum score.
fn same_part(here: &Points, most: &Points, there: u64, all: u64) -> bool {
    here.clone() * points(&all.to_string()) == most.clone() * points(&there.to_string())
}

fn max(package: &Package, tests: &TestSet) -> Points {
    let all = card(package, tests, LegacyReading::Kattis, &|_| true).points;
    if package.kind.scoring { all.unwrap() } else { points("1") }
}

fn worth(package: &Package, tests: &TestSet, right: &dyn Fn(&Digest) -> bool) -> Points {
    let own = card(package, tests, LegacyReading::Kattis, right);
    let secret = |case: &&kopek::package::Case| case.name.starts_with("secret/");
    match package.kind.scoring {
        true => own.points.unwrap(),
        // Samples do not count there.
        false => {
            points(if tests.cases.iter().filter(secret).all(|case| right(&input(case))) { "1" } else { "0" })
        }
    }
}

#[test]
fn points_survive_whatever_is_right() {
    for (name, home) in specimens() {
        let (package, tests) = read(&home.path().join("sum"));
        let inputs: Vec<Digest> = tests.cases.iter().map(input).collect();
        let most = max(&package, &tests);
        let [hydro, dmoj, cms] =
            [Target::Hydro, Target::Dmoj, Target::Cms].map(|target| there_and_back(&home, target));
        let imported = import_cms(&home, &cms);
        let (back, back_tests) = read(&imported);
        let back_most = card(&back, &back_tests, LegacyReading::Kattis, &|_| true).points.unwrap();
        for mask in 0u32..1 << inputs.len() {
            let right = right_by_mask(&inputs, mask);
            let here = worth(&package, &tests, &right);
            let what = format!("{name}, right: {mask:b}");
            // Sixty points become whole numbers of a hundred.
            if name != "sixty points" {
                assert!(same_part(&here, &most, hydro_points(&hydro, &right), 100), "Hydro, {what}");
            }
            let (there, all) = dmoj_points(&dmoj, &right);
            assert!(same_part(&here, &most, there, all), "DMOJ, {what}: {here} and {there} of {all}");
            let there = card(&back, &back_tests, LegacyReading::Kattis, &right).points.unwrap();
            assert_eq!(here.clone() * back_most.clone(), there * most.clone(), "CMS, {what}");
        }
    }
}

fn import_cms(home: &TempDir, packed: &Path) -> PathBuf {
    let to = home.path().join("imported");
    let testlib = Testlib { given: None, path: Vec::new() };
    let (regenerate, scoring) = (Regenerate::Missing, TestScoring::None);
    let options = ImportOptions { testlib, regenerate, scoring, time_limit: None };
    import(packed, Some(&to), &options).unwrap();
    to
}

#[test]
fn packages_that_the_archives_cannot_express_are_refused() {
    let both =
        &[("max_score: 40, score_aggregation: sum", 2), ("max_score: 60, score_aggregation: pass-fail", 1)];
    let sum = grouped("scoring", "", both, &[]);
    let min = grouped(
        "scoring",
        "max_score: 50, score_aggregation: min",
        &[
            ("max_score: 50, score_aggregation: pass-fail", 1),
            ("max_score: 50, score_aggregation: pass-fail", 1),
        ],
        &[],
    );
    let python = grouped("pass-fail", "", &[("", 1)], &[("output_validator/v.py", "exit(42)\n")]);
    let script = grouped("pass-fail", "", &[("", 1)], &[("output_validator/v.sh", "exit 42\n")]);
    let varying = grouped(
        "pass-fail",
        "",
        &[("", 2)],
        &[("data/secret/0.yaml", "output_validator_args: [case_sensitive]\n")],
    );
    let own = [Target::Hydro, Target::Cms, Target::Dmoj];
    for (home, targets, why) in [
        (sum, &own[1..2], "`score_aggregation: sum` of secret/1"),
        (min, &own[..], "groups inside a `min` or `pass-fail` aggregation"),
        (python, &[Target::Hydro, Target::Dmoj][..], "an output validator that is not one C++ file"),
        (script, &own[..], "an output validator that is not one C++ file"),
        (varying, &own[..], "different arguments of the output validator: ``, `case_sensitive`"),
    ] {
        let (package, tests) = read(&home.path().join("sum"));
        for target in own {
            let packed = pack(&package, &tests, target, None);
            match targets.contains(&target) {
                true => {
                    let error = packed.unwrap_err();
                    let refused = error.downcast_ref::<PackRefusal>().unwrap();
                    assert!(refused.reasons.len() == 1 && refused.to_string().contains(why), "{refused}");
                }
                false => drop(packed.unwrap()),
            }
        }
    }
}

/// Compiles a checker.
pub fn compile(source: &Path, program: &Path) {
    let output = Command::new("g++").args(["-std=gnu++17", "-o"]).args([program, source]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The share that each system's checker gives this output.
fn shares(home: &Path, answer: &str, output: &str) -> [f64; 3] {
    let files = [("in", "1\n"), ("answer", answer), ("output", output)];
    files.iter().for_each(|(name, text)| fs::write(home.join(name), text).unwrap());
    let run = |program: &str, words: &[&str]| {
        let mut command = Command::new(home.join(program));
        command.current_dir(home).args(words).stdin(Stdio::null()).output().unwrap()
    };
    let hydro = run("hydro", &["in", "output", "answer", "40", "points", "message"]);
    assert!(hydro.status.success(), "{hydro:?}");
    let points: f64 = fs::read_to_string(home.join("points")).unwrap().trim().parse().unwrap();
    let cms = run("cms", &["in", "answer", "output"]);
    let share = String::from_utf8(cms.stdout).unwrap().trim().parse().unwrap();
    let dmoj = run("dmoj", &["in", "output", "answer"]);
    let partial = String::from_utf8(dmoj.stderr).unwrap();
    let part = match dmoj.status.code() {
        Some(0) => 1.0,
        Some(1) => 0.0,
        Some(7) => {
            let (a, b) = partial.trim().strip_prefix("partial ").unwrap().split_once('/').unwrap();
            a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()
        }
        code => panic!("{code:?}: {partial}"),
    };
    [points / 40.0, share, part]
}

fn compile_all(home: &TempDir) {
    for (target, source, program) in [
        (Target::Hydro, "testdata/checker.cc", "hydro"),
        (Target::Cms, "check/checker.cpp", "cms"),
        (Target::Dmoj, "checker.cpp", "dmoj"),
    ] {
        compile(&there_and_back(home, target).join(source), &home.path().join(program));
    }
}

#[test]
fn the_default_comparison_is_carried_along() {
    let args = "output_validator_args: [float_tolerance, 1e-3]\n";
    let home =
        grouped("pass-fail", "", &[("", 1)], &[("data/secret/0.yaml", args), ("data/sample/1.yaml", args)]);
    compile_all(&home);
    for (answer, output, share) in [
        ("1 Yes\n", "1   yes", 1.0),
        ("1.0\n", "1.0005\n", 1.0),
        ("1.0\n", "1.01\n", 0.0),
        ("1.0\n", "nan\n", 0.0),
        ("1.0\n", "0x1\n", 0.0),
        ("a\n", "a a\n", 0.0),
        ("1e3\n", "1000.5\n", 1.0),
        ("a\n", "", 0.0),
    ] {
        assert_eq!(shares(home.path(), answer, output), [share; 3], "{answer:?} and {output:?}");
    }
}

/// Accepts a share of the points, in a stream that is only flushed when the program ends.
const VALIDATOR: &str = r#"#include "judge.h"
std::ofstream message;
int main(int argc, char const* argv[]) {
    message.open(std::string(argv[3]) + "teammessage.txt");
    std::string word;
    std::cin >> word;
    if (word == "crash") return 3;
    if (word != "all") { message << "a part"; give(argv[3], word); }
    if (word == "none") refuse();
    return 42;
}
"#;
const HEADER: &str = r#"#pragma once
#include <fstream>
#include <iostream>
#include <string>
[[noreturn]] inline void refuse() { exit(43); }
inline void give(std::string dir, std::string share) { std::ofstream(dir + "score_multiplier.txt") << share; }
"#;

#[test]
fn a_validator_of_the_package_is_adapted_with_its_headers() {
    let own = [("output_validator/v.cpp", VALIDATOR), ("output_validator/judge.h", HEADER)];
    let home = grouped("scoring", "", &[("max_score: 100, score_aggregation: min", 1)], &own);
    compile_all(&home);
    for (output, share) in [("all", 1.0), ("0.25", 0.25), ("none", 0.0)] {
        assert_eq!(shares(home.path(), "1\n", output), [share; 3], "{output}");
    }
    assert_eq!(fs::read_to_string(home.path().join("message")).unwrap(), "a part\n");
    fs::write(home.path().join("output"), "crash").unwrap();
    for (program, words, code) in
        [("dmoj", &["in", "output", "answer"][..], 3), ("cms", &["in", "answer", "output"], 1)]
    {
        let mut command = Command::new(home.path().join(program));
        let output = command.current_dir(home.path()).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "a failure of the judge");
    }
}

/// As `VALIDATOR`, of two files.
const PYTHON: &str = "import sys\nfrom words import said\n\nword = said()\nprint('noise')\nif word == 'crash':\n    exit(1)\n\
if word != 'all':\n    open(sys.argv[3] + 'teammessage.txt', 'w').write('a \"part\"\\n')\n    \
open(sys.argv[3] + 'score_multiplier.txt', 'w').write(word)\nif word == sys.argv[4]:\n    exit(43)\nexit(42)\n";

#[test]
fn cms_runs_a_validator_in_python_as_it_is() {
    let own = [
        ("output_validator/__main__.py", PYTHON),
        ("output_validator/words.py", "def said():\n    return input('@FILES@ ä\\t')\n"),
        ("data/secret/1/0.yaml", "output_validator_args: [none]\n"),
        ("data/sample/1.yaml", "output_validator_args: [none]\n"),
    ];
    let home = grouped("scoring", "", &[("max_score: 100, score_aggregation: min", 1)], &own);
    let packed = there_and_back(&home, Target::Cms);
    let said = |output: &str| {
        for (name, text) in [("in", "1\n"), ("answer", "1\n"), ("output", output)] {
            fs::write(home.path().join(name), text).unwrap();
        }
        let mut command = Command::new(packed.join("check/checker"));
        let output = command.current_dir(home.path()).args(["in", "answer", "output"]).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    for (output, share, message) in [
        ("all", "1.000000000\n", "translate:success\n"),
        ("0.25", "0.250000000\n", "a \"part\"\n"),
        ("none", "0.000000000\n", "a \"part\"\n"),
    ] {
        assert_eq!(said(output), (0, share.to_owned(), message.to_owned()), "{output}");
    }
    assert_eq!(said("crash").0, 1, "a failure of the judge");
    let (back, _) = read(&import_cms(&home, &packed));
    assert!(matches!(back.judge, kopek::package::Judge::Programs { .. }), "importers read check/checker.py");
}

#[test]
fn statements_have_their_samples_and_formulas() {
    let home = grouped("pass-fail", "", &[("", 1)], &[]);
    let text =
        |target: Target, path: &str| fs::read_to_string(there_and_back(&home, target).join(path)).unwrap();
    assert_eq!(text(Target::Hydro, "problem.md"), "Print $n$.\n\n```input1\n0\n```\n\n```output1\n0\n```\n");
    assert!(text(Target::Dmoj, "statement.en.md").starts_with("Print ~n~.\n\n## Sample Input 1\n"));
    assert_eq!(text(Target::Cms, "statement/statement.pdf"), "%PDF\n");
    let notes = |target| {
        let (package, tests) = read(&home.path().join("sum"));
        pack(&package, &tests, target, None).unwrap().notes
    };
    let limit = notes(Target::Dmoj);
    assert!(
        limit
            .iter()
            .any(|note| note.instead == "enter it on the site, with 2048 MiB of memory and 100 points"),
        "{limit:?}"
    );
}

#[test]
fn attachments_are_kept_without_templates() {
    let files = [("attachments/a.txt", "a\n"), ("attachments/templates/python3/t.py", "pass\n")];
    let home = grouped("pass-fail", "", &[("", 1)], &files);
    for (target, place) in
        [(Target::Hydro, "additional_file"), (Target::Cms, "att"), (Target::Kattis, "attachments")]
    {
        let packed = there_and_back(&home, target);
        let kept: Vec<_> =
            fs::read_dir(packed.join(place)).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(kept, ["a.txt"], "{}", target.name());
        let (package, tests) = read(&home.path().join("sum"));
        let notes = pack(&package, &tests, target, None).unwrap().notes;
        assert!(notes.iter().any(|note| note.what == "attachments/templates"), "{notes:?}");
    }
}

#[test]
fn a_task_of_cms_counts_required_cases_itself() {
    let all = specimens();
    let packed = |name: &str| {
        let (_, home) = all.iter().find(|(own, _)| *own == name).unwrap();
        there_and_back(home, Target::Cms)
    };
    let plain = packed("two groups");
    let plan = fs::read_to_string(plain.join("gen/GEN")).unwrap();
    assert!(
        plan.starts_with("#ST: 0\n#STNAME: sample\n#COPY: input/input0.txt\n#ST: 40\n#STNAME: 1\n"),
        "{plan}"
    );
    let task = fs::read_to_string(plain.join("task.yaml")).unwrap();
    assert!(task.contains("time_limit: 2.0\n") && task.contains("infile: \"\"\n"), "{task}");
    assert!(!task.contains("score_type"), "gen/GEN alone says it: {task}");
    assert_eq!(fs::read_dir(plain.join("input")).unwrap().count(), plan.matches("#COPY").count());
    let chain = packed("a chain of requirements");
    let task = fs::read_to_string(chain.join("task.yaml")).unwrap();
    assert!(task.contains("n_input: 6\n") && task.contains("[60, \"001|002|003|004|005\"]"), "{task}");
    let shares = packed("shares without groups");
    let task = fs::read_to_string(shares.join("task.yaml")).unwrap();
    assert!(task.contains("total_value: 100.0\n") && shares.join("att/input0.txt").is_file(), "{task}");
}
