//! Cases that are there twice. Pure.

use super::{
    Bench, Level, Remark, Section, Verified, counted, few,
    tables::{Flat, groups},
};
use crate::package::Case;
use std::collections::{BTreeMap, HashMap};

/// Equal cases in one group are a waste; in two groups they are meant, often, and told as a note.
pub fn check(bench: &Bench, verified: &mut Verified) {
    let groups = groups(bench.tests);
    let mut between: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let home: HashMap<usize, usize> =
        groups.iter().enumerate().flat_map(|(at, group)| group.cases.iter().map(move |&c| (c, at))).collect();
    for equal in equal(&bench.tests.cases).into_values() {
        let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for case in &equal {
            by_group.entry(home[case]).or_default().push(*case);
        }
        for cases in by_group.values().filter(|cases| cases.len() > 1) {
            verified.add(twice(bench, cases));
        }
        let places: Vec<usize> = by_group.into_keys().collect();
        for pair in places.windows(2) {
            *between.entry((pair[0], pair[1])).or_default() += 1;
        }
    }
    for ((first, later), count) in between {
        verified.add(again(&groups[first], &groups[later], count));
    }
    verified.check(
        Section::Data,
        format!("{} looked at for repetitions", counted(bench.tests.cases.len(), "case")),
    );
}

/// What makes two cases the same: files, arguments of the submission, arguments of the validator.
type Key<'a> = (String, &'a [String], &'a [String]);

fn equal(cases: &[Case]) -> BTreeMap<Key<'_>, Vec<usize>> {
    let mut equal: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        let key = (case.digest.to_string(), case.args.as_slice(), case.output_validator_args.as_slice());
        equal.entry(key).or_default().push(at);
    }
    equal
}

fn twice(bench: &Bench, cases: &[usize]) -> Remark {
    let names: Vec<String> = cases.iter().map(|&case| bench.tests.cases[case].name.clone()).collect();
    let what = format!("is the same case as {}", few(&names[1..], 3));
    Remark::new(Section::Data, Level::Warning, what)
        .at(format!("data/{}.in", names[0]))
        .todo("keep one of them")
}

fn again(first: &Flat, later: &Flat, count: usize) -> Remark {
    let what = format!(
        "{} of {} {} also in {}",
        count,
        counted(first.cases.len(), "case"),
        if count == 1 { "is" } else { "are" },
        later.name
    );
    Remark::new(Section::Data, Level::Note, what)
        .at(format!("data/{}", first.name))
        .todo("nothing, if the later group is meant to include it; else make other cases there")
}
