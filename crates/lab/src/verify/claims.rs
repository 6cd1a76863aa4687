//! Checks every claim on every submission to which it applies, and reports breaches. Pure.
//!
//! A submission that is too slow or too large in a group does not run on the rest of it, unless a claim depends on that.

use super::{
    breaches::{Breach, ClaimCheck, has_happened},
    checked::Checked,
    judged::{JudgedSubmission, SubmissionEnd},
    timing,
    verification::Verification,
};
use kopek_base::wording::counted;
use kopek_package::{
    package::{Claim, ClaimOrigin, Expectation, Format, Level, Message, Package, Place, Submission, TestSet},
    verdict::{Class, Verdict},
};
use kopek_plan::{plan::Trial, score::State};
use kopek_results::place_of_error;
use std::collections::{BTreeMap, BTreeSet};

/// Checks every claim on every submission to which it applies.
pub(super) fn check_claims(verification: &Verification, seen: &[JudgedSubmission]) -> Checked {
    let Verification { package, tests, .. } = *verification;
    let mut checked = Checked::from(untried_messages(package, seen));
    checked.done.extend(spared_text(tests, seen));
    let mut kept_claims = 0;
    for claim in &package.claims {
        // The reader reports patterns that match nothing.
        let cases = tests.cases_of_claim(claim);
        for one in seen.iter().filter(|one| claim.is_about(&one.submission.name)) {
            let check = ClaimCheck::new(verification, claim, one, &cases);
            kept_claims += usize::from(is_fulfilled(&check, &mut checked.messages));
        }
    }
    let mut kept_tags = 0;
    for one in seen {
        for tag in &one.submission.tags {
            let check = ClaimCheck::new(verification, tag, one, &[]);
            kept_tags += usize::from(is_fulfilled(&check, &mut checked.messages));
        }
    }
    let judged = seen.iter().filter(|one| !matches!(one.end, SubmissionEnd::Foreign(_))).count();
    let what = format!("{} judged on {}", counted(judged, "submission"), counted(tests.cases.len(), "case"));
    checked.done(what);
    checked.done(format!("{} kept", counted(kept_claims, "claim")));
    if kept_tags > 0 {
        checked.done(format!("{} kept", counted(kept_tags, "tag")));
    }
    checked
}

/// Checks results that more cases could not change: failed builds, and verdicts that a claim never permits.
pub(super) fn check_certain_claims(verification: &Verification, seen: &[JudgedSubmission]) -> Checked {
    let Verification { package, tests, .. } = *verification;
    let mut messages = untried_messages(package, seen);
    for claim in &package.claims {
        let cases = tests.cases_of_claim(claim);
        for one in seen.iter().filter(|one| claim.is_about(&one.submission.name)) {
            let check = ClaimCheck::new(verification, claim, one, &cases);
            let breaches = check.certain_breaches();
            messages.extend(breaches.into_iter().map(|breach| breach_message(&check, breach)));
        }
    }
    let what = format!(
        "the test set is incomplete: {} judged on the {} it has",
        counted(seen.len(), "submission"),
        counted(tests.cases.len(), "case")
    );
    Checked { done: vec![what], messages, ..Checked::default() }
}

fn untried_messages(package: &Package, seen: &[JudgedSubmission]) -> Vec<Message> {
    let message = |one: &JudgedSubmission| match &one.end {
        SubmissionEnd::Refused(why) => unbuilt_message(package, one, why),
        SubmissionEnd::Foreign(why) => Some(unjudged_message(one, why)),
        SubmissionEnd::Tried(_) | SubmissionEnd::Unknown => None,
    };
    seen.iter().filter_map(message).collect()
}

/// Whether a claim holds. If not, adds its breaches.
fn is_fulfilled(check: &ClaimCheck, messages: &mut Vec<Message>) -> bool {
    let Some(breaches) = check.breaches() else { return false };
    let kept = breaches.is_empty();
    messages.extend(breaches.into_iter().map(|breach| breach_message(check, breach)));
    kept
}

fn unbuilt_message(package: &Package, one: &JudgedSubmission, why: &str) -> Option<Message> {
    if one.submission.expects_compile_error() {
        return None;
    }
    let mut claims = package.claims.iter().filter(|claim| claim.is_about(&one.submission.name));
    // Without a claim there is no breach.
    let is_claimed = !one.submission.tags.is_empty() || claims.any(says_something);
    let level = if is_claimed { Level::Error } else { Level::Warning };
    let find = |message: &str| place_of_error(&package.dir, &one.submission.source, message);
    let at = one.compile_error.and_then(find).unwrap_or_else(|| Place::new(one.path(), None));
    Some(Message::new(level, why).at(at).todo("fix it, or add `@EXPECTED_RESULTS@: COMPILER-ERROR`"))
}

/// Whether a claim excludes any verdict: importers write that all are permitted where nothing is claimed.
fn says_something(claim: &Claim) -> bool {
    let permits_all = |expectation: &Expectation| match expectation {
        Expectation::Permitted(classes) => {
            *classes == BTreeSet::from([Class::Ac, Class::Wa, Class::Tle, Class::Rte])
        }
        Expectation::Required(_)
        | Expectation::Score { .. }
        | Expectation::Message(_)
        | Expectation::LessThanBest
        | Expectation::Result(_)
        | Expectation::Grades(_) => false,
    };
    !claim.expectations.iter().all(permits_all)
}

/// Packages have examples for judges with other languages.
fn unjudged_message(one: &JudgedSubmission, why: &str) -> Message {
    let message = Message::warning(one.path(), format!("not judged: {why}"));
    message.todo("write it in a language of `kopek languages`, or remove it")
}

fn breach_message(check: &ClaimCheck, Breach { what, todo }: Breach) -> Message {
    let name = &check.one.submission.name;
    let (at, what, instead) = match &check.claim.origin {
        ClaimOrigin::Tag { name: tag, at } => (at.clone(), format!("`{tag}` says {what}"), "change the tag"),
        ClaimOrigin::Declared(at) => (at.clone(), format!("`{name}` {what}"), "change the claim"),
        ClaimOrigin::Directory => (
            Place::new(check.one.path(), None),
            format!("`{name}` {what} (as its directory claims)"),
            match check.bench.package.format {
                Format::V2025_09 => "claim its behaviour in submissions/submissions.yaml",
                Format::Legacy => "move it to another directory",
            },
        ),
    };
    let level = if is_forgiven(check) { Level::Warning } else { Level::Error };
    Message::new(level, what).at(at).todo(format!("{todo}, or {instead}"))
}

/// Legacy tools check only the final verdict: if that matches the directory, the rest is no error.
fn is_forgiven(check: &ClaimCheck) -> bool {
    let expected = match check.claim.submissions.as_str() {
        "accepted" => Class::Ac,
        "wrong_answer" => Class::Wa,
        "time_limit_exceeded" => Class::Tle,
        "run_time_error" => Class::Rte,
        _ => return false,
    };
    let by_legacy_directory =
        check.bench.package.data == Format::Legacy && check.claim.origin == ClaimOrigin::Directory;
    by_legacy_directory && check.one.final_verdict().and_then(Verdict::class) == Some(expected)
}

/// Submissions with claims that the skipped runs could decide. A case without a verdict leaves them open anyway.
pub(super) fn undecided_submissions<'a>(
    package: &Package,
    tests: &TestSet,
    seen: &[JudgedSubmission<'a>],
) -> Vec<&'a Submission> {
    let is_open = |one: &JudgedSubmission| match one.trials() {
        Some(trials) => {
            let is_spared = one.open.is_empty() && spared_runs(tests, one) > 0;
            is_spared && hangs_on_spared(package, tests, one, trials)
        }
        None => false,
    };
    seen.iter().filter(|one| is_open(one)).map(|one| one.submission).collect()
}

/// How many runs were skipped.
fn spared_text(tests: &TestSet, seen: &[JudgedSubmission]) -> Option<String> {
    let runs = seen.iter().map(|one| spared_runs(tests, one)).sum();
    let text = format!("{} skipped in groups that were lost by time or memory", counted(runs, "run"));
    (runs > 0).then_some(text)
}

fn spared_runs(tests: &TestSet, one: &JudgedSubmission) -> usize {
    let Some(trials) = one.trials() else { return 0 };
    let tried = |case: &usize| trials.contains_key(case) || one.open.contains(case);
    (0..tests.cases.len()).filter(|case| !tried(case)).count()
}

fn hangs_on_spared(
    package: &Package,
    tests: &TestSet,
    one: &JudgedSubmission,
    trials: &BTreeMap<usize, Trial>,
) -> bool {
    let unknown = matches!(one.card.state, State::Unknown(_))
        || one.card.points.is_none()
        || one.card.groups.iter().any(|group| matches!(group.state, State::Unknown(_)));
    let mut claims = package.claims.iter().filter(|claim| claim.is_about(&one.submission.name));
    unknown
        || timing::is_open(package, tests, one)
        || claims.any(|claim| !is_settled(package, tests, claim, trials))
}

/// Whether the skipped runs cannot affect a claim.
fn is_settled(package: &Package, tests: &TestSet, claim: &Claim, trials: &BTreeMap<usize, Trial>) -> bool {
    let cases = tests.cases_of_claim(claim);
    let known: Vec<(usize, &Trial)> =
        cases.iter().filter_map(|&case| Some((case, trials.get(&case)?))).collect();
    known.len() == cases.len() || has_happened(claim, &known, package)
}
