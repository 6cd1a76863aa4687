//! What an import is asked for, and what it returns.

use super::testlib::Testlib;
use kopek_package::package::Message;
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    pub testlib: Testlib,
    pub regenerate: Regenerate,
    /// Points of a folder of tests.
    pub scoring: TestScoring,
    /// How the outputs of a folder of tests are compared.
    pub comparison: TestComparison,
    pub time_limit: Option<Duration>,
}

/// Points of a folder of tests, which the files do not hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TestScoring {
    /// Right or wrong as a whole.
    #[default]
    None,
    /// Groups share 100 points.
    EqualShares,
    /// For each group, in order; a single value is for all tests together.
    Points(Vec<u64>),
}

/// How outputs are compared in a folder of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TestComparison {
    /// Word by word.
    #[default]
    Words,
    /// Blanks, line breaks and the case of letters count.
    Exact,
}

/// Which tests with a command are made by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Regenerate {
    /// Those without files.
    #[default]
    Missing,
    /// Also those with files.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ForeignFormat {
    /// `problem.xml`.
    Polygon,
    /// `task.yaml`, as CMS and task-maker read it.
    Italian,
    /// Inputs and answers without a manifest.
    TestFolder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The new package lacks it.
    Lost,
    /// It is expressed differently, and may mean something else.
    Changed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub loss: Loss,
    pub at: String,
    pub what: String,
    /// What happens instead.
    pub instead: String,
}

/// A package, or one for each exercise of a course.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Imported {
    Package(ImportResult),
    Course(ImportedCourse),
}

#[derive(Debug, Serialize)]
pub struct ImportedCourse {
    /// The directory of the packages and the contest file.
    pub target: PathBuf,
    /// In the order of the contest.
    pub packages: Vec<ImportResult>,
    /// Exercises that were not imported, and refused files that belong to no exercise.
    pub failed: Vec<FailedExercise>,
    /// Files that belong to no exercise.
    pub rest: Vec<String>,
}

/// An exercise, or a file, that was not imported.
#[derive(Debug, Serialize)]
pub struct FailedExercise {
    pub at: String,
    pub why: String,
}

#[derive(Debug, Serialize)]
pub struct ImportResult {
    pub kind: ForeignFormat,
    pub target: PathBuf,
    pub tests: usize,
    pub groups: usize,
    /// The sum of the points of all groups.
    pub max_score: Option<String>,
    pub submissions: usize,
    /// Whether the recipe has to make the tests first.
    pub generated: bool,
    pub changes: Vec<Change>,
    /// Findings of the package reader about the result.
    pub findings: Vec<Message>,
}
