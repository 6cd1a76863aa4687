//! Options for judging outputs without a package.

use super::toolchain_search::user_testlib;
use crate::import;
use anyhow::Result;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone)]
pub(super) struct LooseJudgingOptions {
    /// Absolute or relative tolerance for numbers: 1e-6
    #[arg(long, value_name = "NUMBER", conflicts_with = "checker", value_parser = parse_tolerance)]
    tolerance: Option<String>,
    /// Compare whitespace and letter case, too
    #[arg(long, conflicts_with = "checker")]
    exact: bool,
    /// Output validator or testlib checker that judges the output
    #[arg(long, value_name = "PROGRAM")]
    pub(super) checker: Option<PathBuf>,
}

fn parse_tolerance(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && (0.0..1e9).contains(&number) => Ok(text.to_owned()),
        Ok(_) | Err(_) => Err("a tolerance is a number such as 1e-6".into()),
    }
}

impl LooseJudgingOptions {
    /// Whether no option is given.
    pub(super) fn is_usual(&self) -> bool {
        !self.exact && self.tolerance.is_none() && self.checker.is_none()
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

/// Adapts a checker for testlib, with the user's testlib.
pub(super) fn adapt_checker(checker: &Path, into: &Path) -> Result<()> {
    import::adapt_checker(checker, into, &user_testlib(None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct OnlyJudge {
        #[command(flatten)]
        judging: LooseJudgingOptions,
    }

    #[test]
    fn options_are_arguments_of_the_default_comparison() {
        let arguments = |words: &[&str]| -> Option<String> {
            let words = std::iter::once(&"kopek").chain(words);
            Some(OnlyJudge::try_parse_from(words).ok()?.judging.arguments().join(" "))
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
