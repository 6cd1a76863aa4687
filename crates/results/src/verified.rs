//! The result of verifying a package.

use super::{
    measures::{Margins, MemoryMargin, NumberRange, Strength},
    remarks::{Check, Remark, Section},
};
use kopek_package::package::{Message, cause_of, merge_by_cause};
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
    pub checks: Vec<Check>,
    pub remarks: Vec<Remark>,
    /// The room on both sides of the time limit.
    pub margins: Option<Margins>,
    /// The room below the memory limit.
    pub memory: Option<MemoryMargin>,
    /// The minimum and maximum number in every place of the inputs, by group.
    pub numbers: Vec<NumberRange>,
    /// Whether people see the numbers, too.
    #[serde(skip)]
    pub shows_numbers: bool,
    /// The cases that each wrong submission fails, if requested.
    pub strength: Option<Strength>,
    /// Our own failures: the verification is incomplete.
    pub faults: Vec<String>,
    /// Files of pictures that the visualizers drew.
    #[serde(skip)]
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

impl Verified {
    pub fn check(&mut self, section: Section, what: impl Into<String>) {
        self.checks.push(Check { section, what: what.into() });
    }

    pub fn add(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    pub fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// Merges remarks with the same cause on many cases.
    pub fn merge_remarks(&mut self) {
        let cause = |remark: &Remark| Some((remark.section, cause_of(&remark.finding)?));
        let merge = |first: &mut Remark, other: Remark| first.also.extend(other.finding.place().cloned());
        self.remarks = merge_by_cause(std::mem::take(&mut self.remarks), cause, merge);
    }

    /// Adds the findings of a reader.
    pub fn findings(&mut self, findings: Vec<Message>) {
        for finding in findings {
            let section = match finding.place() {
                Some(place) => Section::of_file(&place.file),
                None => Section::Package,
            };
            self.add(Remark { section, finding, also: vec![] });
        }
    }
}
