//! What `kopek run` and `kopek test` ask for: a solution, and the cases to judge it on.

use super::{
    limit_options::LimitOptions,
    run_view::{RunViewOptions, about_package},
};
use crate::{
    class::{self, CohortRules},
    exec::Engine,
    grade::{CaseChoice, GradeSession},
    loading::LoadedPackage,
    package::{Package, Participant},
    results::Noticed,
    solution::{OwnTests, SolutionTests},
};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

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
    /// The user's own input, which nothing checks.
    pub(super) input: Option<&'a Path>,
    /// Where to draw the cases and outputs.
    pub(super) pictures: Option<&'a Path>,
    pub(super) session: &'a dyn for<'e> Fn(Engine<'e>) -> GradeSession<'e>,
}

impl SoloRequest<'_> {
    /// The program of the solution, or of the participant of the class.
    pub(super) fn read_solution(&self, package: &Package) -> Result<Participant> {
        let Some(name) = self.participant else {
            return class::read_single(self.solution, package, &self.rules);
        };
        let class = class::read(self.solution, None, std::slice::from_ref(&package.name))?;
        class.participant(name, package, &self.rules).context("--only")
    }
}

/// Reads the package and its cases.
pub(super) type LoadTests<'a> = dyn FnMut(&Engine) -> Result<Noticed<SolutionTests>> + 'a;

/// The tests of a package, with the options that change them.
pub(super) struct PackageTests<'a> {
    pub(super) dir: &'a Path,
    pub(super) choice: CaseChoice,
    pub(super) limits: &'a LimitOptions,
    pub(super) view: &'a RunViewOptions,
    /// Those of the author, if the user did not name the package.
    pub(super) own: Option<OwnTests>,
}

impl PackageTests<'_> {
    /// The places that they are read from.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let own = self.own.iter().flat_map(|own| own.dirs.iter().cloned());
        [self.dir.join("problem.yaml"), self.dir.join("data")].into_iter().chain(own).collect()
    }

    /// The chosen tests of the package as it was read, with the requested limits.
    pub(super) fn of_package(&self, loaded: Noticed<LoadedPackage>) -> Result<Noticed<SolutionTests>> {
        let Noticed { value: LoadedPackage { mut package, mut tests, .. }, mut notices } = loaded;
        self.limits.apply(&mut package);
        package.limits.time = self.view.time_limit(self.limits.time_limit, package.limits.time);
        if let Some(own) = &self.own {
            notices.warnings.extend(own.add_to(&mut tests, &package)?);
        }
        let mut tests = SolutionTests { package, tests, about: None };
        tests.choose(&self.choice)?;
        if self.own.is_some() {
            tests.about = Some(about_package(&tests, self.view.limits_origin(self.limits)));
        }
        Ok(Noticed { value: tests, notices })
    }
}
