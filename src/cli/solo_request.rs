//! What `kopek run` and `kopek test` ask for: a solution, and the cases to judge it on.

use super::run_view::RunViewOptions;
use crate::{
    class::CohortRules,
    exec::Engine,
    grade::GradeSession,
    results::Noticed,
    solution::{SolutionTests, TestRules},
};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The bank of the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BankOfTests {
    OfPackage,
    /// A folder of samples has none.
    None,
}

/// A solution, the place of its tests, and how to judge it.
pub(super) struct SoloRequest<'a> {
    pub(super) solution: &'a Path,
    /// The participant to judge, if the solution is a class.
    pub(super) participant: Option<&'a str>,
    /// The places of the tests; with `--watch`, a change there reloads all tests.
    pub(super) tests: &'a [PathBuf],
    /// The choice of the program in the solution.
    pub(super) rules: CohortRules<'a>,
    pub(super) view: &'a RunViewOptions,
    /// Whether all cases are judged, not only a selection.
    pub(super) whole: bool,
    /// Whose programs failed on inputs that a failing solution is tried on.
    pub(super) bank: BankOfTests,
    /// The user's own input, which nothing checks.
    pub(super) input: Option<&'a Path>,
    /// Where to draw the cases and outputs.
    pub(super) pictures: Option<&'a Path>,
    pub(super) session: &'a dyn for<'e> Fn(Engine<'e>) -> GradeSession<'e>,
}

/// Reads the package and its cases.
pub(super) type LoadTests<'a> = dyn FnMut(&Engine) -> Result<Noticed<SolutionTests>> + 'a;

/// The places of the tests of a package.
pub(super) fn places_of_package(dir: &Path, rules: &TestRules) -> Vec<PathBuf> {
    let own = rules.own.iter().flat_map(|own| own.dirs.iter().cloned());
    [dir.join("problem.yaml"), dir.join("data")].into_iter().chain(own).collect()
}
