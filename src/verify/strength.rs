//! How strong the tests are: which case kills which wrong submission. Pure.

use super::{
    Bench,
    claims::speaks_of,
    judged::Seen,
    tables::{Flat, groups},
};
use crate::{
    package::Case,
    verdict::{Class, Verdict},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Which case kills whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// Every wrong submission.
    pub submissions: Vec<SubmissionStrength>,
    /// Every case.
    pub cases: Vec<CaseStrength>,
    /// Groups in which no wrong submission fails.
    pub idle_groups: Vec<String>,
}

/// Who kills a wrong submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubmissionStrength {
    /// Its name.
    pub name: String,
    /// Names of all cases that it fails, in judging order.
    pub killers: Vec<String>,
}

/// Whom a case kills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseStrength {
    /// Its name.
    pub name: String,
    /// How many wrong submissions fail it.
    pub kills: usize,
    /// Those that fail no other case (but equal ones).
    pub alone: Vec<String>,
    /// Those that fail no other case of its group.
    pub alone_in_group: Vec<String>,
}

/// Folds all trials of wrong submissions.
pub fn strength(bench: &Bench, seen: &[Seen]) -> Strength {
    let wrong: Vec<&Seen> = seen.iter().filter(|one| is_wrong(bench, one)).collect();
    let killed: Vec<Vec<usize>> = wrong.iter().map(|one| failures(one)).collect();
    let cases = &bench.tests.cases;
    let name = |&case: &usize| cases[case].name.clone();
    let submissions = wrong.iter().zip(&killed).map(|(one, cases)| SubmissionStrength {
        name: one.submission.name.clone(),
        killers: cases.iter().map(name).collect(),
    });
    let groups = groups(bench.tests);
    let home = homes(&groups, cases.len());
    let mut strong: Vec<CaseStrength> = cases.iter().map(|case| blank(&case.name)).collect();
    for (one, killers) in wrong.iter().zip(&killed) {
        kill(&one.submission.name, killers, (cases, &home), &mut strong);
    }
    let idle = |&group: &usize| !killed.iter().flatten().any(|&case| home[case] == group);
    Strength {
        submissions: submissions.collect(),
        cases: strong,
        idle_groups: (0..groups.len()).filter(idle).map(|group| groups[group].name.clone()).collect(),
    }
}

/// One that is not claimed to be right everywhere.
fn is_wrong(bench: &Bench, one: &Seen) -> bool {
    let right = |set: &BTreeSet<Class>| set.len() == 1 && set.contains(&Class::Ac);
    let mut claims = bench.package.claims.iter().filter(|claim| speaks_of(claim, one.submission));
    one.trials().is_some()
        && !claims.any(|claim| claim.cases.is_none() && claim.permitted.as_ref().is_some_and(right))
}

fn failures(one: &Seen) -> Vec<usize> {
    let trials = one.trials().into_iter().flatten();
    trials.filter(|(_, trial)| trial.verdict != Verdict::Accepted).map(|(&case, _)| case).collect()
}

/// By case, which group it is in.
fn homes(groups: &[Flat], cases: usize) -> Vec<usize> {
    let mut home = vec![groups.len(); cases];
    for (at, group) in groups.iter().enumerate() {
        group.cases.iter().for_each(|&case| home[case] = at);
    }
    home
}

fn blank(name: &str) -> CaseStrength {
    CaseStrength { name: name.to_owned(), kills: 0, alone: vec![], alone_in_group: vec![] }
}

/// Notes one submission at the cases that kill it. Equal cases count as one.
fn kill(name: &str, killers: &[usize], (cases, home): (&[Case], &[usize]), strong: &mut [CaseStrength]) {
    let distinct = |group: Option<usize>| {
        let meant = killers.iter().filter(|&&case| group.is_none_or(|group| home[case] == group));
        meant.map(|&case| (cases[case].digest, &cases[case].args)).collect::<BTreeSet<_>>().len()
    };
    let whole = distinct(None);
    let by_group: BTreeMap<usize, usize> = killers
        .iter()
        .map(|&case| home[case])
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|group| (group, distinct(Some(group))))
        .collect();
    for &case in killers {
        let strong = &mut strong[case];
        strong.kills += 1;
        if whole == 1 {
            strong.alone.push(name.to_owned());
        }
        if by_group[&home[case]] == 1 {
            strong.alone_in_group.push(name.to_owned());
        }
    }
}

impl Strength {
    /// Wrong submissions that nothing kills.
    pub fn survivors(&self) -> Vec<String> {
        let alive = self.submissions.iter().filter(|one| one.killers.is_empty());
        alive.map(|one| one.name.clone()).collect()
    }

    /// How many cases kill so many.
    pub fn histogram(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        self.cases.iter().for_each(|case| *counts.entry(case.kills).or_default() += 1);
        counts
    }
}
