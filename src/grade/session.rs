//! One package and its cohort, from the plan to scorecards.

use super::{Graded, Grading, Preparation, Tell, Thoroughness, grade, prepare, scorecards};
use crate::{
    exec::{Executor, Workshop},
    package::{Format, Judge, Package, TestSet},
    plan::Plan,
    score::{Reading, Rules, Scorecard},
};
use anyhow::{Context, Result};
use std::{sync::atomic::AtomicBool, time::Duration};

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
        self.judge_until(None, package, tests, cohort, tell)
    }

    /// Judges, and stops no run earlier than after so much CPU time: for whoever must know by how
    /// much a limit is missed.
    pub fn judge_until(
        &self,
        patience: Option<Duration>,
        package: &Package,
        tests: &TestSet,
        cohort: &[Preparation],
        tell: &mut Tell,
    ) -> Result<Judged> {
        let plan = prepare(self.workshop, package, tests, cohort, patience)
            .with_context(|| format!("prepare {}", package.name))?;
        let grading = Grading {
            rules: rules(package, tests, self.reading),
            plan: &plan,
            store: &self.workshop.store,
            thoroughness: self.thoroughness,
            stop: self.stop,
        };
        let graded = grade(&grading, self.executor, tell)?;
        let cards = scorecards(&grading, &graded);
        Ok(Judged { plan, graded, cards })
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
