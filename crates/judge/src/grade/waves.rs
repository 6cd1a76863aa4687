//! The waves in their order: builds, then static validations, then trials.

use super::{
    decided::{check_decided, check_decisions},
    facts::{GradeFacts, owner, runnable_programs},
    request::{GradeEvent, GradeRequest, OnGradeEvent},
    trials::trial_wave,
    witness::{EarlyWitness, early_witnesses},
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_plan::plan::{Build, Job, Outcome, SourceTask, Task};
use std::collections::BTreeMap;

/// Computes every fact that the scores need.
pub fn grade(grading: &GradeRequest, on_event: &mut OnGradeEvent) -> Result<GradeFacts> {
    check_decisions(grading)?;
    let mut graded = GradeFacts::default();
    // All builds end before the first trial: compilers would disturb the times of trials.
    let early = build_wave(grading, on_event, &mut graded)?;
    source_wave(grading, on_event, &mut graded)?;
    trial_wave(grading, early, on_event, &mut graded)?;
    graded.interrupted = grading.jobs.is_stopped();
    check_decided(grading, &graded)?;
    Ok(graded)
}

/// Builds every distinct program once, and witnesses in the languages of new programs.
fn build_wave(
    grading: &GradeRequest,
    on_event: &mut OnGradeEvent,
    graded: &mut GradeFacts,
) -> Result<Vec<EarlyWitness>> {
    let plan = grading.plan;
    let programs = plan.programs.len();
    let jobs = (0..programs).map(|program| plan.build_job(program)).collect();
    let mut recalled = grading.jobs.recall(jobs, KnownFacts::Use)?;
    let (is_known, (known, jobs)) = (recalled.are_known(), recalled.counts());
    graded.reused += known;
    on_event(GradeEvent::Wave { what: "build", jobs, known });
    let new = (0..programs).filter(|&program| !is_known[program]);
    let languages = new.map(|program| &*plan.programs[program].language.code).collect();
    let witnesses = early_witnesses(grading, languages);
    let jobs = witnesses.iter().map(|one| Job::new(Task::Build(one.build.clone()))).collect();
    recalled.append(grading.jobs.recall(jobs, KnownFacts::Use)?);
    let mut results = grading.jobs.run_rest(recalled, &mut |program, result| {
        match result {
            // Known facts arrive here, too, and were counted above.
            _ if program >= programs || is_known[program] => {}
            Ok(outcome) => {
                let refused = matches!(outcome, Outcome::Build(Build::Refused { .. }));
                on_event(GradeEvent::Built { name: owner(plan, program), refused });
                graded.done += 1;
            }
            Err(fault) => on_event(GradeEvent::Failed(fault)),
        }
        Ok(())
    })?;
    let of_witnesses = results.split_off(programs);
    graded.note_faults(&results, |program| format!("build of {}", owner(plan, program)));
    let build = |result| match result {
        Some(Ok(Outcome::Build(build))) => Some(build),
        _ => None,
    };
    graded.builds = results.into_iter().map(build).collect();
    let built = witnesses.into_iter().zip(of_witnesses.into_iter().map(build));
    // A build that failed by our fault is tried again when it is needed.
    Ok(built.filter_map(|(accepted, build)| Some(EarlyWitness { accepted, build: build? })).collect())
}

/// Runs the static validator on every program, for each group that requires it. It comes before the trials, so that a
/// group it fails is not run.
fn source_wave(grading: &GradeRequest, on_event: &mut OnGradeEvent, graded: &mut GradeFacts) -> Result<()> {
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
        on_event(GradeEvent::Wave { what: "static validation", jobs: left, known: reused });
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
                    on_event(GradeEvent::Tried { name, verdict: trial.verdict });
                    graded.done += 1;
                }
                graded.statics[program].insert(group.clone(), trial.clone());
            }
            Ok(other) => unreachable!("a static validation has the outcome of a trial, not {other:?}"),
            Err(fault) => on_event(GradeEvent::Failed(fault)),
        }
        Ok(())
    })?;
    graded.note_faults(&results, |at| {
        let (_, name, group) = named(at);
        format!("{name} in {group}")
    });
    Ok(())
}
