//! Runs that were spared: who is too slow or too large in a group is not run on the rest
//! of it, unless something that was claimed hangs on the rest. Pure.

use super::{
    Bench, Section, Verified,
    claims::{scope, speaks_of},
    counted,
    judged::Seen,
    timing,
};
use crate::{
    package::{Claim, Submission},
    plan::Trial,
    score::State,
};
use std::collections::BTreeMap;

/// Submissions of which something is claimed that cannot be told from what was run.
pub fn undecided<'a>(bench: &Bench, seen: &[Seen<'a>]) -> Vec<&'a Submission> {
    let open =
        |one: &&Seen| one.trials().is_some_and(|trials| spared(bench, one) > 0 && hangs(bench, one, trials));
    seen.iter().filter(open).map(|one| one.submission).collect()
}

/// Says how many runs were spared.
pub fn tell(bench: &Bench, seen: &[Seen], verified: &mut Verified) {
    let runs = seen.iter().map(|one| spared(bench, one)).sum();
    if runs > 0 {
        let what = format!("{} spared in groups that were lost by time or memory", counted(runs, "run"));
        verified.check(Section::Submissions, what);
    }
}

fn spared(bench: &Bench, one: &Seen) -> usize {
    one.trials().map_or(0, |trials| bench.tests.cases.len() - trials.len())
}

fn hangs(bench: &Bench, one: &Seen, trials: &BTreeMap<usize, Trial>) -> bool {
    let unknown = matches!(one.card.state, State::Unknown(_))
        || one.card.points.is_none()
        || one.card.groups.iter().any(|group| matches!(group.state, State::Unknown(_)));
    let claims = bench.package.claims.iter().filter(|claim| speaks_of(claim, one.submission));
    unknown || timing::is_open(bench, one) || claims.into_iter().any(|claim| !shown(bench, claim, trials))
}

/// Whether what must happen on some case has happened on one that was run.
fn shown(bench: &Bench, claim: &Claim, trials: &BTreeMap<usize, Trial>) -> bool {
    let cases = scope(bench, claim);
    let known: Vec<&Trial> = cases.iter().filter_map(|case| trials.get(case)).collect();
    let required = claim.required.as_ref().is_none_or(|required| {
        known.iter().any(|trial| trial.verdict.class().is_some_and(|class| required.contains(&class)))
    });
    let said = claim
        .message
        .as_ref()
        .is_none_or(|message| known.iter().any(|trial| trial.judge_message.contains(message.as_str())));
    known.len() == cases.len() || (required && said)
}
