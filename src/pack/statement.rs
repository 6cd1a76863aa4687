//! Statements: TeX for Kattis, something a browser shows for DOMjudge.

use super::{Target, Weight, html, tex, view::View};
use crate::package::{Case, extras, fill_constants};
use anyhow::{Context, Result};
use std::{collections::BTreeSet, fs, path::Path};

const DIR: &str = "statement";

/// A sample as people see it: a title and a text each.
pub struct Shown {
    pub parts: Vec<(&'static str, String)>,
}

/// Language and ending of a statement's file.
fn said(name: &str) -> Option<(String, &'static str)> {
    let (language, ending) = name.strip_prefix("problem.")?.split_once('.')?;
    let ending = ["md", "tex", "pdf"].into_iter().find(|one| *one == ending)?;
    Some((language.to_owned(), ending))
}

impl View<'_> {
    pub fn statements(&mut self) -> Result<()> {
        let files = self.below(DIR)?;
        let mut statements = BTreeSet::new();
        for file in &files {
            let name = file.to_string_lossy().into_owned();
            match said(&name) {
                Some(statement) => {
                    statements.insert(statement);
                }
                None if self.target == Target::Kattis => {
                    self.copy(format!("problem_statement/{name}"), self.package.dir.join(DIR).join(file));
                }
                None => {}
            }
        }
        match self.target {
            Target::Kattis => {
                statements.iter().try_for_each(|(language, ending)| self.for_kattis(language, ending))
            }
            Target::Domjudge => self.for_domjudge(statements.into_iter().collect()),
        }
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.package.dir.join(DIR).join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        Ok(fill_constants(&text, &self.package.constants))
    }

    fn title(&self, language: &str) -> String {
        let titles = &self.package.about.titles;
        titles.get(language).or(titles.values().next()).cloned().unwrap_or_default()
    }

    fn for_kattis(&mut self, language: &str, ending: &str) -> Result<()> {
        let name = format!("problem.{language}.{ending}");
        if ending != "md" {
            self.copy(format!("problem_statement/{name}"), self.package.dir.join(DIR).join(&name));
            return Ok(());
        }
        let written = tex::tex(&self.title(language), &self.read(&name)?);
        for picture in &written.left_out {
            let what = format!("the figure {picture}: Kattis' TeX shows PDF, PNG and JPEG");
            self.tell(Weight::Looks, format!("{DIR}/{name}"), what, "its description is printed");
        }
        self.text(format!("problem_statement/problem.{language}.tex"), written.text);
        Ok(())
    }

    /// One statement: English if there is one; as PDF if there is one.
    fn for_domjudge(&mut self, mut all: Vec<(String, &'static str)>) -> Result<()> {
        let rank = |(language, ending): &(String, &str)| {
            (*ending == "tex", language != "en", language.clone(), *ending != "pdf")
        };
        all.sort_by_key(rank);
        let languages: Vec<&str> = all.iter().map(|(language, _)| language.as_str()).collect();
        let first = languages.first().map(|first| (*first).to_owned());
        if let Some(first) = first.filter(|first| languages.iter().any(|one| one != first)) {
            let what = "statements in several languages";
            self.tell(Weight::Looks, DIR, what, format!("the one in `{first}` is shown"));
        }
        match all.first() {
            Some((language, "pdf")) => {
                let from = self.package.dir.join(DIR).join(format!("problem.{language}.pdf"));
                self.copy("problem_statement/problem.pdf", from);
            }
            Some((language, "md")) => {
                let text = self.read(&format!("problem.{language}.md"))?;
                let page =
                    html::page(&self.title(language), &text, &self.samples()?, &self.package.dir.join(DIR));
                self.text("problem_statement/problem.html", page);
            }
            _ => {
                let what = "a statement that is neither PDF nor Markdown: DOMjudge shows PDF, HTML and text";
                self.tell(Weight::Looks, DIR, what, "contestants see none: add problem.en.pdf");
            }
        }
        Ok(())
    }

    fn samples(&self) -> Result<Vec<Shown>> {
        let samples = self.tests.cases.iter().filter(|case| case.name.starts_with("sample/"));
        samples.map(|case| self.shown(case)).collect()
    }

    fn shown(&self, case: &Case) -> Result<Shown> {
        let beside = extras(self.package, case)?;
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
        Ok(Shown { parts })
    }
}
