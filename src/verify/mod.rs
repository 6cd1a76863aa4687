//! A package against its own claims.
//!
//! ```text
//! package::read ──► generate ──► package::tests        what the readers find odd
//!   inputs, junk, bounds      what the input validators accept and refuse
//!   outputs                   what the output validator accepts and refuses
//!   twins                     cases that are there twice
//!   judged, spared            what submissions did, as far as claims want to know it
//!          ──► claims, tags   what submissions were claimed to do, and did
//!          ──► limits, timing the room on both sides of the time limit
//!          ──► strength       which case kills whom
//!          ──► pictures       whether visualizers draw
//! ```
//!
//! Combines what the other rooms can do. Prints nothing; knows no single problem.

mod bounds;
mod claims;
mod crew;
mod inputs;
mod judged;
mod junk;
mod limits;
mod outputs;
mod pictures;
mod programs;
mod spared;
mod strength;
mod tables;
mod tags;
mod text;
mod timing;
mod twins;
mod whole;

pub use limits::{LanguageMargins, Margins, Measured};
pub use pictures::Gallery;
pub use strength::{CaseStrength, Strength, SubmissionStrength};
pub use text::{text, wrapped};
pub use whole::verify;

use crate::{
    exec::Workshop,
    generate,
    grade::Event,
    package::{Finding, Package, Severity, TestSet},
};
use serde::Serialize;
use std::{path::PathBuf, sync::atomic::AtomicBool};

/// What came of verifying a package.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verified {
    /// The package's base name.
    pub name: String,
    /// What was looked at and is well, with counts.
    pub checks: Vec<Check>,
    /// What is not well.
    pub remarks: Vec<Remark>,
    /// The room on both sides of the time limit.
    pub margins: Option<Margins>,
    /// Which case kills whom, if asked for.
    pub strength: Option<Strength>,
    /// Where we failed: not everything was verified.
    pub faults: Vec<String>,
    /// Files of pictures that the visualizers drew.
    #[serde(skip)]
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

/// What is wanted beside the remarks.
#[derive(Debug, Clone, Copy)]
pub struct Wishes {
    /// Whether to show which case kills whom.
    pub strength: bool,
    /// What is drawn.
    pub gallery: Gallery,
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Of which part of the package.
    pub section: Section,
    /// What, and how much of it.
    pub what: String,
}

/// Something that is not well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Of which part of the package.
    pub section: Section,
    /// How bad it is.
    pub level: Level,
    /// `file` or `file:line`, relative to the package.
    pub at: Option<String>,
    /// What is not well.
    pub what: String,
    /// What to do about it.
    pub todo: Option<String>,
}

/// A part of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// `problem.yaml` and everything not named below.
    Package,
    /// `data/`, and the validators that look at it.
    Data,
    /// Example submissions and what is claimed of them.
    Submissions,
    /// The time limit.
    Limits,
}

/// How bad a remark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A claim is broken, or the package unsound.
    Error,
    /// Somebody should look.
    Warning,
    /// Good to know.
    Note,
}

/// What happens, for whoever shows progress.
#[derive(Debug)]
pub enum Step<'a> {
    /// The test set is made.
    Making(generate::Step),
    /// So many things of a kind will be looked at.
    Begin {
        /// What.
        what: &'static str,
        /// How many.
        jobs: usize,
    },
    /// One of them was.
    Done,
    /// Submissions are judged.
    Judging(Event<'a>),
}

/// Sees what happens; must be quick.
pub type Tell<'a> = dyn FnMut(Step) + 'a;

/// What is verified, and with what.
struct Bench<'a> {
    package: &'a Package,
    tests: &'a TestSet,
    workshop: &'a Workshop,
    stop: &'a AtomicBool,
}

impl Verified {
    /// Whether every claim holds.
    pub fn is_sound(&self) -> bool {
        self.remarks.iter().all(|remark| remark.level != Level::Error)
    }

    fn check(&mut self, section: Section, what: impl Into<String>) {
        self.checks.push(Check { section, what: what.into() });
    }

    fn add(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// What a reader found.
    fn findings(&mut self, findings: Vec<Finding>) {
        self.remarks.extend(findings.into_iter().map(Remark::from));
    }
}

impl Remark {
    fn new(section: Section, level: Level, what: impl Into<String>) -> Remark {
        Remark { section, level, at: None, what: what.into(), todo: None }
    }

    fn at(mut self, place: impl Into<String>) -> Remark {
        self.at = Some(place.into());
        self
    }

    fn todo(mut self, todo: impl Into<String>) -> Remark {
        self.todo = Some(todo.into());
        self
    }
}

impl From<Finding> for Remark {
    fn from(finding: Finding) -> Remark {
        let section = match finding.file.iter().next().and_then(|first| first.to_str()) {
            Some("data" | "generators" | "input_validators" | "output_validator") => Section::Data,
            Some("submissions") => Section::Submissions,
            _ => Section::Package,
        };
        let level = match finding.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        };
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let at = Some(format!("{}{line}", finding.file.display()));
        Remark { section, level, at, what: finding.what, todo: finding.hint }
    }
}

/// `1 case`, `2 cases`.
fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// The first few names, and how many more.
fn few(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > most { format!("{shown} and {} more", names.len() - most) } else { shown }
}
