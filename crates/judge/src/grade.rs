//! A cohort on a test set: known facts first, then what is missing, in waves.
//!
//! [`prepare()`] builds the validators and plans. [`grade()`] builds all submissions,
//! then checks their sources, then tries them, so that compilers do not disturb the
//! timing of trials. A custom grader is asked last. Only the trials' `next` leaves
//! out cases (a lost group, an unmet requirement); only the engine stops at Ctrl-C.
//! Prints nothing and starts nothing.

mod again;
mod builds;
mod choice;
mod decided;
mod exclusion;
mod faults;
mod graders;
mod judged_cohort;
mod noise;
mod own_names;
mod package_report;
mod pictures;
mod prepare;
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
use kopek_sandbox::Fault;
use std::{collections::BTreeMap, sync::Arc};

/// What the loop works on.
pub struct GradeRequest<'a> {
    /// How it is scored.
    pub rules: score::ScoringRules<'a>,
    /// What is to be done.
    pub plan: &'a Plan,
    /// Who has the jobs done.
    pub jobs: JobRunner<'a>,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// What becomes of an output that a validator fails on.
    pub failed_validator: FailedValidator,
    /// How times above a limit are decided.
    pub time_rule: TimeRule<'a>,
    /// Tells how long a run is under way.
    pub clock: Clock,
}

/// How a run above the time limit becomes a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimePolicy {
    /// It is compared with reference runs, and stays undecided where they do not settle it.
    #[default]
    Witness,
    /// One run decides, as other judges do it.
    Single,
}

impl TimePolicy {
    /// What every report says of it, unless it is the usual one.
    pub fn remark(self) -> Option<&'static str> {
        match self {
            TimePolicy::Witness => None,
            TimePolicy::Single => Some("time limits were decided by one run (--timing single)"),
        }
    }
}

/// What becomes of an output that a validator fails on instead of judging it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailedValidator {
    /// It is not judged: a fault, since the output may have been right.
    #[default]
    Undecided,
    /// It counts as wrong, for whoever knows that no right program makes the validator fail.
    WrongAnswer,
}

/// The scorecards of the rows that changed, by their number in the plan, if somebody asks.
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

/// How many of the cases are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Those that can still change the score.
    Needed,
    /// All.
    All,
    /// All, the largest of a group first; where a program was too slow or too large, the rest of the
    /// group is left out.
    Sparing,
}

/// What happens, for showing progress.
#[derive(Debug)]
pub enum GradeEvent<'a> {
    /// A wave begins: so many jobs at most, so many facts were known already.
    Wave {
        /// `build`, `static validation` or `trials`.
        what: &'static str,
        /// Jobs at most.
        jobs: usize,
        /// Facts known already.
        known: usize,
    },
    /// A build ended.
    Built {
        /// Whose.
        name: &'a str,
        /// Whether it was refused.
        refused: bool,
    },
    /// A trial ended.
    Tried {
        /// Whose.
        name: &'a str,
        /// In what.
        verdict: Verdict,
    },
    /// So many rows have nothing more to be tried.
    Finished(usize),
    /// So many jobs turned out not to be needed.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
    /// Some rows stand otherwise than before.
    Standing(StandingCards<'a>),
}

/// What is known after the loop.
#[derive(Debug, Default)]
pub struct GradeFacts {
    /// By program of the plan.
    pub builds: Vec<Option<Build>>,
    /// By program of the plan: group to what the static validator said.
    pub statics: Vec<BTreeMap<String, Trial>>,
    /// By program of the plan: case to trial.
    pub trials: Vec<BTreeMap<usize, Trial>>,
    /// How long witnesses took for times above the limit, also where these were not decided.
    pub witness_times: Vec<WitnessTime>,
    /// What the custom grader of a legacy package said; `None`: it failed.
    pub grades: BTreeMap<GraderRun, Option<Grade>>,
    /// Cases that were tried without a verdict, by program and case. Of equal cases the first.
    pub open: BTreeMap<(usize, usize), Fault>,
    /// How slow the machine was while undecided cases ran.
    pub open_slowdowns: Vec<Slowdown>,
    /// Cases that a person decided because a run did not, by program and case.
    pub decided: BTreeMap<(usize, usize), CaseDecision>,
    /// What else we failed at: the thing, and the fault.
    pub faults: Vec<(String, Fault)>,
    /// Outputs that count as wrong because a validator failed on them: the thing, and the fault.
    pub counted_wrong: Vec<(String, Fault)>,
    /// Facts that were known before.
    pub reused: usize,
    /// Trials among them.
    pub known_trials: usize,
    /// Jobs that were done now.
    pub done: usize,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

impl GradeFacts {
    /// Takes in what failed of a wave of jobs: in their order, not as it came.
    fn note_faults(&mut self, results: &[Option<JobResult>], name_of: impl Fn(usize) -> String) {
        let failed = results.iter().enumerate().filter_map(|(at, result)| match result {
            Some(Err(fault)) => Some((name_of(at), fault.clone())),
            Some(Ok(_)) | None => None,
        });
        self.faults.extend(failed);
    }
}

/// Sees what happens; must be quick.
pub type OnGradeEvent<'a> = dyn FnMut(GradeEvent) + Send + 'a;

/// Folds what is known into a scorecard per row.
pub fn scorecards(grading: &GradeRequest, graded: &GradeFacts) -> Vec<Scorecard> {
    scorecards_with(grading, graded, &|run| graded.grades.get(run).cloned().flatten())
}

/// What the custom grader says, if it is known.
type Grader<'a> = dyn Fn(&GraderRun) -> Option<Grade> + 'a;

fn scorecards_with(grading: &GradeRequest, graded: &GradeFacts, grader: &Grader) -> Vec<Scorecard> {
    grading.plan.rows.iter().map(|row| row_card(grading, graded, row, grader)).collect()
}

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
        // Our fault is never a verdict: without trials the points stay unknown.
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

/// The programs that were built, as they are run on the cases.
fn runnable_programs(plan: &Plan, graded: &GradeFacts) -> Vec<(usize, Arc<Program>)> {
    let runnable = |(index, build): (usize, &Option<Build>)| match build {
        Some(Build::Program { blob, entry, .. }) => {
            Some((index, Arc::new(plan.runnable(index, owner(plan, index), *blob, entry))))
        }
        Some(Build::Refused { .. }) | None => None,
    };
    graded.builds.iter().enumerate().filter_map(runnable).collect()
}

/// A name for a program: of the first who handed it in.
fn owner(plan: &Plan, program: usize) -> &str {
    owners(plan, program).next().unwrap_or("nobody")
}

/// All who handed a program in.
fn owners(plan: &Plan, program: usize) -> impl Iterator<Item = &str> {
    let rows = plan.rows.iter().filter(move |row| row.program == Ok(program));
    rows.map(|row| row.participant.name.as_str())
}
