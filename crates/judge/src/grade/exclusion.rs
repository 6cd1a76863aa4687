//! A test set without the cases that a teacher excludes after the contest: the others count as before.

use super::choice::cases_named;
use anyhow::{Result, bail};
use kopek_package::package::{Group, Member, Package, Rule, TestSet};
use std::collections::BTreeSet;

/// The cases that match a name or a pattern.
pub fn excluded_cases(tests: &TestSet, name: &str) -> Result<Vec<usize>> {
    cases_named(tests, name)
}

/// The test set without these cases. A group that points depend on keeps at least one.
pub fn without_cases(package: &Package, tests: &TestSet, excluded: &BTreeSet<usize>) -> Result<TestSet> {
    let kept: Vec<usize> = (0..tests.cases.len()).filter(|case| !excluded.contains(case)).collect();
    let exclusion = CaseExclusion { kept: &kept, scoring: package.kind.scoring };
    let Some(mut root) = exclusion.remaining_group(&tests.root)? else { bail!("--without: no case left") };
    if !root.groups().any(|group| group.name == "secret") {
        bail!("--without: no secret case left");
    }
    let gone: Vec<String> = names_of_groups(&tests.root, &|name| !has_group(&root, name));
    forget_groups(&mut root, &gone);
    let cases = kept.iter().map(|&case| tests.cases[case].clone()).collect();
    Ok(TestSet { root, own: None, cases, validation: tests.validation.clone(), worth: tests.worth })
}

struct CaseExclusion<'a> {
    /// In ascending order.
    kept: &'a [usize],
    scoring: bool,
}

impl CaseExclusion<'_> {
    /// `None`: it has no cases left.
    fn remaining_group(&self, group: &Group) -> Result<Option<Group>> {
        let mut members = Vec::new();
        for member in &group.members {
            match member {
                Member::Case(case) => members.extend(self.kept.binary_search(case).ok().map(Member::Case)),
                Member::Group(below) => members.extend(self.remaining_group(below)?.map(Member::Group)),
            }
        }
        if members.is_empty() && !group.members.is_empty() {
            // The points of an empty group are undefined.
            if self.scoring && group.name.starts_with("secret") {
                bail!(
                    "--without leaves no case in group {}, so its points are unclear; keep a case, or give \
                        the group `max_score: 0` in the package",
                    group.name
                );
            }
            return Ok(None);
        }
        Ok(Some(Group { name: group.name.clone(), rule: group.rule.clone(), members }))
    }
}

fn has_group(group: &Group, name: &str) -> bool {
    group.name == name || group.groups().any(|below| has_group(below, name))
}

fn names_of_groups(group: &Group, is_meant: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    if is_meant(&group.name) {
        names.push(group.name.clone());
    }
    names.extend(group.groups().flat_map(|below| names_of_groups(below, is_meant)));
    names
}

/// Drops requirements on excluded groups, which cannot be passed.
fn forget_groups(group: &mut Group, gone: &[String]) {
    if let Rule::Modern { require_pass, .. } = &mut group.rule {
        require_pass.retain(|name| !gone.contains(name));
    }
    for member in &mut group.members {
        if let Member::Group(below) = member {
            forget_groups(below, gone);
        }
    }
}
