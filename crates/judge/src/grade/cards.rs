//! Folds facts into scorecards.

use super::facts::GradeFacts;
use kopek_package::verdict::Verdict;
use kopek_plan::{
    plan::{Build, Plan, Row, Trial, Unplanned},
    score::{self, Grade, GraderRun, Mark, Scorecard, ScoringFacts, ScoringRules},
};
use kopek_sandbox::FaultSource;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// Folds the facts into a scorecard per row.
pub fn scorecards(rules: &ScoringRules, plan: &Plan, graded: &GradeFacts) -> Vec<Scorecard> {
    let card = |row| {
        let failures = RefCell::new(BTreeSet::new());
        let mut card = row_card(rules, graded, row, &|run| match graded.grades.get(run)? {
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
    plan.rows.iter().map(card).collect()
}

/// The grade of the custom grader, if known.
type Grader<'a> = dyn Fn(&GraderRun) -> Option<Grade> + 'a;

pub(super) fn row_card(rules: &ScoringRules, graded: &GradeFacts, row: &Row, grader: &Grader) -> Scorecard {
    let nothing = BTreeMap::new();
    let none = BTreeMap::new();
    match row.program {
        Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) => {
            score::refused_scorecard(&row.participant.name, rules, Verdict::NoProgram)
        }
        // Our own failures are never a verdict: without trials the points stay unknown.
        Err(
            Unplanned::Ours(_)
            | Unplanned::Undecided(_)
            | Unplanned::OtherVersion(_)
            | Unplanned::NoToolchain(_),
        ) => of_marks(rules, &row.participant.name, &nothing, &none, grader),
        Ok(program) => match &graded.builds[program] {
            Some(Build::Refused { .. }) => {
                score::refused_scorecard(&row.participant.name, rules, Verdict::CompileError)
            }
            Some(Build::Program { .. }) => {
                let trials = &graded.trials[program];
                let statics = &graded.statics[program];
                of_marks(rules, &row.participant.name, trials, statics, grader)
            }
            None => of_marks(rules, &row.participant.name, &nothing, &none, grader),
        },
    }
}

fn of_marks(
    rules: &ScoringRules,
    name: &str,
    trials: &BTreeMap<usize, Trial>,
    statics: &BTreeMap<String, Trial>,
    grader: &Grader,
) -> Scorecard {
    let statics = statics.iter().map(|(group, trial)| (group.clone(), Mark::from(trial))).collect();
    let mark = |case| trials.get(&case).map(Mark::from);
    let marks: Vec<Option<Mark>> = (0..rules.tests.cases.len()).map(mark).collect();
    score::score(name, rules, &ScoringFacts { marks: &marks, statics: &statics, grader })
}
