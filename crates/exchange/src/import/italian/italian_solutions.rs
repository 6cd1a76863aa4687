//! `sol/`: the model solution, graders that are compiled with every submission, and
//! other solutions with the claims in their comments.

use super::{gen_file::Subtask, subtasks::is_called};
use crate::import::{
    adapt::ProgramSources,
    draft::{Content, Draft, DraftClaim, DraftFiles, DraftSubmission, legal_name},
    source::ForeignPackage,
};
use anyhow::{Context, Result, ensure};
use regex_lite::Regex;
use std::collections::BTreeSet;

const ENDINGS: &[&str] = &[
    "c", "cpp", "cc", "cxx", "java", "py", "pas", "rs", "go", "hs", "cs", "kt", "js", "ml", "rb", "php", "sh",
];
/// Endings of graders that are compiled together with a submission, and their languages.
const GRADERS: &[(&str, &str)] = &[("c", "c"), ("cpp", "cpp"), ("cc", "cpp"), ("java", "java")];
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

pub fn add_solutions(sources: &ProgramSources, subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let source = sources.source;
    add_graders(source, draft)?;
    let names: Vec<&str> = source.names_in("sol").filter(|name| is_solution(name)).collect();
    if draft.submit_answer {
        if !names.is_empty() {
            draft.changes.add_loss(
                "sol",
                "solutions that make outputs",
                "they are left out: the outputs are handed in",
            );
        }
        return Ok(());
    }
    for (name, companions) in solutions_with_companions(sources, &names)? {
        let path = format!("sol/{name}");
        if lacks_grader(name, draft) {
            let what = "a solution in a language whose grader was left out";
            draft.changes.add_loss(&path, what, "it is left out: nothing would call it");
            continue;
        }
        // The files of a grader are copied beside every submission.
        let companions = if draft.languages.is_empty() { companions } else { DraftFiles::new() };
        let stem = name.split('.').next().unwrap_or(name);
        let is_main = ["solution", "soluzione"].contains(&stem);
        let claims = read_claims(&source.read_text(&path)?, subtasks, &path, draft);
        let right = |claim: &DraftClaim| claim.group.is_empty() && claim.permitted == ["AC"];
        let all_right = !claims.is_empty() && claims.iter().all(right);
        let model = is_main && draft.submissions.iter().all(|other| !other.model);
        let (directory, claims) = match (is_main || all_right, claims.is_empty()) {
            (true, _) => ("accepted", Vec::new()),
            (false, true) => {
                draft.changes.add_change(
                    &path,
                    "its expected verdict is not stated",
                    "any verdict is accepted; write the expected one into submissions.yaml",
                );
                ("mixed", vec![DraftClaim::anything()])
            }
            (false, false) => ("mixed", claims),
        };
        let source = source.path_of(&path)?;
        let file = legal_name(name);
        draft.submissions.push(DraftSubmission { directory, file, source, companions, model, claims });
    }
    ensure!(
        draft.submissions.iter().any(|submission| submission.model),
        "there is no sol/solution.* or sol/soluzione.*: nothing would show that the task can be solved"
    );
    Ok(())
}

/// The solutions and the files they need; a file that another one needs is no solution.
fn solutions_with_companions<'a>(
    sources: &ProgramSources,
    names: &[&'a str],
) -> Result<Vec<(&'a str, DraftFiles)>> {
    let companions = |name: &&'a str| Ok((*name, sources.companion_files(&format!("sol/{name}"))?));
    let mut all = names.iter().map(companions).collect::<Result<Vec<_>>>()?;
    let modules: BTreeSet<String> = all.iter().flat_map(|(_, files)| files.keys().cloned()).collect();
    all.retain(|(name, _)| !modules.contains(*name));
    Ok(all)
}

/// Whether the task has graders, but none in the language of this submission.
fn lacks_grader(name: &str, draft: &Draft) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let ending = if ending == "cxx" { "cpp" } else { ending };
    let language = GRADERS.iter().find(|row| row.0 == ending).map(|row| row.1);
    !draft.languages.is_empty()
        && language.is_none_or(|language| draft.languages.iter().all(|code| code != language))
}

fn is_solution(name: &str) -> bool {
    let own = ["grader", "stub", "template", "manager"].iter().any(|part| name.starts_with(part));
    !own && name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Known right outputs, as an accepted submission.
pub fn add_answers(draft: &mut Draft) -> Result<()> {
    for test in &draft.tests {
        let answer = test.answer.clone();
        let answer =
            answer.with_context(|| format!("an output-only task without output/output{}.txt", test.name))?;
        draft.files.insert(format!("submissions/accepted/answers/{}.out", test.name), Content::Lines(answer));
    }
    Ok(())
}

fn add_graders(source: &ForeignPackage, draft: &mut Draft) -> Result<()> {
    let names: Vec<&str> = source.names_in("sol").collect();
    let grader = |name: &&str| ["grader", "stub"].contains(&name.split('.').next().unwrap_or_default());
    let mut languages = Vec::new();
    for name in names.iter().copied().filter(grader) {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match GRADERS.iter().find(|row| row.0 == ending) {
            Some((_, language)) => {
                languages.push(*language);
                let file = Content::File(source.path_of(&format!("sol/{name}"))?);
                draft.files.insert(format!("include/{language}/{name}"), file);
            }
            // Headers are no graders; they are added to every language below.
            None if ending == "h" => {}
            None => {
                let what = "a grader in a language where the submission does not call it";
                draft.changes.add_loss(
                    format!("sol/{name}"),
                    what,
                    "it is left out: that language cannot be used",
                );
            }
        }
    }
    for language in &languages {
        for name in names.iter().filter(|name| name.ends_with(".h") || name.ends_with(".hpp")) {
            let file = Content::File(source.path_of(&format!("sol/{name}"))?);
            draft.files.insert(format!("include/{language}/{}", legal_name(name)), file);
        }
    }
    languages.sort_unstable();
    languages.dedup();
    // Without a grader nothing calls the submission, so the language is not allowed.
    draft.languages = languages.into_iter().map(str::to_owned).collect();
    Ok(())
}

fn read_claims(text: &str, subtasks: &[Subtask], path: &str, draft: &mut Draft) -> Vec<DraftClaim> {
    let check = Regex::new(r"@check-([a-z-]+):?[ \t]*([^\n]*)").expect("a pattern that was tried");
    let mut claims = Vec::new();
    for found in check.captures_iter(text) {
        let Some(&(_, permitted, required)) = CHECKS.iter().find(|row| row.0 == &found[1]) else {
            draft.changes.add_loss(path, format!("the claim `@check-{}`", &found[1]), "it is left out");
            continue;
        };
        let patterns: Vec<&str> =
            found[2].split_whitespace().take_while(|part| !part.starts_with("*/")).collect();
        let meant = |at: &usize| patterns.iter().any(|pattern| is_called(subtasks, *at, pattern));
        let groups: Vec<String> = (0..subtasks.len())
            .filter(meant)
            .filter_map(|at| draft.groups.iter().find(|group| group.origin == (at + 1).to_string()))
            .map(|group| format!("secret/{}", group.name))
            .collect();
        let all = patterns.is_empty() || draft.groups.is_empty() || groups.len() == draft.groups.len();
        // Right means all groups are right; wrong must be wrong in each group.
        let groups = match all && !permitted.is_empty() || draft.groups.is_empty() {
            true => vec![String::new()],
            false => groups,
        };
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
