//! `sol/`: the model solution, graders that are compiled with every submission, and
//! other solutions with the claims in their comments.

use super::{gen_file::Subtask, subtasks::is_called};
use crate::import::{
    draft::{Draft, DraftClaim, DraftSubmission, language_of},
    draft_files::{DraftFiles, ending_of, legal_name},
};
use anyhow::{Result, bail};
use regex_lite::Regex;
use std::collections::BTreeSet;

const ENDINGS: &str = "c cpp cc cxx java py pas rs go hs cs kt js ml rb php sh";
/// Languages whose graders are compiled together with a submission.
const JOINED: [&str; 3] = ["c", "cpp", "java"];
/// Claims in comments: the word, the verdicts it permits, the verdicts it requires.
const CHECKS: &[(&str, &[&str], &[&str])] = &[
    ("accepted", &["AC"], &[]),
    ("wrong-answer", &[], &["WA"]),
    ("time-limit-exceeded", &[], &["TLE"]),
    ("wall-time-limit-exceeded", &[], &["TLE"]),
    ("memory-limit-exceeded", &[], &["RTE"]),
    ("runtime-error", &[], &["RTE"]),
    ("zero", &[], &["WA", "TLE", "RTE"]),
];

pub fn add_solutions(subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    add_graders(draft)?;
    let names: Vec<&str> = source.names_in("sol").filter(|name| is_solution(name)).collect();
    if draft.submit_answer {
        if !names.is_empty() {
            let what = "solutions that make outputs";
            draft.lost("sol", what, "they are left out: the outputs are handed in");
        }
        return Ok(());
    }
    for (name, companions) in solutions_with_companions(draft, &names)? {
        let path = format!("sol/{name}");
        if draft.excludes(name) {
            let what = "a solution in a language whose grader was left out";
            draft.lost(&path, what, "it is left out: nothing would call it");
            continue;
        }
        // The files of a grader are copied beside every submission.
        let companions = if draft.languages.is_empty() { companions } else { DraftFiles::new() };
        let stem = name.split('.').next().unwrap_or(name);
        let is_main = ["solution", "soluzione"].contains(&stem);
        let claims = read_claims(&source.read_text(&path)?, subtasks, &path, draft);
        let right = |claim: &DraftClaim| claim.group.is_empty() && claim.permitted == ["AC"];
        let all_right = !claims.is_empty() && claims.iter().all(right);
        let model = is_main && !draft.has_model();
        let directory = if is_main || all_right { "accepted" } else { "mixed" };
        let claims = match (directory, claims.is_empty()) {
            ("accepted", _) => Vec::new(),
            (_, false) => claims,
            (_, true) => {
                let instead = "any verdict is accepted; write the expected one into submissions.yaml";
                draft.changed(&path, "its expected verdict is not stated", instead);
                vec![DraftClaim::anything()]
            }
        };
        let source = source.path_of(&path)?;
        let file = legal_name(name);
        draft.submissions.push(DraftSubmission { directory, file, source, companions, model, claims });
    }
    if draft.has_model() {
        return Ok(());
    }
    let unanswered = draft.tests.iter().find(|test| test.answer.is_none());
    if let Some(test) = unanswered {
        bail!(
            "the output of test {} is missing, and there is no sol/solution.* that could make it",
            test.name
        );
    }
    let instead =
        "put a right solution into submissions/accepted/: nothing shows that the task can be solved";
    draft.lost("sol", "there is no sol/solution.* or sol/soluzione.*", instead);
    Ok(())
}

/// The solutions and the files they need; a file that another one needs is no solution.
fn solutions_with_companions<'n>(draft: &Draft, names: &[&'n str]) -> Result<Vec<(&'n str, DraftFiles)>> {
    let mut all = Vec::new();
    for name in names {
        all.push((*name, draft.programs.companion_files(&format!("sol/{name}"))?));
    }
    let modules: BTreeSet<String> = all.iter().flat_map(|(_, files)| files.keys().cloned()).collect();
    all.retain(|(name, _)| !modules.contains(*name));
    Ok(all)
}

fn is_solution(name: &str) -> bool {
    let own = ["grader", "stub", "template", "manager"].iter().any(|part| name.starts_with(part));
    !own && name.contains('.') && ENDINGS.split(' ').any(|ending| ending == ending_of(name))
}

fn add_graders(draft: &mut Draft) -> Result<()> {
    let names: Vec<&str> = draft.source().names_in("sol").collect();
    let mut languages = BTreeSet::new();
    for name in &names {
        let is_grader = ["grader", "stub"].contains(&name.split('.').next().unwrap_or_default());
        // Headers are no graders; they are added to every language below.
        if !is_grader || name.ends_with(".h") {
            continue;
        }
        let path = format!("sol/{name}");
        let language = language_of(name);
        if JOINED.contains(&language) {
            languages.insert(language);
            draft.copy(&path, format!("include/{language}/{name}"))?;
        } else {
            let what = "a grader in a language where the submission does not call it";
            draft.lost(path, what, "it is left out: that language cannot be used");
        }
    }
    for language in &languages {
        for name in names.iter().filter(|name| name.ends_with(".h") || name.ends_with(".hpp")) {
            draft.copy(&format!("sol/{name}"), format!("include/{language}/{}", legal_name(name)))?;
        }
    }
    // Without a grader nothing calls the submission, so the language is not allowed.
    draft.languages = languages.into_iter().map(str::to_owned).collect();
    Ok(())
}

fn read_claims(text: &str, subtasks: &[Subtask], path: &str, draft: &mut Draft) -> Vec<DraftClaim> {
    let check = Regex::new(r"@check-([a-z-]+):?[ \t]*([^\n]*)").expect("a pattern that was tried");
    let mut claims = Vec::new();
    for found in check.captures_iter(text) {
        let Some(&(_, permitted, required)) = CHECKS.iter().find(|row| row.0 == &found[1]) else {
            draft.lost(path, format!("the claim `@check-{}`", &found[1]), "it is left out");
            continue;
        };
        let patterns: Vec<&str> =
            found[2].split_whitespace().take_while(|part| !part.starts_with("*/")).collect();
        let meant = |at: &usize| patterns.iter().any(|pattern| is_called(subtasks, *at, pattern));
        let groups: Vec<String> =
            (0..subtasks.len()).filter(meant).flat_map(|at| draft.groups_of(&(at + 1).to_string())).collect();
        let all = patterns.is_empty() || draft.groups.is_empty() || groups.len() == draft.groups.len();
        // Right means all groups are right; wrong must be wrong in each group.
        let is_whole = all && !permitted.is_empty() || draft.groups.is_empty();
        let groups = if is_whole { vec![String::new()] } else { groups };
        for group in groups {
            add_claim(&mut claims, DraftClaim { group, permitted, required, partly_of: None });
        }
    }
    claims
}

/// Each group once: the first claim about permitted or required verdicts counts.
fn add_claim(claims: &mut Vec<DraftClaim>, new: DraftClaim) {
    match claims.iter_mut().find(|claim| claim.group == new.group) {
        None => claims.push(new),
        Some(old) if old.permitted.is_empty() && !new.permitted.is_empty() => old.permitted = new.permitted,
        Some(old) if old.required.is_empty() => old.required = new.required,
        Some(_) => {}
    }
}
