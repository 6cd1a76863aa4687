//! What of a cohort was not judged, or not reliably, through no fault of the participants.

use super::session::JudgedCohort;
use crate::plan::Unplanned;

impl JudgedCohort {
    /// Where we failed: jobs that did not run to their end, and submissions that this machine cannot
    /// judge. They have no verdict; another run tries them again.
    pub(crate) fn faults(&self) -> Vec<String> {
        let jobs = self.graded.faults.iter().map(|(what, fault)| format!("{what}: {fault}"));
        let rows = self.plan.rows.iter().filter_map(|row| match &row.program {
            Err(Unplanned::Ours(why)) => Some(format!("{}: {why}", row.participant.name)),
            Err(Unplanned::Refused(_) | Unplanned::Foreign(_)) | Ok(_) => None,
        });
        jobs.chain(rows).collect()
    }

    /// Where the package's own programs broke the rules of the format: the cases count as unknown.
    /// Another run would only show the same.
    pub(crate) fn judge_errors(&self) -> Vec<String> {
        let of_card = |card: &crate::score::Scorecard| {
            let name = card.name.clone();
            card.judge_errors.clone().into_iter().map(move |error| format!("{name}: {error}"))
        };
        self.cards.iter().flat_map(of_card).collect()
    }
}
