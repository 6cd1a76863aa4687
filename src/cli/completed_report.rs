//! `grade --only` into the folder of a report: completes it with the rows of everyone else, as they were.

use super::{
    judging::report_without_rows,
    named_packages::LoadedPackage,
    report_folder::{ROWS, others_in},
};
use crate::{
    base::wording::{counted, one_line, shortened},
    grade::GradeSession,
    package::{Package, Participant},
    results::{PackageReport, Report, ReportTerms, RowReport, SavedReport},
};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// The version that pages name, and that may render them in another way.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A report with other participants than those who are graded now.
pub(super) struct ReportToComplete {
    out: PathBuf,
    saved: SavedReport,
}

/// How many participants a completed report has.
pub(super) struct Completed {
    again: usize,
    all: usize,
}

/// The beginning of a saved report, which all versions can read.
#[derive(Deserialize)]
struct SavedHead {
    kopek: String,
}

/// The text of a report's rows for a later run. `None`: JSON cannot hold one of its paths, so that no run
/// can complete the report.
pub(super) fn saved_text(report: &Report) -> Option<String> {
    serde_json::to_string(&SavedReport::of(report, VERSION)).ok()
}

impl ReportToComplete {
    /// The report in a folder, if it has other participants. Fails if they cannot be kept.
    pub(super) fn read(
        out: &Path,
        graded: &BTreeSet<&str>,
        packages: &[&Package],
    ) -> Result<Option<ReportToComplete>> {
        if others_in(out, graded, packages)?.is_empty() {
            return Ok(None);
        }
        let place = out.join(ROWS);
        let remedy = "grade the whole class again, or choose another folder for a part of it";
        let text = match fs::read_to_string(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => bail!(
                "--out {}: its report is anonymous or of an older kopek, and cannot be completed; {remedy}",
                out.display()
            ),
            read => read.with_context(|| format!("read {}", place.display()))?,
        };
        let head: SavedHead =
            serde_json::from_str(&text).with_context(|| format!("read {}; {remedy}", place.display()))?;
        let other = || {
            format!(
                "--out {}: kopek {} wrote its report, this is kopek {VERSION}; {remedy}",
                out.display(),
                head.kopek
            )
        };
        ensure!(head.kopek == VERSION, other());
        let saved = serde_json::from_str(&text).with_context(other)?;
        Ok(Some(ReportToComplete { out: out.to_owned(), saved }))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &RowReport> {
        self.saved.rows()
    }

    /// A warning about participants whose rows have rulings of then.
    pub(super) fn outdated_rulings(
        &self,
        loaded: &[LoadedPackage],
        others: &[Vec<Participant>],
    ) -> Option<String> {
        let mut names = BTreeSet::new();
        for (loaded, others) in loaded.iter().zip(others) {
            names.extend(self.saved.ruled_otherwise(&loaded.package.name, others));
        }
        let names: Vec<String> = names.iter().map(|name| one_line(name)).collect();
        if names.is_empty() {
            return None;
        }
        Some(format!(
            "points by hand, decisions, extensions or time factors have changed since the report for {}, who keep \
                their points; to apply the changes, grade them again, too",
            shortened(&names, 5, ", ")
        ))
    }

    /// Fails before judging if the report has other rules, data or options than this run.
    pub(super) fn check(
        &self,
        terms: &ReportTerms,
        session: &GradeSession,
        loaded: &[LoadedPackage],
    ) -> Result<()> {
        let mut heads = Vec::new();
        for loaded in loaded {
            heads.push(report_without_rows(session, loaded)?);
        }
        self.refuse_differences(terms, &heads)
    }

    fn refuse_differences(&self, terms: &ReportTerms, packages: &[PackageReport]) -> Result<()> {
        let differences = self.saved.differences(terms, packages);
        ensure!(
            differences.is_empty(),
            "--out {}: its report has {} whose points would not be comparable: {}; grade the whole class again, give \
                the options of the report, or choose another folder",
            self.out.display(),
            counted(self.saved.names().len(), "participant"),
            shortened(&differences, 5, "; ")
        );
        Ok(())
    }

    /// Adds the rows of all others. Checks again, for what only judging shows.
    pub(super) fn complete(self, report: &mut Report) -> Result<Completed> {
        self.refuse_differences(&ReportTerms::of(report), &report.packages)?;
        let names = |report: &Report| -> usize {
            let rows = report.packages.iter().flat_map(|package| &package.rows);
            rows.map(|row| &row.card.name).collect::<BTreeSet<_>>().len()
        };
        let again = names(report);
        self.saved.complete(report);
        Ok(Completed { again, all: names(report) })
    }
}

impl Completed {
    pub(super) fn message(&self) -> String {
        let Completed { again, all } = self;
        format!("{again} of {} graded again; the others are as they were", counted(*all, "participant"))
    }
}
