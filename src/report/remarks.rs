//! What must be said about a participant besides points: never folded into a number.

use super::{
    CaseReport, Reader, RowReport,
    words::{long, one_line},
};
use crate::{plan::Trial, score::State, verdict::Verdict};

/// All remarks on a row, the gravest first.
pub fn remarks(row: &RowReport, reader: Reader) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(row.card.judge_errors.iter().map(|error| format!("JUDGE ERROR: {}", one_line(error))));
    all.extend(unstable(row));
    if matches!(row.card.state, State::Unknown(_)) {
        all.push(long(&row.card.state));
    }
    all.extend(row.notes.iter().map(|note| one_line(note)));
    if reader == Reader::Judge {
        all.extend(row.same_as.iter().map(|other| format!("the same program as {}'s", one_line(other))));
    }
    all.extend(not_built(row));
    all.extend(tried_again(row));
    all
}

fn trials(row: &RowReport) -> impl Iterator<Item = (&CaseReport, &Trial)> {
    row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)))
}

fn unstable(row: &RowReport) -> Option<String> {
    let cases: Vec<_> = trials(row).filter(|(_, trial)| trial.unstable).collect();
    let list = list(&cases)?;
    Some(format!("UNSTABLE verdict, near the time limit: {list}"))
}

fn tried_again(row: &RowReport) -> Option<String> {
    let cases: Vec<_> = trials(row).filter(|(_, t)| !t.tries.is_empty() && !t.unstable).collect();
    let list = list(&cases)?;
    Some(format!("tried again near the time limit, the least time counts: {list}"))
}

/// The first three cases with the times of their tries.
fn list(cases: &[(&CaseReport, &Trial)]) -> Option<String> {
    if cases.is_empty() {
        return None;
    }
    let one = |(case, trial): &(&CaseReport, &Trial)| {
        let times: Vec<String> =
            trial.tries.iter().map(|time| format!("{:.3} s", time.as_secs_f64())).collect();
        format!("{} ({})", one_line(&case.name), times.join(", "))
    };
    let mut shown: Vec<String> = cases.iter().take(3).map(one).collect();
    if cases.len() > 3 {
        shown.push(format!("and {} more", cases.len() - 3));
    }
    Some(shown.join("; "))
}

/// The line of the compiler's message that says most.
fn not_built(row: &RowReport) -> Option<String> {
    if row.card.state != State::Decided(Verdict::CompileError) {
        return None;
    }
    let lines = || row.compile_message.lines().filter(|line| !line.trim().is_empty());
    let telling = lines().find(|line| line.to_lowercase().contains("error")).or_else(|| lines().next())?;
    Some(format!("does not compile: {}", super::words::cut(&one_line(telling.trim()), 200)))
}
