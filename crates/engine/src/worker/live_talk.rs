//! A conversation in which a person takes a side, or which a person reads.
//!
//! Built programs run here outside of jobs: a person's answers have no key, so the result cannot be a fact.

use super::{
    conversation::TalkRecord,
    job_worker::{JobSlots, Worker},
    output_validators::{CheckCall, check_may_score, only_validator, trial_of_reply},
    passes::{JudgedInPass, Pass, run_passes},
    run_trial::run_trial,
    submission_run::{judge_exit, judge_time, submission_exec},
};
use crate::machine::Machine;
use kopek_package::{check::program::read_validator_reply, verdict::Verdict};
use kopek_plan::plan::{CaseFiles, Setting, Trial, TrialTask};
use kopek_sandbox::{EndedTalk, Exec, Fault, Input, Person, TalkEnd};
use std::time::Duration;

/// The wall-time limit of a conversation with a person.
const MAX_TALK: Duration = Duration::from_secs(12 * 3600);

/// Runs a submission with a person as its judge, and returns how it ended.
pub fn talk_as_judge(
    machine: &Machine,
    task: &TrialTask,
    person: &mut Person,
) -> Result<EndedTalk<Trial>, Fault> {
    let worker = talking_worker(machine);
    let input = worker.path_of(&task.case.input)?;
    let mut exec = submission_exec(&worker, task, &input, None)?;
    exec.stdin = Input::Nothing;
    let talk = machine.sandbox.slot(None).run_with_person(&without_hurry(exec), person)?;
    let mut trial = judge_exit(&talk.result, task)?;
    judge_time(&mut trial, task);
    Ok(EndedTalk { end: talk.end, result: trial })
}

/// The judge's side of a conversation.
#[derive(Clone, Copy)]
pub struct JudgeSide<'a> {
    /// Has the judge as its only validator.
    pub setting: &'a Setting,
    /// The case of the conversation.
    pub case: &'a CaseFiles,
}

/// Runs a judge with a person as the submission, pass by pass, and returns its verdict.
pub fn talk_as_submission(
    machine: &Machine,
    judge: JudgeSide,
    person: &mut Person,
) -> Result<EndedTalk<Trial>, Fault> {
    let JudgeSide { setting, case } = judge;
    let worker = talking_worker(machine);
    let mut slot = machine.sandbox.slot(None);
    let input = worker.path_of(&case.input)?;
    let mut end = TalkEnd::Program;
    let trial = run_passes(&case.name, input, setting.mode.most_passes(), |dirs| {
        let validator = only_validator(&setting.checker)?;
        let call = CheckCall::new(&worker, &setting.checker, case, dirs)?;
        let feedback = dirs.after.path()?;
        let exec = without_hurry(call.exec(worker.exec_of(validator, &[])?, Input::Nothing, feedback)?);
        let talk = slot.run_with_person(&exec, person)?;
        let ran = talk.result;
        end = talk.end;
        if end != TalkEnd::Program {
            let trial = Trial::ended(Verdict::IdleLimit, ran.exit);
            return Ok(Pass { trial, again: false, judged: JudgedInPass::Conversation });
        }
        let checked = read_validator_reply(&ran, &exec.limits, feedback)?;
        check_may_score(&checked, &setting.checker, validator)?;
        let again = checked.accepted && checked.next_pass;
        let trial = Trial { usage: ran.usage, ..trial_of_reply(checked) };
        Ok(Pass { trial, again, judged: JudgedInPass::Conversation })
    })?;
    Ok(EndedTalk { end, result: trial })
}

/// Runs both programs and always returns the transcript.
pub fn talk_of_programs(machine: &Machine, task: &TrialTask) -> Result<Trial, Fault> {
    let mut worker = talking_worker(machine);
    run_trial(&mut worker, task, TalkRecord::Always)
}

fn talking_worker(machine: &Machine) -> Worker<'_> {
    let slots = JobSlots { submission: machine.open_slot(None), judge: machine.open_slot(None) };
    Worker::new(machine, slots, 0)
}

/// Keeps the limit of CPU time, and does not count the time in which a person thinks.
fn without_hurry(mut exec: Exec) -> Exec {
    exec.limits.wall = MAX_TALK;
    exec
}
