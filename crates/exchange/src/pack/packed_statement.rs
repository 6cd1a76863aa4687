//! Statements: TeX for Kattis; HTML, PDF or text for DOMjudge.

use super::{
    losses::Loss,
    pack_layout::PackLayout,
    statement_html::{StatementText, render_page},
    statement_page::{limits_line, sample_texts, title_in},
    statement_tex::{SvgFigures, render_tex},
    target::Target,
};
use anyhow::{Context, Result};
use kopek_engine::package::fill_constants;
use std::{collections::BTreeSet, fs};

const DIR: &str = "statement";

/// Language and ending of a statement's file.
fn parse_file_name(name: &str) -> Option<(String, &'static str)> {
    let (language, ending) = name.strip_prefix("problem.")?.split_once('.')?;
    let ending = ["md", "tex", "pdf"].into_iter().find(|one| *one == ending)?;
    Some((language.to_owned(), ending))
}

impl PackLayout<'_> {
    pub fn add_statements(&mut self) -> Result<()> {
        let files = self.files_in(DIR)?;
        let mut statements = BTreeSet::new();
        for file in &files {
            let name = file.to_string_lossy().into_owned();
            match parse_file_name(&name) {
                Some(statement) => {
                    statements.insert(statement);
                }
                None if self.target == Target::Kattis => {
                    self.add_copy(format!("problem_statement/{name}"), self.package.dir.join(DIR).join(file));
                }
                None => {}
            }
        }
        match self.target == Target::Domjudge {
            true => self.add_for_domjudge(statements.into_iter().collect()),
            false => {
                statements.iter().try_for_each(|(language, ending)| self.add_for_kattis(language, ending))
            }
        }
    }

    fn read_statement(&self, name: &str) -> Result<String> {
        let path = self.package.dir.join(DIR).join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        Ok(fill_constants(&text, &self.package.constants))
    }

    fn add_for_kattis(&mut self, language: &str, ending: &str) -> Result<()> {
        let name = format!("problem.{language}.{ending}");
        if ending != "md" {
            self.add_copy(format!("problem_statement/{name}"), self.package.dir.join(DIR).join(&name));
            return Ok(());
        }
        let title = title_in(self.package, language);
        let written = render_tex(&title, &self.read_statement(&name)?, SvgFigures::LeaveOut);
        for picture in &written.left_out {
            self.report_loss(Loss::Figure, format!("{DIR}/{name}"), &[picture]);
        }
        self.add_text(format!("problem_statement/problem.{language}.tex"), written.text);
        Ok(())
    }

    /// One statement: English if there is one; as PDF if there is one.
    fn add_for_domjudge(&mut self, mut all: Vec<(String, &'static str)>) -> Result<()> {
        let rank = |(language, ending): &(String, &str)| {
            // TeX comes last, as DOMjudge cannot show it in any language.
            (*ending == "tex", language != "en", language.clone(), *ending != "pdf")
        };
        all.sort_by_key(rank);
        let languages: Vec<&str> = all.iter().map(|(language, _)| language.as_str()).collect();
        let first = languages.first().map(|first| (*first).to_owned());
        if let Some(first) = first.filter(|first| languages.iter().any(|one| one != first)) {
            self.report_loss(Loss::SeveralStatements, DIR, &[&first]);
        }
        match all.first() {
            Some((language, "pdf")) => {
                let from = self.package.dir.join(DIR).join(format!("problem.{language}.pdf"));
                self.add_copy("problem_statement/problem.pdf", from);
            }
            Some((language, "md")) => {
                let statement = StatementText {
                    title: title_in(self.package, language),
                    limits: limits_line(self.package),
                    language: language.clone(),
                    markdown: self.read_statement(&format!("problem.{language}.md"))?,
                };
                let samples = sample_texts(self.package, self.tests)?;
                let page = render_page(&statement, &samples, &self.package.dir.join(DIR));
                self.add_text("problem_statement/problem.html", page);
            }
            _ => {
                self.report_loss(Loss::StatementForm, DIR, &["PDF or Markdown"]);
            }
        }
        Ok(())
    }
}
