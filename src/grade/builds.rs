//! The build wave: every distinct program is built once.

use super::{GradeEvent, GradeFacts, GradeRequest, OnGradeEvent, owner};
use crate::{
    exec::KnownFacts,
    plan::{Build, Outcome},
};
use anyhow::Result;

pub(super) fn build_wave(
    grading: &GradeRequest,
    tell: &mut OnGradeEvent,
    graded: &mut GradeFacts,
) -> Result<()> {
    let plan = grading.plan;
    let keys: Vec<_> = plan.programs.iter().map(|program| program.key()).collect();
    let known = grading.jobs.known_facts(&keys)?;
    graded.reused += known.iter().flatten().count();
    tell(GradeEvent::Wave { what: "build", jobs: keys.len() - graded.reused, known: graded.reused });
    let is_known: Vec<bool> = known.iter().map(Option::is_some).collect();
    let jobs = (0..plan.programs.len()).map(|program| plan.build_job(program)).collect();
    let results = grading.jobs.run_all(jobs, KnownFacts::Use, &mut |program, result| {
        match result {
            // Known facts come through here as well, and were counted above.
            _ if is_known[program] => {}
            Ok(outcome) => {
                let refused = matches!(outcome, Outcome::Build(Build::Refused { .. }));
                tell(GradeEvent::Built { name: owner(plan, program), refused });
                graded.done += 1;
            }
            Err(fault) => {
                tell(GradeEvent::Failed(fault));
                graded.faults.push((format!("build of {}", owner(plan, program)), fault.clone()));
            }
        }
        Ok(())
    })?;
    let build = |result| match result {
        Some(Ok(Outcome::Build(build))) => Some(build),
        _ => None,
    };
    graded.builds = results.into_iter().map(build).collect();
    Ok(())
}
