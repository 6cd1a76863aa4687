//! What came of verifying a package.

use super::{
    measures::{Margins, MemoryMargin, NumberRange, Strength},
    remarks::{Check, Level, Remark, Section},
};
use kopek_engine::{exec::NoProgram, package::Finding, worker::one_line};
use kopek_judge::generate::SlowestCase;
use serde::Serialize;
use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
};

/// What came of verifying a package.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verified {
    /// The package's base name.
    pub name: String,
    /// What was looked at and is well, with counts.
    pub checks: Vec<Check>,
    /// What is not well.
    pub remarks: Vec<Remark>,
    /// The room on both sides of the time limit.
    pub margins: Option<Margins>,
    /// The room below the memory limit.
    pub memory: Option<MemoryMargin>,
    /// The slowest run of each submission that must fit.
    #[serde(skip)]
    pub fitting: BTreeMap<String, SlowestCase>,
    /// The least and greatest number in every place of the inputs, by group.
    pub numbers: Vec<NumberRange>,
    /// Whether people see them, too.
    #[serde(skip)]
    pub shows_numbers: bool,
    /// Which case kills whom, if asked for.
    pub strength: Option<Strength>,
    /// Where we failed: not everything was verified.
    pub faults: Vec<String>,
    /// Files of pictures that the visualizers drew.
    #[serde(skip)]
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

impl Verified {
    /// Whether every claim holds.
    pub fn is_sound(&self) -> bool {
        self.remarks.iter().all(|remark| remark.level != Level::Error)
    }

    pub(super) fn check(&mut self, section: Section, what: impl Into<String>) {
        self.checks.push(Check { section, what: what.into() });
    }

    pub(super) fn add(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    pub(super) fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// A program of the package that cannot be asked; a remark where the package is to blame.
    pub(super) fn report_unbuilt(
        &mut self,
        program: &str,
        why: NoProgram,
        remark: impl FnOnce(String) -> Remark,
    ) {
        match why {
            NoProgram::Refused(why) => self.add(remark(why)),
            NoProgram::DoesNotCompile(message) => {
                self.add(remark(format!("does not compile: {}", one_line(&message))));
            }
            NoProgram::Fault(fault) => self.fault(format!("build {program}: {fault}")),
            // Is reported once, at the end of everything.
            NoProgram::Interrupted => {}
        }
    }

    /// One remark for what has one cause on many cases.
    pub(super) fn merge_remarks(&mut self) {
        let mut merged: Vec<Remark> = Vec::new();
        let mut known: HashMap<_, usize> = HashMap::new();
        for remark in std::mem::take(&mut self.remarks) {
            let key = remark.cause().map(|cause| (remark.section, remark.level, cause, remark.todo.clone()));
            match key.as_ref().and_then(|key| known.get(key)) {
                Some(&first) => merged[first].also.extend(remark.at),
                None => {
                    known.extend(key.map(|key| (key, merged.len())));
                    merged.push(remark);
                }
            }
        }
        self.remarks = merged;
    }

    /// What a reader found.
    pub(super) fn findings(&mut self, findings: Vec<Finding>) {
        self.remarks.extend(findings.into_iter().map(Remark::from));
    }
}
