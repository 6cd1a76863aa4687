//! A conversation in which a person takes the side of the submission.
//!
//! The judge's program runs here outside of jobs: a person's answers have no key, so the result cannot be a fact.

use super::{
    job_worker::{JobSlots, Worker},
    output_validators::{CheckCall, check_may_score, only_validator, trial_of_reply},
    passes::{JudgedInPass, Pass, run_passes},
};
use crate::machine::Machine;
use kopek_package::{check::program::read_validator_reply, verdict::Verdict};
use kopek_plan::plan::{CaseFiles, Setting, Trial};
use kopek_sandbox::{EndedTalk, Exec, Fault, Input, Person, TalkEnd};
use std::time::Duration;

/// The wall-time limit of a conversation with a person.
const MAX_TALK: Duration = Duration::from_secs(12 * 3600);

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

fn talking_worker(machine: &Machine) -> Worker<'_> {
    let slots = JobSlots { submission: machine.open_slot(None), judge: machine.open_slot(None) };
    Worker::new(machine, slots, 0)
}

/// Keeps the limit of CPU time, and does not count the time in which a person thinks.
fn without_hurry(mut exec: Exec) -> Exec {
    exec.limits.wall = MAX_TALK;
    exec
}
