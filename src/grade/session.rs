//! One package and its cohort, from the plan to scorecards.

use super::{
    Graded, Grading, Preparation, Tell, Thoroughness, Timing, grade, graders,
    prepare::{self, prepare},
    scorecards,
};
use crate::{
    exec::{self, Executor, Workshop},
    package::{Format, Judge, Package, TestSet},
    plan::Plan,
    sandbox::Fault,
    score::{Reading, Rules, Scorecard},
};
use anyhow::{Context, Result};
use std::sync::atomic::AtomicBool;

/// What is the same for all packages of a run.
pub struct Session<'a> {
    /// Sandbox, store, languages.
    pub workshop: &'a Workshop,
    /// Who does the jobs.
    pub executor: &'a dyn Executor,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// How legacy groups are read.
    pub reading: Reading,
    /// Set from outside to stop handing out jobs.
    pub stop: &'a AtomicBool,
}

/// What came of a cohort.
pub struct Judged {
    /// What was to be done.
    pub plan: Plan,
    /// What is known.
    pub graded: Graded,
    /// What each row is worth.
    pub cards: Vec<Scorecard>,
}

impl Session<'_> {
    /// Judges a cohort on a package's cases.
    pub fn judge(
        &self,
        package: &Package,
        tests: &TestSet,
        cohort: &[Preparation],
        tell: &mut Tell,
    ) -> Result<Judged> {
        self.judge_timed(Timing::default(), package, tests, cohort, tell)
    }

    /// Judges, and looks closer at times.
    pub fn judge_timed(
        &self,
        timing: Timing,
        package: &Package,
        tests: &TestSet,
        cohort: &[Preparation],
        tell: &mut Tell,
    ) -> Result<Judged> {
        let plan = prepare(self.workshop, package, tests, cohort, timing)
            .with_context(|| format!("prepare {}", package.name))?;
        let grading = Grading {
            rules: rules(package, tests, self.reading),
            plan: &plan,
            store: &self.workshop.store,
            thoroughness: self.thoroughness,
            stop: self.stop,
        };
        let mut graded = grade(&grading, self.executor, tell)?;
        self.grades(package, &grading, &mut graded);
        let cards = scorecards(&grading, &graded);
        Ok(Judged { plan, graded, cards })
    }

    /// Asks the custom grader, which is built when the first group wants it.
    fn grades(&self, package: &Package, grading: &Grading, graded: &mut Graded) {
        let (mut slot, mut grader) = (self.workshop.slot(), None);
        graders::ask(grading, graded, &mut |run| {
            let build = || prepare::grader(self.workshop, package).map_err(|e| Fault::new(format!("{e:#}")));
            let grader = grader.get_or_insert_with(build).as_ref().map_err(Fault::clone)?;
            exec::grade(&mut slot, &self.workshop.store, grader, run)
        });
    }
}

/// How a package is scored.
pub fn rules<'a>(package: &Package, tests: &'a TestSet, reading: Reading) -> Rules<'a> {
    let score_files = match (&package.judge, package.data) {
        (Judge::Programs { scores, .. }, Format::Legacy) => *scores,
        (Judge::Programs { .. }, Format::V2025_09) => true,
        (Judge::Default, _) => false,
    };
    Rules { tests, scoring: package.kind.scoring, score_files, reading }
}
