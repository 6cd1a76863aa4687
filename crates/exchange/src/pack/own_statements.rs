//! Statements and figures for systems with archives of their own.

use super::{
    packed::PackSource,
    statement_page::{sample_texts, statement_files},
};
use anyhow::Result;
use kopek_base::Bytes;
use std::path::PathBuf;

const DIR: &str = "statement";

/// The statement in one language.
pub struct OwnStatement {
    pub language: String,
    /// Markdown with constants and samples filled in.
    pub markdown: Option<String>,
    pub pdf: Option<PathBuf>,
}

/// A size in whole units, at least one.
pub fn whole_mib(size: Bytes) -> u64 {
    (size.0 >> 20).max(1)
}

pub fn own_statements(source: &PackSource) -> Result<Vec<OwnStatement>> {
    let files = statement_files(source.package);
    let mut all = Vec::new();
    for language in &source.package.about.statements {
        let mut statement = OwnStatement { language: language.clone(), markdown: None, pdf: None };
        for file in files.iter().filter(|file| file.language == *language) {
            match file.ending.as_str() {
                "md" => statement.markdown = Some(with_samples(source, file.read(source.package)?)?),
                "pdf" => statement.pdf = Some(file.path.clone()),
                _ => {}
            }
        }
        all.push(statement);
    }
    Ok(all)
}

/// Puts samples in their places, the others at the end.
fn with_samples(source: &PackSource, mut text: String) -> Result<String> {
    let samples = sample_texts(source.package, source.tests)?;
    let mut blocks = samples.iter().enumerate().map(|(at, sample)| {
        let parts = sample.parts.iter().map(|(title, shown)| sample_block(title, at + 1, shown));
        parts.collect::<Vec<_>>().join("\n")
    });
    while let Some(at) = text.find("{{nextsample}}") {
        text.replace_range(at..at + "{{nextsample}}".len(), blocks.next().unwrap_or_default().trim_end());
    }
    let rest = blocks.collect::<Vec<_>>().join("\n");
    if text.contains("{{remainingsamples}}") {
        return Ok(text.replacen("{{remainingsamples}}", rest.trim_end(), 1));
    }
    Ok(format!("{}\n\n{rest}", text.trim_end()).trim_end().to_owned() + "\n")
}

fn sample_block(title: &str, number: usize, shown: &str) -> String {
    format!("## Sample {title} {number}\n\n```\n{}\n```\n", shown.trim_end())
}

/// Files beside the statements.
pub fn figures(source: &PackSource) -> Result<Vec<PathBuf>> {
    let mut files = source.files_in(DIR)?;
    files.retain(|file| !file.to_string_lossy().starts_with("problem."));
    Ok(files)
}
