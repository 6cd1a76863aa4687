//! Submissions that need a module which this machine lacks.

use super::facts::JudgedCohort;
use anyhow::Result;
use kopek_engine::store::Store;
use kopek_package::language::{FileBytes, MissingToolchain, ProgramEnd, SourceFile, missing_module};
use kopek_plan::plan::{BuildTask, Trial, Unplanned};
use std::collections::BTreeMap;

/// The programs that ended because of such a module, and the module.
pub(super) fn missing_modules(
    store: &Store,
    judged: &JudgedCohort,
    standard_library: &[String],
) -> Result<BTreeMap<usize, MissingToolchain>> {
    let mut all = BTreeMap::new();
    for (index, trials) in judged.graded.trials.iter().enumerate() {
        let task = &judged.plan.programs[index];
        if standard_library.contains(&task.language.code) {
            continue;
        }
        let is_suspicious = |trial: &&Trial| task.language.lacks_module(trial.stderr.as_bytes());
        let failed: Vec<&Trial> = trials.values().filter(is_suspicious).collect();
        if let Some(missing) = missing_in(store, task, &failed)? {
            all.insert(index, missing);
        }
    }
    Ok(all)
}

impl JudgedCohort {
    /// Leaves the rows of these programs open: whether they are right is not known here.
    pub(super) fn leave_open(&mut self, missing: &BTreeMap<usize, MissingToolchain>) {
        for row in &mut self.plan.rows {
            if let Ok(program) = row.program
                && let Some(module) = missing.get(&program)
            {
                row.program = Err(Unplanned::NoToolchain(module.clone()));
            }
        }
    }
}

fn missing_in(store: &Store, task: &BuildTask, failed: &[&Trial]) -> Result<Option<MissingToolchain>> {
    if failed.is_empty() {
        return Ok(None);
    }
    let mut files = FileBytes::new();
    for file in &task.files {
        files.insert(file.path.clone(), SourceFile::new(&store.read(&file.digest)?));
    }
    let missing = |trial: &&Trial| {
        missing_module(&task.language, ProgramEnd { exit: trial.exit, stderr: &trial.stderr }, &files)
    };
    Ok(failed.iter().find_map(missing))
}
