//! A recipe of an earlier version in today's words: only what is old changes; comments, order and layout
//! stay. Cases that lie in `data/` and that the recipe only names are copied below `generators/`, so that
//! `data/` can be made anew.

use super::{
    bad_cases::{BAD, ROOTS_OF_BAD},
    bad_files::move_bad_files,
    bad_upgrade::BadRules,
    old_forms::{OldForm, OldPlace, old_places},
    recipe::{FILE, GroupFile, OLD_FILE, PICTURES, Recipe, RecipeCase, RecipeInputs, TEXTS, recipe_file},
    root_directories::OLD_ROOTS,
};
use crate::{
    base::files::write_atomic,
    package::{
        Package, Severity,
        yaml::{self, YamlNode, emit},
    },
};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Where cases go that only lay in `data/`, relative to `generators/`.
const MANUAL: &str = "manual";

/// A line of a recipe that was, or should be, changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeChange {
    /// Its number before.
    pub line: u32,
    /// What is old there, and what becomes of it.
    pub what: String,
}

/// What became of a recipe.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpgradeResult {
    /// What was changed.
    pub changes: Vec<RecipeChange>,
    /// What is old and could not be changed without touching more: by hand.
    pub left: Vec<RecipeChange>,
    /// Files that were copied below `generators/`, relative to the package.
    pub copied: Vec<String>,
    /// Files that have another name now, relative to the package: before, and after.
    pub renamed: Vec<(String, String)>,
    /// Files that should have another name, and why they have not: by hand.
    pub unmoved: Vec<String>,
}

/// Rewrites a package's recipe, if it has one, and moves cases that lie in a directory of earlier versions. A
/// recipe that cannot be read is refused, and everything stays as it is.
pub fn upgrade_recipe(package: &Package) -> Result<UpgradeResult> {
    let (mut result, text) = match recipe_file(&package.dir) {
        Some(file) => upgrade_file(package, file)?,
        None => Default::default(),
    };
    let (recipe, _) = Recipe::read(text.as_bytes(), &RecipeInputs::of(package));
    let is_copied = |case: &str| result.copied.contains(&format!("generators/{MANUAL}/{case}.in"));
    let moved = move_bad_files(&package.dir, &recipe, &is_copied)?;
    result.renamed.extend(moved.renamed);
    result.unmoved = moved.left;
    Ok(result)
}

/// Rewrites the recipe in this file; the new text, too.
fn upgrade_file(package: &Package, file: &str) -> Result<(UpgradeResult, String)> {
    let path = package.dir.join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let inputs = RecipeInputs::of(package);
    let found = |case: &str| is_free_to_copy(&package.dir, case);
    let upgraded = upgrade_text(&text, &inputs, &found)
        .map_err(|why| anyhow::anyhow!("{}: {why}; nothing was changed", path.display()))?;
    let (changes, left) = (upgraded.changes, upgraded.left);
    let mut result = UpgradeResult { changes, left, ..UpgradeResult::default() };
    for case in &upgraded.moved {
        result.copied.extend(copy_case(&package.dir, case)?);
    }
    if upgraded.text != text {
        write_atomic(&path, upgraded.text.as_bytes())?;
    }
    if file == OLD_FILE {
        let today = package.dir.join(FILE);
        fs::rename(&path, &today).with_context(|| format!("rename {} to {FILE}", path.display()))?;
        result.renamed.push((OLD_FILE.into(), FILE.into()));
    }
    Ok((result, upgraded.text))
}

/// Where the files of a case lie that a recipe only names, without extension: in its directory, or in one
/// that has a name of earlier versions.
pub(super) fn find_case_files(package: &Path, case: &str) -> Option<PathBuf> {
    let (root, below) = case.split_once('/')?;
    let old = OLD_ROOTS.iter().find(|(_, new)| *new == root).map(|(old, _)| *old);
    let bad = ROOTS_OF_BAD.contains(&root).then_some(BAD);
    let places = [Some(root), old, bad].into_iter().flatten();
    places
        .map(|root| package.join("data").join(root).join(below))
        .find(|stem| with_ending(stem, "in").is_file())
}

fn same_bytes(one: &Path, other: &Path) -> bool {
    fs::read(one).is_ok_and(|bytes| fs::read(other).is_ok_and(|others| bytes == others))
}

fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(format!(".{ending}"));
    path.into()
}

/// The files of a case, each with where it goes.
fn copies_of(package: &Path, case: &str) -> Vec<(PathBuf, String)> {
    let Some(stem) = find_case_files(package, case) else { return Vec::new() };
    let endings = TEXTS.iter().chain(&PICTURES).filter(|ending| with_ending(&stem, ending).is_file());
    endings
        .map(|ending| (with_ending(&stem, ending), format!("generators/{MANUAL}/{case}.{ending}")))
        .collect()
}

/// Whether the files of a case are there, and nothing else stands where they would go.
fn is_free_to_copy(package: &Path, case: &str) -> bool {
    let copies = copies_of(package, case);
    let is_free = |(from, to): &(PathBuf, String)| {
        let to = package.join(to);
        fs::symlink_metadata(&to).is_err() || same_bytes(from, &to)
    };
    !copies.is_empty() && copies.iter().all(is_free)
}

fn copy_case(package: &Path, case: &str) -> Result<Vec<String>> {
    let mut copied = Vec::new();
    for (from, to) in copies_of(package, case) {
        let target = package.join(&to);
        if !target.exists() {
            let bytes = fs::read(&from).with_context(|| format!("read {}", from.display()))?;
            fs::create_dir_all(target.parent().expect("it lies below generators/"))
                .with_context(|| format!("make the directory of {}", target.display()))?;
            write_atomic(&target, &bytes)?;
            copied.push(to);
        }
    }
    if find_case_files(package, case).is_none() {
        bail!("data/{case}.in vanished; run it again");
    }
    Ok(copied)
}

/// A text in today's words.
#[derive(Debug, Default, PartialEq)]
struct UpgradedText {
    text: String,
    changes: Vec<RecipeChange>,
    left: Vec<RecipeChange>,
    /// Cases whose files are copied from now on, below `data/`.
    moved: Vec<String>,
}

/// Pure. `can_move`: whether the files of a case can be copied.
fn upgrade_text(
    text: &str,
    inputs: &RecipeInputs,
    can_move: &dyn Fn(&str) -> bool,
) -> Result<UpgradedText, String> {
    let (before, findings) = Recipe::read(text.as_bytes(), inputs);
    if let Some(error) = findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(format!("it must be readable first: {error}"));
    }
    let root = parse_nodes(text)?;
    let mut result = UpgradedText { text: text.to_owned(), ..UpgradedText::default() };
    let mut split = UpgradedText::default();
    let mut origins = None;
    if let Some(bad) = BadRules::find(&root, &before) {
        origins = move_bad(&bad, &before, inputs, &mut result, &mut split);
    }
    // Places are those of the text as it is now.
    let (before, _) = Recipe::read(result.text.as_bytes(), inputs);
    let root = parse_nodes(&result.text)?;
    // From below: a line that goes moves only those behind it.
    for place in old_places(&root).into_iter().rev() {
        upgrade_place(&place, &before, inputs, can_move, &mut result);
    }
    for change in result.changes.iter_mut().chain(&mut result.left) {
        let at = change.line as usize - 1;
        change.line = origins.as_ref().map_or(change.line, |origins: &Vec<u32>| origins[at]);
    }
    result.changes.extend(split.changes);
    result.left.extend(split.left);
    result.changes.sort_by_key(|change| change.line);
    result.left.sort_by_key(|change| change.line);
    Ok(result)
}

fn parse_nodes(text: &str) -> Result<YamlNode, String> {
    yaml::parse_text(FILE.as_ref(), text, &mut Vec::new()).ok_or("it is not YAML".into())
}

/// Moves the cases of `bad`; for each line of the new text, which one it was.
fn move_bad(
    bad: &BadRules,
    before: &Recipe,
    inputs: &RecipeInputs,
    result: &mut UpgradedText,
    split: &mut UpgradedText,
) -> Option<Vec<u32>> {
    split.left.extend(bad.undecided().map(|(line, what)| RecipeChange { line, what }));
    let change = RecipeChange { line: bad.line(), what: bad.in_words()? };
    match bad.move_lines(&result.text).filter(|moved| says_the_same(before, &moved.text, inputs, &[])) {
        Some(moved) => {
            result.text = moved.text;
            split.changes.push(change);
            Some(moved.origins)
        }
        None => {
            split.left.push(change);
            None
        }
    }
}

fn upgrade_place(
    place: &OldPlace,
    before: &Recipe,
    inputs: &RecipeInputs,
    can_move: &dyn Fn(&str) -> bool,
    result: &mut UpgradedText,
) {
    let case = match place.form {
        OldForm::BareCase => bare_case(before, place),
        _ => None,
    };
    let change = RecipeChange { line: place.line, what: place.in_words() };
    let target = case.map(|case| format!("{MANUAL}/{case}"));
    let movable = place.form != OldForm::BareCase || case.is_some_and(can_move);
    let moved: Vec<&str> = result.moved.iter().map(String::as_str).chain(case).collect();
    let edited = movable.then(|| place.edit(&result.text, target.as_deref())).flatten();
    // Reading it again is what makes sure: comments and texts of several lines can look like anything.
    match edited.filter(|text| says_the_same(before, text, inputs, &moved)) {
        Some(text) => {
            result.text = text;
            result.changes.push(change);
            result.moved.extend(case.map(str::to_owned));
        }
        None => result.left.push(change),
    }
}

/// The case that a bare key stands for.
fn bare_case<'a>(recipe: &'a Recipe, place: &OldPlace) -> Option<&'a str> {
    let is_it = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let numbered = name.trim_start_matches(|c: char| c.is_ascii_digit());
        name == place.key || numbered.strip_prefix('-').unwrap_or(numbered) == place.key
    };
    let mut here = recipe.kept.iter().filter(|(path, line)| *line == place.line && is_it(path));
    let only = here.next().map(|(path, _)| path.as_str());
    only.filter(|_| here.next().is_none())
}

/// Whether an edited recipe makes what the one before it made; these cases are copied now.
fn says_the_same(before: &Recipe, edited: &str, inputs: &RecipeInputs, moved: &[&str]) -> bool {
    let (after, findings) = Recipe::read(edited.as_bytes(), inputs);
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return false;
    }
    let is_moved = |path: &str| moved.contains(&path);
    let cases = |recipe: &Recipe| -> BTreeMap<String, RecipeCase> {
        let made = recipe.makes.iter().filter(|case| !is_moved(&case.path));
        made.map(|case| (case.path.clone(), RecipeCase { line: 0, ..case.clone() })).collect()
    };
    let groups = |recipe: &Recipe| -> Vec<(String, String)> {
        let text = |group: &GroupFile| match group {
            GroupFile::Untouched => None,
            GroupFile::Absent => Some(String::new()),
            GroupFile::Written(node) => Some(emit(node)),
        };
        recipe.folders.iter().filter_map(|folder| Some((folder.path.clone(), text(&folder.group)?))).collect()
    };
    let includes = |recipe: &Recipe| -> Vec<(String, String)> {
        let of = |include: &super::recipe::Include| recipe.makes[include.make].path.clone();
        recipe.includes.iter().map(|include| (include.path.clone(), of(include))).collect()
    };
    let kept = |recipe: &Recipe| -> Vec<String> {
        recipe.kept.iter().map(|(path, _)| path.clone()).filter(|path| !is_moved(path)).collect()
    };
    let is_copied = |path: &&str| {
        let copy = format!("generators/{MANUAL}/{path}");
        after.makes.iter().any(|case| case.path == **path && case.copy.as_ref() == Some(&copy))
    };
    before.generators == after.generators
        && cases(before) == cases(&after)
        && groups(before) == groups(&after)
        && includes(before) == includes(&after)
        && kept(before) == kept(&after)
        && moved.iter().all(is_copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "# Head.
solution: ../submissions/accepted/a.py   # the fast one
data:
  sample:
    type: directory  # as it was
    data:
      '1':  # from the statement
      '2': {in: '5'}
  secret:
    type: directory
    data:
    - '':
      # Random ones.
    - random: gen.py {seed}
    - hand: manual/small.in   # kept
    - flow: {copy: manual/big.in, desc: large}
  invalid_inputs:   # none of these may pass
    type: directory
    data: {a: {in: x}, b: }
";

    fn upgrade(text: &str) -> UpgradedText {
        upgrade_text(text, &RecipeInputs::default(), &|_| true).unwrap()
    }

    #[test]
    fn only_what_is_old_changes() {
        let upgraded = upgrade(OLD);
        let expected = "# Head.
solution: /submissions/accepted/a.py   # the fast one
data:
  sample:
    # as it was
    data:
      '1': {copy: manual/sample/1}  # from the statement
      '2': {in: '5'}
  secret:
    data:
    - '': {copy: manual/secret/1}
      # Random ones.
    - random: gen.py {seed}
    - hand: {copy: manual/small}   # kept
    - flow: {copy: manual/big, yaml: {description: large}}
  invalid_input:   # none of these may pass
    data: {a: {in: x}, b: {copy: manual/invalid_input/b} }
";
        assert_eq!(upgraded.text, expected);
        assert_eq!(upgraded.left, []);
        assert_eq!(upgraded.changes.len(), 11, "{:?}", upgraded.changes);
        assert_eq!(upgraded.changes[0].line, 2);
        let (_, findings) = Recipe::read(expected.as_bytes(), &RecipeInputs::default());
        assert_eq!(findings, [], "nothing is old any more");
        assert_eq!(upgrade(expected).text, expected, "a second time changes nothing");
    }

    const BAD_CASES: &str = "data:
  bad:   # what is refused
    type: directory
    # All of them are small.
    data:
      # No number.
      word: {in: x}
      answer:   # too short
        in: '5'
        ans: ''
      # Which of them is wrong?
      both: {in: '5', ans: '6', out: '7'}
      long: gen.py 1000000
      # The end of it.

  # The samples.
  sample:
    data:
      '1': {in: '5'}
";

    #[test]
    fn cases_of_bad_move_to_where_they_belong_with_their_comments() {
        let upgraded = upgrade(BAD_CASES);
        let expected = "data:
  invalid_input:   # what is refused
    # All of them are small.
    data:
      # No number.
      word: {in: x}
      long: gen.py 1000000
      # The end of it.
  invalid_answer:
    data:
      answer:   # too short
        in: '5'
        ans: ''
  bad:
    data:
      # Which of them is wrong?
      both: {in: '5', ans: '6', out: '7'}

  # The samples.
  sample:
    data:
      '1': {in: '5'}
";
        assert_eq!(upgraded.text, expected);
        let lines = |changes: &[RecipeChange]| changes.iter().map(|change| change.line).collect::<Vec<_>>();
        assert_eq!((lines(&upgraded.changes), lines(&upgraded.left)), (vec![2, 3], vec![12]));
        assert_eq!(upgraded.changes[0].what, "`bad` is `invalid_input` and `invalid_answer`");
        assert_eq!(upgrade(expected).text, expected, "a second time changes nothing");
    }

    #[test]
    fn a_list_of_bad_cases_keeps_its_numbers() {
        let text = "data:\n  bad:\n    data:\n    - a: {in: x}\n    - b: {in: y, ans: z}\n    - c: {in: q}";
        let expected = "data:\n  invalid_input:\n    data:\n    - a: {in: x}\n    - c: {in: q}\n  invalid_answer:\n    data:\n    - b: {in: y, ans: z}\n";
        assert_eq!(upgrade(text).text, expected);
    }

    #[test]
    fn bad_cases_of_one_kind_only_change_the_name_of_their_directory() {
        let text = "data: {bad: {data: {a: {in: x}}, random_salt: q}}\n";
        assert_eq!(upgrade(text).text, text.replace("bad", "invalid_input"));
        let mixed = "data: {bad: {data: {a: {in: x}, b: {in: y, ans: z}}}}\n";
        let upgraded = upgrade(mixed);
        assert_eq!((upgraded.text.as_str(), upgraded.left.len()), (mixed, 1), "not by whole lines");
    }

    #[test]
    fn bad_cases_beside_their_directory_are_read_with_it_and_moved_by_hand() {
        let text = "data:\n  bad: {data: {b: {in: x}}}\n  invalid_inputs: {data: {a: {in: y}}}\n";
        let (recipe, _) = Recipe::read(text.as_bytes(), &RecipeInputs::default());
        let paths: Vec<&str> = recipe.makes.iter().map(|make| make.path.as_str()).collect();
        assert_eq!(paths, ["invalid_input/a", "invalid_input/b"]);
        assert_eq!(upgrade(text).left[0].what, "`bad` is `invalid_input`");
        let list = text.replace("{a: {in: y}}", "[{a: {in: y}}]");
        let refusal = upgrade_text(&list, &RecipeInputs::default(), &|_| true).unwrap_err();
        assert!(refusal.contains("`bad` cannot be read as a part of `invalid_input`"), "{refusal}");
    }

    #[test]
    fn a_copied_bad_case_belongs_where_its_files_say() {
        let inputs =
            RecipeInputs { judged: ["generators/manual/b.ans".to_owned()].into(), ..RecipeInputs::default() };
        let text = "data:\n  bad:\n    data:\n      b: {copy: manual/b}\n";
        let upgraded = upgrade_text(text, &inputs, &|_| true).unwrap();
        assert_eq!(upgraded.text, text.replace("bad", "invalid_answer"));
        let elsewhere = text.replace("manual/b", "../data/secret/b");
        let upgraded = upgrade_text(&elsewhere, &inputs, &|_| true).unwrap();
        assert_eq!((upgraded.text, upgraded.left.len()), (elsewhere, 1));
    }

    #[test]
    fn what_cannot_be_changed_alone_is_left_and_named() {
        let text = "data: {secret: {data: {a, b: gen 1}}}\n";
        let upgraded = upgrade(text);
        assert_eq!((upgraded.text.as_str(), upgraded.left.len()), (text, 1));
        let text = "data:\n  secret:\n    data:\n      a:\n";
        let upgraded = upgrade_text(text, &RecipeInputs::default(), &|_| false).unwrap();
        assert_eq!((upgraded.text.as_str(), upgraded.left[0].line), (text, 4));
    }

    #[test]
    fn an_input_of_old_is_a_command_or_a_copy() {
        let text = "data:
  secret:
    data:
      a: {input: gen.py {seed}, random_salt: q}
      b:
        input: manual/b.in  # by hand
        visualizer: /v.py
      c:
        input: |
          gen.py
          3
";
        // In flow style a brace of the command ends the map.
        let text = text.replace("gen.py {seed}", "'gen.py {seed}'");
        let expected =
            text.replace("{input: ", "{generate: ").replace("input: manual/b.in", "copy: manual/b");
        assert_eq!(upgrade(&text).text, expected.replace("input: |", "generate: |"));
        let (recipe, findings) = Recipe::read(text.as_bytes(), &RecipeInputs::default());
        assert_eq!((recipe.makes.len(), findings.len()), (3, 2), "{findings:?}");
    }

    #[test]
    fn texts_and_comments_that_look_old_stay() {
        let text = "data:\n  secret:\n    data:\n      a:\n        in: |\n          type: directory\n          invalid_inputs:\n      # type: directory\n";
        assert_eq!(upgrade(text), UpgradedText { text: text.into(), ..UpgradedText::default() });
    }

    #[test]
    fn a_recipe_that_cannot_be_read_is_refused() {
        assert!(upgrade_text("data: [\n", &RecipeInputs::default(), &|_| true).is_err());
        assert!(upgrade_text("data: {secret: {data: {a: 5}}}", &RecipeInputs::default(), &|_| true).is_err());
    }
}
