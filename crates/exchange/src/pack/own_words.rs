//! Titles, statements and figures for systems with archives of their own.

use super::{
    pack_layout::PackLayout,
    statement_page::{sample_texts, statement_files, title_in},
    target::Target,
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

impl PackLayout<'_> {
    /// In English, else in the first language.
    pub fn main_title(&self) -> String {
        title_in(self.package, "en")
    }

    /// One for each language.
    pub fn own_statements(&self) -> Result<Vec<OwnStatement>> {
        let files = statement_files(self.package);
        let statement = |language: &String| {
            let file =
                |ending: &str| files.iter().find(|file| file.language == *language && file.ending == ending);
            let markdown = file("md").map(|file| self.with_samples(file.read(self.package)?)).transpose()?;
            let pdf = file("pdf").map(|file| file.path.clone());
            Ok(OwnStatement { language: language.clone(), markdown, pdf })
        };
        self.package.about.statements.iter().map(statement).collect()
    }

    /// Puts samples in their places, the others at the end.
    fn with_samples(&self, mut text: String) -> Result<String> {
        let samples = sample_texts(self.package, self.tests)?;
        let mut blocks = samples.iter().enumerate().map(|(at, sample)| {
            let parts = sample.parts.iter().map(|(title, shown)| self.sample_block(title, at + 1, shown));
            parts.collect::<Vec<_>>().join("\n")
        });
        while let Some(at) = text.find("{{nextsample}}") {
            text.replace_range(at..at + "{{nextsample}}".len(), blocks.next().unwrap_or_default().trim_end());
        }
        let rest: Vec<String> = blocks.collect();
        let rest = rest.join("\n");
        match text.contains("{{remainingsamples}}") {
            true => Ok(text.replacen("{{remainingsamples}}", rest.trim_end(), 1)),
            false => Ok(format!("{}\n\n{rest}", text.trim_end()).trim_end().to_owned() + "\n"),
        }
    }

    /// Hydro finds samples by the info strings of their fences.
    fn sample_block(&self, title: &str, number: usize, shown: &str) -> String {
        let shown = shown.trim_end();
        match self.target {
            Target::Hydro if title != "Dialogue" => {
                format!("```{}{number}\n{shown}\n```\n", title.to_lowercase())
            }
            _ => format!("## Sample {title} {number}\n\n```\n{shown}\n```\n"),
        }
    }

    /// Files beside the statements.
    pub fn figures(&self) -> Result<Vec<PathBuf>> {
        let mut files = self.files_in(DIR)?;
        files.retain(|file| !file.to_string_lossy().starts_with("problem."));
        Ok(files)
    }

    /// Figures without their directories.
    pub fn add_figures(&mut self, to: &str) -> Result<()> {
        for file in self.figures()? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.add_copy(format!("{to}/{name}"), self.package.dir.join(DIR).join(&file));
        }
        Ok(())
    }

    /// The text, with links to the new place of its figures.
    pub fn with_links(&self, markdown: &str, prefix: &str) -> Result<String> {
        let mut text = markdown.to_owned();
        for file in self.figures()? {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            text = text.replace(&format!("]({}", file.display()), &format!("]({prefix}{name}"));
        }
        Ok(text)
    }
}
