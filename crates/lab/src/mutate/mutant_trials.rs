//! Mutants on the test set: in each group the case with the most kills goes first, and the first kill ends the group.

use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_hunt::{BatchResult, Until, count_unknown, try_trials};
use kopek_plan::plan::{Plan, ProbeFailure, Program, TrialTask};
use std::{cmp::Reverse, sync::Arc, time::Instant};

/// Mutants that are tried at once: the next ones profit from their kills.
const ROUND: usize = 16;

/// A mutant in a group.
pub(super) struct GroupTrials {
    program: Arc<Program>,
    /// Cases that have not been tried yet.
    left: Vec<usize>,
    /// The case that kills it.
    pub killer: Option<usize>,
    /// Whether a case could not be tried.
    has_fault: bool,
}

impl GroupTrials {
    pub fn new(program: &Arc<Program>, cases: &[usize]) -> GroupTrials {
        GroupTrials { program: program.clone(), left: cases.to_vec(), killer: None, has_fault: false }
    }

    /// Whether every case was tried and none kills.
    pub fn is_survived(&self) -> bool {
        self.killer.is_none() && self.left.is_empty() && !self.has_fault
    }

    fn is_open(&self) -> bool {
        self.killer.is_none() && !self.left.is_empty()
    }

    /// The next case; those that killed other mutants go first.
    fn take_case(&mut self, kills: &[usize]) -> Option<usize> {
        let best = (0..self.left.len()).max_by_key(|&at| (kills[self.left[at]], Reverse(at)))?;
        Some(self.left.remove(best))
    }

    /// Notes the result of a case; returns why it decides nothing.
    fn note(&mut self, case: usize, result: BatchResult) -> Option<String> {
        let tried = match result {
            BatchResult::Tried(tried) => tried,
            BatchResult::Failed(fault) => return Some(fault.to_string()),
            BatchResult::NotTried => return None,
        };
        if tried.hits.iter().any(|hit| matches!(hit.failure, ProbeFailure::Verdict(_))) {
            self.killer = Some(case);
            return None;
        }
        let undecided = tried.undecided.into_iter().map(|why| format!("undecided: {why}"));
        tried.hits.into_iter().map(|hit| hit.message).chain(undecided).next()
    }
}

/// All trials of some mutants.
#[derive(Default)]
pub(super) struct MutantTrials {
    /// By mutant, then by group.
    pub groups: Vec<GroupTrials>,
    pub faults: Vec<String>,
    /// New runs.
    pub trials: usize,
}

impl MutantTrials {
    /// Tries all mutants within the time.
    pub fn run(
        plan: &Plan,
        engine: &Engine,
        groups: Vec<GroupTrials>,
        until: Instant,
    ) -> Result<MutantTrials> {
        let mut all = MutantTrials { groups, ..MutantTrials::default() };
        let mut kills = vec![0; plan.cases.len()];
        while !engine.is_stopped() && engine.machine.clock.now() < until {
            let open: Vec<usize> =
                (0..all.groups.len()).filter(|&at| all.groups[at].is_open()).take(ROUND).collect();
            let mut tasks: Vec<TrialTask> = Vec::new();
            let mut cases = Vec::new();
            for &at in &open {
                let group = &mut all.groups[at];
                let Some(case) = group.take_case(&kills) else { continue };
                tasks.push(plan.trial(&group.program, case));
                cases.push(case);
            }
            if tasks.is_empty() {
                break;
            }
            all.trials += count_unknown(engine, &tasks)?;
            let results =
                try_trials(engine, tasks, Until { deadline: Some(until), interrupt: true, ..Until::END })?;
            for ((&at, case), result) in open.iter().zip(cases).zip(results) {
                let group = &mut all.groups[at];
                // Time was up.
                group.has_fault |= matches!(result, BatchResult::NotTried);
                if let Some(why) = group.note(case, result) {
                    group.has_fault = true;
                    all.faults.push(format!("{}: {why}", plan.cases[case].name));
                }
                kills[case] += usize::from(group.killer == Some(case));
            }
        }
        Ok(all)
    }
}
