//! Exercises without a common manifest: one becomes a package, several a directory of packages with the
//! contest file that lists them.

use super::{
    draft_files::package_name,
    format_detection::{detect_format, has_manifest},
    imported::{
        Change, FailedExercise, ForeignFormat, ImportOptions, ImportResult, Imported, ImportedCourse, Loss,
        TestScoring,
    },
    italian,
    one_package::{ensure_absent, import_package},
    source::ForeignPackage,
    test_folder::{Exercise, find_exercises},
};
use anyhow::{Context, Result, bail, ensure};
use kopek_base::wording::shortened;
use kopek_package::package::yaml::{YamlNode, YamlValue, emit};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The file that lists the problems of a contest.
const CONTEST_FILE: &str = "problems.yaml";

/// Imports all exercises of a source.
pub fn import_exercises(
    source: &ForeignPackage,
    target: Option<&Path>,
    options: &ImportOptions,
) -> Result<Imported> {
    let exercises = find_exercises(source, has_manifest);
    if exercises.is_empty() {
        source.ensure_harmless()?;
        bail!(
            "neither a package (problem.xml of Polygon, {} of the Italian format) nor a test, which \
             is an input and an answer such as 1.in and 1.out: found {}",
            italian::FILES.join(", "),
            first_paths(source)
        );
    }
    // A refused file of no exercise may be one that should have been an exercise.
    let refused = refused_outside(source, &exercises);
    match exercises.as_slice() {
        [only] if refused.is_empty() => {
            let mut imported = import_exercise(only, target, options)?;
            let rest = files_outside(source, &exercises);
            if !rest.is_empty() {
                imported.changes.push(Change {
                    loss: Loss::Lost,
                    at: shortened(&rest, 8, ", "),
                    what: "outside of the exercise".to_owned(),
                    instead: "it is left out".to_owned(),
                });
            }
            Ok(Imported::Package(imported))
        }
        several => import_course(source, several, refused, target, options).map(Imported::Course),
    }
}

fn first_paths(source: &ForeignPackage) -> String {
    let found: Vec<&str> = source.paths().take(5).collect();
    let more = if source.paths().nth(5).is_some() { ", …" } else { "" };
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") + more }
}

fn import_exercise(
    exercise: &Exercise,
    target: Option<&Path>,
    options: &ImportOptions,
) -> Result<ImportResult> {
    match detect_format(&exercise.files)? {
        None => import_package(&exercise.files, ForeignFormat::TestFolder, target, options),
        Some(kind) => {
            // Its manifest has its points and limits.
            let own = ImportOptions { scoring: TestScoring::None, time_limit: None, ..options.clone() };
            import_package(&exercise.files, kind, target, &own)
        }
    }
}

fn import_course(
    source: &ForeignPackage,
    exercises: &[Exercise],
    refused: Vec<FailedExercise>,
    target: Option<&Path>,
    options: &ImportOptions,
) -> Result<ImportedCourse> {
    ensure!(
        !matches!(options.scoring, TestScoring::Points(_)),
        "--points is for one exercise, and there are {}: import each with its own --points, or give all --points equal",
        exercises.len()
    );
    let target = target.map_or_else(|| PathBuf::from(package_name(source.name())), Path::to_owned);
    ensure_absent(&target)?;
    fs::create_dir_all(&target).with_context(|| format!("make {}", target.display()))?;
    let mut packages = Vec::new();
    let mut failed = refused;
    let mut names = BTreeSet::new();
    for exercise in exercises {
        let name = free_name(exercise, &mut names);
        match import_exercise(exercise, Some(&target.join(&name)), options) {
            Ok(imported) => packages.push(imported),
            Err(error) => {
                failed.push(FailedExercise { at: exercise.at.clone(), why: format!("{error:#}") });
            }
        }
    }
    if packages.is_empty() {
        // Nothing was written into it.
        let _ = fs::remove_dir(&target);
        let why: Vec<String> = failed.iter().map(|one| format!("{}: {}", one.at, one.why)).collect();
        bail!("none of {} exercises can be imported\n{}", failed.len(), why.join("\n"));
    }
    write_contest(&target, &packages)?;
    Ok(ImportedCourse { target, packages, failed, rest: files_outside(source, exercises) })
}

/// The name of the exercise; if it is taken, with the name of the directory above, or with a number.
fn free_name(exercise: &Exercise, names: &mut BTreeSet<String>) -> String {
    let above = exercise.at.rsplit('/').nth(1).unwrap_or_default();
    let own = exercise.files.name();
    let numbered = (2..).map(|number| package_name(&format!("{own}{number}")));
    let candidates = [package_name(own), package_name(&format!("{above}{own}"))].into_iter().chain(numbered);
    let free = candidates.into_iter().find(|name| !names.contains(name)).expect("numbers do not end");
    names.insert(free.clone());
    free
}

fn write_contest(target: &Path, packages: &[ImportResult]) -> Result<()> {
    let name = |package: &ImportResult| {
        let leaf = package.target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        YamlNode::map([("id", YamlNode::quoted_string(&leaf))])
    };
    let list = YamlNode::new(1, YamlValue::List(packages.iter().map(name).collect()));
    let file = target.join(CONTEST_FILE);
    fs::write(&file, emit(&list)).with_context(|| format!("write {}", file.display()))
}

/// Files of the source that belong to no exercise, except refused ones.
fn files_outside(source: &ForeignPackage, exercises: &[Exercise]) -> Vec<String> {
    let owned = places_of(exercises);
    let is_outside = |path: &&str| source.path_of(path).is_ok_and(|place| !owned.contains(&place));
    source.paths().filter(is_outside).map(str::to_owned).collect()
}

/// Refused files of the source that belong to no exercise.
fn refused_outside(source: &ForeignPackage, exercises: &[Exercise]) -> Vec<FailedExercise> {
    let owned = places_of(exercises);
    let outside = source.refused().filter(|(path, _)| !owned.contains(&source.place_of(path)));
    outside.map(|(at, why)| FailedExercise { at: at.to_owned(), why: why.to_owned() }).collect()
}

fn places_of(exercises: &[Exercise]) -> BTreeSet<PathBuf> {
    exercises.iter().flat_map(|one| one.files.places()).collect()
}
