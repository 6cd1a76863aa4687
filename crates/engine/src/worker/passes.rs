//! Runs a trial pass by pass: the validator may request another pass, and writes its input.
//!
//! The feedback directory of one pass is the start of the next, without the input of that pass, which is
//! removed. The limits apply to each pass, and the slowest pass gives the time of the trial. This module does
//! not know what happens in a pass.

use kopek_base::ScratchDir;
use kopek_plan::plan::{TranscriptPiece, Trial};
use kopek_sandbox::{CapturedOutput, Fault, Usage};
use kopek_sentences::Said;
use std::{
    cell::OnceCell,
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The files that a pass begins with, and the place of those that it leaves.
#[derive(Clone, Copy)]
pub(crate) struct PassDirs<'a> {
    /// The input of this pass.
    pub input: &'a Path,
    /// The feedback of earlier passes.
    pub before: &'a DirOnDemand,
    /// For the feedback of this pass.
    pub after: &'a DirOnDemand,
}

/// An empty directory that is created when its path is first requested. Most trials have one pass and the
/// built-in checker, and creating and removing unused directories was half of their cost.
#[derive(Default)]
pub(crate) struct DirOnDemand(OnceCell<ScratchDir>);

impl DirOnDemand {
    /// The path of the directory.
    pub(crate) fn path(&self) -> Result<&Path, Fault> {
        if self.0.get().is_none() {
            // No other thread can have set it: the cell is not shared.
            let _ = self.0.set(directory()?);
        }
        Ok(self.0.get().expect("it was made above").path())
    }
}

/// The result of a pass.
pub(crate) struct Pass {
    /// The trial, as if this were its only pass.
    pub trial: Trial,
    /// Whether the validator accepted it and requested another pass.
    pub again: bool,
    /// What the validator judged.
    pub judged: JudgedInPass,
}

/// The object of the validator's judgement in a pass.
pub(crate) enum JudgedInPass {
    /// Nothing: the validator was not called.
    Nothing,
    /// Nothing, because the submission failed; holds its output.
    Unjudged(CapturedOutput),
    Output(CapturedOutput),
    /// The submission itself, in a conversation.
    Conversation,
}

/// The validator writes this file to request another pass.
const NEXT_PASS: &str = "nextpass.in";

/// The number of transcript pieces that are kept from earlier passes.
const TRANSCRIPT_KEPT: usize = 100;

/// Runs passes until the validator requests no more. A request beyond `max` is a fault.
pub(crate) fn run_passes(
    case: &str,
    mut input: PathBuf,
    max: u32,
    mut pass: impl FnMut(&PassDirs) -> Result<Pass, Fault>,
) -> Result<Trial, Fault> {
    let inputs = DirOnDemand::default();
    let mut before = DirOnDemand::default();
    let mut number = 1;
    let mut so_far = None;
    loop {
        let after = DirOnDemand::default();
        let Pass { trial, again, .. } = pass(&PassDirs { input: &input, before: &before, after: &after })?;
        let trial = match so_far {
            None => trial,
            Some(earlier) => join_passes(earlier, trial, number),
        };
        if !again {
            return Ok(trial);
        }
        if number >= max {
            return Err(too_many_passes(case, max));
        }
        input = inputs.path()?.join(format!("{number}.in"));
        move_out(&after.path()?.join(NEXT_PASS), &input)
            .map_err(|e| Fault::new(format!("take {NEXT_PASS}: {e}")))?;
        number += 1;
        (before, so_far) = (after, Some(trial));
    }
}

/// A directory that programs in the sandbox can read.
pub(crate) fn directory() -> Result<ScratchDir, Fault> {
    let made = ScratchDir::new().and_then(|dir| {
        // `ScratchDir` creates directories that only their owner can enter.
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755))?;
        Ok(dir)
    });
    made.map_err(|e| Fault::new(format!("make a directory for a pass: {e}")))
}

fn move_out(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::set_permissions(to, Permissions::from_mode(0o644))?;
    fs::remove_file(from)
}

fn too_many_passes(case: &str, max: u32) -> Fault {
    let remedy = match max {
        1 => "the problem is not multi-pass; add multi-pass to `type` in problem.yaml",
        _ => "raise `validation_passes` in problem.yaml, or let the validator end earlier",
    };
    Fault::of_trusted_program(format!(
        "the output validator wrote {NEXT_PASS} on {case} after pass {max}, the last: {remedy}"
    ))
}

/// The later pass decides; the slowest pass gives the time.
fn join_passes(earlier: Trial, later: Trial, number: u32) -> Trial {
    let slowest = if later.usage.cpu > earlier.usage.cpu { later.usage } else { earlier.usage };
    // A program may sleep in one pass and compute in another.
    let wall = later.usage.wall.max(earlier.usage.wall);
    let left_out = earlier.transcript.len().saturating_sub(TRANSCRIPT_KEPT);
    let mut transcript: Vec<TranscriptPiece> = earlier.transcript.into_iter().skip(left_out).collect();
    transcript.push(TranscriptPiece::Pass(number));
    transcript.extend(later.transcript);
    let kept = |later: String, earlier: String| if later.is_empty() { earlier } else { later };
    let mut notes = later.notes;
    if later.verdict != kopek_package::verdict::Verdict::Accepted {
        notes.push(Said::InPass { number: number.into() });
    }
    let memory = later.usage.memory.max(earlier.usage.memory);
    Trial {
        usage: Usage { wall, memory, ..slowest },
        output: later.output.max(earlier.output),
        judge_message: kept(later.judge_message, earlier.judge_message),
        team_message: kept(later.team_message, earlier.team_message),
        notes,
        transcript,
        ..later
    }
}
