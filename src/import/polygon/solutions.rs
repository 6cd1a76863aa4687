//! Solutions: tags become directories, and claims where no directory says the same.

use super::manifest::{FILE, Manifest};
use crate::import::{
    adapt::basename,
    draft::{Claim, Draft, Submission, legal},
    source::Source,
};
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// What a claim permits and requires; empty: nothing said.
type Words = (&'static [&'static str], &'static [&'static str]);
/// What is said where a tag means something else than the directory.
type Differs = Option<&'static str>;

const NONE: Words = (&[], &[]);
/// Tag, directory, what is claimed beyond it, and what differs.
const TAGS: &[(&str, &str, Words, Differs)] = &[
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
    ("time-limit-exceeded-or-accepted", "mixed", (&["AC", "TLE"], &[]), None),
    (
        "time-limit-exceeded-or-memory-limit-exceeded",
        "brute_force",
        NONE,
        Some("too much memory is a run time error"),
    ),
    ("memory-limit-exceeded", "run_time_error", NONE, Some("too much memory is a run time error")),
    ("failed", "rejected", NONE, Some("it may fail in any way")),
];
/// What a tag says about a group.
const GROUP_TAGS: &[(&str, Words)] = &[
    ("accepted", (&["AC"], &[])),
    ("rejected", (&[], &["WA", "TLE", "RTE"])),
    ("wrong-answer", (&["AC", "WA"], &["WA"])),
    ("presentation-error", (&["AC", "WA"], &["WA"])),
    ("time-limit-exceeded", (&["AC", "TLE"], &["TLE"])),
    ("time-limit-exceeded-or-accepted", (&["AC", "TLE"], &[])),
    ("memory-limit-exceeded", (&["AC", "RTE"], &["RTE"])),
];

/// Adds them.
pub fn add(source: &Source, said: &Manifest, draft: &mut Draft) -> Result<()> {
    let mut taken = BTreeSet::new();
    for solution in &said.solutions {
        let at = solution.path.as_str();
        if solution.tag == "do-not-run" {
            draft.changes.lost(at, "a solution that must not be run", "it is left out");
            continue;
        }
        let row = TAGS.iter().find(|row| row.0 == solution.tag);
        let (_, directory, claim, differs) =
            *row.unwrap_or(&("", "mixed", (&["AC", "WA", "TLE", "RTE"], &[]), None));
        match (row, differs) {
            (None, _) => draft.changes.lost(
                at,
                format!("the tag `{}` is not known", solution.tag),
                "nothing is claimed of it",
            ),
            (Some(_), Some(differs)) => {
                draft.changes.changed(at, format!("the tag `{}`", solution.tag), differs)
            }
            (Some(_), None) => {}
        }
        if solution.kind.starts_with("python.2") {
            draft.changes.changed(at, "written in Python 2", "it is run as Python 3; rewrite it if it fails");
        }
        let mut claims = Vec::new();
        if claim != NONE {
            claims.push(of(String::new(), claim));
        }
        claims.extend(of_groups(&solution.extra, at, draft));
        let file = free(&mut taken, directory, &legal(basename(at)));
        let model = solution.tag == "main" && draft.submissions.iter().all(|other| !other.model);
        draft.submissions.push(Submission { directory, file, source: source.path(at)?, model, claims });
    }
    ensure!(
        draft.submissions.iter().any(|submission| submission.directory == "accepted"),
        "{FILE}: there is no solution with the tag `main` or `accepted`: nothing would show that the problem can be solved"
    );
    Ok(())
}

fn of(group: String, (permitted, required): Words) -> Claim {
    Claim { group, permitted, required }
}

fn of_groups(extra: &[(String, String)], at: &str, draft: &mut Draft) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (group, tag) in extra {
        let dirs: Vec<String> = draft
            .groups
            .iter()
            .filter(|one| one.origin == *group)
            .map(|one| format!("secret/{}", one.name))
            .collect();
        match GROUP_TAGS.iter().find(|row| row.0 == tag) {
            Some((_, claim)) if dirs.len() == 1 => claims.push(of(dirs[0].clone(), *claim)),
            Some(_) | None => {
                let what = format!("the tag `{tag}` of group `{group}`");
                draft.changes.lost(at, what, "nothing is claimed of that group");
            }
        }
    }
    claims
}

/// A name that no other solution of the directory has.
pub fn free(taken: &mut BTreeSet<String>, directory: &str, name: &str) -> String {
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
