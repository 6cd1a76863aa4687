//! After the trials: the custom grader of a legacy package, from the groups below
//! to those above, until no scorecard wants another grade.

use super::{Graded, Grading, scorecards_with};
use crate::{
    sandbox::Fault,
    score::{Grade, GraderRun},
};
use std::{cell::RefCell, collections::BTreeSet, sync::atomic::Ordering};

/// Asks for all grades that can be asked for.
pub(super) fn ask(
    grading: &Grading,
    graded: &mut Graded,
    grade: &mut dyn FnMut(&GraderRun) -> Result<Grade, Fault>,
) {
    loop {
        let wanted = wanted(grading, graded);
        if wanted.is_empty() || grading.stop.load(Ordering::Relaxed) {
            return;
        }
        for run in wanted {
            let answer = grade(&run);
            if let Err(fault) = &answer {
                graded.faults.push(("grading".to_owned(), fault.clone()));
            }
            graded.grades.insert(run, answer.ok());
        }
    }
}

/// What the scorecards ask that was not answered. A group above asks only once those below have grades.
fn wanted(grading: &Grading, graded: &Graded) -> BTreeSet<GraderRun> {
    let wanted = RefCell::new(BTreeSet::new());
    scorecards_with(grading, graded, &|run| match graded.grades.get(run) {
        Some(known) => known.clone(),
        None => {
            wanted.borrow_mut().insert(run.clone());
            None
        }
    });
    wanted.into_inner()
}
