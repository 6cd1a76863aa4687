//! Where the test set differs from the lock, and whether a generator that is not deterministic is the cause.

use super::{
    case_plan::{CasePlace, PlannedCase},
    generation_run::Run,
    lock,
    stale_cases::{build_programs, finish},
};
use anyhow::Result;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_plan::plan::{CaseResult, Job, Outcome, Scrutiny, Task};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many cases of each generator are repeated.
const DOUBTED_CASES: usize = 2;

/// Compares the files with the lock, unless the test set is incomplete.
pub(super) fn compare(run: &mut Run) {
    run.done.findings.sort_by(|a, b| (&a.about, a.level).cmp(&(&b.about, b.level)));
    run.done.locked = run.locked.is_some();
    if let Some(locked) = &run.locked
        && run.done.is_sound()
    {
        run.done.drift = lock::compare(locked, &run.done.files);
    }
}

/// Repeats the generators of cases that differ from the lock. If one writes other bytes each time, it is the cause,
/// and its difference from the lock does not matter.
pub(super) fn doubt_drifted(run: &mut Run, engine: &Engine) -> Result<()> {
    let drifted = drifted_cases(run);
    if drifted.is_empty() {
        return Ok(());
    }
    let programs = build_programs(run, engine, &drifted, &mut |_| ())?;
    let task = |case: &&PlannedCase| run.task(case, &programs, Scrutiny::Doubt);
    // A program that cannot be built was reported already; nothing is repeated then.
    let Some(tasks) = drifted.iter().map(task).collect::<Option<Vec<_>>>() else { return Ok(()) };
    let jobs = tasks.into_iter().map(|task| Job::new(Task::MakeCase(Arc::new(task)))).collect();
    let results = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
    for (case, result) in drifted.into_iter().zip(results) {
        if let Some(result @ Ok(Outcome::Case(CaseResult::Refused { .. }))) = result {
            finish(run, engine, case, &result)?;
            run.done.drift.clear();
        }
    }
    Ok(())
}

/// Some cases of each generator whose bytes differ from the lock.
fn drifted_cases<'a>(run: &Run<'a>) -> Vec<&'a PlannedCase> {
    let other = run.done.drift.iter().filter(|drift| drift.locked.is_some() && drift.made.is_some());
    let other: BTreeSet<&str> = other.map(|drift| drift.file.as_str()).collect();
    let has_drifted = |case: &&PlannedCase| {
        let path = |place: &CasePlace| format!("data/{}.in", place.path);
        case.places.iter().any(|place| other.contains(path(place).as_str()))
    };
    let mut doubted: BTreeMap<usize, usize> = BTreeMap::new();
    let mut is_wanted = |case: &&PlannedCase| {
        let known = case.generator.map(|generator| doubted.entry(generator).or_default());
        known.is_some_and(|known| {
            *known += 1;
            *known <= DOUBTED_CASES
        })
    };
    run.plan.cases.iter().filter(has_drifted).filter(|case| is_wanted(case)).collect()
}
