//! Groups for systems that add up subtasks: each has a maximum, and scores the minimum or the sum of its cases.

use super::{
    losses::Loss,
    packed::{PackSource, Packed},
    testdata_yaml::{aggregation, max_score},
};
use kopek_package::package::{Aggregation, Case, Group, Package, Rule, TestSet};
use std::collections::BTreeSet;

/// A group of secret data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnGroup {
    /// `secret/1`; `secret` where there are no groups.
    pub name: String,
    pub max: u64,
    /// Whether it sums its cases; otherwise it takes the minimum.
    pub sums: bool,
    /// Indices into the test set.
    pub cases: Vec<usize>,
    /// Names of the groups to be passed first.
    pub requires: Vec<String>,
}

/// The secret groups; a pass-fail problem is one of 100 points.
pub fn own_groups(package: &Package, tests: &TestSet) -> Vec<OwnGroup> {
    let Some(secret) = tests.root.group_named("secret") else { return Vec::new() };
    let groups: Vec<&Group> = secret.groups().filter(|group| !group.cases().is_empty()).collect();
    if !package.kind.scoring || groups.is_empty() {
        return vec![own_group(package, secret, secret)];
    }
    groups.into_iter().map(|group| own_group(package, secret, group)).collect()
}

fn own_group(package: &Package, secret: &Group, group: &Group) -> OwnGroup {
    let max = if package.kind.scoring { max_score(&group.rule) } else { None };
    let max = max.and_then(|max| max.to_string().parse().ok());
    let cases = group.cases();
    let requires = |rule: &Rule| match rule {
        Rule::Modern { require_pass, .. } => require_pass.clone(),
        Rule::Legacy(_) => Vec::new(),
    };
    let requires: BTreeSet<String> =
        [requires(&secret.rule), requires(&group.rule)].concat().into_iter().collect();
    OwnGroup {
        name: group.name.clone(),
        max: max.unwrap_or(100),
        sums: package.kind.scoring && aggregation(&group.rule) == Aggregation::Sum && cases.len() > 1,
        requires: requires.into_iter().filter(|name| *name != group.name && *name != "secret").collect(),
        cases,
    }
}

/// Whether groups are not simply summed.
pub fn folds_groups(tests: &TestSet) -> bool {
    tests.root.group_named("secret").is_some_and(|secret| {
        let scored = secret.groups().any(|group| max_score(&group.rule).is_some());
        scored && secret.groups().count() > 1 && aggregation(&secret.rule) != Aggregation::Sum
    })
}

/// A group below `secret` that sums its cases.
pub fn find_sum_group(tests: &TestSet) -> Option<String> {
    let secret = tests.root.group_named("secret")?;
    let sums = |group: &&Group| aggregation(&group.rule) == Aggregation::Sum && group.cases().len() > 1;
    secret.groups().find(sums).map(|group| group.name.clone())
}

/// A group without a maximum, in a scoring problem.
pub fn find_unbounded(package: &Package, tests: &TestSet) -> Option<String> {
    if !package.kind.scoring {
        return None;
    }
    let secret = tests.root.group_named("secret")?;
    let groups: Vec<&Group> = secret.groups().collect();
    let counted = if groups.is_empty() { vec![secret] } else { groups };
    let unbounded = counted.into_iter().find(|group| max_score(&group.rule).is_none())?;
    Some(unbounded.name.clone())
}

/// Samples, as indices into the test set.
pub fn sample_cases(source: &PackSource) -> Vec<usize> {
    source.tests.root.group_named("sample").map(Group::cases).unwrap_or_default()
}

/// The name of a case without a directory.
pub fn flat_name(source: &PackSource, case: &Case) -> String {
    let flat = |case: &Case| case.name.strip_prefix("secret/").unwrap_or(&case.name).replace('/', "-");
    let name = flat(case);
    let earlier = source.tests.cases.iter().take_while(|other| other.name != case.name);
    // `a/b` and `a-b` become the same name.
    let same = earlier.filter(|other| flat(other) == name).count();
    name + &"_".repeat(same)
}

pub fn report_points(packed: &mut Packed, groups: &[OwnGroup], written: &str) {
    let own: Vec<String> = groups.iter().map(|group| group.max.to_string()).collect();
    packed.report_loss(Loss::Points, "data/secret", &[&own.join("+"), written]);
}
