//! The result of verifying a package.

use super::{
    limit_survey::LimitSurvey,
    measures::{MemoryMargin, NumberRange, Strength},
    remarks::{FinishedCheck, Remark},
};
use kopek_package::package::{cause_of, merge_by_cause};
use serde::Serialize;
use std::path::PathBuf;

/// The result of verifying a package.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verified {
    /// Whether every claim holds.
    pub sound: bool,
    /// The package's base name.
    pub name: String,
    /// Finished checks, with counts.
    pub checks: Vec<FinishedCheck>,
    pub remarks: Vec<Remark>,
    /// The times of the submissions compared with the time limit.
    pub limits: Option<LimitSurvey>,
    /// The room below the memory limit.
    pub memory: Option<MemoryMargin>,
    /// The minimum and maximum number in every place of the inputs, by group.
    pub numbers: Vec<NumberRange>,
    /// The cases that each wrong submission fails, if requested.
    pub strength: Option<Strength>,
    /// Our own failures: the verification is incomplete.
    pub faults: Vec<String>,
    /// Files of pictures that the visualizers drew.
    #[serde(skip)]
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

impl Verified {
    /// Merges remarks with the same cause on many cases.
    pub fn merge_remarks(&mut self) {
        let cause = |remark: &Remark| Some((remark.section, cause_of(&remark.finding)?));
        let merge = |first: &mut Remark, other: Remark| first.also.extend(other.finding.place().cloned());
        self.remarks = merge_by_cause(std::mem::take(&mut self.remarks), cause, merge);
    }
}
