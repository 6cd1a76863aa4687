//! `solutions.json`: the claims about solutions, per subtask.

use super::{
    problem_json::{FILE as PROBLEM, TpsTask, read_object},
    subtasks_json::TpsSubtasks,
};
use crate::import::{
    adapt::{ProgramSources, base_name},
    draft::{Draft, DraftClaim, DraftSubmission, legal_name},
};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

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

/// Whether all of a part must be right.
fn is_right(verdict: &str) -> bool {
    ["model_solution", "correct"].contains(&verdict)
}

pub fn add_solutions(
    sources: &ProgramSources,
    task: &TpsTask,
    subtasks: &TpsSubtasks,
    draft: &mut Draft,
) -> Result<()> {
    let listed = read_object(sources.source, FILE)?;
    for (file, keys) in &listed {
        let at = format!("{FILE}: {file}");
        let path = format!("solution/{file}");
        if !sources.source.has(&path) {
            draft.changes.add_loss(at, format!("there is no {path}"), "it is left out");
            continue;
        }
        let verdict = keys.get("verdict").and_then(Value::as_str);
        let verdict = verdict.with_context(|| format!("{at}: no `verdict`"))?;
        let model = verdict == "model_solution";
        let language = language_of(file);
        if !draft.languages.is_empty() && draft.languages.iter().all(|allowed| allowed != language) {
            if task.has_grader {
                let what = "a solution in a language whose grader is left out";
                draft.changes.add_loss(&path, what, "it is left out: nothing would call it");
                continue;
            }
            let what = format!("a solution in a language that {PROBLEM} does not allow");
            if !model {
                draft.changes.add_loss(&path, what, "it is left out");
                continue;
            }
            draft.changes.add_change(&path, what, "its language is allowed: it makes the answers");
            draft.languages.push(language.to_owned());
        }
        let claims = read_claims(verdict, keys.get("except"), subtasks, draft).with_context(|| at.clone())?;
        let mut companions = sources.companion_files(&path)?;
        // The files of a grader are copied beside every submission.
        companions.retain(|name, _| !is_included(name, draft));
        ensure!(
            !model || draft.submissions.iter().all(|other| !other.model),
            "{at}: a second model_solution"
        );
        draft.submissions.push(DraftSubmission {
            directory: if is_right(verdict) && claims.is_empty() { "accepted" } else { "mixed" },
            file: legal_name(base_name(file)),
            source: sources.source.path_of(&path)?,
            companions,
            model,
            claims,
        });
    }
    ensure!(
        draft.submissions.iter().any(|one| one.model),
        "{FILE} names no solution with the verdict model_solution: nothing would make the answers"
    );
    report_others(sources, &listed.keys().collect::<Vec<_>>(), draft);
    Ok(())
}

fn is_included(name: &str, draft: &Draft) -> bool {
    draft.languages.iter().any(|language| draft.files.contains_key(&format!("include/{language}/{name}")))
}

/// The language code of a solution.
fn language_of(file: &str) -> &str {
    match file.rsplit('.').next().unwrap_or_default() {
        "cc" | "cxx" => "cpp",
        "py" => "python3",
        "pas" => "pascal",
        other => other,
    }
}

fn read_claims(
    verdict: &str,
    except: Option<&Value>,
    subtasks: &TpsSubtasks,
    draft: &mut Draft,
) -> Result<Vec<DraftClaim>> {
    let mut claims = Vec::new();
    let empty = serde_json::Map::new();
    let except = match except {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(except)) => except,
        Some(_) => bail!("`except` is not an object"),
    };
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
        let own =
            except.get(&subtask.name).map(|own| own.as_str().context("`except` has no word")).transpose()?;
        let verdict = match own {
            Some(own) => own,
            None if whole_is_right && !except.is_empty() => verdict,
            None => continue,
        };
        let group = match draft.groups.iter().find(|group| group.origin == subtask.name) {
            Some(group) => format!("secret/{}", group.name),
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
    let most = match group.strip_prefix("secret/") {
        Some(name) => draft.groups.iter().find(|group| group.name == name).map(|group| &group.max),
        None if group.is_empty() => draft.max_score.as_ref(),
        None => None,
    };
    let partly_of = most.filter(|_| *partial).cloned();
    if *partial && partly_of.is_none() {
        return Ok(None);
    }
    Ok(Some(DraftClaim { group: group.to_owned(), permitted, required, partly_of }))
}

/// Files that are beside the solutions: helpers, or forgotten.
fn report_others(sources: &ProgramSources, listed: &[&String], draft: &mut Draft) {
    let names = sources.source.names_in("solution");
    let others: Vec<&str> = names.filter(|name| listed.iter().all(|file| file.as_str() != *name)).collect();
    if !others.is_empty() {
        let what = format!("not in {FILE}: {}", others.join(", "));
        draft.changes.add_loss("solution", what, "they are left out, except what a solution includes");
    }
}
