//! Checks every claim on every submission to which it applies, and reports breaches as remarks. Pure.
//!
//! A submission that is too slow or too large in a group does not run on the rest of it, unless a claim depends on that.

use super::{
    breaches::{Breach, ClaimCheck, has_happened},
    judged::{JudgedSubmission, SubmissionEnd},
    timing,
    verification::Verification,
};
use kopek_base::wording::counted;
use kopek_package::{
    package::{Claim, ClaimOrigin, Expectation, Format, Level, Package, Place, Submission, TestSet},
    verdict::{Class, Verdict},
};
use kopek_plan::{plan::Trial, score::State};
use kopek_results::{Remark, Section, Verified, place_of_error};
use std::collections::{BTreeMap, BTreeSet};

/// Checks every claim on every submission to which it applies.
pub(super) fn check_claims(verification: &Verification, seen: &[JudgedSubmission], verified: &mut Verified) {
    let Verification { package, tests, .. } = *verification;
    report_untried(package, seen, verified);
    let mut kept_claims = 0;
    for claim in &package.claims {
        // The reader reports patterns that match nothing.
        let cases = tests.cases_of_claim(claim);
        for one in seen.iter().filter(|one| claim.is_about(&one.submission.name)) {
            let check = ClaimCheck::new(verification, claim, one, &cases);
            kept_claims += usize::from(is_fulfilled(&check, verified));
        }
    }
    let mut kept_tags = 0;
    for one in seen {
        for tag in &one.submission.tags {
            let check = ClaimCheck::new(verification, tag, one, &[]);
            kept_tags += usize::from(is_fulfilled(&check, verified));
        }
    }
    let judged = seen.iter().filter(|one| !matches!(one.end, SubmissionEnd::Foreign(_))).count();
    let what = format!("{} judged on {}", counted(judged, "submission"), counted(tests.cases.len(), "case"));
    verified.check(Section::Submissions, what);
    verified.check(Section::Submissions, format!("{} kept", counted(kept_claims, "claim")));
    if kept_tags > 0 {
        verified.check(Section::Submissions, format!("{} kept", counted(kept_tags, "tag")));
    }
}

/// Checks results that more cases could not change: failed builds, and verdicts that a claim never permits.
pub(super) fn check_certain_claims(
    verification: &Verification,
    seen: &[JudgedSubmission],
    verified: &mut Verified,
) {
    let Verification { package, tests, .. } = *verification;
    report_untried(package, seen, verified);
    for claim in &package.claims {
        let cases = tests.cases_of_claim(claim);
        for one in seen.iter().filter(|one| claim.is_about(&one.submission.name)) {
            let check = ClaimCheck::new(verification, claim, one, &cases);
            let breaches = check.certain_breaches();
            verified.remarks.extend(breaches.into_iter().map(|breach| breach_remark(&check, breach)));
        }
    }
}

fn report_untried(package: &Package, seen: &[JudgedSubmission], verified: &mut Verified) {
    for one in seen {
        match &one.end {
            SubmissionEnd::Refused(why) => report_unbuilt(package, one, why, verified),
            SubmissionEnd::Foreign(why) => report_unjudged(one, why, verified),
            SubmissionEnd::Tried(_) | SubmissionEnd::Unknown => {}
        }
    }
}

/// Whether a claim holds. If not, adds a remark.
fn is_fulfilled(check: &ClaimCheck, verified: &mut Verified) -> bool {
    let Some(breaches) = check.breaches() else { return false };
    let kept = breaches.is_empty();
    verified.remarks.extend(breaches.into_iter().map(|breach| breach_remark(check, breach)));
    kept
}

fn report_unbuilt(package: &Package, one: &JudgedSubmission, why: &str, verified: &mut Verified) {
    if one.submission.expects_compile_error() {
        return;
    }
    let mut claims = package.claims.iter().filter(|claim| claim.is_about(&one.submission.name));
    // Without a claim there is no breach.
    let is_claimed = !one.submission.tags.is_empty() || claims.any(says_something);
    let level = if is_claimed { Level::Error } else { Level::Warning };
    let find = |message: &str| place_of_error(&package.dir, &one.submission.source, message);
    let at = one.compile_error.and_then(find).unwrap_or_else(|| Place::new(one.path(), None));
    let remark = Remark::new(Section::Submissions, level, why).placed(at);
    verified.add(remark.todo("fix it, or add `@EXPECTED_RESULTS@: COMPILER-ERROR`"));
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
fn report_unjudged(one: &JudgedSubmission, why: &str, verified: &mut Verified) {
    let what = format!("not judged: {why}");
    let remark = Remark::new(Section::Submissions, Level::Warning, what).at(one.path());
    verified.add(remark.todo("write it in a language of `kopek languages`, or remove it"));
}

fn breach_remark(check: &ClaimCheck, Breach { what, todo }: Breach) -> Remark {
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
    Remark::new(Section::Submissions, level, what).placed(at).todo(format!("{todo}, or {instead}"))
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

/// Reports how many runs were skipped.
pub(super) fn report_spared(tests: &TestSet, seen: &[JudgedSubmission], verified: &mut Verified) {
    let runs = seen.iter().map(|one| spared_runs(tests, one)).sum();
    if runs > 0 {
        let what = format!("{} spared in groups that were lost by time or memory", counted(runs, "run"));
        verified.check(Section::Submissions, what);
    }
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
