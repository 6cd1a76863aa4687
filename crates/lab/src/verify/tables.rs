//! A view of a test set that several checks need: its groups, flattened. Pure.

use kopek_engine::package::{Group, Member, TestSet};

/// A group and all cases in and below it.
#[derive(Debug, Clone)]
pub(super) struct FlatGroup {
    /// `sample`, `secret/1`; `secret` if it has no groups.
    pub name: String,
    /// Indices into [`TestSet::cases`], in judging order.
    pub cases: Vec<usize>,
}

/// `sample`, then the groups in `secret`, or `secret` itself if it contains cases directly.
pub(super) fn flat_groups(tests: &TestSet) -> Vec<FlatGroup> {
    let mut flat = Vec::new();
    for member in &tests.root.members {
        let Member::Group(group) = member else { continue };
        let below: Vec<&Group> = group.members.iter().filter_map(as_group).collect();
        let direct = group.members.iter().any(|member| matches!(member, Member::Case(_)));
        if direct || below.is_empty() {
            flat.push(FlatGroup { name: group.name.clone(), cases: group.cases() });
        } else {
            flat.extend(
                below.iter().map(|group| FlatGroup { name: group.name.clone(), cases: group.cases() }),
            );
        }
    }
    flat.retain(|group| !group.cases.is_empty());
    flat
}

fn as_group(member: &Member) -> Option<&Group> {
    match member {
        Member::Group(group) => Some(group),
        Member::Case(_) => None,
    }
}
