//! Custom output validators: each in the sandbox, all must accept.

use super::passes::{Round, directory};
use crate::{
    check::{
        Checked,
        program::{Validation, output_of, verdict},
    },
    plan::{Checker, Ready, TrialTask},
    sandbox::{Captured, Exec, Fault, Input, Keep, Slot},
};
use std::path::PathBuf;

/// Asks every validator. The first that refuses decides; score files of the last that writes one count.
pub fn by_programs(
    judge: &mut Slot,
    task: &TrialTask,
    round: &Round,
    output: &Captured,
    (programs, scores): (&[Ready], bool),
) -> Result<Checked, Fault> {
    let mut all: Option<Checked> = None;
    for (index, program) in programs.iter().enumerate() {
        // Further ones must not read what the first left.
        let own = directory()?;
        let after = if index == 0 { round.after } else { own.path() };
        let checked = ask(judge, task, &Round { after, ..*round }, output, program)?;
        may_score(&checked, scores, program)?;
        let accepted = checked.accepted;
        all = Some(match all {
            None => checked,
            Some(before) => joined(before, checked),
        });
        if !accepted {
            break;
        }
    }
    all.ok_or_else(|| Fault::new("the package has no output validator to ask"))
}

/// Legacy packages must say that their validators write score files.
pub fn may_score(checked: &Checked, scores: bool, program: &Ready) -> Result<(), Fault> {
    if checked.score.is_none() || scores {
        return Ok(());
    }
    let hint = "the package must say `validation: custom score`";
    Err(Fault::new(format!("{} wrote a score file; {hint}", program.name)))
}

/// The validator that a conversation is led with, and whether it may write score files.
pub fn only(checker: &Checker) -> Result<(&Ready, bool), Fault> {
    match checker {
        Checker::Programs { programs, scores } if programs.len() == 1 => Ok((&programs[0], *scores)),
        Checker::Programs { .. } | Checker::Default(_) => {
            Err(Fault::new("an interactive problem needs exactly one output validator"))
        }
    }
}

/// The run of a validator in a pass.
pub fn validation(task: &TrialTask, program: &Ready, round: &Round, output: Input) -> Result<Exec, Fault> {
    let validation = Validation {
        program: program.exec.clone(),
        data: &task.setting.data,
        input: round.input,
        answer: &task.case.answer,
        output,
        args: &task.case.output_validator_args,
        feedback: round.before,
    };
    let mut exec = validation.exec()?;
    // What it removes must not come back in the next pass.
    exec.keep = Keep::Below(PathBuf::from("feedback"), round.after.to_owned());
    Ok(exec)
}

fn ask(
    judge: &mut Slot,
    task: &TrialTask,
    round: &Round,
    output: &Captured,
    program: &Ready,
) -> Result<Checked, Fault> {
    let ran = judge.run(&validation(task, program, round, output_of(output))?)?;
    verdict(&ran, round.after)
}

fn joined(before: Checked, last: Checked) -> Checked {
    Checked {
        accepted: before.accepted && last.accepted,
        score: last.score.or(before.score),
        difference: None,
        judge_message: before.judge_message + &last.judge_message,
        team_message: before.team_message + &last.team_message,
        next_pass: before.next_pass || last.next_pass,
    }
}
