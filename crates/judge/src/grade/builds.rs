//! The build wave: builds every distinct program once.

use super::{
    facts::{GradeFacts, owner},
    progress::{GradeEvent, OnGradeEvent},
    request::GradeRequest,
};
use anyhow::Result;
use kopek_engine::{
    exec::KnownFacts,
    plan::{Build, Outcome},
};

pub(super) fn build_wave(
    grading: &GradeRequest,
    tell: &mut OnGradeEvent,
    graded: &mut GradeFacts,
) -> Result<()> {
    let plan = grading.plan;
    let jobs = (0..plan.programs.len()).map(|program| plan.build_job(program)).collect();
    let recalled = grading.jobs.recall(jobs, KnownFacts::Use)?;
    let (is_known, (known, jobs)) = (recalled.are_known(), recalled.counts());
    graded.reused += known;
    tell(GradeEvent::Wave { what: "build", jobs, known });
    let results = grading.jobs.run_rest(recalled, &mut |program, result| {
        match result {
            // Known facts arrive here, too, and were counted above.
            _ if is_known[program] => {}
            Ok(outcome) => {
                let refused = matches!(outcome, Outcome::Build(Build::Refused { .. }));
                tell(GradeEvent::Built { name: owner(plan, program), refused });
                graded.done += 1;
            }
            Err(fault) => tell(GradeEvent::Failed(fault)),
        }
        Ok(())
    })?;
    graded.note_faults(&results, |program| format!("build of {}", owner(plan, program)));
    let build = |result| match result {
        Some(Ok(Outcome::Build(build))) => Some(build),
        _ => None,
    };
    graded.builds = results.into_iter().map(build).collect();
    Ok(())
}
