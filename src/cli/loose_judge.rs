//! How outputs are judged without a package.

use super::toolchain_search::user_testlib;
use crate::{
    base::files::name_of,
    class, import,
    language::{SourceFiles, TESTLIB_HEADER},
    package::{Judge, PackageProgram, missing_path},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Options for the judge.
#[derive(clap::Args, Clone)]
pub(super) struct LooseJudgeOptions {
    /// Absolute or relative tolerance for numbers: 1e-6
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["checker", "interactor"], value_parser = parse_tolerance)]
    tolerance: Option<String>,
    /// Compare whitespace and letter case, too
    #[arg(long, conflicts_with_all = ["checker", "interactor"])]
    exact: bool,
    /// Output validator or testlib checker that judges the output
    #[arg(long, value_name = "PROGRAM", conflicts_with = "interactor")]
    checker: Option<PathBuf>,
    /// Interactive output validator that talks to the solution
    #[arg(long, value_name = "PROGRAM")]
    interactor: Option<PathBuf>,
}

fn parse_tolerance(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && (0.0..1e9).contains(&number) => Ok(text.to_owned()),
        Ok(_) | Err(_) => Err("a tolerance is a number such as 1e-6".into()),
    }
}

/// A judge without a package.
pub(super) struct LooseJudge {
    pub(super) judge: Judge,
    pub(super) interactive: bool,
}

impl LooseJudgeOptions {
    /// The judge. Writes adapters into `aside`.
    pub(super) fn judge(&self, aside: &Path) -> Result<LooseJudge> {
        match &self.checker {
            Some(checker) => {
                Ok(LooseJudge { judge: judge_of(judge_program(checker, aside)?), interactive: false })
            }
            None => Self::interactor(self.interactor.as_deref(), aside),
        }
    }

    /// Like [`LooseJudgeOptions::judge`], with this program as the interactor.
    pub(super) fn interactor(program: Option<&Path>, aside: &Path) -> Result<LooseJudge> {
        let Some(interactor) = program else {
            return Ok(LooseJudge { judge: Judge::Default, interactive: false });
        };
        if asks_for_testlib(interactor) {
            bail!(
                "{}: a testlib interactor needs its package; `kopek import` reads packages of Polygon",
                interactor.display()
            );
        }
        Ok(LooseJudge { judge: judge_of(judge_program(interactor, aside)?), interactive: true })
    }

    /// Whether no option is given.
    pub(super) fn is_usual(&self) -> bool {
        !self.exact && self.tolerance.is_none() && self.checker.is_none() && self.interactor.is_none()
    }

    /// Whether the judge is interactive.
    pub(super) fn talks(&self) -> bool {
        self.interactor.is_some()
    }

    /// Arguments of the default comparison.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(number) = &self.tolerance {
            words.extend(["float_tolerance".to_owned(), number.clone()]);
        }
        if self.exact {
            words.extend(["case_sensitive", "space_change_sensitive"].map(str::to_owned));
        }
        words
    }
}

fn judge_of(program: PackageProgram) -> Judge {
    Judge::Programs { programs: vec![program], scores: true }
}

/// A judging program in place; a testlib program gets an adapter.
fn judge_program(path: &Path, aside: &Path) -> Result<PackageProgram> {
    if !path.exists() {
        return Err(missing_path("read the judge's program", path));
    }
    let name = name_of(path);
    if asks_for_testlib(path) {
        let dir = aside.join("checker");
        import::adapt_checker(path, &dir, &user_testlib(None))
            .with_context(|| format!("adapt {}", path.display()))?;
        return Ok(PackageProgram { name, source: source_of(&dir)? });
    }
    Ok(PackageProgram { name, source: source_of(path)? })
}

/// The files of a program, read without following links, like a hand-in.
fn source_of(path: &Path) -> Result<SourceFiles> {
    class::read_files_of(path).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
}

fn asks_for_testlib(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.contains(TESTLIB_HEADER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct OnlyJudge {
        #[command(flatten)]
        judge: LooseJudgeOptions,
    }

    #[test]
    fn options_are_arguments_of_the_default_comparison() {
        let arguments = |words: &[&str]| -> Option<String> {
            let words = std::iter::once(&"kopek").chain(words);
            Some(OnlyJudge::try_parse_from(words).ok()?.judge.arguments().join(" "))
        };
        for (words, wanted) in [
            (&[][..], Some("")),
            (&["--tolerance", "1e-6"], Some("float_tolerance 1e-6")),
            (&["--exact"], Some("case_sensitive space_change_sensitive")),
            (&["--tolerance", "much"], None),
            (&["--tolerance", "-1"], None),
            (&["--exact", "--checker", "c.py"], None),
        ] {
            assert_eq!(arguments(words).as_deref(), wanted, "{words:?}");
        }
    }
}
