//! A cohort after judging: the plan, the facts and the scorecard of each row.

use super::facts::GradeFacts;
use kopek_engine::{
    machine::{Machine, UnevenMachines},
    plan::Plan,
    score::Scorecard,
};

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
    /// The machines of this session on which witnesses take longer than on others.
    pub fn uneven_machines(&self, machine: &Machine) -> Vec<UnevenMachines> {
        machine.least_times.uneven_machines(&machine.store, &self.graded.witness_times)
    }
}
