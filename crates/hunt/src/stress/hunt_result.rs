//! The limits of a hunt, its progress and its result.

use crate::bench::{BatchResult, usual_milliseconds};
use kopek_plan::plan::{ProbeResult, Program, UnusedInput};
use kopek_results::{Found, HuntCounts};
use std::{collections::BTreeMap, time::Duration};

/// The limits and the seed of a hunt.
#[derive(Debug, Clone, Copy)]
pub struct HuntLimits {
    /// Another seed tries other inputs.
    pub seed: u64,
    pub time: Duration,
    /// The condition to end earlier.
    pub until: HuntUntil,
}

/// The goal of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HuntUntil {
    First,
    /// Until every subject has a counterexample.
    All,
}

/// The result of a hunt.
#[derive(Debug, Clone, Default)]
pub struct HuntResult {
    /// The first input of each subject, and of each kind of failure of the package.
    pub found: Vec<Found>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// Why inputs were not valid, once for each generator.
    pub complaints: BTreeMap<String, UnusedInput>,
    /// Why a run is undecided, if one is.
    pub doubt: Option<String>,
    /// Jobs that failed by our fault.
    pub faults: Vec<String>,
}

impl HuntResult {
    /// Adds the counts of a batch, and returns its result; `None`: it was not tried, or a run failed by our fault.
    pub(super) fn add(&mut self, what: &str, result: BatchResult) -> Option<ProbeResult> {
        match result {
            BatchResult::Tried(tried) => {
                self.counts.add(&tried);
                self.doubt = self.doubt.take().or(tried.undecided.first().cloned());
                Some(tried)
            }
            BatchResult::Failed(fault) => {
                self.faults.push(format!("try {what}: {fault}"));
                None
            }
            BatchResult::NotTried => None,
        }
    }
}

/// CPU time for the inputs of a subject, by what a run usually takes: measured times would differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct HuntBudget {
    pub time: Duration,
    /// A subject's share of the run of the slowest input validator, in milliseconds.
    pub validator: u64,
}

impl HuntBudget {
    /// How many inputs a program can be tried on.
    pub(super) fn inputs(self, program: &Program) -> u64 {
        (self.time.as_millis() as u64 / (usual_milliseconds(program) + self.validator)).max(1)
    }

    pub(super) fn is_spent(self, counts: &HuntCounts, program: &Program) -> bool {
        // A subject does not run on these, but the validators do.
        let unused = counts.refused + counts.failed_calls + counts.repeated;
        counts.valid + unused / 8 >= self.inputs(program)
    }
}

#[derive(Debug)]
pub enum HuntStep<'a> {
    /// The search begins, for this number of programs.
    Begins(usize),
    Round(&'a HuntCounts),
    /// A counterexample of this subject was found.
    Found(&'a str),
    /// An input of this size was tried, to make it smaller or slower.
    Tried {
        name: &'a str,
        bytes: usize,
    },
}

/// Receives the progress; must be quick.
pub type OnHuntStep<'a> = dyn FnMut(HuntStep) + 'a;
