//! The cases of a group that a report shows, independent of the order in which runs happened to end.

use kopek_engine::{plan::Trial, score::State, verdict::Verdict};
use kopek_results::{CaseReport, GroupHead, RowReport};

/// The cases of a group that a report shows.
pub(super) struct SettledCases<'a> {
    /// Cases that were run, in judging order.
    pub shown: Vec<(&'a CaseReport, &'a Trial)>,
    /// Number of the other cases.
    pub missing: usize,
    /// Why those are missing: `not needed` or `not run`.
    pub why: &'static str,
}

/// The cases of a group. Where the rest was left out, only those up to the first failure: which later ones
/// had begun by then is a matter of timing.
pub(super) fn settled_cases<'a>(row: &'a RowReport, head: &GroupHead) -> SettledCases<'a> {
    let own: Vec<&CaseReport> = row.cases.iter().filter(|case| case.group == head.name).collect();
    let mut shown: Vec<(&CaseReport, &Trial)> =
        own.iter().filter_map(|case| Some((*case, case.trial.as_ref()?))).collect();
    let ran = shown.len();
    let score = row.card.groups.iter().find(|group| group.name == head.name);
    let is_decided = score.is_some_and(|score| matches!(score.state, State::Decided(_)));
    if ran < own.len() && is_decided {
        let first = shown.iter().position(|(_, trial)| trial.verdict != Verdict::Accepted);
        shown.truncate(first.map_or(ran, |first| first + 1));
    }
    let why = if is_decided { "not needed" } else { "not run" };
    SettledCases { missing: own.len() - shown.len(), shown, why }
}
