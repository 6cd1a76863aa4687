//! Folders of tests without a manifest: exports of Code Expert, folders of courses, zips of archives.
//!
//! Tests are pairs of files with matching names. Names also decide which tests are the student's own, which are
//! samples, and which form a group. Points and limits come from the user.

mod chosen_tests;
mod domjudge_settings;
mod exercises;
mod found_pairs;
mod loose_programs;
mod test_groups;
mod test_names;

use super::{
    draft::{Draft, DraftGroup},
    draft_files::{base_name, parent},
    imported::{ImportOptions, TestComparison, TestScoring},
    source::{ForeignPackage, PERMISSIONS},
};
use anyhow::{Result, ensure};
use domjudge_settings::{DomjudgeSettings, SETTINGS};
use found_pairs::FoundPairs;
use kopek_base::wording::shortened;
use kopek_package::{package::yaml::parse_text, points::Points};
use std::{collections::BTreeSet, path::Path};
use test_groups::PlacedTest;
use test_names::Permissions;

pub use exercises::{Exercise, find_exercises};

/// Directories of headers, besides the program's own.
pub const HEADERS: &[&str] = &["", "src", "include"];
const USUAL_POINTS: u64 = 100;
/// The text of newer exports of Code Expert, and its manifest.
const TEXT: &str = "cx_description/english.md";
const MANIFEST: &str = "cx_description/conf.yml";
/// Texts of other folders.
const TEXTS: &[&str] =
    &["statement.md", "problem.md", "task.md", "statement/statement.md", "statement/index.md"];
/// A shorter text is a placeholder.
const MIN_TEXT: usize = 200;

pub fn read(draft: &mut Draft, options: &ImportOptions) -> Result<()> {
    let source = draft.source();
    draft.name = source.title().to_owned();
    let origin =
        [(PERMISSIONS, "Code Expert"), (SETTINGS, "DOMjudge")].into_iter().find(|(file, _)| source.has(file));
    draft.origin = origin.map(|(_, name)| name.to_owned());
    let settings = DomjudgeSettings::read(source)?;
    let asked = options.time_limit.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
    draft.time_limit = asked.or(settings.time_limit);
    let found = found_pairs::find_pairs(source);
    let mut taken = files_of_tests(&found);
    taken.extend([PERMISSIONS.to_owned(), SETTINGS.to_owned()]);
    taken.extend(settings.apply(draft)?);
    let folders = chosen_tests::add_tests(found, &Permissions::read(source)?, draft)?;
    add_groups(options, &folders, draft)?;
    if options.comparison == TestComparison::Exact {
        draft.output_args = vec!["case_sensitive".into(), "space_change_sensitive".into()];
    }
    taken.extend(add_statement(settings.name, draft)?);
    taken.extend(loose_programs::add_programs(draft)?);
    if draft.time_limit.is_none() {
        let instead = "the package has none; --time-limit 1.5 sets one, or `kopek limits` measures one";
        draft.lost("problem.yaml", "the time limit is not in the folder", instead);
    }
    report_rest(&taken, draft);
    Ok(())
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

/// `folders`: those of the tests.
fn add_groups(options: &ImportOptions, folders: &[String], draft: &mut Draft) -> Result<()> {
    let secret: Vec<usize> = (0..draft.tests.len()).filter(|&at| draft.tests[at].secret).collect();
    let tests: Vec<PlacedTest> =
        secret.iter().map(|&at| PlacedTest { name: &draft.tests[at].name, folder: &folders[at] }).collect();
    let grouping = match &options.scoring {
        TestScoring::None => return Ok(()),
        TestScoring::Points(points) if points.len() == 1 => test_groups::one_group(&tests),
        TestScoring::EqualShares | TestScoring::Points(_) => test_groups::group_tests(&tests),
    };
    let groups = grouping.groups;
    let points = match &options.scoring {
        TestScoring::Points(points) => points.clone(),
        TestScoring::EqualShares | TestScoring::None => equal_shares(groups.len()),
    };
    let counted: Vec<String> =
        groups.iter().map(|group| format!("{} ({})", group.name, group.tests.len())).collect();
    ensure!(
        points.len() == groups.len(),
        "--points names {} values, but there are {} groups {}: {}; name one value for each of them, or one for all \
         tests together",
        points.len(),
        groups.len(),
        grouping.rule,
        counted.join(", ")
    );
    draft.changed("tests", format!("groups {}", grouping.rule), shortened(&counted, 20, ", "));
    draft.scoring = true;
    for (group, points) in groups.into_iter().zip(points) {
        let tests = group.tests.into_iter().map(|at| secret[at]).collect();
        let name = group.name.clone();
        draft.groups.push(DraftGroup::pass_fail(name, &group.name, Points::from(points), tests));
    }
    draft.max_score = draft.sum_of_groups();
    Ok(())
}

/// The usual points in equal parts; the last groups get the remainder.
fn equal_shares(groups: usize) -> Vec<u64> {
    let count = groups as u64;
    (0..count).map(|at| USUAL_POINTS * (at + 1) / count - USUAL_POINTS * at / count).collect()
}

/// Adds the statement, and the title, which the folder may name; the paths of all files it used.
fn add_statement(name: Option<String>, draft: &mut Draft) -> Result<BTreeSet<String>> {
    let source = draft.source();
    let mut taken = BTreeSet::new();
    let title = read_title(source)?.or(name).unwrap_or_else(|| draft.name.clone());
    if source.has(MANIFEST) {
        taken.insert(MANIFEST.to_owned());
    }
    let title = if title.trim().is_empty() { "Problem".to_owned() } else { title };
    draft.titles.insert("en".into(), title);
    let text = [TEXT].iter().chain(TEXTS).find(|path| source.has(path)).copied();
    let chosen = match (find_pdf(source), text) {
        (Some(pdf), text) => {
            if let Some(text) = text {
                let what = "the text of the statement beside its PDF";
                draft.lost(text, what, format!("it is left out: {pdf} is the statement"));
                taken.insert(text.to_owned());
            }
            Some((pdf, "pdf"))
        }
        (None, Some(text)) => {
            if source.read_text(text)?.trim().len() < MIN_TEXT {
                let what = "a statement that is hardly more than a title";
                draft.changed(text, what, "it is taken as it is");
            }
            Some((text.to_owned(), "md"))
        }
        (None, None) => {
            let instead = "write statement/problem.en.md, or put problem.en.pdf there";
            draft.lost("statement", "there is no statement", instead);
            None
        }
    };
    if let Some((path, ending)) = chosen {
        draft.copy(&path, format!("statement/problem.en.{ending}"))?;
        taken.insert(path);
    }
    Ok(taken)
}

/// `this.pdf`, else the only PDF, in the directory or in one for statements.
fn find_pdf(source: &ForeignPackage) -> Option<String> {
    let is_pdf = |path: &&str| path.to_ascii_lowercase().ends_with(".pdf");
    let near = |path: &&str| {
        let dir = base_name(parent(path)).to_ascii_lowercase();
        let usual = ["", "statement", "statements", "doc", "docs", "problem", "public", "task"];
        usual.contains(&dir.as_str()) || dir == source.name().to_ascii_lowercase()
    };
    let found: Vec<&str> = source.paths().filter(is_pdf).filter(near).collect();
    let known = |path: &&str| {
        let stem = base_name(path).to_ascii_lowercase();
        let own = format!("{}.pdf", source.name().to_ascii_lowercase());
        ["this.pdf", "statement.pdf", "problem.pdf", "task.pdf", own.as_str()].contains(&stem.as_str())
    };
    match found.as_slice() {
        [only] => Some((*only).to_owned()),
        many => many.iter().copied().find(known).map(str::to_owned),
    }
}

/// `descriptions.english.name`.
fn read_title(source: &ForeignPackage) -> Result<Option<String>> {
    if !source.has(MANIFEST) {
        return Ok(None);
    }
    let text = source.read_text(MANIFEST)?;
    // A manifest that cannot be read has no title; the directory's name is as good.
    let root = parse_text(Path::new(MANIFEST), &text, &mut Vec::new());
    let name = root.as_ref().and_then(|root| root.get("descriptions")?.get("english")?.get("name"));
    Ok(name.and_then(|node| node.text()).map(str::to_owned))
}

/// Reports the files that no other step used.
fn report_rest(taken: &BTreeSet<String>, draft: &mut Draft) {
    let rest = draft.source().paths().filter(|path| !taken.contains(*path)).map(str::to_owned);
    let endings = [".out", ".ans", ".sol", ".ok"];
    let is_answer = |path: &String| endings.iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    let (answers, others): (Vec<String>, Vec<String>) = rest.partition(is_answer);
    for (paths, what) in
        [(answers, "an answer without an input"), (others, "a file that is no part of a package")]
    {
        if !paths.is_empty() {
            draft.lost(shortened(&paths, 8, ", "), what, "it is left out");
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
