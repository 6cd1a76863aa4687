//! Duplicate cases. Pure.

use super::{
    checked::Checked,
    verification::{FlatGroup, flat_groups},
};
use kopek_base::wording::{counted, shortened};
use kopek_package::package::{Case, Level, Message, Place, TestSet};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Equal cases in one group are a waste. In two groups they may be intended, so they are only noted, unless the
/// recipe includes them.
pub(super) fn check_twins(tests: &TestSet, included: &BTreeSet<String>) -> Checked {
    let mut checked = Checked::default();
    let groups = flat_groups(tests);
    let mut between: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut home: HashMap<usize, usize> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        home.extend(group.cases.iter().map(|&case| (case, at)));
    }
    for equal in equal_cases(&tests.cases).into_values() {
        let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for case in &equal {
            by_group.entry(home[case]).or_default().push(*case);
        }
        // First within a group, where a repetition is never intended.
        for cases in by_group.values().filter(|cases| cases.len() > 1) {
            checked.add(twice_message(tests, cases));
        }
        let is_included =
            |cases: &Vec<usize>| cases.iter().any(|&case| included.contains(&tests.cases[case].name));
        let places: Vec<usize> = by_group.keys().copied().collect();
        // Only neighbours: for a case in three groups, each repetition is counted once.
        for pair in places.windows(2).filter(|pair| pair.iter().all(|place| !is_included(&by_group[place]))) {
            *between.entry((pair[0], pair[1])).or_default() += 1;
        }
    }
    for ((first, later), count) in between {
        checked.add(again_message(&groups[first], &groups[later], count));
    }
    checked.done(format!("{} looked at for repetitions", counted(tests.cases.len(), "case")));
    checked
}

/// The properties that equal cases share.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct CaseIdentity<'a> {
    files: String,
    args: &'a [String],
    output: &'a [String],
}

fn equal_cases(cases: &[Case]) -> BTreeMap<CaseIdentity<'_>, Vec<usize>> {
    let mut equal: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        let key = CaseIdentity {
            files: case.digest.to_string(),
            args: &case.arguments.args,
            output: &case.arguments.output,
        };
        equal.entry(key).or_default().push(at);
    }
    equal
}

fn twice_message(tests: &TestSet, cases: &[usize]) -> Message {
    let names: Vec<String> = cases.iter().map(|&case| tests.cases[case].name.clone()).collect();
    let what = format!("is the same case as {}", shortened(&names[1..], 3, ", "));
    Message::warning(format!("data/{}.in", names[0]), what).todo("keep one of them")
}

fn again_message(first: &FlatGroup, later: &FlatGroup, count: usize) -> Message {
    let what = format!(
        "{} of {} {} also in {}",
        count,
        counted(first.cases.len(), "case"),
        if count == 1 { "is" } else { "are" },
        later.name
    );
    Message::new(Level::Note, what)
        .at(Place::new(format!("data/{}", first.name), None))
        .todo("make other cases there, unless the later group is meant to include it")
}
