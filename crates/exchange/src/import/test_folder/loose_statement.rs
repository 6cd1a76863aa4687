//! The statement of an exercise, a PDF or the text of newer exports of Code Expert, and its title.

use super::found_pairs::{leaf, parent};
use crate::import::{
    draft::{Content, Draft},
    source::ForeignPackage,
};
use anyhow::Result;
use kopek_engine::package::yaml::parse_text;
use std::{collections::BTreeSet, path::Path};

/// The text of newer exports, and its manifest.
const TEXT: &str = "cx_description/english.md";
const MANIFEST: &str = "cx_description/conf.yml";
/// Texts of other folders.
const TEXTS: &[&str] =
    &["statement.md", "problem.md", "task.md", "statement/statement.md", "statement/index.md"];
/// A shorter text is a placeholder.
const SHORTEST_TEXT: usize = 200;

/// Adds the statement; the paths of all files it used.
pub fn add_statement(source: &ForeignPackage, draft: &mut Draft) -> Result<BTreeSet<String>> {
    let mut taken = BTreeSet::new();
    let title = read_title(source)?.unwrap_or_else(|| draft.name.clone());
    if source.has(MANIFEST) {
        taken.insert(MANIFEST.to_owned());
    }
    let title = if title.trim().is_empty() { "Problem".to_owned() } else { title };
    draft.titles.insert("en".into(), title);
    let text = [TEXT].iter().chain(TEXTS).find(|path| source.has(path)).copied();
    let chosen = match (find_pdf(source), text) {
        (Some(pdf), text) => {
            if let Some(text) = text {
                let what = "the text of the statement beside its PDF";
                draft.changes.add_loss(text, what, format!("it is left out: {pdf} is the statement"));
                taken.insert(text.to_owned());
            }
            Some((pdf, "pdf"))
        }
        (None, Some(text)) => {
            if source.read_text(text)?.trim().len() < SHORTEST_TEXT {
                let what = "a statement that is hardly more than a title";
                draft.changes.add_change(text, what, "it is taken as it is");
            }
            Some((text.to_owned(), "md"))
        }
        (None, None) => {
            let what = "there is no statement";
            draft.changes.add_loss(
                "statement",
                what,
                "write statement/problem.en.md, or put problem.en.pdf there",
            );
            None
        }
    };
    if let Some((path, ending)) = chosen {
        let content = Content::File(source.path_of(&path)?);
        draft.files.insert(format!("statement/problem.en.{ending}"), content);
        taken.insert(path);
    }
    Ok(taken)
}

/// `this.pdf`, else the only PDF, in the directory or in one for statements.
fn find_pdf(source: &ForeignPackage) -> Option<String> {
    let is_pdf = |path: &&str| path.to_ascii_lowercase().ends_with(".pdf");
    let near = |path: &&str| {
        let dir = leaf(parent(path)).to_ascii_lowercase();
        let usual = ["", "statement", "statements", "doc", "docs", "problem", "public", "task"];
        usual.contains(&dir.as_str()) || dir == source.name().to_ascii_lowercase()
    };
    let found: Vec<&str> = source.paths().filter(is_pdf).filter(near).collect();
    let known = |path: &&str| {
        let stem = leaf(path).to_ascii_lowercase();
        let own = format!("{}.pdf", source.name().to_ascii_lowercase());
        ["this.pdf", "statement.pdf", "problem.pdf", "task.pdf", own.as_str()].contains(&stem.as_str())
    };
    match found.as_slice() {
        [only] => Some((*only).to_owned()),
        many => many.iter().copied().find(known).map(str::to_owned),
    }
}

/// `descriptions.english.name`.
fn read_title(source: &ForeignPackage) -> Result<Option<String>> {
    if !source.has(MANIFEST) {
        return Ok(None);
    }
    let text = source.read_text(MANIFEST)?;
    // A manifest that cannot be read has no title; the directory's name is as good.
    let root = parse_text(Path::new(MANIFEST), &text, &mut Vec::new());
    let name = root.as_ref().and_then(|root| root.get("descriptions")?.get("english")?.get("name"));
    Ok(name.and_then(|node| node.text()).map(str::to_owned))
}
