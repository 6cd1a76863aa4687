//! The statement of a package as one page for browsers.

use super::statement_html::{SampleText, StatementText, render_page};
use crate::package::{Case, Package, TestSet, case_extras, fill_constants};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where statements lie, by version of the format.
const DIRS: [&str; 2] = ["statement", "problem_statement"];

/// The statement in a language, or in English, or in what there is. Only Markdown becomes a page.
pub fn statement_page(package: &Package, tests: &TestSet, language: Option<&str>) -> Result<String> {
    let files = statement_files(package);
    let mut languages: Vec<&str> = files.iter().map(|file| file.language.as_str()).collect();
    languages.dedup();
    let language = match language {
        Some(language) => language,
        None if languages.contains(&"en") => "en",
        None => languages.first().copied().unwrap_or("en"),
    };
    let meant: Vec<&StatementFile> = files.iter().filter(|file| file.language == language).collect();
    let Some(file) = meant.iter().find(|file| file.ending == "md") else {
        bail!("{}", why_no_page(package, language, &languages, meant.first().copied()));
    };
    let text = fs::read_to_string(&file.path).with_context(|| format!("read {}", file.path.display()))?;
    let statement = StatementText {
        title: title_in(package, language),
        language: language.to_owned(),
        markdown: fill_constants(&text, &package.constants),
    };
    let dir = file.path.parent().unwrap_or(&package.dir);
    Ok(render_page(&statement, &sample_texts(package, tests)?, dir))
}

fn why_no_page(
    package: &Package,
    language: &str,
    languages: &[&str],
    other: Option<&StatementFile>,
) -> String {
    match (other, languages) {
        (Some(file), _) if file.ending == "pdf" => {
            format!("{}: is a PDF already; a page is made of Markdown", file.path.display())
        }
        (Some(file), _) => {
            format!(
                "{}: is TeX; a page is made of Markdown: write problem.{language}.md, or have a TeX make a PDF",
                file.path.display()
            )
        }
        (None, []) => {
            format!("{}: no statement: write statement/problem.en.md", package.dir.display())
        }
        (None, some) => {
            format!("{}: no statement in `{language}`; there are: {}", package.dir.display(), some.join(", "))
        }
    }
}

/// A file `problem.en.md`.
struct StatementFile {
    language: String,
    ending: String,
    path: PathBuf,
}

/// In order of their languages.
fn statement_files(package: &Package) -> Vec<StatementFile> {
    let below = DIRS.iter().filter_map(|dir| fs::read_dir(package.dir.join(dir)).ok());
    let mut found: Vec<StatementFile> =
        below.flatten().filter_map(|entry| statement_file(entry.ok()?.path())).collect();
    found.sort_by(|a, b| (&a.language, &a.path).cmp(&(&b.language, &b.path)));
    found
}

fn statement_file(path: PathBuf) -> Option<StatementFile> {
    let name = path.file_name()?.to_str()?;
    let (language, ending) = match name.split('.').collect::<Vec<_>>()[..] {
        ["problem", language, ending] => (language, ending),
        // Legacy: a statement without a code is English.
        ["problem", ending] => ("en", ending),
        _ => return None,
    };
    let (language, ending) = (language.to_owned(), ending.to_owned());
    matches!(ending.as_str(), "md" | "tex" | "pdf").then_some(StatementFile { language, ending, path })
}

/// The title in a language, or any.
pub(super) fn title_in(package: &Package, language: &str) -> String {
    let titles = &package.about.titles;
    titles.get(language).or(titles.values().next()).cloned().unwrap_or_default()
}

/// The samples as contestants see them.
pub(super) fn sample_texts(package: &Package, tests: &TestSet) -> Result<Vec<SampleText>> {
    let samples = tests.cases.iter().filter(|case| case.name.starts_with("sample/"));
    samples.map(|case| sample_text(package, case)).collect()
}

fn sample_text(package: &Package, case: &Case) -> Result<SampleText> {
    let beside = case_extras(package, case)?;
    let read = |path: &Path| -> Result<String> {
        let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let parts = match &beside.interaction {
        Some(dialogue) => vec![("Dialogue", read(dialogue)?)],
        None => vec![
            ("Input", read(beside.input_shown.as_ref().unwrap_or(&case.input))?),
            (
                "Output",
                read(beside.answer_shown.as_ref().or(beside.output.as_ref()).unwrap_or(&case.answer))?,
            ),
        ],
    };
    Ok(SampleText { parts })
}
