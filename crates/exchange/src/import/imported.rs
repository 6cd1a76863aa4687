//! The results of an import.

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
    /// The directory of the packages and the contest file.
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
    /// Its path in the source.
    pub at: String,
    /// Why.
    pub why: String,
}

/// The result of an import.
#[derive(Debug, Serialize)]
pub struct ImportResult {
    /// The format of the source.
    pub kind: ForeignFormat,
    /// The directory of the package.
    pub target: PathBuf,
    /// The number of tests.
    pub tests: usize,
    /// The number of groups.
    pub groups: usize,
    /// The sum of the points of all groups.
    pub max_score: Option<String>,
    /// The number of solutions.
    pub submissions: usize,
    /// Whether the recipe has to make the tests first.
    pub generated: bool,
    /// Losses and changes.
    pub changes: Vec<Change>,
    /// Findings of the package reader about the result.
    pub findings: Vec<Finding>,
}
