//! Whatever a submission gets right: the packed package gives it the same points, to the last group.

use super::{package, read, there_and_back};
use kopek::{
    base::Digest,
    grade::rules,
    pack::Target,
    package::{Package, TestSet},
    score::{LegacyReading, Mark, Scorecard, ScoringFacts, score},
    verdict::Verdict,
};
use std::{collections::BTreeMap, fs, time::Duration};

const PASS: &str = "score_aggregation: pass-fail";
const SUM: &str = "score_aggregation: sum";
const MIN: &str = "score_aggregation: min";

/// A name; what `data/secret/test_group.yaml` says; of each group what its own says, and its cases.
type GroupRules = (&'static str, &'static str, &'static [(&'static str, usize)]);

const SPECIMENS: &[GroupRules] = &[
    (
        "points per group",
        "",
        &[("40, score_aggregation: pass-fail", 2), ("60, score_aggregation: pass-fail", 3)],
    ),
    ("shares of a third", "", &[("50, score_aggregation: sum", 3), ("50, score_aggregation: min", 2)]),
    (
        "the least of groups",
        "max_score: 70, score_aggregation: min",
        &[("70, score_aggregation: sum", 3), ("70, score_aggregation: pass-fail", 2)],
    ),
    (
        "a chain of requirements",
        "",
        &[
            ("10, score_aggregation: pass-fail", 2),
            ("30, score_aggregation: pass-fail, require_pass: secret/1", 1),
            ("60, score_aggregation: min, require_pass: secret/2", 2),
        ],
    ),
    ("samples required", "", &[("100, score_aggregation: pass-fail, require_pass: sample", 3)]),
    (
        "a group of one point",
        "",
        &[("99, score_aggregation: sum", 4), ("1, score_aggregation: pass-fail", 2)],
    ),
];

const BASE: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\ntype: scoring\nlimits: {time_limit: 2.0}\n",
    ),
    ("statement/problem.en.md", "Print it.\n"),
    ("input_validators/any.py", "exit(42)\n"),
    ("submissions/accepted/cat.py", "print(input())\n"),
    ("data/sample/1.in", "0\n"),
    ("data/sample/1.ans", "0\n"),
];

/// The verdict of a case by its input: the numbers that are right are the bits of a mask.
pub fn card(
    package: &Package,
    tests: &TestSet,
    reading: LegacyReading,
    right: &dyn Fn(&Digest) -> bool,
) -> Scorecard {
    let mark = |digest: &Digest| {
        let verdict = if right(digest) { Verdict::Accepted } else { Verdict::WrongAnswer };
        Some(Mark { verdict, score: None, cpu: Duration::ZERO })
    };
    let marks: Vec<Option<Mark>> = tests.cases.iter().map(|case| mark(&input(case))).collect();
    let facts = ScoringFacts { marks: &marks, statics: &BTreeMap::new(), grader: &|_| None };
    score("x", &rules(package, tests, reading), &facts)
}

pub fn input(case: &kopek::package::Case) -> Digest {
    Digest::of(&fs::read(&case.input).unwrap())
}

/// The inputs whose bits are set are right.
pub fn right_by_mask(inputs: &[Digest], mask: u32) -> impl Fn(&Digest) -> bool {
    move |digest| {
        let at = inputs.iter().position(|input| input == digest).expect("an input of the original");
        mask >> at & 1 == 1
    }
}

fn groups(card: &Scorecard) -> Vec<(&str, String)> {
    let secret = card.groups.iter().filter(|group| group.name.starts_with("secret"));
    secret.map(|group| (group.name.as_str(), format!("{:.6}", group.points.clone().unwrap()))).collect()
}

#[track_caller]
fn same_worth(name: &str, files: &[(&str, &str)]) {
    let home = package(files);
    let (package, tests) = read(&home.path().join("sum"));
    let inputs: Vec<Digest> = tests.cases.iter().map(input).collect();
    for (target, reading) in
        [(Target::Kattis, LegacyReading::Kattis), (Target::Domjudge, LegacyReading::Domjudge)]
    {
        let (packed, packed_tests) = read(&there_and_back(&home, target));
        for mask in 0u32..1 << inputs.len() {
            let right = right_by_mask(&inputs, mask);
            let here = card(&package, &tests, LegacyReading::Kattis, &right);
            let there = card(&packed, &packed_tests, reading, &right);
            let what = format!("{name} for {}, right: {mask:b}", target.name());
            assert_eq!(there.judge_errors, Vec::<String>::new(), "{what}");
            assert_eq!(here.points, there.points, "{what}");
            let groups_there = groups(&there);
            // Cases that count by themselves may be groups of their own there.
            for group in groups(&here).into_iter().filter(|(name, _)| *name != "secret") {
                assert!(groups_there.contains(&group), "{what}: {group:?} in {groups_there:?}");
            }
        }
    }
}

#[test]
fn points_survive_whatever_is_right() {
    for (name, secret, rules) in SPECIMENS {
        let mut files = vec![("data/secret/test_group.yaml".to_owned(), format!("{{{secret}}}\n"))];
        let mut number = 0;
        for (at, (rule, cases)) in rules.iter().enumerate() {
            let dir = format!("data/secret/{}", at + 1);
            files.push((format!("{dir}/test_group.yaml"), format!("{{max_score: {rule}}}\n")));
            for case in 0..*cases {
                number += 1;
                files.push((format!("{dir}/{case}.in"), format!("{number}\n")));
                files.push((format!("{dir}/{case}.ans"), format!("{number}\n")));
                // Arguments that only some of a group's cases have.
                if case == 1 {
                    files.push((format!("{dir}/{case}.yaml"), "input_validator_args: [--odd]\n".into()));
                }
            }
        }
        let own = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        same_worth(name, &BASE.iter().copied().chain(own).collect::<Vec<_>>());
    }
}

#[test]
fn cases_without_groups_have_their_shares() {
    for rule in [SUM, MIN, PASS] {
        let secret = format!("max_score: 100\n{rule}\n");
        let own = [
            ("data/secret/test_group.yaml", secret.as_str()),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
            ("data/secret/deep/1.in", "2\n"),
            ("data/secret/deep/1.ans", "2\n"),
            ("data/secret/deep-1.in", "3\n"),
            ("data/secret/deep-1.ans", "3\n"),
        ];
        same_worth(rule, &BASE.iter().copied().chain(own).collect::<Vec<_>>());
    }
}
