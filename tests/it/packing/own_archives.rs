//! CMS and DMOJ: what they pay, by their own rules.

use super::{package, read, there_and_back};
use crate::packing::worth::{card, input, right_by_mask};
use kopek::{
    base::Digest,
    import::{ImportOptions, Regenerate, TestScoring, Testlib, import},
    pack::{NoteEffect, PackRefusal, Target, pack},
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

/// Groups whose worth both express.
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
        let [dmoj, cms] = [Target::Dmoj, Target::Cms].map(|target| there_and_back(&home, target));
        let imported = import_cms(&home, &cms);
        let (back, back_tests) = read(&imported);
        let back_most = card(&back, &back_tests, LegacyReading::Kattis, &|_| true).points.unwrap();
        for mask in 0u32..1 << inputs.len() {
            let right = right_by_mask(&inputs, mask);
            let here = worth(&package, &tests, &right);
            let what = format!("{name}, right: {mask:b}");
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
    let options = ImportOptions { testlib, regenerate, scoring, ..ImportOptions::default() };
    import(packed, Some(&to), &options).unwrap();
    to
}

/// A problem of this kind with a validator of its own.
fn typed(kind: &str) -> TempDir {
    let manifest = format!("{HEAD}type: {kind}\n");
    let files = [("problem.yaml", manifest.as_str()), ("output_validator/v.py", "exit(42)\n")];
    grouped("pass-fail", "", &[("", 1)], &files)
}

/// A problem with these arguments of the default comparison.
fn flagged(args: &str, more: &[(&str, &str)]) -> TempDir {
    let rule = format!("output_validator_args: [{args}]\n");
    let places = ["data/sample/test_group.yaml", "data/secret/test_group.yaml"];
    let places = places.map(|place| (place, rule.as_str()));
    grouped("pass-fail", "", &[("", 1)], &[&places, more].concat())
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
    let checked = grouped("pass-fail", "", &[("", 1)], &[("output_validator/v.cpp", "int main() {}\n")]);
    let shares = grouped(
        "scoring",
        "",
        &[("max_score: 100, score_aggregation: min", 1)],
        &[("output_validator/v.py", "exit(42)\n")],
    );
    let varying = grouped(
        "pass-fail",
        "",
        &[("", 2)],
        &[("data/secret/0.yaml", "output_validator_args: [case_sensitive]\n")],
    );
    let own = [Target::Cms, Target::Dmoj];
    for (home, targets, why) in [
        (sum, &own[..1], "`score_aggregation: sum` of secret/1"),
        (min, &own[..], "groups inside a `min` or `pass-fail` aggregation"),
        (checked, &own[..], "its checkers are called in another way: use the default comparison"),
        (shares, &own[..], "its checkers are called in another way: use the default comparison"),
        (typed("interactive"), &own[..], "its interactors are called in another way"),
        (typed("multi-pass"), &own[..], "it runs a submission once"),
        (varying, &own[..], "different arguments of the output validator: ``, `case_sensitive`"),
        (flagged("float_tolerance, 1e-6", &[]), &own[..1], "`float_tolerance 1e-6` in output_validator_args"),
        (
            flagged("float_tolerance, 0.002", &[]),
            &own[..],
            "`float_tolerance 0.002` in output_validator_args",
        ),
        (flagged("space_change_sensitive", &[]), &own[..1], "it compares words only"),
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

#[test]
fn a_comparison_that_is_stricter_there_is_reported() {
    let checker =
        |home: &TempDir| yaml(there_and_back(home, Target::Dmoj).join("init.yml")).get("checker").cloned();
    let notes = |home: &TempDir, target| {
        let (package, tests) = read(&home.path().join("sum"));
        let notes = pack(&package, &tests, target, None).unwrap().notes;
        let stricter = notes.into_iter().filter(|note| note.weight == NoteEffect::Results);
        stricter.map(|note| note.what).collect::<Vec<_>>()
    };
    let (lines, case) = ("line breaks that do not count", "upper and lower case that do not count");
    let letters = ("data/secret/0.ans", "yes\n");
    for (home, word, expected) in [
        (flagged("", &[]), "standard", &[lines][..]),
        (flagged("", &[letters]), "standard", &[lines, case]),
        (flagged("case_sensitive", &[letters]), "standard", &[lines]),
    ] {
        assert_eq!(checker(&home).unwrap().text(), Some(word));
        for target in [Target::Cms, Target::Dmoj] {
            assert_eq!(notes(&home, target), expected, "{}", target.name());
        }
    }
    let exact = flagged("case_sensitive, space_change_sensitive", &[letters]);
    assert_eq!(checker(&exact).unwrap().text(), Some("identical"));
    assert_eq!(notes(&exact, Target::Dmoj), [""; 0]);
    let near = checker(&flagged("float_relative_tolerance, 0.001", &[])).unwrap();
    let args = near.get("args").unwrap();
    let text = |node: &YamlNode, key: &str| node.get(key).unwrap().text().map(str::to_owned);
    assert_eq!(
        (text(&near, "name"), text(args, "error_mode")),
        (Some("floats".into()), Some("relative".into()))
    );
    assert_eq!(args.get("precision").unwrap().integer(), Some(3));
}

#[test]
fn statements_have_their_samples_and_formulas() {
    let home = grouped("pass-fail", "", &[("", 1)], &[]);
    let text =
        |target: Target, path: &str| fs::read_to_string(there_and_back(&home, target).join(path)).unwrap();
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
    for (target, place) in [(Target::Cms, "att"), (Target::Kattis, "attachments")] {
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
