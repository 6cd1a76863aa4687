//! The loop: known facts first, then what is missing, in two waves.
//!
//! First all builds, then all trials of what was built, so that compilers do
//! not disturb the timing of trials. Handing out fewer jobs (a lost group, an
//! unmet requirement, Ctrl-C) happens in the waves' `next` and nowhere else.
//! Prints nothing and starts nothing.

mod builds;
mod graders;
mod pictures;
mod prepare;
mod session;
mod shown;
mod statics;
mod trials;

pub use pictures::{Album, Trouble, pictures, pictures_of_inputs, pictures_of_outputs};
pub use prepare::{Preparation, Timing, prepare, runnable};
pub use session::{Judged, Session, rules};
pub use shown::package_report;

use crate::{
    exec::Executor,
    plan::{Build, Plan, Row, Trial, Unplanned},
    sandbox::Fault,
    score::{self, Facts, Grade, GraderRun, Mark, Scorecard},
    store::Store,
    verdict::Verdict,
};
use anyhow::Result;
use std::{collections::BTreeMap, sync::atomic::AtomicBool};

/// What the loop works on.
pub struct Grading<'a> {
    /// How it is scored.
    pub rules: score::Rules<'a>,
    /// What is to be done.
    pub plan: &'a Plan,
    /// What is known.
    pub store: &'a Store,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// Set from outside to stop handing out jobs.
    pub stop: &'a AtomicBool,
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

/// What happens, for whoever shows progress.
#[derive(Debug)]
pub enum Event<'a> {
    /// A wave begins: so many jobs at most, so many facts were known already.
    Wave {
        /// `build` or `trials`.
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
    /// So many jobs turned out not to be needed.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
}

/// What is known after the loop.
#[derive(Debug, Default)]
pub struct Graded {
    /// By program of the plan.
    pub builds: Vec<Option<Build>>,
    /// By program of the plan: group to what the static validator said.
    pub statics: Vec<BTreeMap<String, Trial>>,
    /// By program of the plan: case to trial.
    pub trials: Vec<BTreeMap<usize, Trial>>,
    /// What the custom grader of a legacy package said; `None`: it failed.
    pub grades: BTreeMap<GraderRun, Option<Grade>>,
    /// What we failed at: the thing, and the fault.
    pub faults: Vec<(String, Fault)>,
    /// Facts that were known before.
    pub reused: usize,
    /// Jobs that were done now.
    pub done: usize,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// Sees what happens; must be quick.
pub type Tell<'a> = dyn FnMut(Event) + 'a;

/// Brings about every fact that the scores need.
pub fn grade(grading: &Grading, executor: &dyn Executor, tell: &mut Tell) -> Result<Graded> {
    let mut graded = Graded::default();
    builds::wave(grading, executor, tell, &mut graded)?;
    statics::wave(grading, executor, tell, &mut graded)?;
    trials::wave(grading, executor, tell, &mut graded)?;
    graded.interrupted = grading.stop.load(std::sync::atomic::Ordering::Relaxed);
    Ok(graded)
}

/// Folds what is known into a scorecard per row.
pub fn scorecards(grading: &Grading, graded: &Graded) -> Vec<Scorecard> {
    scorecards_with(grading, graded, &|run| graded.grades.get(run).cloned().flatten())
}

/// What the custom grader says, if it is known.
type Grader<'a> = dyn Fn(&GraderRun) -> Option<Grade> + 'a;

fn scorecards_with(grading: &Grading, graded: &Graded, grader: &Grader) -> Vec<Scorecard> {
    let (nothing, none) = (BTreeMap::new(), BTreeMap::new());
    let card = |row: &Row| match row.program {
        Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) => {
            score::refused(&row.name, &grading.rules, Verdict::CompileError)
        }
        Err(Unplanned::Ours(_)) => of_marks(grading, &row.name, (&nothing, &none), grader),
        Ok(program) => match &graded.builds[program] {
            Some(Build::Refused { .. }) => score::refused(&row.name, &grading.rules, Verdict::CompileError),
            Some(Build::Program { .. }) => {
                let known = (&graded.trials[program], &graded.statics[program]);
                of_marks(grading, &row.name, known, grader)
            }
            None => of_marks(grading, &row.name, (&nothing, &none), grader),
        },
    };
    grading.plan.rows.iter().map(card).collect()
}

fn of_marks(
    grading: &Grading,
    name: &str,
    (trials, statics): (&BTreeMap<usize, Trial>, &BTreeMap<String, Trial>),
    grader: &Grader,
) -> Scorecard {
    let statics = statics.iter().map(|(group, trial)| (group.clone(), Mark::from(trial))).collect();
    let marks: Vec<Option<Mark>> =
        (0..grading.plan.cases.len()).map(|case| trials.get(&case).map(Mark::from)).collect();
    score::score(name, &grading.rules, &Facts { marks: &marks, statics: &statics, grader })
}

/// A name for a program: of the first who handed it in.
fn owner(plan: &Plan, program: usize) -> &str {
    let mut owners = plan.rows.iter().filter(|row| row.program == Ok(program));
    owners.next().map_or("nobody", |row| &row.name)
}
