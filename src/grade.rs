//! The loop: known facts first, then what is missing, in two waves.
//!
//! First all builds, then all trials of what was built, so that compilers do
//! not disturb the timing of trials. Handing out fewer jobs (a lost group, an
//! unmet requirement, Ctrl-C) happens in the waves' `next` and nowhere else.
//! Prints nothing and starts nothing.

mod builds;
mod prepare;
mod session;
mod shown;
mod statics;
mod trials;

pub use prepare::{Preparation, prepare, runnable};
pub use session::{Judged, Session, rules};
pub use shown::package_report;

use crate::{
    exec::Executor,
    plan::{Build, Plan, Row, Trial, Unplanned},
    sandbox::Fault,
    score::{self, Facts, Mark, Scorecard},
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
    /// All, but of a group in which a program was too slow twice the rest is left out.
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
    let card = |row: &Row| match row.program {
        Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) => {
            score::refused(&row.name, &grading.rules, Verdict::CompileError)
        }
        Err(Unplanned::Ours(_)) => of_marks(grading, &row.name, &BTreeMap::new(), &BTreeMap::new()),
        Ok(program) => match &graded.builds[program] {
            Some(Build::Refused { .. }) => score::refused(&row.name, &grading.rules, Verdict::CompileError),
            Some(Build::Program { .. }) => {
                of_marks(grading, &row.name, &graded.trials[program], &graded.statics[program])
            }
            None => of_marks(grading, &row.name, &BTreeMap::new(), &BTreeMap::new()),
        },
    };
    grading.plan.rows.iter().map(card).collect()
}

fn of_marks(
    grading: &Grading,
    name: &str,
    trials: &BTreeMap<usize, Trial>,
    statics: &BTreeMap<String, Trial>,
) -> Scorecard {
    let statics = statics.iter().map(|(group, trial)| (group.clone(), Mark::from(trial))).collect();
    let marks: Vec<Option<Mark>> =
        (0..grading.plan.cases.len()).map(|case| trials.get(&case).map(Mark::from)).collect();
    let facts = Facts { marks: &marks, statics: &statics, grader: &|_| None };
    score::score(name, &grading.rules, &facts)
}

/// A name for a program: of the first who handed it in.
fn owner(plan: &Plan, program: usize) -> &str {
    let mut owners = plan.rows.iter().filter(|row| row.program == Ok(program));
    owners.next().map_or("nobody", |row| &row.name)
}
