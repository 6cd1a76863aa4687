//! What an import was and what it led to.

use super::changes::Change;
use kopek_engine::package::Finding;
use serde::Serialize;
use std::path::PathBuf;

/// A kind of foreign package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ForeignFormat {
    /// `problem.xml`.
    Polygon,
    /// `task.yaml`, as CMS and task-maker read it.
    Italian,
    /// `problem.json`, as TPS reads it.
    Tps,
    /// Inputs and answers without a manifest.
    TestFolder,
}

/// The result of an import: a package, or one for each exercise of a course.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Imported {
    /// A package.
    Package(ImportResult),
    /// Several.
    Course(ImportedCourse),
}

/// The result of an import of many exercises.
#[derive(Debug, Serialize)]
pub struct ImportedCourse {
    /// Where the packages and the contest file are.
    pub target: PathBuf,
    /// The packages, in the order of the contest.
    pub packages: Vec<ImportResult>,
    /// Exercises that were not imported, and refused files that belong to no exercise.
    pub failed: Vec<FailedExercise>,
    /// Files that belong to no exercise.
    pub rest: Vec<String>,
}

/// An exercise, or a file, that was not imported.
#[derive(Debug, Serialize)]
pub struct FailedExercise {
    /// Where it is in the source.
    pub at: String,
    /// Why.
    pub why: String,
}

/// The result of an import.
#[derive(Debug, Serialize)]
pub struct ImportResult {
    /// What the source was.
    pub kind: ForeignFormat,
    /// Where the package lies.
    pub target: PathBuf,
    /// Its tests, groups and solutions.
    pub tests: usize,
    /// Groups of tests.
    pub groups: usize,
    /// Points of all groups together.
    pub max_score: Option<String>,
    /// Solutions.
    pub submissions: usize,
    /// Whether tests are yet to be made by the recipe.
    pub generated: bool,
    /// What was lost or changed.
    pub changes: Vec<Change>,
    /// What the reader of packages finds odd about the result.
    pub findings: Vec<Finding>,
}
