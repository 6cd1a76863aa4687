//! The output of a submission: judging keeps no outputs, so a submission is run again for them.

use super::judged_cohort::JudgedCohort;
use anyhow::{Context, Result, bail};
use kopek_engine::{
    exec::{Engine, KnownFacts},
    plan::{DrawTask, Job, Outcome, Task},
};

/// The whole output of a row on each of these cases, as far as it was tried on them; `None` if it has no output to
/// keep, as in an interactive run.
pub fn keep_outputs(
    engine: &Engine,
    judged: &JudgedCohort,
    row: usize,
    cases: &[usize],
) -> Result<Vec<(usize, Option<Vec<u8>>)>> {
    let Some((index, program)) = judged.runnable_program(row) else { return Ok(vec![]) };
    let tried: Vec<usize> =
        cases.iter().copied().filter(|case| judged.graded.trials[index].contains_key(case)).collect();
    let task = |&case: &usize| Task::Draw(DrawTask::Files { trial: judged.plan.trial(&program, case) });
    let jobs = tried.iter().map(task).map(Job::new).collect();
    let mut kept = Vec::new();
    for (case, result) in tried.into_iter().zip(engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?) {
        let name = &judged.plan.cases[case].name;
        let drawing = match result {
            Some(Ok(Outcome::Drawing(drawing))) => drawing,
            Some(Ok(other)) => unreachable!("drawing has the outcome of drawing, not {other:?}"),
            Some(Err(fault)) => bail!("keep the output on {name}: {fault}"),
            None => continue,
        };
        // With several passes, the last one sorts last.
        let bytes = match drawing.pictures.last_key_value() {
            Some((_, digest)) => {
                Some(engine.store().bytes(digest)?.context("an output vanished from the store; run again")?)
            }
            None => None,
        };
        kept.push((case, bytes));
    }
    Ok(kept)
}
