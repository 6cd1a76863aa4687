//! Removes a participant's names from a row of a report. Compilers, tracebacks and programs print them, too.

use super::number_key::NameRemoval;
use kopek_engine::plan::{TranscriptPiece, Trial};
use kopek_results::RowReport;

/// Removes the names from every text of a row.
pub fn remove_names(row: &mut RowReport, removal: &NameRemoval) {
    let clean = |text: &mut String| {
        if !text.is_empty() {
            *text = removal.in_text(text);
        }
    };
    // Comments and style identify the author.
    row.source.clear();
    clean(&mut row.compile_message);
    row.notes.iter_mut().for_each(clean);
    row.card.judge_errors.iter_mut().for_each(clean);
    for trial in row.cases.iter_mut().filter_map(|case| case.trial.as_mut()) {
        trial_texts(trial).into_iter().for_each(clean);
    }
}

/// Everything written by the program, or about it.
fn trial_texts(trial: &mut Trial) -> Vec<&mut String> {
    let mut texts = vec![&mut trial.judge_message, &mut trial.team_message, &mut trial.stderr];
    texts.extend(&mut trial.notes);
    if let Some(difference) = &mut trial.difference {
        texts.extend(difference.found.as_mut());
        texts.extend([&mut difference.answer_lines, &mut difference.output_lines]);
    }
    texts.extend(trial.transcript.iter_mut().filter_map(|piece| match piece {
        TranscriptPiece::Judge { text, .. } | TranscriptPiece::Submission { text, .. } => Some(text),
        TranscriptPiece::Pass(_) | TranscriptPiece::Cut => None,
    }));
    texts
}
