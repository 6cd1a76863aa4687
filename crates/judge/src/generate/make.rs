//! The driver: makes stale cases in parallel and removes files that no rule names now.

use super::{
    Generated, GenerationMode, GenerationStep, OnGenerationStep,
    case_plan::{CasePlan, PlannedCase, plan_cases},
    copied_files::resolve_inside,
    drifted::{compare, doubt_drifted},
    edited_by_hand::keeps_edited_group,
    generation_run::Run,
    leftovers::{forget, report_strays, report_twins},
    lock,
    place::{self, CaseDigests},
    recipe::{FILE, GroupFile, Recipe, RecipeFolder, RecipeInputs, has_recipe},
    record::{self, Record, RecordEntry},
    stale_cases::make_stale,
};
use anyhow::{Context, Result};
use kopek_base::{Digest, files};
use kopek_engine::{exec::Engine, store::Store};
use kopek_package::package::{Level, Message, Package, yaml::emit};
use std::{fs, io};

/// Generates the test set of a package's recipe.
pub fn generate(
    package: &Package,
    engine: &Engine,
    how: GenerationMode,
    on_step: &mut OnGenerationStep,
) -> Result<Generated> {
    let mut done = Generated::default();
    let Some(recipe) = read_recipe(package, &mut done.findings)? else { return Ok(done) };
    let error = done.findings.iter().find(|finding| finding.level == Level::Error);
    done.unread = error.map(|error| match error.place().and_then(|place| place.line) {
        Some(line) => format!("line {line}: {}", error.what),
        None => error.what.clone(),
    });
    if done.unread.is_some() {
        return Ok(done);
    }
    done.included = recipe.includes.iter().map(|include| include.path.clone()).collect();
    refuse_link(package)?;
    // Two runs at once would remove each other's drafts.
    let _alone = record::alone(package)?;
    let plan = plan_cases(package, &recipe, engine, &mut done.findings);
    let name = record::name(package)?;
    let old: Record = engine.store().recall(&name)?.unwrap_or_default();
    let new = Record::default();
    let locked = lock::read(&package.dir)?;
    let mut run = Run { package, recipe: &recipe, plan: &plan, how, name, old, new, locked, done };
    if how.writes() {
        place::sweep(&run.data())?;
    }
    groups(&mut run)?;
    make_cases(&mut run, engine, on_step)?;
    if how.writes() {
        forget(&mut run)?;
        engine.store().remember(&run.name, &run.new)?;
    }
    report_twins(&mut run);
    report_strays(&mut run);
    compare(&mut run);
    doubt_drifted(&mut run, engine)?;
    Ok(run.done)
}

/// Removes generated files that are unchanged; reports the files it keeps.
pub fn clean(package: &Package, store: &Store) -> Result<Generated> {
    refuse_link(package)?;
    let _alone = record::alone(package)?;
    let name = record::name(package)?;
    let old = store.recall(&name)?.unwrap_or_default();
    let mut run = Run {
        package,
        recipe: &Recipe::default(),
        plan: &CasePlan::default(),
        how: GenerationMode::Stale,
        name,
        old,
        new: Record::default(),
        locked: None,
        done: Generated::default(),
    };
    forget(&mut run)?;
    store.remember(&run.name, &run.new)?;
    Ok(run.done)
}

/// If `data` were a link, writing and removing could reach any directory.
fn refuse_link(package: &Package) -> Result<()> {
    let data = package.dir.join("data");
    anyhow::ensure!(
        !data.is_symlink(),
        "{} is a symlink, and generated files are not written through symlinks",
        data.display()
    );
    Ok(())
}

/// The recipe; `None` if the package has none.
pub(super) fn read_recipe(package: &Package, findings: &mut Vec<Message>) -> Result<Option<Recipe>> {
    if !has_recipe(&package.dir) {
        return Ok(None);
    }
    let path = package.dir.join(FILE);
    resolve_inside(package, &path).map_err(anyhow::Error::msg)?;
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("read {}", path.display()))?,
    };
    let (recipe, odd) = Recipe::read(&bytes, &RecipeInputs::of(package));
    findings.extend(odd);
    Ok(Some(recipe))
}

fn group_file(folder: &RecipeFolder) -> String {
    if folder.path.is_empty() { folder.file.into() } else { format!("{}/{}", folder.path, folder.file) }
}

/// Writes the files of groups; removes those that the recipe declares absent.
fn groups(run: &mut Run) -> Result<()> {
    for folder in &run.recipe.folders {
        let below = group_file(folder);
        let path = run.data().join(&below);
        match &folder.group {
            GroupFile::Untouched => (),
            GroupFile::Absent if run.how.writes() => place::remove_named(&run.data(), &below)?,
            GroupFile::Absent => (),
            GroupFile::Written(node) => {
                let text = emit(node);
                let digest = Digest::of(text.as_bytes());
                if run.how.writes() && !place::holds(&path, &digest) {
                    if keeps_edited_group(run, &below, &digest) {
                        continue;
                    }
                    place::make_parent(&run.data(), &below)?;
                    files::write_atomic(&path, text.as_bytes())?;
                }
                run.done.bytes.0 += text.len() as u64;
                run.done.files.insert(format!("data/{below}"), digest);
                run.new.groups.insert(below, digest);
            }
        }
    }
    Ok(())
}

fn make_cases(run: &mut Run, engine: &Engine, on_step: &mut OnGenerationStep) -> Result<()> {
    let plan = run.plan;
    let mut stale = Vec::new();
    on_step(GenerationStep::Begin { package: run.package.name.clone(), cases: plan.cases.len() });
    for case in &plan.cases {
        let Some(entries) = fresh_entries(run, case) else {
            stale.push(case);
            continue;
        };
        run.done.reused += 1;
        for (place, entry) in case.places.iter().zip(entries) {
            run.accept(&place.path, entry);
        }
        run.report_remarks(case);
        on_step(GenerationStep::Done { case: case.places[0].path.clone() });
    }
    make_stale(run, engine, &stale, on_step)
}

/// The entries of a case that is up to date in all its places.
fn fresh_entries(run: &Run, case: &PlannedCase) -> Option<Vec<RecordEntry>> {
    let entry = |path: &str| {
        let known = run.old.cases.get(path);
        let entry = match case.key {
            Some(key) => known.filter(|entry| entry.key == key).cloned(),
            None => locked_entry(run, path, known),
        }?;
        place::stands(&run.data(), path, &entry.files, &run.package.known_files).then_some(entry)
    };
    if !run.how.writes() {
        return None;
    }
    case.places.iter().map(|place| entry(&place.path)).collect()
}

/// The entry of a case whose programs cannot be built here, for example because a compiler is missing: the lock says
/// which files are right.
fn locked_entry(run: &Run, path: &str, known: Option<&RecordEntry>) -> Option<RecordEntry> {
    let prefix = format!("data/{path}.");
    let of_case = |(file, digest): (&String, &Digest)| {
        let extension = file.strip_prefix(&prefix)?;
        // `files/a.txt` is of this case; `b.in` is of another one, whose name has a dot.
        if extension.split('/').next()?.contains('.') {
            return None;
        }
        Some((extension.to_owned(), *digest))
    };
    let files: CaseDigests = run.locked.as_ref()?.iter().filter_map(of_case).collect();
    if files.is_empty() {
        return None;
    }
    if let Some(known) = known.filter(|known| known.files == files) {
        return Some(known.clone());
    }
    let size = |extension: &String| {
        fs::metadata(run.data().join(format!("{path}.{extension}"))).map_or(0, |file| file.len())
    };
    let bytes = files.keys().map(size).sum();
    // No other key is equal, so that the case is made once that is possible.
    Some(RecordEntry { key: Digest::of(b"of the lock"), files, bytes, remarks: vec![], ours: false })
}
