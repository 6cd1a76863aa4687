//! The parts of a package for a dialogue by hand: its setting and one case, and the program that takes part.

use super::{
    judged_cohort::JudgedCohort,
    own_names::OwnNames,
    prepare::{lend_cases, prepare},
    session::GradeSession,
};
use anyhow::{Context, Result};
use kopek_engine::{
    exec::Engine,
    package::{Package, TestSet},
    plan::{CaseFiles, Setting, TrialTask},
};
use std::{sync::Arc, time::Duration};

/// The setting and a case, for a person who plays the submission. Builds the validator.
pub fn prepare_talk(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    case: usize,
) -> Result<(Arc<Setting>, Arc<CaseFiles>)> {
    let plan = prepare(engine, package, tests, &[], Duration::ZERO)?;
    Ok((plan.setting.clone(), plan.cases[case].clone()))
}

impl JudgedCohort {
    /// The trial of the first row on a case that was not judged; `None`: its program was not built.
    pub fn trial_to_come(
        &self,
        session: &GradeSession,
        package: &Package,
        tests: &TestSet,
        case: usize,
    ) -> Result<Option<TrialTask>> {
        lend_cases(session.engine.store(), package, tests).context("read the cases")?;
        let case = Arc::new(CaseFiles::new(&tests.cases[case]));
        let program = self.runnable_program(0);
        Ok(program.map(|(_, program)| TrialTask::new(program, case, self.plan.setting.clone())))
    }

    /// The output of the first row's program, with the author's own file names.
    pub fn in_own_names(&self, text: &str) -> String {
        OwnNames::of_row(&self.plan, &self.plan.rows[0]).in_output(text)
    }
}
