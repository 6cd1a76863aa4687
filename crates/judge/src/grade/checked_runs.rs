//! Further builds and runs of each C and C++ program that fails, to find a mistake with its memory. At home the same program
//! may work, because its memory holds other values there. Right programs may have the same mistake: the tests miss it.
//!
//! Variables that have no value come first: a build that begins them with zeros and one that does not tell for certain, and
//! sanitizers do not see them. A program that crashed or hung is then built with sanitizers: these find the line.

use super::{
    facts::{CheckedRun, JudgedCohort, MemoryEvidence, runnable_programs},
    request::{GradeEvent, OnGradeEvent},
    session::GradeSession,
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_package::{
    language::{Language, LanguageTable},
    package::{TestSet, is_sample},
    verdict::Verdict,
};
use kopek_plan::{
    plan::{Build, BuildTask, Job, Outcome, Plan, Program, Task, Trial, TrialTask, Witness},
    score::State,
};
use kopek_sandbox::Exit;
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// The arguments of a compiler that give a value to variables without one, with warnings of such variables.
const ZEROS: [&str; 3] = ["-ftrivial-auto-var-init=zero", "-Wuninitialized", "-Wmaybe-uninitialized"];
const PATTERN: [&str; 1] = ["-ftrivial-auto-var-init=pattern"];

/// Limits for a right program with variables set: its number of cases, and the time that these took together.
const MOST_CASES: usize = 20;
const MOST_TIME: Duration = Duration::from_secs(2);

/// A program that is built in another way, for one case.
struct OtherBuild {
    index: usize,
    case: usize,
    program: Program,
}

/// Its run.
struct OtherRun {
    index: usize,
    case: usize,
    warnings: String,
    task: TrialTask,
    trial: Trial,
}

impl GradeSession<'_> {
    /// Looks for mistakes with memory in programs that fail. `changing` names cases on which runs differ.
    pub fn check_memory(
        &self,
        judged: &mut JudgedCohort,
        changing: &[String],
        on_event: &mut OnGradeEvent,
    ) -> Result<()> {
        let failures = (0..judged.graded.trials.len()).filter_map(|at| Some((at, judged.first_failure(at)?)));
        let failures = failures.collect();
        self.find_unset_variables(judged, &failures, on_event)?;
        self.run_with_sanitizers(judged, changing, on_event)
    }

    /// Looks for right programs that use a variable before it has a value. One more build of each shows those that fail with
    /// other values than those that memory happens to hold.
    pub fn check_right_programs(
        &self,
        tests: &TestSet,
        judged: &mut JudgedCohort,
        on_event: &mut OnGradeEvent,
    ) -> Result<()> {
        let right = judged.right_programs();
        let mut builds = Vec::new();
        for (index, program) in runnable_programs(&judged.plan, &judged.graded) {
            let row = &program.build.language;
            if right.contains(&index) && LanguageTable::may_overwrite_memory(row) {
                for case in judged.small_cases(index, tests) {
                    builds.push(other_build(index, case, &program, with_arguments(row, &PATTERN)));
                }
            }
        }
        if builds.is_empty() {
            return Ok(());
        }
        on_event(GradeEvent::Wave { what: "runs of right programs", jobs: builds.len(), known: 0 });
        let mut failures = BTreeMap::new();
        for run in self.run_other_builds(&judged.plan, builds)? {
            if fails(run.trial.verdict) {
                failures.entry(run.index).or_insert(run.case);
            }
        }
        self.find_unset_variables(judged, &failures, on_event)
    }

    /// Finds programs that are right on a case if variables begin as zero, and wrong if they begin with other values.
    /// `failures` has a case for each program that may be one.
    fn find_unset_variables(
        &self,
        judged: &mut JudgedCohort,
        failures: &BTreeMap<usize, usize>,
        on_event: &mut OnGradeEvent,
    ) -> Result<()> {
        let mut builds = Vec::new();
        for (index, program) in runnable_programs(&judged.plan, &judged.graded) {
            let row = &program.build.language;
            if LanguageTable::may_overwrite_memory(row)
                && let Some(&case) = failures.get(&index)
            {
                for arguments in [&ZEROS[..], &PATTERN] {
                    builds.push(other_build(index, case, &program, with_arguments(row, arguments)));
                }
            }
        }
        if builds.is_empty() {
            return Ok(());
        }
        on_event(GradeEvent::Wave { what: "runs with variables set", jobs: builds.len(), known: 0 });
        let runs = self.run_other_builds(&judged.plan, builds)?;
        let differ = |pair: &&[OtherRun]| {
            pair[0].index == pair[1].index && is_right(&pair[0].trial) && !is_right(&pair[1].trial)
        };
        for pair in runs.windows(2).filter(differ) {
            // A program that draws random numbers differs by chance.
            if self.run_again(&pair[0].task)?.is_some_and(|trial| is_right(&trial))
                && self.run_again(&pair[1].task)?.is_some_and(|trial| !is_right(&trial))
            {
                let (case, warnings) = (pair[0].case, pair[0].warnings.clone());
                let evidence = MemoryEvidence::UnsetVariable;
                judged.graded.checked.insert(pair[0].index, CheckedRun { case, warnings, evidence });
            }
        }
        Ok(())
    }

    fn run_with_sanitizers(
        &self,
        judged: &mut JudgedCohort,
        changing: &[String],
        on_event: &mut OnGradeEvent,
    ) -> Result<()> {
        let table = self.engine.machine.table.for_debugging()?;
        let mut builds = Vec::new();
        for (index, program) in runnable_programs(&judged.plan, &judged.graded) {
            if LanguageTable::may_overwrite_memory(&program.build.language)
                && !judged.graded.checked.contains_key(&index)
                && let Some(case) = judged.failing_case(index, changing)
                && let Some(language) = table.get(&program.build.language.code)
            {
                builds.push(other_build(index, case, &program, language.clone()));
            }
        }
        if builds.is_empty() {
            return Ok(());
        }
        on_event(GradeEvent::Wave { what: "runs with sanitizers", jobs: builds.len(), known: 0 });
        for run in self.run_other_builds(&judged.plan, builds)? {
            let evidence = MemoryEvidence::Sanitizers(run.trial.stderr);
            let checked = CheckedRun { case: run.case, warnings: run.warnings, evidence };
            judged.graded.checked.insert(run.index, checked);
        }
        Ok(())
    }

    /// Builds and runs the programs, in their order, without those that cannot be built or decided.
    fn run_other_builds(&self, plan: &Plan, builds: Vec<OtherBuild>) -> Result<Vec<OtherRun>> {
        let jobs = builds.iter().map(|one| Job::new(Task::Build(one.program.build.clone()))).collect();
        let built = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        let (mut places, mut jobs) = (Vec::new(), Vec::new());
        for (OtherBuild { index, case, program }, build) in builds.into_iter().zip(built) {
            if let Some(Ok(Outcome::Build(Build::Program { blob, entry, message }))) = build {
                let program = Arc::new(Program { blob, entry, ..program });
                let task = TrialTask::new(program, plan.cases[case].clone(), plan.setting.clone());
                jobs.push(Job::new(Task::Trial(task.clone())));
                places.push((index, case, message, task));
            }
        }
        let ran = self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        let mut runs = Vec::new();
        for ((index, case, warnings, task), run) in places.into_iter().zip(ran) {
            if let Some(Ok(Outcome::Trial(trial))) = run {
                runs.push(OtherRun { index, case, warnings, task, trial });
            }
        }
        Ok(runs)
    }

    fn run_again(&self, task: &TrialTask) -> Result<Option<Trial>> {
        let job = Job::new(Task::Trial(task.pair(&Witness::Spin, 1, task.setting.stop)));
        let ran = self.engine.run_all(vec![job], KnownFacts::Use, &mut |_, _| Ok(()))?.pop().flatten();
        Ok(match ran {
            Some(Ok(Outcome::Trial(trial))) => Some(trial),
            _ => None,
        })
    }
}

fn other_build(index: usize, case: usize, program: &Program, language: Language) -> OtherBuild {
    let usual = BuildTask::clone(&program.build);
    let build = Arc::new(BuildTask { language, cached: OnceLock::new(), ..usual });
    OtherBuild { index, case, program: Program { build, ..program.clone() } }
}

/// The row with further arguments of its compiler.
fn with_arguments(row: &Language, arguments: &[&str]) -> Language {
    let mut build = row.build.clone();
    build.iter_mut().for_each(|command| command.extend(arguments.iter().map(|&word| word.to_owned())));
    Language { build, precompiled: None, ..row.clone() }
}

fn is_right(trial: &Trial) -> bool {
    trial.verdict == Verdict::Accepted
}

/// Slow programs have other reasons.
fn fails(verdict: Verdict) -> bool {
    match verdict {
        Verdict::WrongAnswer | Verdict::RunTimeError | Verdict::OutputLimit | Verdict::IdleLimit => true,
        Verdict::Accepted
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::CompileError
        | Verdict::NoProgram => false,
    }
}

impl JudgedCohort {
    /// The first case on which a program fails, a sample before others.
    fn first_failure(&self, program: usize) -> Option<usize> {
        let failing = self.graded.trials[program].iter().filter(|(_, trial)| fails(trial.verdict));
        failing.map(|(case, _)| *case).min_by_key(|case| (!is_sample(&self.plan.cases[*case].name), *case))
    }

    /// The programs that pass every case. One that is accepted may fail some where groups give points.
    fn right_programs(&self) -> Vec<usize> {
        let rows = self.plan.rows.iter().zip(&self.cards);
        let accepted = rows.filter(|(_, card)| card.state == State::Decided(Verdict::Accepted));
        let mut programs: Vec<usize> =
            accepted.filter_map(|(row, _)| row.program.as_ref().ok().copied()).collect();
        programs.retain(|&program| self.graded.trials[program].values().all(is_right));
        programs
    }

    /// The smallest cases of a right program: they run quickly, and loops that run once or never leave variables without a
    /// value.
    fn small_cases(&self, program: usize, tests: &TestSet) -> Vec<usize> {
        let trials = &self.graded.trials[program];
        let mut cases: Vec<usize> = trials.keys().copied().collect();
        cases.sort_by_key(|&case| (tests.cases[case].ids.input.stamp.size(), case));
        // Equal cases have equal runs.
        cases.dedup_by_key(|case| &self.plan.cases[*case].input);
        let mut left = MOST_TIME;
        cases
            .into_iter()
            .take(MOST_CASES)
            .take_while(|case| {
                let fits = !left.is_zero();
                left = left.saturating_sub(trials[case].usage.cpu);
                fits
            })
            .collect()
    }

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
