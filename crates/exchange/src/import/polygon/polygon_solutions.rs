//! Solutions: tags become directories, and claims if no directory means the same.

use super::problem_xml::{FILE, PolygonManifest};
use crate::import::{
    draft::{Draft, DraftClaim, DraftSubmission},
    draft_files::{DraftFiles, base_name, legal_name},
};
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// What a tag says about a solution.
struct Tag {
    name: &'static str,
    directory: &'static str,
    /// Verdicts that are permitted besides what the directory says; empty: no further claim.
    permitted: &'static [&'static str],
    /// Where it means something else than the directory.
    differs: &'static str,
}

const fn tag(name: &'static str, directory: &'static str) -> Tag {
    Tag { name, directory, permitted: &[], differs: "" }
}

const MEMORY: &str = "too much memory is a run time error";
const TAGS: &[Tag] = &[
    tag("main", "accepted"),
    tag("accepted", "accepted"),
    tag("rejected", "rejected"),
    tag("wrong-answer", "wrong_answer"),
    Tag {
        differs: "there is no presentation error: it must be a wrong answer",
        ..tag("presentation-error", "wrong_answer")
    },
    tag("time-limit-exceeded", "time_limit_exceeded"),
    Tag { permitted: &["AC", "TLE"], ..tag("time-limit-exceeded-or-accepted", "mixed") },
    Tag { differs: MEMORY, ..tag("time-limit-exceeded-or-memory-limit-exceeded", "brute_force") },
    Tag { differs: MEMORY, ..tag("memory-limit-exceeded", "run_time_error") },
    Tag { differs: "it may fail in any way", ..tag("failed", "rejected") },
];
/// The claim of a tag about a group: permitted and required verdicts.
const GROUP_TAGS: &[(&str, &[&str], &[&str])] = &[
    ("accepted", &["AC"], &[]),
    ("rejected", &[], &["WA", "TLE", "RTE"]),
    ("wrong-answer", &["AC", "WA"], &["WA"]),
    ("presentation-error", &["AC", "WA"], &["WA"]),
    ("time-limit-exceeded", &["AC", "TLE"], &["TLE"]),
    ("time-limit-exceeded-or-accepted", &["AC", "TLE"], &[]),
    ("memory-limit-exceeded", &["AC", "RTE"], &["RTE"]),
];

pub fn add_solutions(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut taken = BTreeSet::new();
    for solution in &manifest.solutions {
        let at = solution.path.as_str();
        if solution.tag == "do-not-run" {
            draft.lost(at, "a solution that must not be run", "it is left out");
            continue;
        }
        let mut claims = Vec::new();
        let mut directory = "mixed";
        if let Some(tag) = TAGS.iter().find(|tag| tag.name == solution.tag) {
            directory = tag.directory;
            if !tag.differs.is_empty() {
                draft.changed(at, format!("the tag `{}`", solution.tag), tag.differs);
            }
            if !tag.permitted.is_empty() {
                claims.push(DraftClaim { permitted: tag.permitted, ..DraftClaim::default() });
            }
        } else {
            draft.lost(at, format!("the tag `{}` is not known", solution.tag), "nothing is claimed of it");
            claims.push(DraftClaim::anything());
        }
        if solution.kind.starts_with("python.2") {
            draft.changed(at, "written in Python 2", "it is run as Python 3; rewrite it if it fails");
        }
        add_group_claims(&solution.extra, at, &mut claims, draft);
        let submission = DraftSubmission {
            directory,
            file: free_name(&mut taken, directory, &legal_name(base_name(at))),
            source: draft.source().path_of(at)?,
            companions: DraftFiles::new(),
            model: solution.tag == "main" && !draft.has_model(),
            claims,
        };
        draft.submissions.push(submission);
    }
    ensure!(
        draft.submissions.iter().any(|submission| submission.directory == "accepted"),
        "{FILE}: there is no solution with the tag `main` or `accepted`: nothing would show that the problem can be solved"
    );
    Ok(())
}

fn add_group_claims(extra: &[(String, String)], at: &str, claims: &mut Vec<DraftClaim>, draft: &mut Draft) {
    for (group, tag) in extra {
        let dirs = draft.groups_of(group);
        match (GROUP_TAGS.iter().find(|row| row.0 == tag), dirs.as_slice()) {
            (Some((_, permitted, required)), [dir]) => {
                claims.push(DraftClaim { group: dir.clone(), permitted, required, partly_of: None });
            }
            // If a group was split, the tag does not name the part.
            _ => {
                let what = format!("the tag `{tag}` of group `{group}`");
                draft.lost(at, what, "nothing is claimed of that group");
            }
        }
    }
}

/// A name that is unique in the directory.
fn free_name(taken: &mut BTreeSet<String>, directory: &str, name: &str) -> String {
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
