//! A run of a recipe over one package: the old state and the result.

use super::{
    Generated, GenerationMode,
    case_plan::{CasePlan, CaseRequest, PlannedCase},
    lock::LockedFiles,
    recipe::{FILE, Recipe, RecipeCase},
    record::{Record, RecordEntry},
};
use kopek_package::package::{Message, Package};
use kopek_plan::plan::{MakeTask, Program, Scrutiny};
use std::{path::PathBuf, sync::Arc};

/// A run over one package.
pub struct Run<'a> {
    /// The package of the test set.
    pub package: &'a Package,
    pub recipe: &'a Recipe,
    /// The plan of its cases.
    pub plan: &'a CasePlan,
    /// The mode of the run.
    pub how: GenerationMode,
    /// The name of the record.
    pub name: String,
    /// The record of the previous run.
    pub old: Record,
    /// The record of this run.
    pub new: Record,
    /// The digests in the lock, if there is one.
    pub locked: Option<LockedFiles>,
    pub done: Generated,
}

impl<'a> Run<'a> {
    /// The directory of its cases.
    pub fn data(&self) -> PathBuf {
        self.package.dir.join("data")
    }

    /// The rule that makes a case.
    pub(super) fn rule(&self, case: &PlannedCase) -> &'a RecipeCase {
        &self.recipe.makes[case.make]
    }

    /// The task that makes a case with these programs; `None` if one that it needs is missing.
    pub(super) fn task(
        &self,
        case: &PlannedCase,
        programs: &[Option<Arc<Program>>],
        scrutiny: Scrutiny,
    ) -> Option<MakeTask> {
        let request = CaseRequest { package: self.package, make: self.rule(case), case, programs };
        self.plan.make_task(&request, scrutiny)
    }

    /// Records that a case is in place.
    pub(super) fn accept(&mut self, path: &str, entry: RecordEntry) {
        self.done.bytes.0 += entry.bytes;
        for (ext, digest) in &entry.files {
            self.done.files.insert(format!("data/{path}.{ext}"), *digest);
        }
        self.new.cases.insert(path.to_owned(), entry);
    }

    /// Repeats the remarks from when the case was made.
    pub(super) fn report_remarks(&mut self, case: &PlannedCase) {
        let make = self.rule(case);
        let remarks = self.new.cases.get(&make.path).map(|entry| entry.remarks.clone()).unwrap_or_default();
        for remark in remarks {
            let finding = Message::warning(FILE, format!("{}: {remark}", make.path));
            self.done.findings.push(finding.line(make.line));
        }
    }
}
