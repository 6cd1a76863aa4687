//! `solutions.json`: the claims about solutions, per subtask.

use super::task_files::{PROBLEM, TpsSubtasks, TpsTask, read_json};
use crate::import::{
    draft::{Draft, DraftClaim, DraftSubmission, language_of},
    draft_files::{base_name, legal_name},
};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;

pub const FILE: &str = "solutions.json";
/// Permitted verdicts, required verdicts, and whether the points are partial.
const VERDICTS: &[(&str, &[&str], bool)] = &[
    ("model_solution", &[], false),
    ("correct", &[], false),
    ("incorrect", &["WA"], false),
    ("time_limit", &["TLE"], false),
    ("memory_limit", &["RTE"], false),
    ("runtime_error", &["RTE"], false),
    ("failed", &["WA", "TLE", "RTE"], false),
    ("time_limit_and_runtime_error", &["TLE", "RTE"], false),
    ("partially_correct", &[], true),
];

#[derive(Deserialize)]
struct TpsSolution {
    verdict: String,
    #[serde(default)]
    except: BTreeMap<String, String>,
}

/// Whether all of a part must be right.
fn is_right(verdict: &str) -> bool {
    ["model_solution", "correct"].contains(&verdict)
}

pub fn add_solutions(task: &TpsTask, subtasks: &TpsSubtasks, draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let listed: BTreeMap<String, TpsSolution> = read_json(source, FILE)?;
    for (file, solution) in &listed {
        let at = format!("{FILE}: {file}");
        let path = format!("solution/{file}");
        if !source.has(&path) {
            draft.lost(at, format!("there is no {path}"), "it is left out");
            continue;
        }
        let TpsSolution { verdict, except } = solution;
        let model = verdict == "model_solution";
        if draft.excludes(file) {
            if task.has_grader {
                let what = "a solution in a language whose grader is left out";
                draft.lost(&path, what, "it is left out: nothing would call it");
                continue;
            }
            let what = format!("a solution in a language that {PROBLEM} does not allow");
            if !model {
                draft.lost(&path, what, "it is left out");
                continue;
            }
            draft.changed(&path, what, "its language is allowed: it makes the answers");
            draft.languages.push(language_of(file).to_owned());
        }
        let claims = read_claims(verdict, except, subtasks, draft).with_context(|| at.clone())?;
        let mut companions = draft.programs.companion_files(&path)?;
        // The files of a grader are copied beside every submission.
        companions.retain(|name, _| !is_included(name, draft));
        ensure!(!model || !draft.has_model(), "{at}: a second model_solution");
        draft.submissions.push(DraftSubmission {
            directory: if is_right(verdict) && claims.is_empty() { "accepted" } else { "mixed" },
            file: legal_name(base_name(file)),
            source: source.path_of(&path)?,
            companions,
            model,
            claims,
        });
    }
    ensure!(
        draft.has_model(),
        "{FILE} names no solution with the verdict model_solution: nothing would make the answers"
    );
    // Helpers, or forgotten.
    let others: Vec<&str> = source.names_in("solution").filter(|name| !listed.contains_key(*name)).collect();
    if !others.is_empty() {
        let what = format!("not in {FILE}: {}", others.join(", "));
        draft.lost("solution", what, "they are left out, except what a solution includes");
    }
    Ok(())
}

fn is_included(name: &str, draft: &Draft) -> bool {
    draft.languages.iter().any(|language| draft.files.contains_key(&format!("include/{language}/{name}")))
}

fn read_claims(
    verdict: &str,
    except: &BTreeMap<String, String>,
    subtasks: &TpsSubtasks,
    draft: &Draft,
) -> Result<Vec<DraftClaim>> {
    let mut claims = Vec::new();
    // Right in all subtasks except some means right in each of the others.
    let whole_is_right = is_right(verdict);
    if !whole_is_right {
        claims.extend(claim_of("", verdict, draft)?);
    }
    for name in except.keys() {
        ensure!(
            subtasks.all.iter().any(|one| &one.name == name),
            "`except` names `{name}`, which is no subtask"
        );
    }
    for subtask in &subtasks.all {
        let verdict = match except.get(&subtask.name) {
            Some(own) => own,
            None if whole_is_right && !except.is_empty() => verdict,
            None => continue,
        };
        let group = match draft.groups_of(&subtask.name).into_iter().next() {
            Some(group) => group,
            None if subtask.is_samples() && draft.tests.iter().any(|test| test.sample) => "sample".to_owned(),
            None => continue,
        };
        claims.extend(claim_of(&group, verdict, draft)?);
    }
    Ok(claims)
}

/// The claim about a group; empty: about all tests.
fn claim_of(group: &str, verdict: &str, draft: &Draft) -> Result<Option<DraftClaim>> {
    let Some((_, required, partial)) = VERDICTS.iter().find(|row| row.0 == verdict) else {
        let known: Vec<&str> = VERDICTS.iter().map(|row| row.0).collect();
        bail!("the verdict `{verdict}` is none of {}", known.join(", "));
    };
    let permitted: &[&str] = if is_right(verdict) { &["AC"] } else { &[] };
    let max = match group.strip_prefix("secret/") {
        Some(name) => draft.groups.iter().find(|group| group.name == name).map(|group| &group.max),
        None if group.is_empty() => draft.max_score.as_ref(),
        None => None,
    };
    let partly_of = max.filter(|_| *partial).cloned();
    if *partial && partly_of.is_none() {
        return Ok(None);
    }
    Ok(Some(DraftClaim { group: group.to_owned(), permitted, required, partly_of }))
}
