//! The strength of the tests: the wrong submissions that each case kills. Pure.

use super::{
    judged::JudgedSubmission,
    verification::{FlatGroup, Verification, flat_groups},
};
use kopek_package::{
    package::{Case, Claim, Package},
    verdict::Verdict,
};
use kopek_results::{CaseStrength, Strength, SubmissionStrength};
use std::collections::{BTreeMap, BTreeSet};

/// Folds all trials of wrong submissions.
pub(super) fn measure_strength(bench: &Verification, seen: &[JudgedSubmission]) -> Strength {
    let Verification { package: Package { claims, .. }, tests, .. } = *bench;
    let wrong: Vec<&JudgedSubmission> = seen.iter().filter(|one| is_wrong(claims, one)).collect();
    let killed: Vec<Vec<usize>> = wrong.iter().map(|one| failed_cases(one)).collect();
    let cases = &tests.cases;
    let name = |&case: &usize| cases[case].name.clone();
    let submissions = wrong.iter().zip(&killed).map(|(one, cases)| SubmissionStrength {
        name: one.submission.name.clone(),
        killers: cases.iter().map(name).collect(),
    });
    let groups = flat_groups(tests);
    let home = group_of_cases(&groups, cases.len());
    let mut strong: Vec<CaseStrength> = cases.iter().map(|case| idle_case(&case.name)).collect();
    for (one, killers) in wrong.iter().zip(&killed) {
        count_kills(&one.submission.name, killers, &CaseHomes { cases, home: &home }, &mut strong);
    }
    let is_idle = |&group: &usize| !killed.iter().flatten().any(|&case| home[case] == group);
    let idle_groups = (0..groups.len()).filter(is_idle);
    Strength {
        submissions: submissions.collect(),
        cases: strong,
        idle_groups: idle_groups.map(|group| groups[group].name.clone()).collect(),
    }
}

/// Whether a submission is not claimed to be correct everywhere.
fn is_wrong(claims: &[Claim], one: &JudgedSubmission) -> bool {
    let name = &one.submission.name;
    one.trials().is_some() && !claims.iter().any(|claim| claim.is_about(name) && claim.is_of_right())
}

fn failed_cases(one: &JudgedSubmission) -> Vec<usize> {
    let trials = one.trials().into_iter().flatten();
    trials.filter(|(_, trial)| trial.verdict != Verdict::Accepted).map(|(&case, _)| case).collect()
}

/// The group of each case.
fn group_of_cases(groups: &[FlatGroup], cases: usize) -> Vec<usize> {
    let mut home = vec![groups.len(); cases];
    for (at, group) in groups.iter().enumerate() {
        group.cases.iter().for_each(|&case| home[case] = at);
    }
    home
}

fn idle_case(name: &str) -> CaseStrength {
    CaseStrength { name: name.to_owned(), kills: 0, alone: vec![], alone_in_group: vec![] }
}

/// All cases, and the group of each.
struct CaseHomes<'a> {
    cases: &'a [Case],
    home: &'a [usize],
}

/// Records one submission at the cases that kill it. Equal cases count as one.
fn count_kills(name: &str, killers: &[usize], homes: &CaseHomes, strong: &mut [CaseStrength]) {
    let CaseHomes { cases, home } = homes;
    let distinct = |group: Option<usize>| {
        let meant = killers.iter().filter(|&&case| group.is_none_or(|group| home[case] == group));
        meant.map(|&case| (cases[case].digest, &cases[case].arguments.args)).collect::<BTreeSet<_>>().len()
    };
    let whole = distinct(None);
    let groups: BTreeSet<usize> = killers.iter().map(|&case| home[case]).collect();
    let by_group: BTreeMap<usize, usize> =
        groups.into_iter().map(|group| (group, distinct(Some(group)))).collect();
    for &case in killers {
        let strong = &mut strong[case];
        strong.kills += 1;
        // Equal cases count as one: each of them kills alone.
        if whole == 1 {
            strong.alone.push(name.to_owned());
        }
        if by_group[&home[case]] == 1 {
            strong.alone_in_group.push(name.to_owned());
        }
    }
}
