//! A statement as a PDF, made by an installed TeX, or as a page.
//!
//! ```text
//! statement ──Document──► files ──a build──► PDF, or a log ──Document::explain──► one line
//! problem.en.tex ──pandoc──► Markdown ──pack::statement_page──► page
//! ```
//!
//! A driver: TeX and pandoc run as builds, and their errors are errors of the statement.

use crate::{
    exec::{Engine, KnownFacts},
    machine::{draws_svg, missing_pandoc, missing_tex, plan_document, plan_markdown},
    pack::{FormulaForm, StatementForm, SvgFigures, choose_statement, statement_page},
    package::{Level, Message, Package, TestSet},
    plan::{Build, BuildTask, Job, Outcome, Task},
    sandbox::Fault,
};
use anyhow::{Context, Result};
use kopek_exchange::typeset::{DOCUMENT, Document, PandocSource};
use std::{fs, path::PathBuf, sync::Arc};

/// A statement as a PDF or a page.
pub struct RenderedStatement {
    pub bytes: Vec<u8>,
    /// Parts of the statement that are missing in it, and who converted it.
    pub remarks: Vec<Message>,
}

/// Why there is no PDF or page.
#[derive(Debug, thiserror::Error)]
pub enum NotTypeset {
    /// No TeX on this machine.
    #[error(
        "a PDF needs a TeX, and there is none: {0}; install texlive-latex-recommended and lmodern, or have a page made \
         (--format html)"
    )]
    NoTex(String),
    /// No pandoc on this machine.
    #[error(
        "a page of a statement in TeX needs pandoc, and there is none: {0}; install pandoc, write the statement in Markdown, \
         or have a PDF made (--format pdf)"
    )]
    NoPandoc(String),
    /// An error of the statement: its place, and the message of TeX or pandoc.
    #[error("{0}")]
    Statement(String),
    #[error("{0}")]
    Fault(Fault),
    #[error("interrupted before the statement was made")]
    Interrupted,
}

/// The statement in a language, else in English, else in any. An existing PDF stays unchanged.
pub fn statement_pdf(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    language: Option<&str>,
) -> Result<RenderedStatement> {
    let statement = choose_statement(package, language, StatementForm::Pdf)?;
    if statement.ending == "pdf" {
        let bytes =
            fs::read(&statement.path).with_context(|| format!("read {}", statement.path.display()))?;
        return Ok(RenderedStatement { bytes, remarks: vec![] });
    }
    if let Some(missing) = missing_tex(engine.machine) {
        return Err(NotTypeset::NoTex(missing).into());
    }
    let svg = if draws_svg(engine.machine) { SvgFigures::AsPdf } else { SvgFigures::LeaveOut };
    let document = Document::new(svg, package, tests, &statement)?;
    let bytes = typeset(engine, &document)?;
    Ok(RenderedStatement { bytes, remarks: document.remarks })
}

/// The page of the statement in a language, else in English, else in any.
pub fn statement_html(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    language: Option<&str>,
    formulas: FormulaForm,
) -> Result<RenderedStatement> {
    let file = choose_statement(package, language, StatementForm::Page)?;
    let mut remarks = Vec::new();
    let markdown = match file.ending.as_str() {
        "tex" => {
            let source = PandocSource::new(package, &file)?;
            let what = format!("{} was converted by pandoc: read the page", source.shown.display());
            remarks.push(Message::new(Level::Warning, what));
            convert(engine, &source)?
        }
        _ => file.read(package)?,
    };
    let page = statement_page(package, tests, &file, markdown, formulas)?;
    Ok(RenderedStatement { bytes: page.into_bytes(), remarks })
}

/// A statement in TeX as Markdown.
fn convert(engine: &Engine, source: &PandocSource) -> Result<String> {
    if let Some(missing) = missing_pandoc(engine.machine) {
        return Err(NotTypeset::NoPandoc(missing).into());
    }
    let task = plan_markdown(engine.machine, &source.files, &source.entry);
    let made = build(engine, task.map_err(|why| fault(why.to_string()))?, &|said| source.explain(said))?;
    fs::read_to_string(made.join("statement.md")).context("pandoc ended well, and made no Markdown")
}

fn typeset(engine: &Engine, document: &Document) -> Result<Vec<u8>> {
    let task = plan_document(engine.machine, &document.files, &document.entry);
    let task = task.map_err(|why| fault(why.to_string()))?;
    let made = build(engine, task, &|said| document.explain(said))?;
    let name = document.entry.strip_suffix(".tex").unwrap_or(DOCUMENT);
    let file = made.join(format!("{name}.pdf"));
    match fs::read(&file) {
        Ok(bytes) if bytes.starts_with(b"%PDF") => Ok(bytes),
        Ok(_) | Err(_) => Err(fault("TeX ended well, and made no PDF".to_owned()).into()),
    }
}

fn fault(what: String) -> NotTypeset {
    NotTypeset::Fault(Fault::new(what))
}

/// The directory with what a tool made. `explain` makes an error of the statement of its messages.
fn build(engine: &Engine, task: BuildTask, explain: &dyn Fn(&str) -> String) -> Result<PathBuf> {
    let jobs = vec![Job::new(Task::Build(Arc::new(task)))];
    let result = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?.pop().flatten();
    let blob = match result {
        Some(Ok(Outcome::Build(Build::Program { blob, .. }))) => blob,
        Some(Ok(Outcome::Build(Build::Refused { message }))) => {
            return Err(NotTypeset::Statement(explain(&message)).into());
        }
        Some(Ok(other)) => unreachable!("a build has the outcome of a build, not {other:?}"),
        Some(Err(fault)) => return Err(NotTypeset::Fault(fault).into()),
        None => return Err(NotTypeset::Interrupted.into()),
    };
    engine.store().tree(&blob)?.context("the made file vanished from the store; run again")
}
