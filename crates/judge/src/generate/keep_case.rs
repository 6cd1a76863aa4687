//! Keeps a counterexample: adds a line to the recipe, makes the case and updates the lock.

use super::{
    Generated, GenerationMode, generate, lock,
    recipe::{FILE, RecipeInputs},
    recipe_edit::{EditedRecipe, NewCase, add_case},
};
use anyhow::{Context, Result, bail};
use kopek_base::{Digest, files::write_atomic};
use kopek_engine::exec::Engine;
use kopek_package::package::{Level, Message, Package};
use std::fs;

/// A larger input gets its own file.
const MAX_LITERAL: usize = 4 << 10;
/// The directory of such files, relative to `generators/`.
const FILES: &str = "found";

#[derive(Debug, Clone)]
pub struct CaseToKeep {
    /// The name of the case.
    pub name: String,
    /// Path of its group below `data/`.
    pub group: String,
    pub input: Vec<u8>,
    /// The command that makes it, if there is one.
    pub command: Option<String>,
}

/// A case that was kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AddedCase {
    /// Path below `data/`.
    pub case: String,
    /// How many lines were added to the recipe.
    pub added_lines: usize,
    /// The effect on the lock.
    pub lock: LockUpdate,
}

/// The effect on the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LockUpdate {
    /// The lock has the new case.
    Updated,
    /// There is no lock.
    NoLock,
    /// Other files differ from the lock, too, so it is unchanged.
    DiffersElsewhere,
}

/// Adds a case to the recipe of a package and makes it. On failure, the recipe is restored.
pub fn keep_case(package: &Package, engine: &Engine, keep: &CaseToKeep) -> Result<AddedCase> {
    let file = FILE;
    let path = package.dir.join(file);
    let before = fs::read_to_string(&path).with_context(|| {
        format!(
            "read {}: only a package with a recipe can keep a case; write it to data/ by hand",
            path.display()
        )
    })?;
    let locked = lock::read(&package.dir)?;
    let inputs = RecipeInputs::of(package);
    let new = new_case(package, keep)?;
    let edited = add_case(&before, &inputs, &keep.group, &keep.name, &new).map_err(anyhow::Error::msg)?;
    write_atomic(&path, edited.text.as_bytes())?;
    let made = make_and_compare(package, engine, keep, &edited);
    let generated = match made {
        Ok(generated) => generated,
        Err(error) => {
            write_atomic(&path, before.as_bytes())?;
            // Removes the files that the failed attempt wrote.
            generate(package, engine, GenerationMode::Stale, &mut |_| ())?;
            return Err(
                error.context(format!("keep {} in {}: the recipe is unchanged", keep.name, keep.group))
            );
        }
    };
    let lock = update_lock(package, locked.as_ref(), &generated, &edited)?;
    Ok(AddedCase { case: edited.case, added_lines: edited.lines, lock })
}

fn new_case(package: &Package, keep: &CaseToKeep) -> Result<NewCase> {
    let text = std::str::from_utf8(&keep.input).ok();
    // The recipe reader adds a missing newline at the end of a text.
    let literal = text.filter(|text| text.is_empty() || text.ends_with('\n'));
    if let (Some(text), true) = (literal, keep.input.len() <= MAX_LITERAL) {
        return Ok(NewCase::Literal(text.to_owned()));
    }
    if let Some(command) = &keep.command {
        return Ok(NewCase::Command(command.clone()));
    }
    let below = format!("{FILES}/{}", keep.name);
    let path = package.dir.join("generators").join(format!("{below}.in"));
    if path.exists() {
        bail!("{} is there already; choose another name", path.display());
    }
    write_atomic(&path, &keep.input)?;
    Ok(NewCase::Copy(below))
}

fn make_and_compare(
    package: &Package,
    engine: &Engine,
    keep: &CaseToKeep,
    edited: &EditedRecipe,
) -> Result<Generated> {
    let made = generate(package, engine, GenerationMode::Stale, &mut |_| ())?;
    let is_error = |finding: &&Message| finding.level == Level::Error;
    if let Some(error) = made.findings.iter().find(is_error) {
        bail!("{error}");
    }
    if let Some(fault) = made.faults.first() {
        bail!("{fault}");
    }
    let file = format!("data/{}.in", edited.case);
    match made.files.get(&file) {
        Some(digest) if *digest == Digest::of(&keep.input) => Ok(made),
        Some(_) => bail!("{file} differs: the generator is not deterministic"),
        None => bail!("{file} was not made"),
    }
}

/// Updates the lock if only the new case differs from it.
fn update_lock(
    package: &Package,
    locked: Option<&lock::LockedFiles>,
    made: &Generated,
    edited: &EditedRecipe,
) -> Result<LockUpdate> {
    let Some(locked) = locked else { return Ok(LockUpdate::NoLock) };
    let own = format!("data/{}.", edited.case);
    let is_new = |drift: &lock::Drift| drift.locked.is_none() && drift.file.starts_with(&own);
    if !lock::compare(locked, &made.files).iter().all(is_new) {
        return Ok(LockUpdate::DiffersElsewhere);
    }
    lock::write(&package.dir, &made.files)?;
    Ok(LockUpdate::Updated)
}
