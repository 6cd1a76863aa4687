//! Repeats the trials of a row, to check whether equal input has equal outcomes.

use super::{
    facts::JudgedCohort,
    request::{GradeEvent, OnGradeEvent},
    session::GradeSession,
};
use anyhow::Result;
use kopek_engine::exec::KnownFacts;
use kopek_package::{
    package::{Package, TestSet},
    verdict::Verdict,
};
use kopek_plan::plan::{Job, Outcome, Task, Trial};

/// A case on which a program behaves differently from run to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangingCase {
    pub case: String,
    /// The verdict of each run, the first one first.
    pub verdicts: Vec<Verdict>,
}

impl GradeSession<'_> {
    /// Runs every case on which a row was tried `times` more times. Reports differences between the runs; the first
    /// run that was not accepted counts, since a contest runs each case once.
    pub fn judge_again(
        &self,
        package: &Package,
        tests: &TestSet,
        judged: &mut JudgedCohort,
        row: usize,
        times: u32,
        on_event: &mut OnGradeEvent,
    ) -> Result<Vec<ChangingCase>> {
        let Some((index, program)) = judged.runnable_program(row) else { return Ok(vec![]) };
        // A case decided by a person has no run to repeat.
        let is_run = |case: usize| !judged.graded.decided.contains_key(&(index, case));
        let mut first_twins: Vec<usize> = judged.graded.trials[index].keys().copied().collect();
        first_twins.retain(|&case| is_run(case) && judged.plan.twins(case)[0] == case);
        let mut runs: Vec<Vec<Trial>> = vec![Vec::new(); first_twins.len()];
        on_event(GradeEvent::Wave { what: "again", jobs: first_twins.len() * times as usize, known: 0 });
        let name = judged.plan.rows[row].participant.name.clone();
        for _ in 0..times {
            let job = |&case: &usize| Job::new(Task::Trial(judged.plan.trial(&program, case)));
            let jobs = first_twins.iter().map(job).collect();
            let results = self.engine.run_all(jobs, KnownFacts::Ignore, &mut |at, result| {
                match result {
                    Ok(Outcome::Trial(trial)) => {
                        on_event(GradeEvent::Tried { name: &name, verdict: trial.verdict });
                        judged.graded.done += 1;
                        runs[at].push(trial.clone());
                    }
                    Ok(other) => unreachable!("a trial job has a trial outcome, not {other:?}"),
                    Err(fault) => on_event(GradeEvent::Failed(fault)),
                }
                Ok(())
            })?;
            let case = |at: usize| &judged.plan.cases[first_twins[at]].name;
            judged.graded.note_faults(&results, |at| format!("{name} on {}", case(at)));
        }
        let mut changing = Vec::new();
        for (&case, runs) in first_twins.iter().zip(runs) {
            let before = judged.graded.trials[index][&case].clone();
            // A run within the limit counts; one above it has no witness here and is inconclusive.
            let tells =
                |run: &Trial| run.verdict != Verdict::TimeLimit || before.verdict == Verdict::TimeLimit;
            let runs: Vec<Trial> = runs.into_iter().filter(tells).collect();
            changing.extend(changing_case(&judged.plan.cases[case].name, &before, &runs));
            let counts = runs.iter().find(|trial| trial.verdict != Verdict::Accepted).or(runs.last());
            for &twin in counts.iter().flat_map(|_| judged.plan.twins(case)) {
                judged.graded.trials[index].extend(counts.map(|trial| (twin, trial.clone())));
            }
        }
        judged.graded.interrupted |= self.engine.is_stopped();
        self.score_again(package, tests, judged);
        Ok(changing)
    }
}

/// Times differ between runs, and so may wrong outputs; the verdict and the first difference must not.
fn changing_case(name: &str, before: &Trial, runs: &[Trial]) -> Option<ChangingCase> {
    let same = |trial: &Trial| {
        (trial.verdict, &trial.score, &trial.difference)
            == (before.verdict, &before.score, &before.difference)
    };
    if runs.iter().all(same) {
        return None;
    }
    let all = std::iter::once(before).chain(runs);
    Some(ChangingCase { case: name.to_owned(), verdicts: all.map(|trial| trial.verdict).collect() })
}
