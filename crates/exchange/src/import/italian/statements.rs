//! The statements of a task in all their forms, and the language of those whose name has none.

use super::task_yaml::ItalianTask;
use crate::import::{
    draft::Draft,
    draft_files::{base_name, ending_of, legal_name, parent},
};
use anyhow::Result;
use std::collections::BTreeMap;

const DIRS: [&str; 2] = ["statement", "testo"];
const FORMS: [&str; 3] = ["pdf", "md", "tex"];
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "svg", "gif"];
/// Names of statements without a language.
const PLAIN: [&str; 2] = ["statement", "testo"];
/// Names of languages.
const LANGUAGES: &[(&str, &str)] = &[
    ("english", "en"),
    ("italian", "it"),
    ("french", "fr"),
    ("german", "de"),
    ("spanish", "es"),
    ("slovenian", "sl"),
    ("russian", "ru"),
    ("croatian", "hr"),
    ("hungarian", "hu"),
];

/// Adds all statements with their pictures, and a title in each of their languages.
pub fn add_statements(task: &ItalianTask, draft: &mut Draft) -> Result<()> {
    let source = draft.source();
    let mut plain = Vec::new();
    let mut chosen: BTreeMap<String, String> = BTreeMap::new();
    let mut rest = Vec::new();
    for path in source.paths().filter(|path| DIRS.iter().any(|dir| path.starts_with(&format!("{dir}/")))) {
        let ending = ending_of(path).to_ascii_lowercase();
        let stem = base_name(path).split('.').next().unwrap_or_default().to_lowercase();
        let is_form = FORMS.contains(&ending.as_str()) && DIRS.contains(&parent(path));
        if is_form && PLAIN.contains(&stem.as_str()) {
            plain.push((path, ending));
        } else if let Some(code) = language_code(&stem).filter(|_| is_form) {
            chosen.entry(format!("statement/problem.{code}.{ending}")).or_insert_with(|| path.to_owned());
        } else if PICTURES.contains(&ending.as_str()) {
            draft.copy(path, format!("statement/{}", legal_name(base_name(path))))?;
        } else {
            rest.push(path);
        }
    }
    let own = own_language(task, &chosen, draft);
    if !plain.is_empty() && task.language.is_empty() {
        let language = if own == "it" { "Italian" } else { "English" };
        let instead = format!("the statement counts as {language}: rename it if it is not");
        draft.changed(&task.file, "primary_language is not stated", instead);
    }
    for (path, ending) in plain {
        chosen.entry(format!("statement/problem.{own}.{ending}")).or_insert_with(|| path.to_owned());
    }
    // The format wants titles and statements in the same languages.
    let codes: Vec<&str> = chosen.keys().filter_map(|place| place.split('.').nth(1)).collect();
    let codes = if codes.is_empty() { vec![own.as_str()] } else { codes };
    draft.titles.extend(codes.into_iter().map(|code| (code.to_owned(), task.title.clone())));
    for (place, path) in &chosen {
        draft.copy(path, place)?;
    }
    if !rest.is_empty() {
        draft.lost(rest.join(", "), "no statement by its name", "it is left out");
    }
    Ok(())
}

/// The code of a language by its English name or by itself.
fn language_code(stem: &str) -> Option<&'static str> {
    let known = LANGUAGES.iter().find(|(long, short)| *long == stem || *short == stem);
    known.map(|(_, code)| *code)
}

/// The language of statements whose name has none. CMS takes Italian if a task states none; but most such tasks are
/// English, except old ones.
fn own_language(task: &ItalianTask, named: &BTreeMap<String, String>, draft: &Draft) -> String {
    if !task.language.is_empty() {
        return task.language.replace('_', "-");
    }
    let has_testo = draft.source().paths().any(|path| path.starts_with("testo/"));
    let has_english = named.keys().any(|place| place.starts_with("statement/problem.en."));
    let is_italian = (has_testo || task.has_italian_keys) && !has_english;
    if is_italian { "it" } else { "en" }.to_owned()
}
