//! A part of a test set: the requested cases. They are judged on their own; a part has no points.

use anyhow::{Result, bail};
use kopek_package::package::{
    Group, LegacyRule, Member, Rule, TestSet, TestWorth, glob_matches, nearest_word,
};
use std::collections::BTreeSet;

/// The requested cases: all that match any of these names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseChoice {
    /// Cases: `secret/2/ten`, `2/ten`, `ten` if it is unique, or a pattern.
    pub cases: Vec<String>,
}

impl CaseChoice {
    /// Whether no cases are requested, which means all cases.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The test set with the chosen cases only. A name without a match is an error.
    pub fn choose(&self, tests: &TestSet) -> Result<TestSet> {
        let mut chosen = BTreeSet::new();
        for name in &self.cases {
            chosen.extend(cases_named(tests, name)?);
        }
        Ok(part_of(tests, &chosen))
    }
}

/// The place of the only case that matches a name.
pub fn only_case(tests: &TestSet, name: &str) -> Result<usize> {
    match cases_named(tests, name)?[..] {
        [only] => Ok(only),
        ref several => bail!("--case {name} matches {} cases; name one", several.len()),
    }
}

/// The cases with these indices, without points and conditions.
pub fn part_of(tests: &TestSet, chosen: &BTreeSet<usize>) -> TestSet {
    let places: Vec<usize> = chosen.iter().copied().collect();
    TestSet {
        root: part_of_group(&tests.root, &places).unwrap_or(Group { members: vec![], ..tests.root.clone() }),
        own: tests.own.as_ref().and_then(|own| part_of_group(own, &places)),
        cases: places.iter().map(|&case| tests.cases[case].clone()).collect(),
        validation: Vec::new(),
        worth: TestWorth::Verdict,
    }
}

/// `None`: it has no chosen cases; an empty group would never be decided.
fn part_of_group(group: &Group, places: &[usize]) -> Option<Group> {
    let member = |member: &Member| match member {
        Member::Case(case) => places.binary_search(case).ok().map(Member::Case),
        Member::Group(below) => part_of_group(below, places).map(Member::Group),
    };
    let members: Vec<Member> = group.members.iter().filter_map(member).collect();
    if members.is_empty() {
        return None;
    }
    Some(Group { name: group.name.clone(), rule: plain_rule(&group.rule), members })
}

/// All cases must be accepted; a failure skips none.
fn plain_rule(rule: &Rule) -> Rule {
    match rule {
        Rule::Modern { .. } => Rule::PASS_FAIL,
        Rule::Legacy(_) => {
            Rule::Legacy(LegacyRule { continue_on_reject: true, declared: true, ..LegacyRule::default() })
        }
    }
}

/// The cases of the package and those of the author that match a name, the end of a name, a path, or a pattern.
pub(super) fn cases_named(tests: &TestSet, name: &str) -> Result<Vec<usize>> {
    let own = cases_among(tests, &tests.own_cases(), name);
    match (cases_among(tests, &tests.package_cases(), name), own) {
        (Ok(cases), own) => Ok([cases, own.unwrap_or_default()].concat()),
        (Err(_), Ok(own)) => Ok(own),
        (Err(error), Err(_)) => Err(error),
    }
}

fn cases_among(tests: &TestSet, cases: &[usize], name: &str) -> Result<Vec<usize>> {
    let wanted = case_name(name);
    let matching = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
        cases.iter().copied().filter(|&case| is_meant(&tests.cases[case].name)).collect()
    };
    let exact = matching(&|case| case == wanted);
    if !exact.is_empty() {
        return Ok(exact);
    }
    let end = format!("/{wanted}");
    let ending = matching(&|case| case.ends_with(&end));
    match ending.len() {
        0 => {}
        1 => return Ok(ending),
        _ => bail!("`{name}` matches several cases: {}", names(tests, &ending)),
    }
    let fitting =
        matching(&|case| glob_matches(wanted, case) || glob_matches(&format!("secret/{wanted}"), case));
    if fitting.is_empty() {
        let known: Vec<&str> = cases.iter().map(|&case| tests.cases[case].name.as_str()).collect();
        bail!("no case `{name}`; {}", near_miss(wanted, &known));
    }
    Ok(fitting)
}

/// A path to a file of a case is accepted as its name.
fn case_name(name: &str) -> &str {
    let name = name.rsplit("data/").next().unwrap_or(name);
    name.strip_suffix(".in").or(name.strip_suffix(".ans")).unwrap_or(name)
}

/// An error lists at most this number of names.
const LISTED: usize = 8;

fn names(tests: &TestSet, cases: &[usize]) -> String {
    let names: Vec<String> = cases.iter().map(|&case| tests.cases[case].name.clone()).collect();
    kopek_base::wording::shortened(&names, LISTED, ", ")
}

fn near_miss(name: &str, known: &[&str]) -> String {
    match nearest_word(name, known).or_else(|| nearest_word(&format!("secret/{name}"), known)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
            format!("there are {}", kopek_base::wording::shortened(&names, LISTED, ", "))
        }
    }
}
