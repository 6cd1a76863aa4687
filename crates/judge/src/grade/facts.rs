//! Everything that is known when a cohort was judged, and whose programs it is about.

use kopek_engine::exec::JobResult;
use kopek_package::package::CaseDecision;
use kopek_plan::{
    plan::{Build, Plan, Program, Slowdown, Trial},
    score::{Grade, GraderRun, Scorecard},
    timing::TimesOfRuns,
};
use kopek_sandbox::Fault;
use std::{collections::BTreeMap, sync::Arc};

/// All facts after the loop.
#[derive(Debug, Default)]
pub struct GradeFacts {
    /// By program of the plan.
    pub builds: Vec<Option<Build>>,
    /// By program of the plan: group to the result of the static validator.
    pub statics: Vec<BTreeMap<String, Trial>>,
    /// By program of the plan: case to trial.
    pub trials: Vec<BTreeMap<usize, Trial>>,
    /// Grades of the custom grader of a legacy package, or why there is none.
    pub grades: BTreeMap<GraderRun, Result<Grade, Fault>>,
    /// Cases that were tried without a verdict, by program and case. For equal cases, only the first is listed.
    pub open: BTreeMap<(usize, usize), OpenTrial>,
    /// How slow the machine was while undecided cases ran.
    pub open_slowdowns: Vec<Slowdown>,
    /// Cases that a person decided because a run did not, by program and case.
    pub decided: BTreeMap<(usize, usize), CaseDecision>,
    /// Our other failures: the thing, and the fault.
    pub faults: Vec<(String, Fault)>,
    /// Number of facts that were known before.
    pub reused: usize,
    /// Trials among them.
    pub known_trials: usize,
    /// Number of jobs done now.
    pub done: usize,
    /// Runs of programs that were built in another way, by program of the plan.
    pub checked: BTreeMap<usize, CheckedRun>,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// A run of a program that was built in another way, which may show a mistake with its memory.
#[derive(Debug)]
pub struct CheckedRun {
    pub case: usize,
    pub warnings: String,
    pub evidence: MemoryEvidence,
}

/// What such a run shows.
#[derive(Debug)]
pub enum MemoryEvidence {
    /// The program is right if its variables begin as zero, and wrong if they begin with other values.
    UnsetVariable,
    /// Standard error of a build with sanitizers.
    Sanitizers(String),
}

/// A trial without a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTrial {
    pub fault: Fault,
    /// The runs that did not decide it; `None`: the fault is another one.
    pub times: Option<TimesOfRuns>,
}

impl GradeFacts {
    /// Collects the faults of a wave of jobs, in the order of the jobs.
    pub(super) fn note_faults(&mut self, results: &[Option<JobResult>], name_of: impl Fn(usize) -> String) {
        let failed = results.iter().enumerate().filter_map(|(at, result)| match result {
            Some(Err(fault)) => Some((name_of(at), fault.clone())),
            Some(Ok(_)) | None => None,
        });
        self.faults.extend(failed);
    }
}

/// A cohort after judging.
pub struct JudgedCohort {
    pub plan: Plan,
    pub graded: GradeFacts,
    /// The scorecard of each row.
    pub cards: Vec<Scorecard>,
    /// Languages whose toolchains changed meanwhile; everything was judged with the new ones.
    pub changed_toolchains: Vec<String>,
}

impl JudgedCohort {
    /// The program of a row and its index, if it was built.
    pub fn runnable_program(&self, row: usize) -> Option<(usize, Arc<Program>)> {
        let index = *self.plan.rows[row].program.as_ref().ok()?;
        Some((index, runnable_program(&self.plan, &self.graded, index)?))
    }

    /// Those of the cases on which a program was tried.
    pub(super) fn tried(&self, program: usize, cases: &[usize]) -> Vec<usize> {
        let trials = &self.graded.trials[program];
        cases.iter().copied().filter(|case| trials.contains_key(case)).collect()
    }
}

/// The built programs, as they run on the cases.
pub(super) fn runnable_programs(plan: &Plan, graded: &GradeFacts) -> Vec<(usize, Arc<Program>)> {
    let runnable = |index| Some((index, runnable_program(plan, graded, index)?));
    (0..graded.builds.len()).filter_map(runnable).collect()
}

fn runnable_program(plan: &Plan, graded: &GradeFacts, index: usize) -> Option<Arc<Program>> {
    match &graded.builds[index] {
        Some(Build::Program { blob, entry, .. }) => {
            Some(Arc::new(plan.runnable(index, owner(plan, index), *blob, entry)))
        }
        Some(Build::Refused { .. }) | None => None,
    }
}

/// A name for a program: the first participant who submitted it.
pub(super) fn owner(plan: &Plan, program: usize) -> &str {
    owners(plan, program).next().unwrap_or("nobody")
}

/// All participants who submitted a program.
pub(super) fn owners(plan: &Plan, program: usize) -> impl Iterator<Item = &str> {
    let rows = plan.rows.iter().filter(move |row| row.program == Ok(program));
    rows.map(|row| row.participant.name.as_str())
}
