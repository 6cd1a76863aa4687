//! What is to be done: jobs and their keys. Pure.
//!
//! A [`Plan`] holds every distinct program once, however many participants
//! handed it in, and one [`Row`] for each of them. Wave one builds the
//! programs, wave two tries them on the cases. Keys are made here and only here.

mod outcome;
mod task;

pub use outcome::{Build, Outcome, Said, Trial};
pub use task::{
    BuildTask, Checker, Course, Job, Key, Ready, Setting, StaticCase, StaticTask, Task, TrialTask,
};

use crate::{
    base::{Digest, Fields},
    package::Case,
};
use std::{collections::HashMap, sync::Arc};

/// Everything that is to be done for a cohort on a test set.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Distinct programs.
    pub programs: Vec<Arc<BuildTask>>,
    /// One per submission, in the cohort's order.
    pub rows: Vec<Row>,
    /// The cases, in judging order.
    pub cases: Vec<Arc<Case>>,
    /// What is the same for all trials.
    pub setting: Arc<Setting>,
    /// The parts of the trials' keys, made once: there may be millions of trials.
    case_digests: Vec<Digest>,
    setting_digest: Digest,
    /// By case: all cases that have the same key, itself included.
    twins: Vec<Arc<[usize]>>,
}

/// A submission's place in the plan.
#[derive(Debug, Clone)]
pub struct Row {
    /// Whose it is.
    pub name: String,
    /// Which program it is, or why it is none.
    pub program: Result<usize, Unplanned>,
}

/// Why a submission gets no jobs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unplanned {
    /// The hand-in's own fault: empty, too large, of several languages, …
    #[error("{0}")]
    Refused(String),
    /// In no language of the table: a hand-in's own fault, but an example submission may be meant
    /// for another judge.
    #[error("{0}")]
    Foreign(String),
    /// Ours: a missing toolchain, an unreadable file. Never a verdict.
    #[error("{0}")]
    Ours(String),
}

/// A submission made ready for planning.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Whose it is.
    pub name: String,
    /// How to build it, or why it cannot be planned.
    pub task: Result<BuildTask, Unplanned>,
}

/// Makes the plan: equal programs become one.
pub fn plan(candidates: Vec<Candidate>, cases: &[Case], setting: Setting) -> Plan {
    let mut programs: Vec<Arc<BuildTask>> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut index = |task: BuildTask| {
        *known.entry(task.key()).or_insert_with(|| {
            programs.push(Arc::new(task));
            programs.len() - 1
        })
    };
    let rows =
        candidates.into_iter().map(|c| Row { name: c.name, program: c.task.map(&mut index) }).collect();
    let case_digests: Vec<Digest> = cases.iter().map(task::case_digest).collect();
    let setting_digest = setting.digest();
    let twins = twins(&case_digests);
    let cases = cases.iter().cloned().map(Arc::new).collect();
    Plan { programs, rows, cases, setting: Arc::new(setting), case_digests, setting_digest, twins }
}

fn twins(digests: &[Digest]) -> Vec<Arc<[usize]>> {
    let mut equal: HashMap<Digest, Vec<usize>> = HashMap::new();
    for (case, digest) in digests.iter().enumerate() {
        equal.entry(*digest).or_default().push(case);
    }
    let shared: HashMap<Digest, Arc<[usize]>> =
        equal.into_iter().map(|(d, cases)| (d, cases.into())).collect();
    digests.iter().map(|digest| shared[digest].clone()).collect()
}

impl Plan {
    /// The key of a program's trial on a case.
    pub fn trial_key(&self, program: usize, case: usize) -> Key {
        Fields::new("trial 1")
            .with("build", self.programs[program].key().as_bytes())
            .with("setting", self.setting_digest.as_bytes())
            .with("case", self.case_digests[case].as_bytes())
            .digest()
    }

    /// The key of a program's static validation.
    pub fn static_key(&self, program: usize, case: usize) -> Key {
        let case = self.setting.statics[case].digest(&self.setting.isolation);
        Fields::new("static 1")
            .with("build", self.programs[program].key().as_bytes())
            .with("case", case.as_bytes())
            .digest()
    }

    /// All cases that have the same key as this one, itself included, in judging order.
    pub fn twins(&self, case: usize) -> &[usize] {
        &self.twins[case]
    }

    /// The job that builds a program.
    pub fn build_job(&self, program: usize) -> Job {
        let task = self.programs[program].clone();
        Job { key: task.key(), task: Task::Build(task) }
    }
}
