//! Writes all data of failed cases to files.

use super::{SolutionReport, SolutionTests};
use crate::grade::keep_outputs;
use anyhow::{Context, Result};
use kopek_base::files::{directory_of, write_atomic};
use kopek_engine::exec::Engine;
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{TranscriptPiece, Trial};
use std::{collections::BTreeMap, fs, path::Path};

/// Writes input, answer, output, standard error and conversation of each case that was not accepted. Returns the number
/// of these cases.
pub fn save_failed_cases(
    dir: &Path,
    engine: &Engine,
    tests: &SolutionTests,
    report: &SolutionReport,
) -> Result<usize> {
    let SolutionReport { judged, .. } = report;
    let none = BTreeMap::new();
    let trials = judged.graded.trials.first().unwrap_or(&none);
    let is_failed = |(_, trial): &(&usize, &Trial)| trial.verdict != Verdict::Accepted;
    let failed: Vec<usize> = trials.iter().filter(is_failed).map(|(&case, _)| case).collect();
    for (case, output) in keep_outputs(engine, judged, 0, &failed).context("save what failed")? {
        let files = &tests.tests.cases[case];
        let place = |ending: &str| dir.join(format!("{}.{ending}", files.name));
        copy_file(&files.input, &place("in"))?;
        if files.answer.exists() {
            copy_file(&files.answer, &place("ans"))?;
        }
        let trial = &trials[&case];
        let conversation = conversation_text(trial);
        let texts = [
            ("out", output),
            ("err", Some(trial.stderr.clone().into_bytes())),
            ("conversation", conversation),
        ];
        for (ending, contents) in texts {
            if let Some(contents) = contents {
                write_atomic(&place(ending), &contents)?;
            }
        }
    }
    Ok(failed.len())
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(directory_of(to))?;
        fs::copy(from, to).map(drop)
    };
    copy().with_context(|| format!("copy {} to {}", from.display(), to.display()))
}

/// The conversation: `<` marks the judge, `>` the submission.
fn conversation_text(trial: &Trial) -> Option<Vec<u8>> {
    let lines =
        |sign: char, text: &str| text.lines().map(|line| format!("{sign} {line}\n")).collect::<String>();
    let piece = |piece: &TranscriptPiece| match piece {
        TranscriptPiece::Judge { text, .. } => lines('<', text),
        TranscriptPiece::Submission { text, .. } => lines('>', text),
        TranscriptPiece::Pass(_) => "---\n".to_owned(),
        TranscriptPiece::Cut => "…\n".to_owned(),
    };
    let text: String = trial.transcript.iter().map(piece).collect();
    if text.is_empty() { None } else { Some(text.into_bytes()) }
}
