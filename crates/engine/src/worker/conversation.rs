//! One pass of a conversation between a submission and the validator, and the rule for its verdict.
//!
//! If the submission ended first and failed by itself, that verdict counts, however the validator ended: the
//! validator may have failed because its partner was gone. Otherwise a validator that fails makes the trial a
//! fault. If the validator ended first and refused, the verdict is wrong answer, and kopek stops the
//! submission: its own end does not matter. If the validator accepted, a crash or an exceeded limit of the
//! submission counts before the validator's reply. So a submission that goes on writing to a validator that
//! accepted and left is judged only by how it ends, and by its output limit.

use super::{
    hidden_store::hide_store,
    job_worker::Worker,
    output_validators::{CheckCall, check_may_score, only_validator},
    passes::{JudgedInPass, Pass, PassDirs},
    submission_run::{is_too_slow, judge_exit, judge_time, submission_exec},
};
use crate::machine::WallTime;
use kopek_base::Bytes;
use kopek_package::{
    check::{
        OutputCheck,
        program::{REFUSED, read_validator_reply},
    },
    verdict::Verdict,
};
use kopek_plan::plan::{TranscriptPiece, Trial, TrialTask};
use kopek_sandbox::{Exec, Fault, Input, PairMember, PairMessage, PairOptions, PairResult};
use kopek_sentences::Said;
use std::time::{Duration, Instant};

/// The transcript is recorded up to this size.
const WRITTEN: Bytes = Bytes::mib(1);
/// Reports keep this many bytes of the beginning and of the end.
const BEGINNING: usize = 2 << 10;
const END: usize = 4 << 10;

/// After a refusal the submission need not run to its end.
const TALK: PairOptions = PairOptions {
    transcript: WRITTEN,
    stop_second_on: Some(REFUSED),
    // Not the limit for terminal output: half a million answers are normal in a conversation.
    first_may_say: Some(Bytes::mib(1 << 10)),
};

/// Runs both at once, with their pipes crossed.
pub(super) fn run_conversation(
    worker: &mut Worker,
    task: &TrialTask,
    dirs: &PassDirs,
) -> Result<Pass, Fault> {
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
    let pair = worker.slots.submission.run_pair(&judge, &submission, TALK);
    // A conversation that ended gives no such time: the submission may have waited for the validator.
    if pair.is_err() {
        let time = WallTime { limit: submission.limits.wall, taken: start.elapsed() };
        worker.machine.extensions.note(&task.program.blob, time, None);
    }
    let pair = pair?;
    judge_pair(task, dirs, &TalkOfPair { pair: &pair, judge: &judge, submission: &submission })
}

/// A conversation that ended, and the requests of its two runs.
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
    let has_failed = trial.verdict != Verdict::Accepted || is_too_slow(&trial, task);
    let failed_by_itself = pair.first_to_end == PairMember::Second && has_failed;
    let checked = match reply {
        Ok(checked) => checked,
        Err(fault) if failed_by_itself => {
            trial.notes.push(Said::AfterThat { fault: fault.to_string() });
            judge_time(&mut trial, task);
            return Ok(pass_without_reply(trial, pair));
        }
        Err(fault) => return Err(fault),
    };
    trial.verdict = whose_word_counts(pair.first_to_end, &checked, trial.verdict);
    if trial.verdict == Verdict::WrongAnswer {
        // It may have run on until the limit at which it was stopped: that time is not reported.
        trial.usage.cpu = trial.usage.cpu.min(task.setting.limits.cpu);
    }
    judge_time(&mut trial, task);
    let accepted = trial.verdict == Verdict::Accepted;
    // The score of a validator that accepted is void if the submission crashed or exceeded a limit.
    trial.score = checked.score.filter(|_| accepted || !checked.accepted);
    trial.judge_message = checked.judge_message;
    trial.team_message = checked.team_message;
    let again = accepted && checked.next_pass;
    Ok(Pass { again, ..pass_without_reply(trial, pair) })
}

/// A pass without the validator's reply.
fn pass_without_reply(mut trial: Trial, pair: &PairResult) -> Pass {
    trial.transcript = shortened(&pair.transcript);
    Pass { trial, again: false, judged: JudgedInPass::Conversation }
}

/// The verdict of the conversation; `own` is the verdict of the submission's exit.
fn whose_word_counts(ended: PairMember, checked: &OutputCheck, own: Verdict) -> Verdict {
    match (ended, checked.accepted) {
        (PairMember::First, false) => Verdict::WrongAnswer,
        (PairMember::First, true) | (PairMember::Second, _) if own != Verdict::Accepted => own,
        (_, true) => Verdict::Accepted,
        (PairMember::Second, false) => Verdict::WrongAnswer,
    }
}

/// A fault if the validator was computing while the submission idled.
fn check_validator_was_quick(pair: &PairResult, wall: Duration) -> Result<(), Fault> {
    let took = pair.first.usage.cpu;
    if took <= wall / 2 {
        return Ok(());
    }
    Err(Fault::new(format!(
        "the output validator computed for {:.1} s while the submission waited; make it answer faster",
        took.as_secs_f64()
    )))
}

/// The beginning and the end of a transcript, with the pieces of a line joined.
fn shortened(pieces: &[PairMessage]) -> Vec<TranscriptPiece> {
    let joined = whole_lines(pieces);
    let total: usize = joined.iter().map(|piece| piece.bytes.len()).sum();
    // Not before the end of the beginning: a medium-sized transcript would show the overlap twice.
    let tail = total.saturating_sub(END).max(BEGINNING);
    let mut pieces_shown = Vec::new();
    let mut at = 0;
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
    // The recording stopped at this size, so the transcript lacks the end of the conversation.
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
    let at = piece.at;
    let text = String::from_utf8_lossy(bytes).into_owned();
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
        let at = Duration::ZERO;
        let text = "one\n".to_owned();
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
