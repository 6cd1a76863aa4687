//! One pass of a conversation between a submission and the validator, and whose
//! word counts at its end.
//!
//! A validator that fails is our fault, whatever the submission did. If it ended
//! first and refused, the submission was wrong, and it is stopped: what it did without
//! a partner does not matter. Otherwise a limit that the submission passed, or its crash,
//! comes before the validator's word. So one that goes on talking to a validator
//! which has accepted and left is only judged by how it ends.

use super::{
    passes::{Given, Pass, Round},
    trial::{Stage, told},
    validate::{only, validation},
};
use crate::{
    base::Bytes,
    check::program::{REFUSED, verdict},
    plan::{Said, TrialTask},
    sandbox::{Ended, Fault, Input, Pair, Talk, Transcript},
    verdict::Verdict,
};
use std::time::Duration;

/// So much of a conversation is written down while it goes on.
const WRITTEN: Bytes = Bytes::mib(1);
/// Of that the beginning and the end are kept, so many bytes of each.
const BEGINNING: usize = 2 << 10;
const END: usize = 4 << 10;

/// Who was refused need not go on.
const TALK: Talk = Talk { transcript: Some(WRITTEN), enough: Some(REFUSED) };

impl Stage<'_> {
    /// Both run at once, crosswise connected.
    pub(super) fn talk(&mut self, task: &TrialTask, round: &Round) -> Result<Pass, Fault> {
        let (program, scores) = only(&task.setting.checker)?;
        let mut judge = validation(task, program, round, Input::Nothing)?;
        let mut submission = self.exec(task, round.input, None)?;
        submission.stdin = Input::Nothing;
        // Waiting for the submission is not the validator's time.
        judge.limits.wall += submission.limits.wall;
        let pair = self.slot.run_pair(&judge, &submission, TALK)?;
        let checked = verdict(&pair.first, round.after)?;
        super::validate::may_score(&checked, scores, program)?;
        let mut trial = told(&pair.second, task)?;
        if trial.verdict == Verdict::IdleLimit {
            blameless(&pair, submission.limits.wall)?;
        }
        trial.verdict = word(pair.ended, checked.accepted, trial.verdict);
        if trial.verdict == Verdict::WrongAnswer {
            // It may have run on until a limit: that is not what it is told for.
            trial.usage.cpu = trial.usage.cpu.min(task.setting.limits.cpu);
        }
        let accepted = trial.verdict == Verdict::Accepted;
        trial.score = checked.score.filter(|_| accepted || !checked.accepted);
        trial.judge_message = checked.judge_message;
        trial.team_message = checked.team_message;
        trial.output = heard(&pair.transcript);
        trial.transcript = written(&pair.transcript);
        Ok(Pass { trial, again: accepted && checked.next_pass, given: Given::Talk })
    }
}

/// Whose word counts: `own` is what the submission's way of ending says.
fn word(ended: Ended, accepted: bool, own: Verdict) -> Verdict {
    match (ended, accepted) {
        (Ended::First, false) => Verdict::WrongAnswer,
        (Ended::First, true) | (Ended::Second, _) if own != Verdict::Accepted => own,
        (_, true) => Verdict::Accepted,
        (Ended::Second, false) => Verdict::WrongAnswer,
    }
}

/// A submission that idled while the validator was computing is not to blame.
fn blameless(pair: &Pair, wall: Duration) -> Result<(), Fault> {
    let took = pair.first.usage.cpu;
    match took > wall / 2 {
        true => Err(Fault::new(format!(
            "the output validator computed for {:.1} s while the submission waited; it must answer quicker",
            took.as_secs_f64()
        ))),
        false => Ok(()),
    }
}

/// What the submission said, as far as it was written down.
fn heard(pieces: &[Transcript]) -> Bytes {
    Bytes(pieces.iter().filter(|p| p.speaker == Ended::Second).map(|p| p.bytes.len() as u64).sum())
}

/// The beginning and the end, joined where a line came in several pieces.
fn written(pieces: &[Transcript]) -> Vec<Said> {
    let joined = whole_lines(pieces);
    let total: usize = joined.iter().map(|piece| piece.bytes.len()).sum();
    let tail = total.saturating_sub(END).max(BEGINNING);
    let (mut said, mut at) = (Vec::new(), 0);
    for piece in &joined {
        let end = at + piece.bytes.len();
        if at < BEGINNING {
            said.push(shown(piece, &piece.bytes[..end.min(BEGINNING) - at]));
        }
        if at <= BEGINNING && BEGINNING < end && BEGINNING < tail {
            said.push(Said::Cut);
        }
        if end > tail {
            said.push(shown(piece, &piece.bytes[tail.max(at) - at..]));
        }
        at = end;
    }
    if total as u64 >= WRITTEN.0 {
        said.push(Said::Cut);
    }
    said
}

fn whole_lines(pieces: &[Transcript]) -> Vec<Transcript> {
    let mut joined: Vec<Transcript> = Vec::new();
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

fn shown(piece: &Transcript, bytes: &[u8]) -> Said {
    let (at, text) = (piece.at, String::from_utf8_lossy(bytes).into_owned());
    match piece.speaker {
        Ended::First => Said::Judge { at, text },
        Ended::Second => Said::Submission { at, text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_ended_first_decides_whose_word_counts() {
        use Verdict::{
            Accepted as Ac, IdleLimit as Ile, RunTimeError as Rte, TimeLimit as Tle, WrongAnswer as Wa,
        };
        for (ended, accepted, own, want) in [
            (Ended::First, false, Ac, Wa),
            (Ended::First, false, Tle, Wa),
            (Ended::First, false, Rte, Wa),
            (Ended::First, true, Ac, Ac),
            (Ended::First, true, Tle, Tle),
            (Ended::First, true, Rte, Rte),
            (Ended::Second, false, Ac, Wa),
            (Ended::Second, false, Tle, Tle),
            (Ended::Second, false, Rte, Rte),
            (Ended::Second, true, Ac, Ac),
            (Ended::Second, true, Ile, Ile),
        ] {
            assert_eq!(word(ended, accepted, own), want, "{ended:?} {accepted} {own}");
        }
    }

    fn piece(speaker: Ended, text: &str) -> Transcript {
        Transcript { speaker, at: Duration::ZERO, bytes: text.into() }
    }

    #[test]
    fn a_line_in_pieces_is_one_and_a_long_talk_keeps_both_ends() {
        let (at, text) = (Duration::ZERO, "one\n".to_owned());
        let short =
            written(&[piece(Ended::First, "on"), piece(Ended::First, "e\n"), piece(Ended::Second, "2\n")]);
        assert_eq!(short, [Said::Judge { at, text }, Said::Submission { at, text: "2\n".into() }]);
        let many: Vec<Transcript> = (0..5000).map(|n| piece(Ended::Second, &format!("{n}\n"))).collect();
        let long = written(&many);
        assert_eq!(long.iter().filter(|said| **said == Said::Cut).count(), 1);
        assert_eq!(long.first(), Some(&Said::Submission { at, text: "0\n".into() }));
        assert_eq!(long.last(), Some(&Said::Submission { at, text: "4999\n".into() }));
        let one = written(&[piece(Ended::First, &"x".repeat(9000))]);
        assert_eq!(one.len(), 3, "its beginning, a cut, its end");
        assert_eq!(written(&[piece(Ended::First, &"x".repeat(5000))]).len(), 2, "nothing is left out");
    }
}
