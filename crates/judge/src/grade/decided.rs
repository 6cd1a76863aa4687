//! Cases that a person decides. A decision counts only where a run of this session had no verdict. It applies to the
//! program: equal hand-ins have equal verdicts.

use super::{
    facts::{GradeFacts, owner},
    request::GradeRequest,
};
use anyhow::{Result, bail};
use kopek_base::wording::{limit_text, shortened};
use kopek_package::{
    package::{CaseDecision, RowPlace, is_sample, nearest_word},
    verdict::Verdict,
};
use kopek_plan::{
    plan::{Build, Plan, Row, Trial},
    score::{self, Mark, ScoringFacts},
};
use kopek_sandbox::Exit;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// The decision for a program on a case, or on an equal one; else the one on all its cases.
pub(super) fn decision_on(plan: &Plan, program: usize, case: usize) -> Option<&CaseDecision> {
    let rows = plan.rows.iter().filter(|row| row.program == Ok(program));
    let names = || plan.twins(case).iter().map(|&twin| &plan.cases[twin].name);
    let is_on = |decision: &&CaseDecision| names().any(|name| *name == decision.case);
    let all = rows.flat_map(|row| &row.participant.hand_in.decisions);
    all.clone().find(is_on).or_else(|| all.clone().find(|decision| decision.is_on_all()))
}

/// The trial for a decision. It is not a fact, so the store does not keep it.
pub(super) fn decided_trial(decision: &CaseDecision) -> Trial {
    Trial::ended(decision.verdict, Exit::Code(0))
}

/// Fails if a decision is on an unknown case, contradicts another one, or leaves points open. Called before anything
/// runs.
pub(super) fn check_decisions(grading: &GradeRequest) -> Result<()> {
    let plan = grading.plan;
    let mut known: BTreeMap<(usize, usize), (&str, &CaseDecision)> = BTreeMap::new();
    for (row, decision) in all_decisions(plan) {
        let mut first_twin = usize::MAX;
        if !decision.is_on_all() {
            let case = find_case(plan, decision)?;
            check_points(grading, case, decision)?;
            first_twin = plan.twins(case)[0];
        }
        let Ok(program) = row.program else { continue };
        let name = row.participant.name.as_str();
        let before = known.insert((program, first_twin), (name, decision));
        if let Some((other, before)) = before.filter(|(_, before)| before.verdict != decision.verdict) {
            bail!(
                "{}: {name} has the same program as {other}, whose {} counts as {} ({}); give both the \
                    same verdict",
                decision.place,
                before.case,
                before.verdict,
                before.place
            );
        }
    }
    Ok(())
}

/// Fails if a decision was on a case that is not open.
pub(super) fn check_decided(grading: &GradeRequest, graded: &GradeFacts) -> Result<()> {
    let plan = grading.plan;
    let mut by_line: BTreeMap<&RowPlace, Vec<(&Row, &CaseDecision)>> = BTreeMap::new();
    if !graded.interrupted {
        for (row, decision) in all_decisions(plan) {
            by_line.entry(&decision.place).or_default().push((row, decision));
        }
    }
    for rows in by_line.into_values() {
        let ends = rows.iter().map(|(row, decision)| decision_end(plan, graded, row, decision));
        let ends: Vec<DecisionEnd> = ends.collect::<Result<_>>()?;
        let (row, decision) = rows[0];
        let counted: BTreeSet<usize> = ends.iter().filter_map(|end| end.program()).collect();
        if counted.len() > 1 {
            bail!(
                "{}: {} is open in several attempts of {}; judge one with `--attempts latest` or \
                    `--attempts first`",
                decision.place,
                decision.case,
                row.participant.name
            );
        }
        let why = ends.iter().map(DecisionEnd::objection).collect::<Option<Vec<String>>>();
        if let Some(why) = why {
            bail!(
                "{}: {} of {} is not open: {}; remove the row. {}",
                decision.place,
                decision.case,
                row.participant.name,
                why[0],
                open_cases(plan, graded)
            );
        }
    }
    for (&(_, case), decision) in &graded.decided {
        check_points(grading, case, decision)?;
    }
    check_scores(grading, graded)
}

fn all_decisions(plan: &Plan) -> impl Iterator<Item = (&Row, &CaseDecision)> {
    plan.rows.iter().flat_map(|row| row.participant.hand_in.decisions.iter().map(move |one| (row, one)))
}

fn find_case(plan: &Plan, decision: &CaseDecision) -> Result<usize> {
    let name = &decision.case;
    let found = plan.cases.iter().position(|case| case.name == *name);
    let Some(found) = found else {
        let names: Vec<&str> = plan.cases.iter().map(|case| case.name.as_str()).collect();
        let nearest = nearest_word(name, &names).map(|near| format!("; did you mean `{near}`?"));
        bail!("{}: no case `{name}` counts{}", decision.place, nearest.unwrap_or_default())
    };
    Ok(found)
}

/// The points of an accepted case must be known without its output.
fn check_points(grading: &GradeRequest, case: usize, decision: &CaseDecision) -> Result<()> {
    let mut marks = vec![None; grading.plan.cases.len()];
    marks[case] = Some(Mark::from(&decided_trial(decision)));
    let facts = ScoringFacts { marks: &marks, statics: &BTreeMap::new(), grader: &|_| None };
    match score::score("", &grading.rules, &facts).judge_errors.first() {
        Some(_) => Err(unknown_points(decision)),
        None => Ok(()),
    }
}

/// A validator that gave its own points for one case may have done so for another.
fn check_scores(grading: &GradeRequest, graded: &GradeFacts) -> Result<()> {
    let scored = || graded.trials.iter().flat_map(BTreeMap::values).any(|trial| trial.score.is_some());
    let is_open = |one: &&CaseDecision| one.verdict == Verdict::Accepted && !is_sample(&one.case);
    match graded.decided.values().find(is_open) {
        Some(decision) if grading.rules.scoring && scored() => Err(unknown_points(decision)),
        Some(_) | None => Ok(()),
    }
}

fn unknown_points(decision: &CaseDecision) -> anyhow::Error {
    anyhow::anyhow!(
        "{}: {} cannot count as accepted, because the output validator scores each output; run it again \
            later, or decide another verdict",
        decision.place,
        decision.case
    )
}

/// The effect of a decision on one row.
enum DecisionEnd<'g> {
    /// It counts, for this program.
    Counts(usize),
    /// The case was not run, because it cannot change the score.
    NotNeeded,
    /// All cases were run, or were not needed.
    NoneOpen,
    /// A run had a verdict.
    Measured(&'g Trial, Duration),
    /// There is no program to run.
    NoProgram(String),
}

impl DecisionEnd<'_> {
    fn program(&self) -> Option<usize> {
        match self {
            DecisionEnd::Counts(program) => Some(*program),
            DecisionEnd::NotNeeded
            | DecisionEnd::NoneOpen
            | DecisionEnd::Measured(..)
            | DecisionEnd::NoProgram(_) => None,
        }
    }

    /// The reason why it must not count, if any.
    fn objection(&self) -> Option<String> {
        match self {
            DecisionEnd::Counts(_) | DecisionEnd::NotNeeded => None,
            DecisionEnd::NoneOpen => Some("every case has a verdict".to_owned()),
            DecisionEnd::Measured(trial, limit) => Some(format!(
                "a run came to `{}` in {:.2} s of {}",
                trial.verdict,
                trial.usage.cpu.as_secs_f64(),
                limit_text(*limit)
            )),
            DecisionEnd::NoProgram(why) => Some(format!("no program was run ({why})")),
        }
    }
}

fn decision_end<'g>(
    plan: &Plan,
    graded: &'g GradeFacts,
    row: &Row,
    decision: &CaseDecision,
) -> Result<DecisionEnd<'g>> {
    let program = match &row.program {
        Ok(program) => *program,
        Err(why) => return Ok(DecisionEnd::NoProgram(why.to_string())),
    };
    if decision.is_on_all() {
        let mut own = graded.decided.iter().filter(|((of, _), _)| *of == program);
        let counts = own.any(|(_, one)| one.place == decision.place);
        return Ok(if counts { DecisionEnd::Counts(program) } else { DecisionEnd::NoneOpen });
    }
    let case = find_case(plan, decision)?;
    if graded.decided.contains_key(&(program, case)) {
        return Ok(DecisionEnd::Counts(program));
    }
    Ok(match (graded.trials[program].get(&case), &graded.builds[program]) {
        (Some(trial), _) => DecisionEnd::Measured(trial, plan.setting.limits.cpu),
        (None, Some(Build::Program { .. })) => DecisionEnd::NotNeeded,
        (None, Some(Build::Refused { .. })) => DecisionEnd::NoProgram("it does not compile".to_owned()),
        (None, None) => DecisionEnd::NoProgram("its build failed".to_owned()),
    })
}

fn open_cases(plan: &Plan, graded: &GradeFacts) -> String {
    let name =
        |&(program, case): &(usize, usize)| format!("{} on {}", owner(plan, program), plan.cases[case].name);
    let open: Vec<String> = graded.open.keys().map(name).collect();
    if open.is_empty() {
        return "No case is open".to_owned();
    }
    format!("Open cases: {}", shortened(&open, 8, ", "))
}
