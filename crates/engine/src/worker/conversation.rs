//! One pass of a conversation between a submission and the validator, and whose
//! word counts at its end.
//!
//! If the submission ended first, and failed by itself, that stands, whatever became of
//! the validator, which may well have stumbled over the end. Otherwise a validator that
//! fails decides nothing. If it ended first and refused, the submission was wrong, and
//! it is stopped: what it did without a partner does not matter. Otherwise a limit that the submission passed, or its crash,
//! comes before the validator's word. So one that goes on talking to a validator
//! which has accepted and left is only judged by how it ends.

use super::{
    hidden_store::hide_store,
    job_worker::Worker,
    output_validators::{CheckCall, check_may_score, only_validator},
    passes::{DirOnDemand, JudgedInPass, Pass, PassDirs},
    submission_run::{judge_exit, submission_exec},
};
use crate::{
    check::{
        OutputCheck,
        program::{REFUSED, read_validator_reply},
    },
    machine::WallTime,
    plan::{TranscriptPiece, Trial, TrialMode, TrialTask},
    verdict::Verdict,
};
use kopek_base::Bytes;
use kopek_sandbox::{Exec, Fault, Input, PairMember, PairMessage, PairOptions, PairResult};
use std::time::{Duration, Instant};

/// So much of a conversation is written down while it goes on.
const WRITTEN: Bytes = Bytes::mib(1);
/// Of that the beginning and the end are kept, so many bytes of each.
const BEGINNING: usize = 2 << 10;
const END: usize = 4 << 10;

/// The same, written down.
const WRITTEN_TALK: PairOptions = PairOptions { transcript: Some(WRITTEN), ..TALK };

/// Who was refused need not go on.
const TALK: PairOptions = PairOptions {
    transcript: None,
    stop_second_on: Some(REFUSED),
    // Not the limit of what it writes for people: half a million answers are a usual conversation.
    first_may_say: Some(Bytes::mib(1 << 10)),
};

/// Both run at once, crosswise connected. To carry every word costs more than what most programs do between
/// words, so it is done only for one that went wrong, or may have said too much: those are held once more.
/// The first one decides, but for whether it said too much; nobody gains by a second one that went better.
pub(super) fn run_conversation(
    worker: &mut Worker,
    task: &TrialTask,
    dirs: &PassDirs,
) -> Result<Pass, Fault> {
    // A later pass may fail by what was said in an earlier one.
    let has_passes = matches!(task.setting.mode, TrialMode::Talk { passes } if passes > 1);
    if worker.writes_talks_down || has_passes {
        return hold_conversation(worker, task, dirs, WRITTEN_TALK)?.judged;
    }
    let Held { judged: first, may_exceed } = hold_conversation(worker, task, dirs, TALK)?;
    let is_told = first.as_ref().is_ok_and(|pass| is_worth_telling(pass.trial.verdict));
    if !is_told && !may_exceed {
        return first;
    }
    let after = DirOnDemand::default();
    let again = hold_conversation(worker, task, &PassDirs { after: &after, ..*dirs }, WRITTEN_TALK);
    let again = again.and_then(|held| held.judged);
    if may_exceed && again.as_ref().map_or(true, |pass| pass.trial.verdict == Verdict::OutputLimit) {
        return again;
    }
    let mut pass = first?;
    if !is_told {
        return Ok(pass);
    }
    match again.map(|pass| pass.trial) {
        Ok(told) if told.verdict == pass.trial.verdict => pass.trial.transcript = told.transcript,
        Ok(told) => pass.trial.notes.push(format!(
            "no conversation is shown: held once more to be written down, it ended otherwise ({})",
            told.verdict
        )),
        Err(fault) => pass.trial.notes.push(format!("no conversation is shown: {fault}")),
    }
    Ok(pass)
}

fn hold_conversation(
    worker: &mut Worker,
    task: &TrialTask,
    dirs: &PassDirs,
    options: PairOptions,
) -> Result<Held, Fault> {
    let validator = only_validator(&task.setting.checker)?;
    let call = CheckCall::new(worker, &task.setting.checker, &task.case, dirs)?;
    let mut judge = call.exec(worker.exec_of(validator, &[])?, Input::Nothing, dirs.after.path()?)?;
    let mut submission = submission_exec(worker, task, dirs.input, None)?;
    hide_store(worker, &mut submission, &task.program)?;
    // Its input is the validator: the case's input is for the validator only.
    submission.stdin = Input::Nothing;
    // Waiting for the submission is not the validator's time.
    judge.limits.wall += submission.limits.wall;
    let start = Instant::now();
    let pair = worker.slots.submission.run_pair(&judge, &submission, options);
    // In a conversation that ended, the submission may have waited for the validator: that does not count.
    if pair.is_err() {
        let time = WallTime { limit: submission.limits.wall, taken: start.elapsed() };
        worker.machine.extensions.note(&task.program.blob, time, None);
    }
    let pair = pair?;
    let judged = judge_pair(task, dirs, &TalkOfPair { pair: &pair, judge: &judge, submission: &submission });
    Ok(Held { judged, may_exceed: pair.may_exceed })
}

/// What a conversation came to.
struct Held {
    judged: Result<Pass, Fault>,
    may_exceed: bool,
}

/// A conversation that ended, and the two runs that it was held by.
struct TalkOfPair<'a> {
    pair: &'a PairResult,
    judge: &'a Exec,
    submission: &'a Exec,
}

fn judge_pair(task: &TrialTask, dirs: &PassDirs, talk: &TalkOfPair) -> Result<Pass, Fault> {
    let pair = talk.pair;
    let mut trial = judge_exit(&pair.second, task)?;
    if trial.verdict == Verdict::IdleLimit {
        check_validator_was_quick(pair, talk.submission.limits.wall)?;
    }
    let checker = &task.setting.checker;
    let reply =
        read_validator_reply(&pair.first, &talk.judge.limits, dirs.after.path()?).and_then(|checked| {
            check_may_score(&checked, checker, only_validator(checker)?)?;
            Ok(checked)
        });
    let failed_by_itself = pair.first_to_end == PairMember::Second && trial.verdict != Verdict::Accepted;
    let checked = match reply {
        Ok(checked) => checked,
        Err(fault) if failed_by_itself => {
            trial.notes.push(format!("after that {fault}"));
            return Ok(pass_without_reply(trial, pair));
        }
        Err(fault) => return Err(fault),
    };
    trial.verdict = whose_word_counts(pair.first_to_end, &checked, trial.verdict);
    if trial.verdict == Verdict::WrongAnswer {
        // It may have run on until a limit: that time is not reported.
        trial.usage.cpu = trial.usage.cpu.min(task.setting.limits.cpu);
    }
    let accepted = trial.verdict == Verdict::Accepted;
    // A score from a validator that accepted is void when the submission broke a limit or crashed.
    trial.score = checked.score.filter(|_| accepted || !checked.accepted);
    trial.judge_message = checked.judge_message;
    trial.team_message = checked.team_message;
    let again = accepted && checked.next_pass;
    Ok(Pass { again, ..pass_without_reply(trial, pair) })
}

/// A pass as far as the conversation tells it.
fn pass_without_reply(mut trial: Trial, pair: &PairResult) -> Pass {
    trial.transcript = shortened(&pair.transcript);
    Pass { trial, again: false, judged: JudgedInPass::Conversation }
}

/// Whether it helps to read how a conversation came to this end. One that passed a limit of time or memory is
/// tried again anyway, and written down then; one that took too long would take as long again.
fn is_worth_telling(verdict: Verdict) -> bool {
    match verdict {
        Verdict::WrongAnswer | Verdict::RunTimeError | Verdict::OutputLimit => true,
        Verdict::Accepted
        | Verdict::TimeLimit
        | Verdict::IdleLimit
        | Verdict::MemoryLimit
        | Verdict::CompileError
        | Verdict::NoProgram => false,
    }
}

/// Whose word counts: `own` is what the submission's way of ending says.
fn whose_word_counts(ended: PairMember, checked: &OutputCheck, own: Verdict) -> Verdict {
    match (ended, checked.accepted) {
        (PairMember::First, false) => Verdict::WrongAnswer,
        (PairMember::First, true) | (PairMember::Second, _) if own != Verdict::Accepted => own,
        (_, true) => Verdict::Accepted,
        (PairMember::Second, false) => Verdict::WrongAnswer,
    }
}

/// A submission that idled while the validator was computing is not to blame.
fn check_validator_was_quick(pair: &PairResult, wall: Duration) -> Result<(), Fault> {
    let took = pair.first.usage.cpu;
    match took > wall / 2 {
        true => Err(Fault::new(format!(
            "the output validator computed for {:.1} s while the submission waited; it must answer quicker",
            took.as_secs_f64()
        ))),
        false => Ok(()),
    }
}

/// The beginning and the end, joined where a line came in several pieces.
fn shortened(pieces: &[PairMessage]) -> Vec<TranscriptPiece> {
    let joined = whole_lines(pieces);
    let total: usize = joined.iter().map(|piece| piece.bytes.len()).sum();
    // Never before the beginning's end: a middling talk would show the overlap twice.
    let tail = total.saturating_sub(END).max(BEGINNING);
    let (mut pieces_shown, mut at) = (Vec::new(), 0);
    for piece in &joined {
        let end = at + piece.bytes.len();
        if at < BEGINNING {
            pieces_shown.push(transcript_piece(piece, &piece.bytes[..end.min(BEGINNING) - at]));
        }
        if at <= BEGINNING && BEGINNING < end && BEGINNING < tail {
            pieces_shown.push(TranscriptPiece::Cut);
        }
        if end > tail {
            pieces_shown.push(transcript_piece(piece, &piece.bytes[tail.max(at) - at..]));
        }
        at = end;
    }
    // At this size the recording stopped: the end that is shown is not the end of the talk.
    if total as u64 >= WRITTEN.0 {
        pieces_shown.push(TranscriptPiece::Cut);
    }
    pieces_shown
}

fn whole_lines(pieces: &[PairMessage]) -> Vec<PairMessage> {
    let mut joined: Vec<PairMessage> = Vec::new();
    for piece in pieces {
        match joined.last_mut() {
            Some(last) if last.speaker == piece.speaker && !last.bytes.ends_with(b"\n") => {
                last.bytes.extend_from_slice(&piece.bytes);
            }
            Some(_) | None => joined.push(piece.clone()),
        }
    }
    joined
}

fn transcript_piece(piece: &PairMessage, bytes: &[u8]) -> TranscriptPiece {
    let (at, text) = (piece.at, String::from_utf8_lossy(bytes).into_owned());
    match piece.speaker {
        PairMember::First => TranscriptPiece::Judge { at, text },
        PairMember::Second => TranscriptPiece::Submission { at, text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(speaker: PairMember, text: &str) -> PairMessage {
        PairMessage { speaker, at: Duration::ZERO, bytes: text.into() }
    }

    #[test]
    fn a_line_in_pieces_is_one_and_a_long_talk_keeps_both_ends() {
        let (at, text) = (Duration::ZERO, "one\n".to_owned());
        let short = shortened(&[
            piece(PairMember::First, "on"),
            piece(PairMember::First, "e\n"),
            piece(PairMember::Second, "2\n"),
        ]);
        assert_eq!(
            short,
            [TranscriptPiece::Judge { at, text }, TranscriptPiece::Submission { at, text: "2\n".into() }]
        );
        let many: Vec<PairMessage> =
            (0..5000).map(|n| piece(PairMember::Second, &format!("{n}\n"))).collect();
        let long = shortened(&many);
        assert_eq!(long.iter().filter(|piece| **piece == TranscriptPiece::Cut).count(), 1);
        assert_eq!(long.first(), Some(&TranscriptPiece::Submission { at, text: "0\n".into() }));
        assert_eq!(long.last(), Some(&TranscriptPiece::Submission { at, text: "4999\n".into() }));
        let one = shortened(&[piece(PairMember::First, &"x".repeat(9000))]);
        assert_eq!(one.len(), 3, "its beginning, a cut, its end");
        assert_eq!(shortened(&[piece(PairMember::First, &"x".repeat(5000))]).len(), 2, "nothing is left out");
    }
}
