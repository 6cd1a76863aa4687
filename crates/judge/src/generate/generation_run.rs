//! A run of a recipe over one package: what was there before, and what came of it.

use super::{
    Generated, GenerationMode,
    case_plan::{CasePlan, CaseRequest, PlannedCase},
    lock::LockedFiles,
    recipe::{FILE, Recipe, RecipeCase},
    record::{Record, RecordEntry},
};
use kopek_engine::{
    package::{Finding, Package},
    plan::{MakeTask, Program, Scrutiny},
};
use std::{path::PathBuf, sync::Arc};

/// A run over one package.
pub struct Run<'a> {
    /// Whose test set.
    pub package: &'a Package,
    /// What it says.
    pub recipe: &'a Recipe,
    /// What is to be done.
    pub plan: &'a CasePlan,
    /// What is made.
    pub how: GenerationMode,
    /// Of the record.
    pub name: String,
    /// What was made before.
    pub old: Record,
    /// What stands now.
    pub new: Record,
    /// What the lock says, if there is one.
    pub locked: Option<LockedFiles>,
    /// What came of it.
    pub done: Generated,
}

impl<'a> Run<'a> {
    /// Where its cases stand.
    pub fn data(&self) -> PathBuf {
        self.package.dir.join("data")
    }

    /// The rule that makes a case.
    pub(super) fn rule(&self, case: &PlannedCase) -> &'a RecipeCase {
        &self.recipe.makes[case.make]
    }

    /// The task that makes a case with these programs; `None`: one that it needs is missing.
    pub(super) fn task(
        &self,
        case: &PlannedCase,
        programs: &[Option<Arc<Program>>],
        scrutiny: Scrutiny,
    ) -> Option<MakeTask> {
        let request = CaseRequest { package: self.package, make: self.rule(case), case, programs };
        self.plan.make_task(&request, scrutiny)
    }

    /// A case is there.
    pub(super) fn accept(&mut self, path: &str, entry: RecordEntry) {
        self.done.bytes.0 += entry.bytes;
        for (ext, digest) in &entry.files {
            self.done.files.insert(format!("data/{path}.{ext}"), *digest);
        }
        self.new.cases.insert(path.to_owned(), entry);
    }

    /// Repeats what the making of a case remarked.
    pub(super) fn report_remarks(&mut self, case: &PlannedCase) {
        let make = self.rule(case);
        let remarks = self.new.cases.get(&make.path).map(|entry| entry.remarks.clone()).unwrap_or_default();
        for remark in remarks {
            let finding = Finding::warning(FILE, format!("{}: {remark}", make.path));
            self.done.findings.push(finding.at(make.line));
        }
    }
}
