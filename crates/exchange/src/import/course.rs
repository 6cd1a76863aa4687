//! Exercises without a common manifest: one becomes a package, several a directory of packages with the
//! contest file that lists them.

use super::{
    draft_files::package_name,
    format_detection::{detect_format, has_manifest},
    imported::{
        Change, FailedExercise, ForeignFormat, ImportOptions, ImportResult, Imported, ImportedCourse, Loss,
        TestComparison, TestScoring,
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
    let mut exercises = find_exercises(source, has_manifest);
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
    match exercises.as_mut_slice() {
        [only] if refused.is_empty() => {
            // A folder is often called `tests`: the name that the user gives says more.
            if let Some(name) = target.and_then(Path::file_name) {
                only.files.set_title(name.to_string_lossy().into_owned());
            }
            let mut imported = import_exercise(only, target, options)?;
            let rest = files_outside(source, std::slice::from_ref(only));
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
            let own = ImportOptions {
                scoring: TestScoring::None,
                time_limit: None,
                comparison: TestComparison::Words,
                ..options.clone()
            };
            import_package(&exercise.files, kind, target, &own)
        }
    }
}

fn import_course(
    source: &ForeignPackage,
    exercises: &mut [Exercise],
    refused: Vec<FailedExercise>,
    target: Option<&Path>,
    options: &ImportOptions,
) -> Result<ImportedCourse> {
    ensure!(
        !matches!(&options.scoring, TestScoring::Points(points) if points.len() > 1),
        "--points of groups is for one exercise, and there are {}: import each with its own --points, or give all one \
         number or --points equal",
        exercises.len()
    );
    let target = target.map_or_else(|| PathBuf::from(package_name(source.name())), Path::to_owned);
    ensure_absent(&target)?;
    fs::create_dir_all(&target).with_context(|| format!("make {}", target.display()))?;
    let names = name_exercises(exercises);
    let mut packages = Vec::new();
    let mut failed = refused;
    for (exercise, name) in exercises.iter().zip(names) {
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

/// Gives exercises that would be called the same the names of the directories above them, too: `lab01-ex01`. Returns
/// the names of their packages.
fn name_exercises(exercises: &mut [Exercise]) -> Vec<String> {
    let depth = exercises.iter().map(|exercise| exercise.at.split('/').count()).max().unwrap_or(1);
    let mut paths = Vec::new();
    for levels in 1..=depth {
        paths = exercises.iter().map(|exercise| last_names(exercise, levels)).collect();
        let unique: BTreeSet<&Vec<String>> = paths.iter().collect();
        if unique.len() == paths.len() {
            break;
        }
    }
    let mut names: Vec<String> = Vec::new();
    for (exercise, path) in exercises.iter_mut().zip(&paths) {
        exercise.files.set_title(path.join("-"));
        let legal: Vec<String> = path.iter().map(|name| package_name(name)).collect();
        let legal = legal.join("-");
        // `Lab 1` and `lab1` become the same name.
        let numbered = (2..).map(|number| format!("{legal}{number}"));
        let free = std::iter::once(legal.clone()).chain(numbered).find(|name| !names.contains(name));
        names.push(free.expect("numbers do not end"));
    }
    names
}

/// The last names of its path.
fn last_names(exercise: &Exercise, levels: usize) -> Vec<String> {
    let mut names: Vec<&str> = exercise.at.split('/').collect();
    // `.` is the source itself, and `(others)` a part of a directory.
    names.pop();
    names.push(exercise.files.name());
    names.drain(..names.len().saturating_sub(levels));
    names.into_iter().map(str::to_owned).collect()
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
