//! A row of a report without its participant's names: compilers, tracebacks and programs write them, too.

use super::number_key::NameRemoval;
use kopek_engine::plan::{TranscriptPiece, Trial};
use kopek_report::RowReport;

/// Takes the names out of every text of a row.
pub fn remove_names(row: &mut RowReport, removal: &NameRemoval) {
    let clean = |text: &mut String| {
        if !text.is_empty() {
            *text = removal.in_text(text);
        }
    };
    // Comments and habits give authors away.
    row.source.clear();
    clean(&mut row.compile_message);
    row.notes.iter_mut().for_each(clean);
    row.card.judge_errors.iter_mut().for_each(clean);
    for trial in row.cases.iter_mut().filter_map(|case| case.trial.as_mut()) {
        trial_texts(trial).into_iter().for_each(clean);
    }
}

/// Everything that the program, or somebody about it, wrote.
fn trial_texts(trial: &mut Trial) -> Vec<&mut String> {
    let mut texts = vec![&mut trial.judge_message, &mut trial.team_message, &mut trial.stderr];
    texts.extend(&mut trial.notes);
    if let Some(difference) = &mut trial.difference {
        texts.extend(difference.found.as_mut());
        texts.push(&mut difference.around);
    }
    texts.extend(trial.transcript.iter_mut().filter_map(|piece| match piece {
        TranscriptPiece::Judge { text, .. } | TranscriptPiece::Submission { text, .. } => Some(text),
        TranscriptPiece::Pass(_) | TranscriptPiece::Cut => None,
    }));
    texts
}
