//! One package and its cohort, from the plan to scorecards.

use super::{
    FailedValidator, GradeFacts, GradeRequest, OnGradeEvent, Thoroughness, Timing, grade, graders,
    prepare::prepare, scorecards,
};
use crate::{
    exec::Engine,
    package::{Format, Judge, Package, Participant, TestSet},
    plan::Plan,
    score::{LegacyReading, Scorecard, ScoringRules},
};
use anyhow::{Context, Result};
use std::borrow::Cow;

/// What is the same for all packages of a run.
pub struct GradeSession<'a> {
    /// Who has the jobs done.
    pub engine: Engine<'a>,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// How legacy groups are read.
    pub reading: LegacyReading,
    /// What becomes of an output that a validator fails on.
    pub failed_validator: FailedValidator,
}

/// A cohort after judging.
pub struct JudgedCohort {
    /// What was to be done.
    pub plan: Plan,
    /// What is known.
    pub graded: GradeFacts,
    /// What each row is worth.
    pub cards: Vec<Scorecard>,
}

impl GradeSession<'_> {
    /// Judges a cohort on a package's cases.
    pub fn judge(
        &self,
        package: &Package,
        tests: &TestSet,
        cohort: &[Participant],
        tell: &mut OnGradeEvent,
    ) -> Result<JudgedCohort> {
        self.judge_timed(Timing::default(), package, tests, cohort, tell)
    }

    /// Judges, and looks closer at times.
    pub(crate) fn judge_timed(
        &self,
        timing: Timing,
        package: &Package,
        tests: &TestSet,
        cohort: &[Participant],
        tell: &mut OnGradeEvent,
    ) -> Result<JudgedCohort> {
        let plan = prepare(&self.engine, &self.as_read(package), tests, cohort, timing)
            .with_context(|| format!("prepare {}", package.name))?;
        let grading = GradeRequest {
            rules: rules(package, tests, self.reading),
            plan: &plan,
            jobs: self.engine.jobs,
            thoroughness: self.thoroughness,
            failed_validator: self.failed_validator,
        };
        let mut graded = grade(&grading, tell)?;
        graders::ask_grader(&self.engine, package, &grading, &mut graded)?;
        let cards = scorecards(&grading, &graded);
        Ok(JudgedCohort { plan, graded, cards })
    }
}

impl GradeSession<'_> {
    /// The package as the judge whose reading it is takes it: DOMjudge believes the score files of every
    /// validator.
    fn as_read<'p>(&self, package: &'p Package) -> Cow<'p, Package> {
        let mut package = Cow::Borrowed(package);
        if self.reading == LegacyReading::Domjudge
            && let Judge::Programs { scores: false, .. } = package.judge
            && let Judge::Programs { scores, .. } = &mut package.to_mut().judge
        {
            *scores = true;
        }
        package
    }
}

/// How a package is scored.
pub fn rules<'a>(package: &Package, tests: &'a TestSet, reading: LegacyReading) -> ScoringRules<'a> {
    let score_files = match (&package.judge, package.data) {
        (Judge::Programs { scores, .. }, Format::Legacy) => *scores,
        (Judge::Programs { .. }, Format::V2025_09) => true,
        (Judge::Default, _) => false,
    };
    ScoringRules { tests, scoring: package.kind.scoring, score_files, reading }
}
