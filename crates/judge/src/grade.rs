//! Grades a cohort on a test set: first known facts, then the missing ones, in waves.
//!
//! [`prepare()`] builds the validators and plans. [`grade()`] builds all submissions, then checks their sources, then
//! runs the trials, so that compilers do not disturb the timing of trials. A custom grader runs last. Only the
//! trials' `next` skips cases (a lost group, an unmet requirement); only the engine stops at Ctrl-C. Prints nothing
//! and starts nothing.

mod again;
mod builds;
mod choice;
mod decided;
mod exclusion;
mod faults;
mod graders;
mod judged_cohort;
mod missing_modules;
mod noise;
mod own_names;
mod package_report;
mod pictures;
mod prepare;
mod runner;
mod saved_outputs;
mod session;
mod sources;
mod suspects;
mod talk;
mod trials;
mod waves;
mod witness;

pub use again::ChangingCase;
pub use choice::{CaseChoice, part_of};
pub use exclusion::{excluded_cases, without_cases};
pub use judged_cohort::JudgedCohort;
pub use noise::NoiseFacts;
pub use package_report::package_report;
pub use pictures::{CasePictures, PictureRequest, VisualizerProblem, draw_cases, draw_inputs, draw_outputs};
pub use prepare::{DEFAULT_TIME, run_limits, validation_limits};
pub use prepare::{check_runnable, lend_cases, prepare};
pub use saved_outputs::keep_outputs;
pub use session::{GradeSession, rules};
pub use talk::prepare_talk;
pub use waves::grade;
pub use witness::{AcceptedSubmission, TimeRule, WitnessSource};

use kopek_base::Clock;
use kopek_engine::{
    exec::{JobResult, JobRunner},
    package::CaseDecision,
    plan::{Build, Plan, Program, Row, Slowdown, Trial, Unplanned, WitnessTime},
    score::{self, Grade, GraderRun, Mark, Scorecard, ScoringFacts},
    verdict::Verdict,
};
use kopek_sandbox::{Fault, FaultSource};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The input of the loop.
pub struct GradeRequest<'a> {
    /// The scoring rules.
    pub rules: score::ScoringRules<'a>,
    /// The jobs to do.
    pub plan: &'a Plan,
    /// Runs the jobs.
    pub jobs: JobRunner<'a>,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// The result for an output on which a validator fails.
    pub failed_validator: FailedValidator,
    /// How times above a limit are decided.
    pub time_rule: TimeRule<'a>,
    /// Measures how long runs have been active.
    pub clock: Clock,
}

/// How a run above the time limit becomes a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimePolicy {
    /// It is compared with reference runs, and stays undecided where they do not settle it.
    #[default]
    Witness,
    /// The same, but a case that reference runs do not settle is too slow; for a person who only wants to know.
    Home,
    /// One run decides, as other judges do it.
    Single,
}

impl TimePolicy {
    /// The remark in every report, unless it is the default.
    pub fn remark(self) -> Option<&'static str> {
        match self {
            TimePolicy::Witness | TimePolicy::Home => None,
            TimePolicy::Single => Some("time limits were decided by one run (--timing single)"),
        }
    }
}

/// The result for an output on which a validator fails instead of judging it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailedValidator {
    /// It is not judged: a fault, since the output may have been right.
    #[default]
    Undecided,
    /// It counts as wrong; for users who know that no correct program makes the validator fail.
    WrongAnswer,
}

/// The scorecards of the changed rows, by their number in the plan; computed only on demand.
pub struct StandingCards<'a>(&'a dyn Fn() -> Vec<(usize, Scorecard)>);

impl StandingCards<'_> {
    /// Folds the facts.
    pub fn fold(&self) -> Vec<(usize, Scorecard)> {
        (self.0)()
    }
}

impl std::fmt::Debug for StandingCards<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("StandingCards")
    }
}

/// Which of the cases are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Those that can still change the score.
    Needed,
    /// All.
    All,
    /// All, the largest of a group first; once a program was too slow or too large, the rest of the group is skipped.
    Sparing,
}

/// Progress of grading.
#[derive(Debug)]
pub enum GradeEvent<'a> {
    /// A wave begins.
    Wave {
        /// `build`, `static validation` or `trials`.
        what: &'static str,
        /// Jobs at most.
        jobs: usize,
        /// Number of facts known already.
        known: usize,
    },
    /// A build ended.
    Built {
        /// The submission.
        name: &'a str,
        /// Whether it was refused.
        refused: bool,
    },
    /// A trial ended.
    Tried {
        /// The submission.
        name: &'a str,
        /// Its verdict.
        verdict: Verdict,
    },
    /// This number of rows needs no more trials.
    Finished(usize),
    /// This number of jobs turned out to be unnecessary.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
    /// The standing of some rows changed.
    Standing(StandingCards<'a>),
}

/// All facts after the loop.
#[derive(Debug, Default)]
pub struct GradeFacts {
    /// By program of the plan.
    pub builds: Vec<Option<Build>>,
    /// By program of the plan: group to the result of the static validator.
    pub statics: Vec<BTreeMap<String, Trial>>,
    /// By program of the plan: case to trial.
    pub trials: Vec<BTreeMap<usize, Trial>>,
    /// How long witnesses took for times above the limit, including undecided ones.
    pub witness_times: Vec<WitnessTime>,
    /// Grades of the custom grader of a legacy package, or why there is none.
    pub grades: BTreeMap<GraderRun, Result<Grade, Fault>>,
    /// Cases that were tried without a verdict, by program and case. For equal cases, only the first is listed.
    pub open: BTreeMap<(usize, usize), Fault>,
    /// How slow the machine was while undecided cases ran.
    pub open_slowdowns: Vec<Slowdown>,
    /// Cases that a person decided because a run did not, by program and case.
    pub decided: BTreeMap<(usize, usize), CaseDecision>,
    /// Our other failures: the thing, and the fault.
    pub faults: Vec<(String, Fault)>,
    /// Outputs that count as wrong because a validator failed on them: the thing, and the fault.
    pub counted_wrong: Vec<(String, Fault)>,
    /// Number of facts that were known before.
    pub reused: usize,
    /// Trials among them.
    pub known_trials: usize,
    /// Number of jobs done now.
    pub done: usize,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

impl GradeFacts {
    /// Collects the faults of a wave of jobs, in the order of the jobs.
    fn note_faults(&mut self, results: &[Option<JobResult>], name_of: impl Fn(usize) -> String) {
        let failed = results.iter().enumerate().filter_map(|(at, result)| match result {
            Some(Err(fault)) => Some((name_of(at), fault.clone())),
            Some(Ok(_)) | None => None,
        });
        self.faults.extend(failed);
    }
}

/// Receives the progress; must be quick.
pub type OnGradeEvent<'a> = dyn FnMut(GradeEvent) + Send + 'a;

/// Folds the facts into a scorecard per row.
pub fn scorecards(grading: &GradeRequest, graded: &GradeFacts) -> Vec<Scorecard> {
    let card = |row| {
        let failures = RefCell::new(BTreeSet::new());
        let mut card = row_card(grading, graded, row, &|run| match graded.grades.get(run)? {
            Ok(grade) => Some(grade.clone()),
            Err(fault) => {
                // Other faults are ours and listed once for all rows.
                if fault.source == FaultSource::TrustedProgram {
                    failures.borrow_mut().insert(fault.to_string());
                }
                None
            }
        });
        card.judge_errors.extend(failures.into_inner());
        card
    };
    grading.plan.rows.iter().map(card).collect()
}

/// The grade of the custom grader, if known.
type Grader<'a> = dyn Fn(&GraderRun) -> Option<Grade> + 'a;

/// The scorecards of the rows with this program, or of all, as far as facts are known now.
fn standing_cards(
    grading: &GradeRequest,
    graded: &GradeFacts,
    program: Option<usize>,
) -> Vec<(usize, Scorecard)> {
    let rows = grading.plan.rows.iter().enumerate();
    let chosen = rows.filter(|(_, row)| program.is_none_or(|program| row.program == Ok(program)));
    chosen.map(|(number, row)| (number, row_card(grading, graded, row, &|_| None))).collect()
}

fn row_card(grading: &GradeRequest, graded: &GradeFacts, row: &Row, grader: &Grader) -> Scorecard {
    let (nothing, none) = (BTreeMap::new(), BTreeMap::new());
    match row.program {
        Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) => {
            score::refused_scorecard(&row.participant.name, &grading.rules, Verdict::NoProgram)
        }
        // Our own failures are never a verdict: without trials the points stay unknown.
        Err(
            Unplanned::Ours(_)
            | Unplanned::Undecided(_)
            | Unplanned::OtherVersion(_)
            | Unplanned::NoToolchain(_),
        ) => of_marks(grading, &row.participant.name, &nothing, &none, grader),
        Ok(program) => match &graded.builds[program] {
            Some(Build::Refused { .. }) => {
                score::refused_scorecard(&row.participant.name, &grading.rules, Verdict::CompileError)
            }
            Some(Build::Program { .. }) => {
                let (trials, statics) = (&graded.trials[program], &graded.statics[program]);
                of_marks(grading, &row.participant.name, trials, statics, grader)
            }
            None => of_marks(grading, &row.participant.name, &nothing, &none, grader),
        },
    }
}

fn of_marks(
    grading: &GradeRequest,
    name: &str,
    trials: &BTreeMap<usize, Trial>,
    statics: &BTreeMap<String, Trial>,
    grader: &Grader,
) -> Scorecard {
    let statics = statics.iter().map(|(group, trial)| (group.clone(), Mark::from(trial))).collect();
    let marks: Vec<Option<Mark>> =
        (0..grading.plan.cases.len()).map(|case| trials.get(&case).map(Mark::from)).collect();
    score::score(name, &grading.rules, &ScoringFacts { marks: &marks, statics: &statics, grader })
}

/// The built programs, as they run on the cases.
fn runnable_programs(plan: &Plan, graded: &GradeFacts) -> Vec<(usize, Arc<Program>)> {
    let runnable = |(index, build): (usize, &Option<Build>)| match build {
        Some(Build::Program { blob, entry, .. }) => {
            Some((index, Arc::new(plan.runnable(index, owner(plan, index), *blob, entry))))
        }
        Some(Build::Refused { .. }) | None => None,
    };
    graded.builds.iter().enumerate().filter_map(runnable).collect()
}

/// A name for a program: the first participant who submitted it.
fn owner(plan: &Plan, program: usize) -> &str {
    owners(plan, program).next().unwrap_or("nobody")
}

/// All participants who submitted a program.
fn owners(plan: &Plan, program: usize) -> impl Iterator<Item = &str> {
    let rows = plan.rows.iter().filter(move |row| row.program == Ok(program));
    rows.map(|row| row.participant.name.as_str())
}
