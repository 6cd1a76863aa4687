//! Solutions: tags become directories, and claims if no directory means the same.

use super::problem_xml::{FILE, PolygonManifest};
use crate::import::{
    adapt::base_name,
    draft::{Draft, DraftClaim, DraftSubmission, legal_name},
    source::ForeignPackage,
};
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// Verdicts that a claim permits and requires; empty: no restriction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ClaimedVerdicts {
    permitted: &'static [&'static str],
    required: &'static [&'static str],
}

const fn verdicts(permitted: &'static [&'static str], required: &'static [&'static str]) -> ClaimedVerdicts {
    ClaimedVerdicts { permitted, required }
}

/// A note where a tag means something else than the directory.
type Differs = Option<&'static str>;

const NONE: ClaimedVerdicts = verdicts(&[], &[]);
/// Tag, directory, further claims, and the difference.
const TAGS: &[(&str, &str, ClaimedVerdicts, Differs)] = &[
    ("main", "accepted", NONE, None),
    ("accepted", "accepted", NONE, None),
    ("rejected", "rejected", NONE, None),
    ("wrong-answer", "wrong_answer", NONE, None),
    (
        "presentation-error",
        "wrong_answer",
        NONE,
        Some("there is no presentation error: it must be a wrong answer"),
    ),
    ("time-limit-exceeded", "time_limit_exceeded", NONE, None),
    ("time-limit-exceeded-or-accepted", "mixed", verdicts(&["AC", "TLE"], &[]), None),
    (
        "time-limit-exceeded-or-memory-limit-exceeded",
        "brute_force",
        NONE,
        Some("too much memory is a run time error"),
    ),
    ("memory-limit-exceeded", "run_time_error", NONE, Some("too much memory is a run time error")),
    ("failed", "rejected", NONE, Some("it may fail in any way")),
];
/// The claim of a tag about a group.
const GROUP_TAGS: &[(&str, ClaimedVerdicts)] = &[
    ("accepted", verdicts(&["AC"], &[])),
    ("rejected", verdicts(&[], &["WA", "TLE", "RTE"])),
    ("wrong-answer", verdicts(&["AC", "WA"], &["WA"])),
    ("presentation-error", verdicts(&["AC", "WA"], &["WA"])),
    ("time-limit-exceeded", verdicts(&["AC", "TLE"], &["TLE"])),
    ("time-limit-exceeded-or-accepted", verdicts(&["AC", "TLE"], &[])),
    ("memory-limit-exceeded", verdicts(&["AC", "RTE"], &["RTE"])),
];

pub fn add_solutions(source: &ForeignPackage, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut taken = BTreeSet::new();
    for solution in &manifest.solutions {
        let at = solution.path.as_str();
        if solution.tag == "do-not-run" {
            draft.changes.add_loss(at, "a solution that must not be run", "it is left out");
            continue;
        }
        let row = TAGS.iter().find(|row| row.0 == solution.tag);
        let (_, directory, claim, differs) =
            *row.unwrap_or(&("", "mixed", verdicts(&["AC", "WA", "TLE", "RTE"], &[]), None));
        match (row, differs) {
            (None, _) => draft.changes.add_loss(
                at,
                format!("the tag `{}` is not known", solution.tag),
                "nothing is claimed of it",
            ),
            (Some(_), Some(differs)) => {
                draft.changes.add_change(at, format!("the tag `{}`", solution.tag), differs)
            }
            (Some(_), None) => {}
        }
        if solution.kind.starts_with("python.2") {
            draft.changes.add_change(
                at,
                "written in Python 2",
                "it is run as Python 3; rewrite it if it fails",
            );
        }
        let mut claims = Vec::new();
        if claim != NONE {
            claims.push(claim_of(String::new(), claim));
        }
        claims.extend(group_claims(&solution.extra, at, draft));
        let file = free_name(&mut taken, directory, &legal_name(base_name(at)));
        let model = solution.tag == "main" && draft.submissions.iter().all(|other| !other.model);
        draft.submissions.push(DraftSubmission {
            companions: Default::default(),
            directory,
            file,
            source: source.path_of(at)?,
            model,
            claims,
        });
    }
    ensure!(
        draft.submissions.iter().any(|submission| submission.directory == "accepted"),
        "{FILE}: there is no solution with the tag `main` or `accepted`: nothing would show that the problem can be solved"
    );
    Ok(())
}

fn claim_of(group: String, verdicts: ClaimedVerdicts) -> DraftClaim {
    let ClaimedVerdicts { permitted, required } = verdicts;
    DraftClaim { group, permitted, required, partly_of: None }
}

fn group_claims(extra: &[(String, String)], at: &str, draft: &mut Draft) -> Vec<DraftClaim> {
    let mut claims = Vec::new();
    for (group, tag) in extra {
        let dirs: Vec<String> = draft
            .groups
            .iter()
            .filter(|one| one.origin == *group)
            .map(|one| format!("secret/{}", one.name))
            .collect();
        match GROUP_TAGS.iter().find(|row| row.0 == tag) {
            // If a group was split, the tag does not name the part.
            Some((_, claim)) if dirs.len() == 1 => claims.push(claim_of(dirs[0].clone(), *claim)),
            Some(_) | None => {
                let what = format!("the tag `{tag}` of group `{group}`");
                draft.changes.add_loss(at, what, "nothing is claimed of that group");
            }
        }
    }
    claims
}

/// A name that is unique in the directory.
pub fn free_name(taken: &mut BTreeSet<String>, directory: &str, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(format!("{directory}/{free}")) {
        free = match name.rsplit_once('.') {
            Some((stem, ending)) => format!("{stem}_{number}.{ending}"),
            None => format!("{name}_{number}"),
        };
        number += 1;
    }
    free
}
