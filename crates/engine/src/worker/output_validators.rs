//! Runs custom output validators in the sandbox; all must accept.

use super::{
    case_paths::{CasePaths, case_paths},
    job_worker::Worker,
    passes::{DirOnDemand, PassDirs},
};
use kopek_package::{
    check::{
        OutputCheck,
        program::{ValidatorCall, read_validator_reply},
    },
    verdict::Verdict,
};
use kopek_plan::plan::{CaseFiles, Checker, Program, Trial};
use kopek_sandbox::{Exec, Exit, Fault, Input, Keep};
use std::path::{Path, PathBuf};

/// The parts of a call that are equal for all validators of a pass.
pub(super) struct CheckCall<'a> {
    paths: CasePaths,
    /// The input of this pass.
    input: PathBuf,
    checker: &'a Checker,
    case: &'a CaseFiles,
    dirs: PassDirs<'a>,
}

impl<'a> CheckCall<'a> {
    pub(super) fn new(
        worker: &Worker,
        checker: &'a Checker,
        case: &'a CaseFiles,
        dirs: &PassDirs<'a>,
    ) -> Result<CheckCall<'a>, Fault> {
        let Checker::Programs { data, .. } = checker else {
            return Err(Fault::new("the package has no output validator to ask"));
        };
        let paths = case_paths(worker, case, data)?;
        // Only the first pass has the case's own input; the validator wrote those of later passes.
        let is_first_pass = worker.path_of(&case.input)? == dirs.input;
        let input = if is_first_pass { paths.input.clone() } else { dirs.input.to_owned() };
        Ok(CheckCall { paths, input, checker, case, dirs: *dirs })
    }

    /// The run of a validator, which leaves its feedback in `after`; `program` is its run without arguments.
    pub(super) fn exec(&self, program: Exec, output: Input, after: &Path) -> Result<Exec, Fault> {
        let validation = ValidatorCall {
            program,
            data: &self.paths.data,
            input: &self.input,
            answer: &self.paths.answer,
            output,
            args: &self.case.output_validator_args,
            feedback: self.dirs.before.path()?,
        };
        let mut exec = validation.exec()?;
        // Files that it removes must not come back in the next pass.
        exec.keep = Keep::Below(PathBuf::from("feedback"), after.to_owned());
        Ok(exec)
    }
}

/// Runs all validators. The first refusal decides; the score files of the last validator that writes any
/// count.
pub(super) fn check_by_programs(
    worker: &mut Worker,
    call: &CheckCall,
    output: impl Fn() -> Input,
) -> Result<OutputCheck, Fault> {
    let mut all: Option<OutputCheck> = None;
    for (index, program) in programs_of(call.checker).iter().enumerate() {
        // The others must not read the feedback of the first.
        let own = DirOnDemand::default();
        let after = if index == 0 { call.dirs.after.path()? } else { own.path()? };
        let exec = call.exec(worker.exec_of(program, &[])?, output(), after)?;
        let ran = worker.slots.judge.run(&exec)?;
        let checked = read_validator_reply(&ran, &exec.limits, after)?;
        check_may_score(&checked, call.checker, program)?;
        let accepted = checked.accepted;
        all = Some(match all {
            None => checked,
            Some(before) => join_replies(before, checked),
        });
        if !accepted {
            break;
        }
    }
    all.ok_or_else(|| Fault::new("the package has no output validator to ask"))
}

pub(super) fn programs_of(checker: &Checker) -> &[Program] {
    match checker {
        Checker::Default(_) => &[],
        Checker::Programs { programs, .. } => programs,
    }
}

/// Fails if the package does not declare that its validators write score files.
pub(super) fn check_may_score(
    checked: &OutputCheck,
    checker: &Checker,
    program: &Program,
) -> Result<(), Fault> {
    if checked.score.is_none() || matches!(checker, Checker::Programs { scores: true, .. }) {
        return Ok(());
    }
    let hint = "problem.yaml must say `type: scoring`, and in a legacy package `validation: custom score`";
    Err(Fault::of_trusted_program(format!("{} wrote a score file; {hint}", program.name)))
}

/// The only validator, which leads the conversation.
pub(super) fn only_validator(checker: &Checker) -> Result<&Program, Fault> {
    match programs_of(checker) {
        [program] => Ok(program),
        _ => Err(Fault::new("an interactive problem needs exactly one output validator")),
    }
}

/// The trial of a submission that did not run, or that ran only for its validator.
pub(super) fn trial_of_reply(checked: OutputCheck) -> Trial {
    let verdict = if checked.accepted { Verdict::Accepted } else { Verdict::WrongAnswer };
    Trial {
        score: checked.score,
        judge_message: checked.judge_message,
        team_message: checked.team_message,
        ..Trial::ended(verdict, Exit::Code(0))
    }
}

fn join_replies(before: OutputCheck, last: OutputCheck) -> OutputCheck {
    OutputCheck {
        accepted: before.accepted && last.accepted,
        score: last.score.or(before.score),
        difference: None,
        judge_message: before.judge_message + &last.judge_message,
        team_message: before.team_message + &last.team_message,
        next_pass: before.next_pass || last.next_pass,
    }
}
