//! Folders of tests without a manifest: exports of Code Expert, folders of courses, zips of archives.
//!
//! Tests are pairs of files with matching names. Names also decide which tests are the student's own, which are
//! samples, and which form a group. Points and limits come from the user.

mod chosen_tests;
mod exercises;
mod found_pairs;
mod loose_programs;
mod loose_statement;
mod permissions;
mod test_names;

use super::{
    adapt::ProgramSources,
    draft::{Draft, DraftGroup},
    options::{ImportOptions, TestScoring},
    source::{ForeignPackage, PERMISSIONS},
};
use anyhow::{Result, ensure};
use found_pairs::FoundPairs;
use kopek_base::wording::shortened;
use kopek_engine::points::Points;
use permissions::Permissions;
use std::collections::BTreeSet;

pub use exercises::{Exercise, find_exercises};

/// The default sum of points.
const USUAL_POINTS: u64 = 100;

/// Reads one exercise as a package of this format.
pub fn read(source: &ForeignPackage, options: &ImportOptions) -> Result<Draft> {
    let mut draft = Draft {
        name: source.name().to_owned(),
        origin: source.has(PERMISSIONS).then(|| "Code Expert".to_owned()),
        time_limit: options.time_limit.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
        ..Draft::default()
    };
    let found = found_pairs::find_pairs(source);
    let mut taken = files_of_tests(&found);
    taken.insert(PERMISSIONS.to_owned());
    chosen_tests::add_tests(source, found, &Permissions::read(source)?, &mut draft)?;
    add_groups(options, &mut draft)?;
    taken.extend(loose_statement::add_statement(source, &mut draft)?);
    let sources = ProgramSources { source, headers: &["", "src", "include"], testlib: &options.testlib };
    taken.extend(loose_programs::add_programs(&sources, &mut draft)?);
    if draft.time_limit.is_none() {
        let what = "the time limit is not in the folder";
        let instead = "the package has none; --time-limit 1.5 sets one, or `kopek limits` measures one";
        draft.changes.add_loss("problem.yaml", what, instead);
    }
    report_rest(source, &taken, &mut draft);
    Ok(draft)
}

/// All files of tests, including those that are reported elsewhere.
fn files_of_tests(found: &FoundPairs) -> BTreeSet<String> {
    let mut files: BTreeSet<String> = found.unanswered.iter().cloned().collect();
    for pair in &found.pairs {
        files.extend([pair.input.clone(), pair.answer.clone()]);
        files.extend(pair.others.iter().cloned());
    }
    files
}

fn add_groups(options: &ImportOptions, draft: &mut Draft) -> Result<()> {
    let secret: Vec<usize> = (0..draft.tests.len()).filter(|&at| draft.tests[at].secret).collect();
    let names: Vec<&str> = secret.iter().map(|&at| draft.tests[at].name.as_str()).collect();
    let groups = test_names::group_tests(&names);
    let points = match &options.scoring {
        TestScoring::None => return Ok(()),
        TestScoring::EqualShares => equal_shares(groups.len()),
        TestScoring::Points(points) => points.clone(),
    };
    let called: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    ensure!(
        points.len() == groups.len(),
        "--points names {} values, but there are {} groups: {}; name one value for each of them",
        points.len(),
        groups.len(),
        called.join(", ")
    );
    draft.scoring = true;
    for ((name, tests), points) in groups.into_iter().zip(&points) {
        draft.groups.push(DraftGroup {
            origin: name.clone(),
            name,
            max: Points::from(*points),
            aggregation: "pass-fail",
            require: Vec::new(),
            tests: tests.into_iter().map(|at| secret[at]).collect(),
            input_args: Vec::new(),
            output_args: Vec::new(),
        });
    }
    draft.max_score = Some(Points::from(points.iter().sum::<u64>()));
    Ok(())
}

/// The usual points in equal parts; the last groups get the remainder.
fn equal_shares(groups: usize) -> Vec<u64> {
    let count = groups as u64;
    (0..count).map(|at| USUAL_POINTS * (at + 1) / count - USUAL_POINTS * at / count).collect()
}

/// Reports the files that no other step used.
fn report_rest(source: &ForeignPackage, taken: &BTreeSet<String>, draft: &mut Draft) {
    let rest = source.paths().filter(|path| !taken.contains(*path)).map(str::to_owned);
    let is_answer = |path: &String| {
        [".out", ".ans", ".sol", ".ok"].iter().any(|end| path.to_ascii_lowercase().ends_with(end))
    };
    let (answers, others): (Vec<String>, Vec<String>) = rest.partition(is_answer);
    for (paths, what) in
        [(answers, "an answer without an input"), (others, "a file that is no part of a package")]
    {
        if !paths.is_empty() {
            draft.changes.add_loss(shortened(&paths, 8, ", "), what, "it is left out");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shares_add_up() {
        for groups in 1..=12 {
            assert_eq!(equal_shares(groups).iter().sum::<u64>(), 100);
        }
        assert_eq!(equal_shares(3), [33, 33, 34]);
    }
}
