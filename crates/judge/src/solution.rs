//! One solution on the cases of its problem and on those of its author. Reads no hand-ins and prints nothing.

mod own_input;
mod own_tests;
mod saved_cases;

pub use own_input::{check_input_kind, output_of_input, run_of_input, tests_on_input};
pub use own_tests::{OwnTests, unanswered_warning};
pub use saved_cases::save_failed_cases;

use crate::grade::{
    CaseChoice, ChangingCase, GradeSession, JudgedCohort, OnGradeEvent, package_report, part_of,
};
use anyhow::{Result, ensure};
use kopek_package::{
    package::{Package, Participant, TestSet},
    verdict::Verdict,
};
use kopek_plan::score::State;
use kopek_results::{Notices, OpenCase, OpenReason, PackageReport, RowReport};
use std::{collections::BTreeSet, iter, slice};

/// The cases for a solution.
#[derive(Debug)]
pub struct SolutionTests {
    pub package: Package,
    pub tests: TestSet,
    /// Those of the author, which are judged with the settings of the package and give no points.
    pub own: Option<TestSet>,
    /// A line about the cases and limits, if the user did not name the package.
    pub about: Option<String>,
}

impl SolutionTests {
    fn sets(&self) -> impl Iterator<Item = &TestSet> {
        iter::once(&self.tests).chain(&self.own)
    }

    /// The number of cases.
    pub fn count(&self) -> usize {
        self.sets().map(|tests| tests.cases.len()).sum()
    }

    /// Keeps only the chosen cases, without points. A name without a match is an error.
    pub fn choose(&mut self, choice: &CaseChoice) -> Result<()> {
        let mut of_package = CaseChoice { cases: Vec::new(), ..choice.clone() };
        let mut of_own = CaseChoice::default();
        for name in &choice.cases {
            let one = CaseChoice { cases: vec![name.clone()], ..CaseChoice::default() };
            let is_own = self.own.as_ref().is_some_and(|own| one.choose(own).is_ok());
            if is_own {
                of_own.cases.push(name.clone());
            }
            match one.choose(&self.tests) {
                Ok(_) => of_package.cases.push(name.clone()),
                Err(error) if !is_own => return Err(error),
                Err(_) => {}
            }
        }
        let is_of_both = !of_own.is_empty();
        self.own = self.own.take().filter(|_| is_of_both).map(|own| of_own.choose(&own)).transpose()?;
        self.tests = if of_package.is_empty() && is_of_both {
            part_of(&self.tests, &BTreeSet::new())
        } else {
            of_package.choose(&self.tests)?
        };
        ensure!(self.count() > 0, "{}: no case was chosen", self.package.name);
        Ok(())
    }

    /// The cases of the package with these names, if it has others besides.
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
    pub own: Option<&'a TestSet>,
    pub solution: &'a Participant,
    /// How often each case runs although its result is known.
    pub again: Option<u32>,
}

/// What a solution did.
pub struct SolutionReport {
    /// On all cases, in one row.
    pub results: PackageReport,
    /// On the cases of the package, then on those of the author.
    pub judged: Vec<JudgedCohort>,
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

    /// The number of cases that did not run, because their results are known.
    pub fn known_trials(&self) -> usize {
        self.judged.iter().map(|judged| judged.graded.known_trials).sum()
    }

    /// The names of the package's cases that were not accepted.
    pub fn failed_cases(&self) -> BTreeSet<String> {
        let judged = &self.judged[0];
        let trials = judged.graded.trials.iter().flatten();
        let failed = trials.filter(|(_, trial)| trial.verdict != Verdict::Accepted);
        failed.map(|(&case, _)| judged.plan.cases[case].name.to_string()).collect()
    }
}

/// Judges a solution on the cases of the package, then on those of the author. `None`: it was interrupted.
pub fn judge_solution(
    request: &SolutionRequest,
    on_event: &mut OnGradeEvent,
) -> Result<Option<SolutionReport>> {
    let SolutionRequest { session, package, solution, .. } = *request;
    let mut notices = Notices::default();
    let mut results: Option<PackageReport> = None;
    let mut all = Vec::new();
    let mut changing = Vec::new();
    for tests in iter::once(request.tests).chain(request.own) {
        let mut judged = session.judge(package, tests, slice::from_ref(solution), on_event)?;
        if judged.graded.interrupted {
            return Ok(None);
        }
        notices.add(session.notices(package, &judged));
        if let Some(times) = request.again {
            let before = judged.graded.faults.len();
            changing.extend(session.judge_again(package, tests, &mut judged, 0, times, on_event)?);
            let mut faults = Vec::new();
            for (what, fault) in &judged.graded.faults[before..] {
                let why = OpenReason::Fault(fault.to_string());
                faults.push(OpenCase { package: package.name.clone(), what: what.clone(), why });
            }
            notices.add(Notices { faults, ..Notices::default() });
        }
        let on_these = package_report(package, tests, &judged);
        results = Some(match results {
            Some(results) => results.with_own_tests(on_these),
            None => on_these,
        });
        all.push(judged);
    }
    let results = results.expect("the cases of the package come first");
    Ok(Some(SolutionReport { results, judged: all, changing, notices }))
}
