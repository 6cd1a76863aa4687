//! Rewrites a recipe of an earlier version in the current format: changes only old forms and keeps comments, order
//! and layout. Copies cases that exist in `data/` only to `generators/`, so that `data/` can be generated again.

use super::{
    old_forms::{OldForm, OldPlace, old_places},
    recipe::{FILE, GroupFile, PICTURES, Recipe, RecipeCase, RecipeInputs, TEXTS},
    root_directories::OLD_ROOTS,
};
use anyhow::{Context, Result, bail};
use kopek_base::files::{have_same_bytes, write_atomic};
use kopek_engine::package::{
    Package, Severity,
    yaml::{self, emit},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The directory for cases that existed in `data/` only, relative to `generators/`.
const MANUAL: &str = "manual";

/// A line of a recipe that was changed or needs a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeChange {
    /// Its number before the upgrade.
    pub line: u32,
    /// The old form and its replacement.
    pub what: String,
}

/// The result of an upgrade.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpgradeResult {
    /// The changes made.
    pub changes: Vec<RecipeChange>,
    /// Old forms that must be changed by hand, because an edit would affect more than them.
    pub left: Vec<RecipeChange>,
    /// Files that were copied below `generators/`, relative to the package.
    pub copied: Vec<String>,
}

/// Rewrites a package's recipe, if it has one. An unreadable recipe is refused, and nothing changes.
pub fn upgrade_recipe(package: &Package) -> Result<UpgradeResult> {
    let path = package.dir.join(FILE);
    if !path.is_file() {
        return Ok(UpgradeResult::default());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let inputs = RecipeInputs::of(package);
    let found = |case: &str| is_free_to_copy(&package.dir, case);
    let upgraded = upgrade_text(&text, &inputs, &found)
        .map_err(|why| anyhow::anyhow!("{}: {why}; nothing was changed", path.display()))?;
    let mut result = UpgradeResult { changes: upgraded.changes, left: upgraded.left, copied: Vec::new() };
    for case in &upgraded.moved {
        result.copied.extend(copy_case(&package.dir, case)?);
    }
    if upgraded.text != text {
        write_atomic(&path, upgraded.text.as_bytes())?;
    }
    Ok(result)
}

/// The path, without extension, of the files of a case that a recipe only names: in its directory, or in one with a
/// name of earlier versions.
pub(super) fn find_case_files(package: &Path, case: &str) -> Option<PathBuf> {
    let (root, below) = case.split_once('/')?;
    let old = OLD_ROOTS.iter().find(|(_, new)| *new == root).map(|(old, _)| *old);
    let places = [Some(root), old].into_iter().flatten();
    places
        .map(|root| package.join("data").join(root).join(below))
        .find(|stem| with_ending(stem, "in").is_file())
}

fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(format!(".{ending}"));
    path.into()
}

/// The files of a case, each with its destination.
fn copies_of(package: &Path, case: &str) -> Vec<(PathBuf, String)> {
    let Some(stem) = find_case_files(package, case) else { return Vec::new() };
    let endings = TEXTS.iter().chain(&PICTURES).filter(|ending| with_ending(&stem, ending).is_file());
    endings
        .map(|ending| (with_ending(&stem, ending), format!("generators/{MANUAL}/{case}.{ending}")))
        .collect()
}

/// Whether the files of a case exist and their destinations are free.
fn is_free_to_copy(package: &Path, case: &str) -> bool {
    let copies = copies_of(package, case);
    let is_free = |(from, to): &(PathBuf, String)| {
        let to = package.join(to);
        fs::symlink_metadata(&to).is_err() || have_same_bytes(from, &to)
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

/// A text in the current format.
#[derive(Debug, Default, PartialEq)]
struct UpgradedText {
    text: String,
    changes: Vec<RecipeChange>,
    left: Vec<RecipeChange>,
    /// Cases that are now copied, by their path below `data/`.
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
    let root = yaml::parse_text(FILE.as_ref(), text, &mut Vec::new()).ok_or("it is not YAML")?;
    let mut result = UpgradedText { text: text.to_owned(), ..UpgradedText::default() };
    // From the bottom up: removing a line moves only the lines after it.
    for place in old_places(&root).into_iter().rev() {
        upgrade_place(&place, &before, inputs, can_move, &mut result);
    }
    result.changes.sort_by_key(|change| change.line);
    result.left.sort_by_key(|change| change.line);
    Ok(result)
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
    // The edited text is read again as a check: comments and multi-line texts can look like anything.
    match edited.filter(|text| says_the_same(before, text, inputs, &moved)) {
        Some(text) => {
            result.text = text;
            result.changes.push(change);
            result.moved.extend(case.map(str::to_owned));
        }
        None => result.left.push(change),
    }
}

/// The case that a bare key names.
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

/// Whether an edited recipe makes the same cases as before; these cases are copied now.
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
solution: /submissions/accepted/a.py   # the fast one
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
    - hand: {copy: manual/small}   # kept
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
  invalid_input:   # none of these may pass
    data: {a: {in: x}, b: {copy: manual/invalid_input/b} }
";
        assert_eq!(upgraded.text, expected);
        assert_eq!(upgraded.left, []);
        assert_eq!(upgraded.changes.len(), 7, "{:?}", upgraded.changes);
        assert_eq!(upgraded.changes[0].line, 5);
        let (_, findings) = Recipe::read(expected.as_bytes(), &RecipeInputs::default());
        assert_eq!(findings, [], "nothing is old any more");
        assert_eq!(upgrade(expected).text, expected, "a second time changes nothing");
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
