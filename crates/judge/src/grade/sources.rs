//! The source wave, between builds and trials: runs the static validator on every program, for each group that
//! requires it. It comes before the trials, so that a group it fails is not run.

use super::{
    facts::{GradeFacts, owner, runnable_programs},
    progress::{GradeEvent, OnGradeEvent},
    request::GradeRequest,
};
use anyhow::Result;
use kopek_engine::{
    exec::KnownFacts,
    plan::{Job, Outcome, SourceTask, Task},
};
use std::collections::BTreeMap;

pub(super) fn source_wave(
    grading: &GradeRequest,
    tell: &mut OnGradeEvent,
    graded: &mut GradeFacts,
) -> Result<()> {
    let plan = grading.plan;
    graded.statics = vec![BTreeMap::new(); plan.programs.len()];
    let mut jobs = Vec::new();
    // Indices of program and case.
    let mut places = Vec::new();
    for (index, program) in runnable_programs(plan, graded) {
        for (case_index, case) in plan.source_cases.iter().enumerate() {
            let program = program.clone();
            let case = case.clone();
            jobs.push(Job::new(Task::CheckSource(SourceTask { program, case })));
            places.push((index, case_index));
        }
    }
    if jobs.is_empty() {
        return Ok(());
    }
    let jobs = grading.jobs.recall(jobs, KnownFacts::Use)?;
    let (known, (reused, left)) = (jobs.are_known(), jobs.counts());
    graded.reused += reused;
    // Without work there is no wave to show.
    if left > 0 {
        tell(GradeEvent::Wave { what: "static validation", jobs: left, known: reused });
    }
    let named = |at: usize| {
        let (program, case): (usize, usize) = places[at];
        (program, owner(plan, program), &plan.source_cases[case].group)
    };
    let results = grading.jobs.run_rest(jobs, &mut |at, result| {
        let (program, name, group) = named(at);
        match result {
            Ok(Outcome::Trial(trial)) => {
                if !known[at] {
                    tell(GradeEvent::Tried { name, verdict: trial.verdict });
                    graded.done += 1;
                }
                graded.statics[program].insert(group.clone(), trial.clone());
            }
            Ok(other) => unreachable!("a static validation has the outcome of a trial, not {other:?}"),
            Err(fault) => tell(GradeEvent::Failed(fault)),
        }
        Ok(())
    })?;
    graded.note_faults(&results, |at| {
        let (_, name, group) = named(at);
        format!("{name} in {group}")
    });
    Ok(())
}
