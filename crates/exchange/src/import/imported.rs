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
    /// Solutions.
    pub submissions: usize,
    /// Whether tests are yet to be made by the recipe.
    pub generated: bool,
    /// What was lost or changed.
    pub changes: Vec<Change>,
    /// What the reader of packages finds odd about the result.
    pub findings: Vec<Finding>,
}
