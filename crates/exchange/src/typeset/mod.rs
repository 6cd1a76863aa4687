//! A statement as a PDF, made by an installed TeX.
//!
//! ```text
//! problem.en.tex, or Markdown as TeX ──┐
//! title, limits, samples, figures ─────┴─document──► files ──a build──► PDF, or a log ──tex_errors──► one line
//! ```
//!
//! A driver: TeX runs as a build, and its errors are errors of the statement.

mod document;
mod sample_tables;
mod tex_errors;

use crate::pack::{StatementForm, choose_statement};
use anyhow::{Context, Result};
use document::{DOCUMENT, Document};
use kopek_engine::{
    exec::{Engine, KnownFacts},
    machine::{missing_tex, plan_document},
    package::{Package, TestSet},
    plan::{Build, Job, Outcome, Task},
};
use kopek_sandbox::Fault;
use std::{fs, sync::Arc};

/// A statement as a PDF.
pub struct StatementPdf {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Parts of the statement that are missing in it.
    pub remarks: Vec<String>,
}

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum NotTypeset {
    /// No TeX on this machine.
    #[error(
        "a PDF needs a TeX, and there is none: {0}; install texlive-latex-recommended and lmodern, or have a page made \
         (--format html)"
    )]
    NoTex(String),
    /// An error of the statement: its place, and the message of TeX.
    #[error("{0}")]
    Statement(String),
    /// A failure of kopek.
    #[error("{0}")]
    Fault(Fault),
    /// It was interrupted.
    #[error("interrupted before there was a PDF")]
    Interrupted,
}

/// The statement in a language, else in English, else in any. An existing PDF stays unchanged.
pub fn statement_pdf(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    language: Option<&str>,
) -> Result<StatementPdf> {
    let statement = choose_statement(package, language, StatementForm::Pdf)?;
    if statement.ending == "pdf" {
        let bytes =
            fs::read(&statement.path).with_context(|| format!("read {}", statement.path.display()))?;
        return Ok(StatementPdf { bytes, remarks: vec![] });
    }
    if let Some(missing) = missing_tex(engine.machine) {
        return Err(NotTypeset::NoTex(missing).into());
    }
    let document = Document::new(engine.machine, package, tests, &statement)?;
    let bytes = typeset(engine, &document)?;
    Ok(StatementPdf { bytes, remarks: document.remarks })
}

fn typeset(engine: &Engine, document: &Document) -> Result<Vec<u8>> {
    let fault = |what: String| NotTypeset::Fault(Fault::new(what));
    let task = plan_document(engine.machine, &document.files, &document.entry);
    let task = task.map_err(|why| fault(why.to_string()))?;
    let jobs = vec![Job::new(Task::Build(Arc::new(task)))];
    let result = engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?.pop().flatten();
    let blob = match result {
        Some(Ok(Outcome::Build(Build::Program { blob, .. }))) => blob,
        Some(Ok(Outcome::Build(Build::Refused { message }))) => {
            return Err(NotTypeset::Statement(document.explain(&message)).into());
        }
        Some(Ok(other)) => unreachable!("a build has the outcome of a build, not {other:?}"),
        Some(Err(fault)) => return Err(NotTypeset::Fault(fault).into()),
        None => return Err(NotTypeset::Interrupted.into()),
    };
    let made = engine.store().tree(&blob)?.context("a PDF vanished from the store; run again")?;
    let name = document.entry.strip_suffix(".tex").unwrap_or(DOCUMENT);
    let file = made.join(format!("{name}.pdf"));
    match fs::read(&file) {
        Ok(bytes) if bytes.starts_with(b"%PDF") => Ok(bytes),
        Ok(_) | Err(_) => Err(fault("TeX ended well, and made no PDF".to_owned()).into()),
    }
}
