//! A solution that takes part in a conversation by hand.

use super::{own_names::OwnNames, prepare::prepare};
use anyhow::Result;
use kopek_engine::exec::{Engine, NoProgram, ProgramRequest};
use kopek_package::package::{Package, Participant, TestSet};
use kopek_plan::plan::TrialTask;
use kopek_sandbox::Limits;
use std::{slice, time::Duration};

/// A solution that takes part in a conversation.
pub struct TalkingSolution {
    /// Its run on the case.
    pub task: TrialTask,
    names: OwnNames,
}

impl TalkingSolution {
    /// Builds the solution and the validator. A compiler's message names the author's own files.
    pub fn build(
        engine: &Engine,
        package: &Package,
        tests: &TestSet,
        case: usize,
        solution: &Participant,
    ) -> Result<Result<TalkingSolution, NoProgram>> {
        let plan = prepare(engine, package, tests, slice::from_ref(solution), Duration::ZERO)?;
        let row = &plan.rows[0];
        let names = OwnNames::of_row(&plan, row);
        let request = ProgramRequest {
            name: solution.name.clone(),
            build: row.program.clone().map(|program| plan.programs[program].clone()),
            limits: Limits { cpu: plan.setting.stop, ..plan.setting.limits },
        };
        Ok(match engine.build_program(request)? {
            Ok(program) => {
                let task = TrialTask::new(program, plan.cases[case].clone(), plan.setting.clone());
                Ok(TalkingSolution { task, names })
            }
            Err(NoProgram::DoesNotCompile(message)) => {
                Err(NoProgram::DoesNotCompile(names.in_message(&message)))
            }
            Err(why) => Err(why),
        })
    }

    /// A text of the program, with the author's own file names.
    pub fn in_own_names(&self, text: &str) -> String {
        self.names.in_output(text)
    }
}
