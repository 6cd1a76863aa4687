//! A trial pass by pass: the validator may ask for another, whose input it writes.
//!
//! What a validator leaves in its feedback directory is there in the next pass,
//! but for the input of that pass, which is taken out. The limits hold for each
//! pass; the slowest pass is the trial's. Deliberately does not know what happens
//! in a pass.

use crate::plan::{TranscriptPiece, Trial};
use kopek_base::ScratchDir;
use kopek_sandbox::{CapturedOutput, Fault, Usage};
use std::{
    cell::OnceCell,
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// What a pass begins with, and where it leaves something.
#[derive(Clone, Copy)]
pub(crate) struct PassDirs<'a> {
    /// The input of this pass.
    pub input: &'a Path,
    /// What earlier passes left for the validator.
    pub before: &'a DirOnDemand,
    /// For what is left now.
    pub after: &'a DirOnDemand,
}

/// A directory that is made, empty, when somebody first asks where it is. Most trials have one pass and
/// the built-in checker: making and removing what they never use was half of their cost.
#[derive(Default)]
pub(crate) struct DirOnDemand(OnceCell<ScratchDir>);

impl DirOnDemand {
    /// Where it is.
    pub(crate) fn path(&self) -> Result<&Path, Fault> {
        if self.0.get().is_none() {
            // Nobody else can have set it meanwhile: the cell is not shared between threads.
            let _ = self.0.set(directory()?);
        }
        Ok(self.0.get().expect("it was made above").path())
    }
}

/// The result of a pass.
pub(crate) struct Pass {
    /// As if it were the only one.
    pub trial: Trial,
    /// Whether the validator accepted it and asks for another.
    pub again: bool,
    /// What the validator judged.
    pub judged: JudgedInPass,
}

/// What a validator judged in a pass.
pub(crate) enum JudgedInPass {
    /// Nothing: it was not called.
    Nothing,
    /// Nothing, as the submission failed; this is what it had printed.
    Unjudged(CapturedOutput),
    /// An output.
    Output(CapturedOutput),
    /// The submission itself, by talking with it.
    Conversation,
}

/// The file by which a validator asks for another pass.
const NEXT_PASS: &str = "nextpass.in";

/// So many pieces of the conversation in earlier passes are kept.
const TRANSCRIPT_KEPT: usize = 100;

/// Passes until the validator asks for no more; asking for more than `most` is a fault.
pub(crate) fn run_passes(
    case: &str,
    mut input: PathBuf,
    most: u32,
    mut pass: impl FnMut(&PassDirs) -> Result<Pass, Fault>,
) -> Result<Trial, Fault> {
    let (inputs, mut before) = (DirOnDemand::default(), DirOnDemand::default());
    let (mut number, mut so_far) = (1, None);
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
        if number >= most {
            return Err(too_many_passes(case, most));
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
        // `ScratchDir` makes directories that only their owner can enter.
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

fn too_many_passes(case: &str, most: u32) -> Fault {
    let remedy = match most {
        1 => "the problem is not multi-pass; add multi-pass to `type` in problem.yaml",
        _ => "raise `validation_passes` in problem.yaml, or let the validator end earlier",
    };
    Fault::new(format!(
        "the output validator wrote {NEXT_PASS} on {case} after pass {most}, the last: {remedy}"
    ))
}

/// The later pass decides; of the times the slowest counts.
fn join_passes(earlier: Trial, later: Trial, number: u32) -> Trial {
    let slowest = if later.usage.cpu > earlier.usage.cpu { later.usage } else { earlier.usage };
    // Who sleeps in one pass may compute in another.
    let wall = later.usage.wall.max(earlier.usage.wall);
    let left_out = earlier.transcript.len().saturating_sub(TRANSCRIPT_KEPT);
    let mut transcript: Vec<TranscriptPiece> = earlier.transcript.into_iter().skip(left_out).collect();
    transcript.push(TranscriptPiece::Pass(number));
    transcript.extend(later.transcript);
    let kept = |later: String, earlier: String| if later.is_empty() { earlier } else { later };
    let mut notes = later.notes;
    if later.verdict != crate::verdict::Verdict::Accepted {
        notes.push(format!("in pass {number}"));
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
