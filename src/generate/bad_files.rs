//! The files of `data/bad` moved to the directories of today. What a rule makes, or what cannot be told for
//! certain, stays and is named.

use super::{
    bad_cases::{BAD, root_of_bad_case},
    cases::without_ending,
    recipe::{PICTURES, Recipe, TEXTS},
};
use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What became of the files.
#[derive(Debug, Default)]
pub(super) struct MovedFiles {
    /// Relative to the package: before, and after.
    pub renamed: Vec<(String, String)>,
    /// What stays, and why.
    pub left: Vec<String>,
}

/// Moves them. `is_copied`: whether the recipe has just learnt to copy a case from there.
pub(super) fn move_bad_files(
    package: &Path,
    recipe: &Recipe,
    is_copied: &dyn Fn(&str) -> bool,
) -> Result<MovedFiles> {
    let mut moved = MovedFiles::default();
    let home = package.join("data").join(BAD);
    // Behind a link lies somebody else's data.
    let is_own = |dir: &Path| fs::symlink_metadata(dir).is_ok_and(|meta| meta.is_dir());
    if !is_own(&package.join("data")) || !is_own(&home) {
        return Ok(moved);
    }
    let made =
        recipe.makes.iter().map(|make| &make.path).chain(recipe.includes.iter().map(|case| &case.path));
    let made: BTreeSet<&String> = made.filter(|case| !is_copied(case)).collect();
    for case in cases_below(&home) {
        let file = |ext: &str| home.join(format!("{case}.{ext}"));
        let Some(root) = root_of_bad_case(&|ext| file(ext).is_file()) else {
            let what = "what is wrong about it cannot be told for certain";
            moved.left.push(format!("data/{BAD}/{case}.in: {what}"));
            continue;
        };
        let place = format!("{root}/{case}");
        let endings: Vec<_> = TEXTS.iter().chain(&PICTURES).filter(|ext| file(ext).is_file()).collect();
        let target = |ext: &str| package.join(format!("data/{place}.{ext}"));
        if made.contains(&place) {
            moved.left.push(format!("data/{BAD}/{case}.in: a rule makes data/{place}.in, so remove it"));
        } else if endings.iter().any(|ext| fs::symlink_metadata(target(ext)).is_ok()) {
            moved.left.push(format!("data/{BAD}/{case}.in: there is a data/{place}.in"));
        } else {
            for ext in endings {
                rename_file(&file(ext), &target(ext))?;
                moved.renamed.push((format!("data/{BAD}/{case}.{ext}"), format!("data/{place}.{ext}")));
            }
        }
    }
    remove_empty(&home);
    Ok(moved)
}

/// Cases of a directory and of those below it, without extension.
fn cases_below(home: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(home).sort_by_file_name().into_iter().flatten();
    let below = files.filter_map(|entry| Some(entry.path().strip_prefix(home).ok()?.to_str()?.to_owned()));
    let inputs = below.filter(|path| path.ends_with(".in"));
    inputs.filter_map(|path| without_ending(&path).map(str::to_owned)).collect()
}

fn rename_file(from: &Path, to: &Path) -> Result<()> {
    let moving = || format!("move {} to {}", from.display(), to.display());
    fs::create_dir_all(to.parent().expect("it lies below data/")).with_context(moving)?;
    fs::rename(from, to).with_context(moving)
}

/// What is not empty stays: it holds what was left, or what is no case.
fn remove_empty(home: &Path) {
    let entries = walkdir::WalkDir::new(home).contents_first(true).into_iter().flatten();
    let dirs: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_dir()).map(|entry| entry.path().to_owned()).collect();
    dirs.iter().for_each(|dir| drop(fs::remove_dir(dir)));
}
