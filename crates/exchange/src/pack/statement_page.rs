//! The statement of a package as one page for browsers.

use super::statement_html::{FormulaForm, SampleText, StatementText, render_page};
use anyhow::{Context, Result, bail};
use kopek_package::package::{Case, Package, TestSet, case_extras, fill_constants};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Directories of statements, by version of the format.
const DIRS: [&str; 2] = ["statement", "problem_statement"];

/// The page of a statement, whose text is this Markdown.
pub fn statement_page(
    package: &Package,
    tests: &TestSet,
    file: &StatementFile,
    markdown: String,
    formulas: FormulaForm,
) -> Result<String> {
    let statement = StatementText {
        title: title_in(package, &file.language),
        limits: limits_line(package),
        markdown,
        language: file.language.clone(),
        formulas,
    };
    Ok(render_page(&statement, &sample_texts(package, tests)?, file.dir()))
}

/// The form of a rendered statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementForm {
    Page,
    Pdf,
}

impl StatementForm {
    /// Endings of possible sources, the best first.
    fn endings(self) -> &'static [&'static str] {
        match self {
            StatementForm::Page => &["md", "tex"],
            StatementForm::Pdf => &["tex", "md", "pdf"],
        }
    }
}

/// The statement in a language, else in English, else in any.
pub fn choose_statement(
    package: &Package,
    language: Option<&str>,
    form: StatementForm,
) -> Result<StatementFile> {
    let mut files = statement_files(package);
    let mut languages: Vec<String> = files.iter().map(|file| file.language.clone()).collect();
    languages.dedup();
    let english = "en".to_owned();
    let language = match language {
        Some(language) => language.to_owned(),
        None if languages.contains(&english) => english,
        None => languages.first().cloned().unwrap_or(english),
    };
    files.retain(|file| file.language == language);
    let with_ending = |ending: &&str| files.iter().position(|file| file.ending == *ending);
    match form.endings().iter().find_map(with_ending) {
        Some(at) => Ok(files.swap_remove(at)),
        None => bail!("{}", why_no_page(package, &language, &languages, files.first())),
    }
}

fn why_no_page(
    package: &Package,
    language: &str,
    languages: &[String],
    other: Option<&StatementFile>,
) -> String {
    match (other, languages) {
        (Some(file), _) => {
            format!("{}: is a PDF already; a page is made of Markdown or TeX", file.path.display())
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
pub struct StatementFile {
    /// `en`.
    pub language: String,
    /// `md`.
    pub ending: String,
    pub path: PathBuf,
}

impl StatementFile {
    /// Its text, with constants filled in.
    pub fn read(&self, package: &Package) -> Result<String> {
        let text = fs::read_to_string(&self.path).with_context(|| format!("read {}", self.path.display()))?;
        Ok(fill_constants(&text, &package.constants))
    }

    /// The directory of its figures.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

/// All statements, ordered by language.
pub fn statement_files(package: &Package) -> Vec<StatementFile> {
    let below = DIRS.iter().filter_map(|dir| fs::read_dir(package.dir.join(dir)).ok());
    let mut found: Vec<StatementFile> =
        below.flatten().filter_map(|entry| statement_file(entry.ok()?.path())).collect();
    found.sort_by(|a, b| (&a.language, &a.path).cmp(&(&b.language, &b.path)));
    found
}

fn statement_file(path: PathBuf) -> Option<StatementFile> {
    let name = path.file_name()?.to_str()?;
    let (language, ending) = match name.split('.').collect::<Vec<_>>()[..] {
        ["problem", language, ending] => (language.to_owned(), ending.to_owned()),
        // Legacy: a statement without a code is English.
        ["problem", ending] => ("en".to_owned(), ending.to_owned()),
        _ => return None,
    };
    // TeX and pages contain the code.
    let is_code = language.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let is_statement = is_code && matches!(ending.as_str(), "md" | "tex" | "pdf");
    if is_statement { Some(StatementFile { language, ending, path }) } else { None }
}

/// The title in a language, or any.
pub fn title_in(package: &Package, language: &str) -> String {
    let titles = &package.about.titles;
    titles.get(language).or(titles.values().next()).cloned().unwrap_or_default()
}

/// `Time limit: 1 s, memory limit: 256 MiB`; no time limit where the package declares none.
pub fn limits_line(package: &Package) -> String {
    let memory = package.limits.memory;
    match package.limits.time {
        Some(time) => format!("Time limit: {} s, memory limit: {memory}", time.as_secs_f64()),
        None => format!("Memory limit: {memory}"),
    }
}

/// The samples as contestants see them.
pub fn sample_texts(package: &Package, tests: &TestSet) -> Result<Vec<SampleText>> {
    samples_of(tests).map(|case| sample_text(package, case)).collect()
}

/// The cases that contestants see, in order.
pub fn samples_of(tests: &TestSet) -> impl Iterator<Item = &Case> {
    tests.cases.iter().filter(|case| case.is_sample())
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
