//! A conversation in which a person takes a side, or that a person reads.
//!
//! Built programs run here outside of jobs: what a person says has no key, so nothing of it can be a fact.

use super::{
    job_worker::{JobSlots, Worker},
    output_validators::{CheckCall, check_may_score, only_validator},
    passes::{JudgedInPass, Pass, PassDirs, run_passes},
    trial::judge_exit,
};
use crate::{
    check::program::read_validator_reply,
    machine::Machine,
    plan::{CaseFiles, Setting, Trial, TrialMode, TrialTask},
    sandbox::{Exec, Exit, Fault, Input, Person, Slot, TalkEnd},
    verdict::Verdict,
};
use std::time::Duration;

/// No talk takes longer.
const LONGEST_TALK: Duration = Duration::from_secs(12 * 3600);

impl Machine {
    /// A submission with a person as its judge: how it ended.
    pub fn talk_as_judge(&self, task: &TrialTask, person: &mut Person) -> Result<(Trial, TalkEnd), Fault> {
        let worker = self.talking_worker();
        let input = worker.path_of(&task.case.input)?;
        let mut exec = worker.submission_exec(task, &input, None)?;
        exec.stdin = Input::Nothing;
        let (ran, end) = self.sandbox.slot(None).run_with_person(&without_hurry(exec), person)?;
        Ok((judge_exit(&ran, task)?, end))
    }

    /// A judge with a person as the submission, pass by pass: what it thinks of them.
    pub fn talk_as_submission(
        &self,
        (setting, case): (&Setting, &CaseFiles),
        person: &mut Person,
    ) -> Result<(Trial, TalkEnd), Fault> {
        let mut worker = self.talking_worker();
        let most = match setting.mode {
            TrialMode::HandedIn => 1,
            TrialMode::Alone { passes } | TrialMode::Talk { passes } => passes,
        };
        let mut slot = self.sandbox.slot(None);
        let (input, mut end) = (worker.path_of(&case.input)?, TalkEnd::Program);
        let trial = run_passes(&case.name, input, most, |dirs| {
            let (trial, again, ended) = ask_person(&mut worker, &mut slot, (setting, case), dirs, person)?;
            end = ended;
            Ok(Pass { trial, again, judged: JudgedInPass::Conversation })
        })?;
        Ok((trial, end))
    }

    /// Both sides by programs, with what they said, whatever came of it.
    pub fn talk_of_programs(&self, task: &TrialTask) -> Result<Trial, Fault> {
        let mut worker = self.talking_worker();
        worker.writes_talks_down = true;
        worker.run_trial(task, &mut |_, _, _| Ok(()))
    }

    fn talking_worker(&self) -> Worker<'_> {
        let slots = JobSlots { submission: self.open_slot(None), judge: self.open_slot(None) };
        Worker::new(self, slots, 0)
    }
}

/// One pass: the judge's reply, whether it wants another pass, and how the talk ended.
fn ask_person(
    worker: &mut Worker,
    slot: &mut Slot,
    (setting, case): (&Setting, &CaseFiles),
    dirs: &PassDirs,
    person: &mut Person,
) -> Result<(Trial, bool, TalkEnd), Fault> {
    let program = only_validator(&setting.checker)?;
    let call = CheckCall::new(worker, &setting.checker, case, dirs)?;
    let exec = without_hurry(call.exec(worker, program, Input::Nothing, dirs.after.path()?)?);
    let (ran, end) = slot.run_with_person(&exec, person)?;
    if end != TalkEnd::Program {
        return Ok((Trial::ended(Verdict::IdleLimit, ran.exit), false, end));
    }
    let checked = read_validator_reply(&ran, &exec.limits, dirs.after.path()?)?;
    check_may_score(&checked, &setting.checker, program)?;
    let verdict = if checked.accepted { Verdict::Accepted } else { Verdict::WrongAnswer };
    let mut trial = Trial::ended(verdict, Exit::Code(0));
    trial.usage = ran.usage;
    trial.score = checked.score;
    (trial.judge_message, trial.team_message) = (checked.judge_message, checked.team_message);
    Ok((trial, checked.accepted && checked.next_pass, end))
}

/// Its CPU time is limited as ever; that a person thinks costs it nothing.
fn without_hurry(mut exec: Exec) -> Exec {
    exec.limits.wall = LONGEST_TALK;
    exec
}
