//! The limits of a hunt, its progress and its result.

use super::counter_example::CounterExample;
use kopek_engine::exec::JobResult;
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{Outcome, ProbeResult, Program, UnusedInput};
use kopek_sandbox::FaultSource;
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
    /// The first counterexample of each subject, and of each kind of failure of the package.
    pub found: Vec<CounterExample>,
    /// How much was tried.
    pub counts: HuntCounts,
    /// Why inputs were not valid, once for each generator.
    pub complaints: BTreeMap<String, UnusedInput>,
    /// Why a run is undecided, if one is.
    pub doubt: Option<String>,
    /// Jobs that failed by our fault.
    pub faults: Vec<String>,
}

/// How much was tried.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
pub struct HuntCounts {
    /// Inputs that the validators accept.
    pub valid: u64,
    /// Inputs that they refuse.
    pub refused: u64,
    /// Calls of generators that failed.
    pub failed_calls: u64,
    /// Inputs that occurred earlier in their batch.
    #[serde(skip)]
    pub repeated: u64,
    pub trials: u64,
    /// Undecided runs of submissions, because the machine was too busy.
    pub undecided: u64,
    pub rounds: u64,
}

/// After this many failed calls, and none that made an input, the generators are broken or their numbers are. That
/// is three rounds: numbers of all sizes were tried, for 2 s with a generator in Python.
const HOPELESS_CALLS: u64 = 256;

impl HuntCounts {
    pub(super) fn add(&mut self, result: &ProbeResult) {
        self.valid += u64::from(result.valid);
        self.refused += u64::from(result.refused);
        self.failed_calls += u64::from(result.failed_calls);
        self.repeated += u64::from(result.repeated);
        self.trials += u64::from(result.trials);
        self.undecided += result.undecided.len() as u64;
    }

    /// Whether generators only fail.
    pub(super) fn is_hopeless(&self) -> bool {
        self.failed_calls >= HOPELESS_CALLS && self.valid == 0 && self.refused == 0
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

/// Milliseconds of CPU time of a short run: of a native program, and of an interpreter or a virtual machine.
const FAST_START: u64 = 5;
const SLOW_START: u64 = 40;

pub(super) fn usual_milliseconds(program: &Program) -> u64 {
    if program.entry.is_empty() { FAST_START } else { SLOW_START }
}

#[derive(Debug)]
pub enum HuntStep<'a> {
    Round(&'a HuntCounts),
    /// A counterexample of this subject was found.
    Found(&'a str),
    /// An input was shrunk.
    Shrinking {
        name: &'a str,
        bytes: usize,
    },
}

/// Receives the progress; must be quick.
pub type OnHuntStep<'a> = dyn FnMut(HuntStep) + 'a;

/// Whether the result of a job shows a mistake.
pub(super) fn shows_mistake(result: &JobResult) -> bool {
    match result {
        Ok(Outcome::Probe(batch)) => !batch.hits.is_empty(),
        Ok(Outcome::Trial(trial)) => trial.verdict != Verdict::Accepted,
        Ok(_) => false,
        Err(fault) => fault.source == FaultSource::TrustedProgram,
    }
}
