//! One solution on the cases of its problem and on those of its author, or on samples without a package. Prints
//! nothing.

mod loose_checker;
mod own_input;
mod own_tests;
mod samples;
mod saved_cases;
mod solution_limits;

pub use loose_checker::AdaptChecker;
pub use own_input::{check_input_kind, output_of_input, run_of_input, tests_on_input};
pub use own_tests::OwnTests;
pub use samples::{SamplePlace, SampleRules, load_samples};
pub use saved_cases::save_failed_cases;
pub use solution_limits::SolutionLimits;

use crate::{
    grade::{CaseChoice, ChangingCase, GradeSession, JudgedCohort, OnGradeEvent, package_report, part_of},
    loading::LoadedPackage,
};
use anyhow::Result;
use kopek_package::{
    package::{Package, Participant, TestSet},
    verdict::Verdict,
};
use kopek_plan::score::State;
use kopek_results::{Noticed, Notices, OpenCase, OpenReason, PackageReport, RowReport};
use std::{collections::BTreeSet, slice};

/// The cases for a solution.
#[derive(Debug)]
pub struct SolutionTests {
    pub package: Package,
    pub tests: TestSet,
    /// A line about the cases and limits, if the user did not name the package.
    pub about: Option<String>,
}

/// What a user changes of the tests of a package.
pub struct TestRules {
    pub choice: CaseChoice,
    pub limits: SolutionLimits,
    /// Those of the author, if the user did not name the package.
    pub own: Option<OwnTests>,
}

impl SolutionTests {
    /// The chosen tests of a package, with other limits.
    pub fn of_package(loaded: Noticed<LoadedPackage>, rules: &TestRules) -> Result<Noticed<SolutionTests>> {
        let Noticed { value: LoadedPackage { mut package, mut tests, .. }, mut notices } = loaded;
        rules.limits.apply(&mut package.limits);
        if let Some(own) = &rules.own {
            notices.warnings.extend(own.add_to(&mut tests, &package)?);
        }
        let mut value = SolutionTests { package, tests, about: None };
        value.choose(&rules.choice)?;
        Ok(Noticed { value, notices })
    }

    /// Keeps only the chosen cases, without points. A name without a match is an error.
    pub fn choose(&mut self, choice: &CaseChoice) -> Result<()> {
        if !choice.is_empty() {
            self.tests = choice.choose(&self.tests)?;
        }
        Ok(())
    }

    /// The cases with these names, if there are others besides.
    pub fn part(&self, names: &BTreeSet<String>) -> Option<TestSet> {
        let cases = &self.tests.cases;
        let chosen: BTreeSet<usize> =
            (0..cases.len()).filter(|&at| names.contains(&cases[at].name)).collect();
        let is_part = !chosen.is_empty() && chosen.len() < cases.len();
        is_part.then(|| part_of(&self.tests, &chosen))
    }
}

/// A solution, its cases, and how to judge it.
pub struct SolutionRequest<'a> {
    pub session: &'a GradeSession<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub solution: &'a Participant,
    /// How often each case runs although its result is known.
    pub again: Option<u32>,
}

/// What a solution did.
pub struct SolutionReport {
    /// In one row.
    pub results: PackageReport,
    pub judged: JudgedCohort,
    /// The cases on which it did not do the same in each run.
    pub changing: Vec<ChangingCase>,
    pub notices: Notices,
}

impl SolutionReport {
    pub fn row(&self) -> &RowReport {
        &self.results.rows[0]
    }

    pub fn is_accepted(&self) -> bool {
        self.changing.is_empty() && self.row().card.state == State::Decided(Verdict::Accepted)
    }

    /// The names of the cases that were not accepted.
    pub fn failed_cases(&self) -> BTreeSet<String> {
        let trials = self.judged.graded.trials.iter().flatten();
        let failed = trials.filter(|(_, trial)| trial.verdict != Verdict::Accepted);
        failed.map(|(&case, _)| self.judged.plan.cases[case].name.to_string()).collect()
    }
}

/// Judges a solution. `None`: it was interrupted.
pub fn judge_solution(
    request: &SolutionRequest,
    on_event: &mut OnGradeEvent,
) -> Result<Option<SolutionReport>> {
    let SolutionRequest { session, package, tests, solution, again } = *request;
    let mut judged = session.judge(package, tests, slice::from_ref(solution), on_event)?;
    if judged.graded.interrupted {
        return Ok(None);
    }
    let mut notices = session.notices(package, &judged);
    let mut changing = Vec::new();
    if let Some(times) = again {
        let before = judged.graded.faults.len();
        changing = session.judge_again(package, tests, &mut judged, 0, times, on_event)?;
        for (what, fault) in &judged.graded.faults[before..] {
            let why = OpenReason::Fault(fault.to_string());
            notices.faults.push(OpenCase { package: package.name.clone(), what: what.clone(), why });
        }
    }
    let differs: Vec<String> = changing.iter().map(|one| one.case.clone()).collect();
    session.check_memory(&mut judged, &differs, on_event)?;
    let results = package_report(package, tests, &judged);
    Ok(Some(SolutionReport { results, judged, changing, notices }))
}
