//! Options of `kopek grade` for rulings after the contest, and for an earlier report.

use crate::course::{Course, LatePenalty, RuleValue, Rulings, Sourced};
use anyhow::{Context, Error, Result, ensure};
use std::path::{Path, PathBuf};

/// Options for regrading.
#[derive(clap::Args)]
pub(super) struct RegradingOptions {
    /// Late penalty, or CSV of `participant,late`: `10%/day, max 5 days`
    #[arg(long, value_name = "RULE|CSV")]
    late: Vec<String>,
    /// Leave out cases; repeatable: `secret/1/07`, `2/*`
    #[arg(help_heading = "Judging", long, value_name = "CASE")]
    pub(super) without: Vec<String>,
    /// List changes since an earlier report, and write their pages
    #[arg(help_heading = "Output", display_order = 100, long, value_name = "REPORT")]
    since: Option<PathBuf>,
}

fn is_table(text: &str) -> bool {
    text.to_lowercase().ends_with(".csv")
}

impl RegradingOptions {
    /// The penalty among the values of `--late`, or its steps.
    pub(super) fn late_rule(&self) -> Result<Vec<Sourced<LatePenalty>>> {
        let rules = self.late.iter().filter(|text| !is_table(text));
        let read =
            |rule: &String| Ok(Sourced::option("--late", LatePenalty::read(rule).map_err(Error::msg)?));
        rules.map(read).collect::<Result<_>>().context("--late")
    }

    pub(super) fn read(&self, course: &Course) -> Result<Rulings> {
        course.late_terms()?;
        let tables = self.late.iter().filter(|text| is_table(text));
        let tables: Vec<&Path> = tables.map(Path::new).collect();
        ensure!(
            tables.is_empty() || !course.late.rule.is_empty(),
            "--late: a table of late participants needs a penalty; add --late '10%/day' or another rule"
        );
        Rulings::read(&tables, self.since.as_deref())
    }
}
