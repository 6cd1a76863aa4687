//! After the trials: runs the custom grader of a legacy package, from inner groups to outer ones, until no scorecard
//! needs another grade.

use super::{
    cards::row_card,
    facts::GradeFacts,
    prepare::{Grader, build_grader},
    request::GradeRequest,
};
use anyhow::Result;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_package::package::Package;
use kopek_plan::{
    plan::{GradeTask, Job, Outcome, Task},
    score::{GraderRun, read_grade},
};
use kopek_sandbox::{Fault, FaultSource};
use std::{cell::RefCell, collections::BTreeSet};

/// Computes all possible grades. The grader is built when the first group needs it.
pub(super) fn ask_grader(
    engine: &Engine,
    package: &Package,
    grading: &GradeRequest,
    graded: &mut GradeFacts,
) -> Result<()> {
    let mut wanted = missing_grades(grading, graded);
    if wanted.is_empty() || engine.is_stopped() {
        return Ok(());
    }
    let grader = build_grader(engine, package)?;
    while !wanted.is_empty() && !engine.is_stopped() {
        let runs: Vec<GraderRun> = wanted.into_iter().collect();
        let results = match &grader {
            Grader::Ready(grader) => {
                let job = |run: &GraderRun| {
                    let GraderRun { group, flags, input } = run.clone();
                    Job::new(Task::Grade(GradeTask { grader: grader.clone(), group, flags, input }))
                };
                let jobs = runs.iter().map(job).collect();
                engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?
            }
            Grader::Missing(fault) => vec![Some(Err(fault.clone())); runs.len()],
        };
        for (run, result) in runs.into_iter().zip(results) {
            let grade = match result {
                Some(Ok(Outcome::Grade(answer))) => read_grade(&answer).map_err(Fault::new),
                Some(Ok(other)) => unreachable!("a grader has a grade, not {other:?}"),
                Some(Err(fault)) => Err(fault),
                // Interrupted: no entry, so that a later run tries again.
                None => continue,
            };
            // A grader that fails is a judge error of the rows that need this grade.
            if let Err(fault) = &grade
                && fault.source != FaultSource::TrustedProgram
            {
                graded.faults.push(("grading".to_owned(), fault.clone()));
            }
            // A failure gets an entry, too: without it, the loop would request this grade endlessly.
            graded.grades.insert(run, grade);
        }
        wanted = missing_grades(grading, graded);
    }
    Ok(())
}

/// The grades that scorecards still need. An outer group needs its grade only after the inner ones have theirs.
fn missing_grades(grading: &GradeRequest, graded: &GradeFacts) -> BTreeSet<GraderRun> {
    let wanted = RefCell::new(BTreeSet::new());
    let known = |run: &GraderRun| match graded.grades.get(run) {
        Some(known) => known.clone().ok(),
        None => {
            wanted.borrow_mut().insert(run.clone());
            None
        }
    };
    for row in &grading.plan.rows {
        row_card(&grading.rules, graded, row, &known);
    }
    wanted.into_inner()
}
