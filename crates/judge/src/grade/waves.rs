//! The waves in their order.

use super::{
    builds::build_wave,
    decided::{check_decided, check_decisions},
    facts::GradeFacts,
    progress::OnGradeEvent,
    request::GradeRequest,
    sources::source_wave,
    trials::trial_wave,
};
use anyhow::Result;

/// Computes every fact that the scores need.
pub fn grade(grading: &GradeRequest, tell: &mut OnGradeEvent) -> Result<GradeFacts> {
    check_decisions(grading)?;
    let mut graded = GradeFacts::default();
    // All builds end before the first trial: compilers would disturb the times of trials.
    build_wave(grading, tell, &mut graded)?;
    source_wave(grading, tell, &mut graded)?;
    trial_wave(grading, tell, &mut graded)?;
    graded.interrupted = grading.jobs.is_stopped();
    check_decided(grading, &graded)?;
    Ok(graded)
}
