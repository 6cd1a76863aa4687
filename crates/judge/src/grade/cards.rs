//! Folds facts into scorecards.

use super::{facts::GradeFacts, request::GradeRequest};
use kopek_package::verdict::Verdict;
use kopek_plan::{
    plan::{Build, Row, Trial, Unplanned},
    score::{self, Grade, GraderRun, Mark, Scorecard, ScoringFacts},
};
use kopek_sandbox::FaultSource;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// Folds the facts into a scorecard per row.
pub fn scorecards(grading: &GradeRequest, graded: &GradeFacts) -> Vec<Scorecard> {
    let card = |row| {
        let failures = RefCell::new(BTreeSet::new());
        let mut card = row_card(grading, graded, row, &|run| match graded.grades.get(run)? {
            Ok(grade) => Some(grade.clone()),
            Err(fault) => {
                // Other faults are ours and listed once for all rows.
                if fault.source == FaultSource::TrustedProgram {
                    failures.borrow_mut().insert(fault.to_string());
                }
                None
            }
        });
        card.judge_errors.extend(failures.into_inner());
        card
    };
    grading.plan.rows.iter().map(card).collect()
}

/// The grade of the custom grader, if known.
type Grader<'a> = dyn Fn(&GraderRun) -> Option<Grade> + 'a;

pub(super) fn row_card(grading: &GradeRequest, graded: &GradeFacts, row: &Row, grader: &Grader) -> Scorecard {
    let nothing = BTreeMap::new();
    let none = BTreeMap::new();
    match row.program {
        Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) => {
            score::refused_scorecard(&row.participant.name, &grading.rules, Verdict::NoProgram)
        }
        // Our own failures are never a verdict: without trials the points stay unknown.
        Err(
            Unplanned::Ours(_)
            | Unplanned::Undecided(_)
            | Unplanned::OtherVersion(_)
            | Unplanned::NoToolchain(_),
        ) => of_marks(grading, &row.participant.name, &nothing, &none, grader),
        Ok(program) => match &graded.builds[program] {
            Some(Build::Refused { .. }) => {
                score::refused_scorecard(&row.participant.name, &grading.rules, Verdict::CompileError)
            }
            Some(Build::Program { .. }) => {
                let trials = &graded.trials[program];
                let statics = &graded.statics[program];
                of_marks(grading, &row.participant.name, trials, statics, grader)
            }
            None => of_marks(grading, &row.participant.name, &nothing, &none, grader),
        },
    }
}

fn of_marks(
    grading: &GradeRequest,
    name: &str,
    trials: &BTreeMap<usize, Trial>,
    statics: &BTreeMap<String, Trial>,
    grader: &Grader,
) -> Scorecard {
    let statics = statics.iter().map(|(group, trial)| (group.clone(), Mark::from(trial))).collect();
    let mark = |case| trials.get(&case).map(Mark::from);
    let marks: Vec<Option<Mark>> = (0..grading.plan.cases.len()).map(mark).collect();
    score::score(name, &grading.rules, &ScoringFacts { marks: &marks, statics: &statics, grader })
}
