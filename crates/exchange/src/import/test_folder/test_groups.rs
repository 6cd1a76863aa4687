//! Groups of tests, by their folders or names.

use super::test_names::pad_numbers;
use crate::import::draft_files::{base_name, legal_name};
use kopek_base::natural_order;
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// A test with its folder.
pub struct PlacedTest<'a> {
    pub name: &'a str,
    pub folder: &'a str,
}

/// A group of tests, by their indices.
pub struct NamedTests {
    pub name: String,
    pub tests: Vec<usize>,
}

/// Groups in order, and how they were found.
pub struct Grouping {
    /// `by folder`.
    pub rule: &'static str,
    pub groups: Vec<NamedTests>,
}

/// All tests as one group.
pub fn one_group(tests: &[PlacedTest]) -> Grouping {
    let groups = vec![NamedTests { name: "all".to_owned(), tests: (0..tests.len()).collect() }];
    Grouping { rule: "of all tests together", groups }
}

/// Groups by folder, by the number before a dash or a letter, or by the name before the last number; else one for each
/// test.
pub fn group_tests(tests: &[PlacedTest]) -> Grouping {
    type Label = fn(&[PlacedTest]) -> Option<Vec<String>>;
    let rules: [(&str, Label); 4] = [
        ("by folder", folder_labels),
        ("by the number before the dash", |tests| number_labels(tests, r"^.*?(\d+)[-_]\d+[a-z]?$")),
        ("by the number before the letter", |tests| number_labels(tests, r"^.*?(\d+)[A-Za-z]+$")),
        ("by the name before the last number", prefix_labels),
    ];
    for (rule, labels_of) in rules {
        let Some(labels) = labels_of(tests) else { continue };
        let groups = grouped(&labels);
        if groups.len() >= 2 {
            return Grouping { rule, groups };
        }
    }
    let alone =
        |(index, test): (usize, &PlacedTest)| NamedTests { name: test.name.to_owned(), tests: vec![index] };
    Grouping { rule: "of one test each", groups: tests.iter().enumerate().map(alone).collect() }
}

/// Groups of equal labels, in natural order.
fn grouped(labels: &[String]) -> Vec<NamedTests> {
    let mut groups: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
    for (index, label) in labels.iter().enumerate() {
        groups.entry(label).or_default().push(index);
    }
    let mut groups: Vec<(&String, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by(|(one, _), (other, _)| natural_order(one, other));
    let names: Vec<String> = groups.iter().map(|(label, _)| legal_name(label)).collect();
    let names = pad_numbers(&names);
    names.into_iter().zip(groups).map(|(name, (_, tests))| NamedTests { name, tests }).collect()
}

/// Names of folders, with those above them if two are called the same.
fn folder_labels(tests: &[PlacedTest]) -> Option<Vec<String>> {
    let folders: BTreeSet<&str> = tests.iter().map(|test| test.folder).collect();
    let names: BTreeSet<&str> = folders.iter().map(|folder| base_name(folder)).collect();
    let is_unique = names.len() == folders.len();
    let label = |test: &PlacedTest| match test.folder {
        "" => "top".to_owned(),
        folder if is_unique => base_name(folder).to_owned(),
        folder => folder.replace('/', "-"),
    };
    Some(tests.iter().map(label).collect())
}

fn number_labels(tests: &[PlacedTest], form: &str) -> Option<Vec<String>> {
    let form = Regex::new(form).expect("a pattern that was tried");
    let number = |test: &PlacedTest| Some(form.captures(test.name)?[1].parse::<u64>().ok()?.to_string());
    tests.iter().map(number).collect()
}

/// `g1-mid` of `g1-mid0`.
fn prefix_labels(tests: &[PlacedTest]) -> Option<Vec<String>> {
    let form = Regex::new(r"^(.*[^-_.\d])[-_.]?\d+$").expect("a pattern that was tried");
    tests.iter().map(|test| Some(form.captures(test.name)?[1].to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and sizes of the groups of these tests, and the rule.
    fn groups_of(paths: &[&str]) -> String {
        let tests: Vec<PlacedTest> = paths
            .iter()
            .map(|path| path.rsplit_once('/').unwrap_or(("", path)))
            .map(|(folder, name)| PlacedTest { name, folder })
            .collect();
        let Grouping { rule, groups } = group_tests(&tests);
        let groups: Vec<String> =
            groups.iter().map(|group| format!("{} {}", group.name, group.tests.len())).collect();
        format!("{rule}: {}", groups.join(", "))
    }

    #[test]
    fn groups_are_folders_or_numbers_or_prefixes_else_single_tests() {
        for (paths, groups) in [
            (&["test1", "test2"][..], "of one test each: test1 1, test2 1"),
            (&["1-01", "1-02", "2-01", "10-01"], "by the number before the dash: 01 2, 02 1, 10 1"),
            (&["task.g1-1", "task.g1-2", "task.g2-1"], "by the number before the dash: 1 2, 2 1"),
            (&["abc1a", "abc1b", "abc2a"], "by the number before the letter: 1 2, 2 1"),
            (&["week1-1", "week1-2"], "of one test each: week1-1 1, week1-2 1"),
            (&["graphs_easy", "graphs_medium"], "of one test each: graphs_easy 1, graphs_medium 1"),
            (
                &["g1-mid0", "g1-mid1", "g2-big0", "g10-big0"],
                "by the name before the last number: g01-mid 2, g02-big 1, g10-big 1",
            ),
            (&["easy1", "easy2", "hard_1"], "by the name before the last number: easy 2, hard 1"),
            (&["easy/1", "easy/2", "hard/hard-1"], "by folder: easy 2, hard 1"),
            (&["a/tests/1", "b/tests/b-1"], "by folder: a-tests 1, b-tests 1"),
        ] {
            assert_eq!(groups_of(paths), groups, "{paths:?}");
        }
    }
}
