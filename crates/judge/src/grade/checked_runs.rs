//! One more run for each C and C++ program that crashed or hung: a build with sanitizers finds the line that overwrites
//! memory. At home the same program may work, because it is linked differently.

use super::{
    facts::{CheckedRun, JudgedCohort, runnable_programs},
    request::{GradeEvent, OnGradeEvent},
    session::GradeSession,
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_package::{language::LanguageTable, package::is_sample, verdict::Verdict};
use kopek_plan::plan::{Build, BuildTask, Job, Outcome, Program, Task, TrialTask};
use kopek_sandbox::Exit;
use std::sync::{Arc, OnceLock};

impl GradeSession<'_> {
    /// Builds these programs with sanitizers, and runs each on one case. `changing` names cases on which runs differ.
    pub fn check_memory(
        &self,
        judged: &mut JudgedCohort,
        changing: &[String],
        on_event: &mut OnGradeEvent,
    ) -> Result<()> {
        let table = self.engine.machine.table.for_debugging()?;
        let (mut programs, mut jobs) = (Vec::new(), Vec::new());
        for (index, program) in runnable_programs(&judged.plan, &judged.graded) {
            if LanguageTable::may_overwrite_memory(&program.build.language)
                && let Some(case) = judged.failing_case(index, changing)
                && let Some(language) = table.get(&program.build.language.code)
            {
                let usual = BuildTask::clone(&program.build);
                let build =
                    Arc::new(BuildTask { language: language.clone(), cached: OnceLock::new(), ..usual });
                jobs.push(Job::new(Task::Build(build.clone())));
                programs.push((index, case, Program { build, ..Program::clone(&program) }));
            }
        }
        if programs.is_empty() {
            return Ok(());
        }
        on_event(GradeEvent::Wave { what: "runs with sanitizers", jobs: programs.len(), known: 0 });
        let built = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        let (mut places, mut runs) = (Vec::new(), Vec::new());
        for ((index, case, program), build) in programs.into_iter().zip(built) {
            if let Some(Ok(Outcome::Build(Build::Program { blob, entry, message }))) = build {
                let program = Arc::new(Program { blob, entry, ..program });
                let plan = &judged.plan;
                let task = TrialTask::new(program, plan.cases[case].clone(), plan.setting.clone());
                runs.push(Job::new(Task::Trial(task)));
                places.push((index, case, message));
            }
        }
        let ran = self.engine.run_all(runs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        for ((index, case, warnings), run) in places.into_iter().zip(ran) {
            if let Some(Ok(Outcome::Trial(trial))) = run {
                judged.graded.checked.insert(index, CheckedRun { case, warnings, stderr: trial.stderr });
            }
        }
        Ok(())
    }
}

impl JudgedCohort {
    /// The first case on which a program was killed by a signal, hung, or differed from run to run, a sample before others.
    /// Endless samples count, too; larger cases may be slow for other reasons.
    fn failing_case(&self, program: usize, changing: &[String]) -> Option<usize> {
        let trials = self.graded.trials[program].iter();
        let failing = trials.filter(|(case, trial)| {
            let name = &self.plan.cases[**case].name;
            match trial.verdict {
                Verdict::RunTimeError => matches!(trial.exit, Exit::Signal(_)),
                Verdict::TimeLimit => is_sample(name),
                verdict => verdict == Verdict::IdleLimit || changing.iter().any(|own| own == &**name),
            }
        });
        let cases = failing.map(|(case, _)| *case);
        cases.min_by_key(|case| (!is_sample(&self.plan.cases[*case].name), *case))
    }
}
