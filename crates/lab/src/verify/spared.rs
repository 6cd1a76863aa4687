//! Skipped runs: a submission that is too slow or too large in a group does not run on the rest of it, unless a claim
//! depends on the rest. Pure.

use super::{
    breaches::has_happened, judged::JudgedSubmission, remarks::Section, timing, verification::Verification,
    verified::Verified,
};
use kopek_base::wording::counted;
use kopek_engine::{
    package::{Claim, Submission},
    plan::Trial,
    score::State,
};
use std::collections::BTreeMap;

/// Submissions with claims that the runs so far do not decide.
pub(super) fn undecided_submissions<'a>(
    bench: &Verification,
    seen: &[JudgedSubmission<'a>],
) -> Vec<&'a Submission> {
    let open = |one: &&JudgedSubmission| {
        one.trials().is_some_and(|trials| spared_runs(bench, one) > 0 && hangs_on_spared(bench, one, trials))
    };
    seen.iter().filter(open).map(|one| one.submission).collect()
}

/// Reports how many runs were skipped.
pub(super) fn report_spared(bench: &Verification, seen: &[JudgedSubmission], verified: &mut Verified) {
    let runs = seen.iter().map(|one| spared_runs(bench, one)).sum();
    if runs > 0 {
        let what = format!("{} spared in groups that were lost by time or memory", counted(runs, "run"));
        verified.check(Section::Submissions, what);
    }
}

fn spared_runs(bench: &Verification, one: &JudgedSubmission) -> usize {
    let Some(trials) = one.trials() else { return 0 };
    let tried = |case: &usize| trials.contains_key(case) || one.open.contains(case);
    (0..bench.tests.cases.len()).filter(|case| !tried(case)).count()
}

fn hangs_on_spared(bench: &Verification, one: &JudgedSubmission, trials: &BTreeMap<usize, Trial>) -> bool {
    let unknown = matches!(one.card.state, State::Unknown(_))
        || one.card.points.is_none()
        || one.card.groups.iter().any(|group| matches!(group.state, State::Unknown(_)));
    let claims = bench.package.claims.iter().filter(|claim| claim.is_about(&one.submission.name));
    unknown
        || timing::is_open(bench, one)
        || claims.into_iter().any(|claim| !is_settled(bench, claim, trials))
}

/// Whether the skipped runs cannot affect a claim.
fn is_settled(bench: &Verification, claim: &Claim, trials: &BTreeMap<usize, Trial>) -> bool {
    let cases = bench.tests.cases_of_claim(claim);
    let known: Vec<(usize, &Trial)> =
        cases.iter().filter_map(|&case| Some((case, trials.get(&case)?))).collect();
    known.len() == cases.len() || has_happened(claim, &known, bench.package)
}
