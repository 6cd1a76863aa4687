//! The results of verifying a package: finished checks, and problems.

use kopek_engine::package::{Finding, cause_key};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The part of the package.
    pub section: Section,
    /// The checked things, with their number.
    pub what: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The part of the package.
    pub section: Section,
    pub level: Level,
    /// `file` or `file:line`, relative to the package.
    pub at: Option<String>,
    pub what: String,
    pub todo: Option<String>,
    /// Other places with the same problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A part of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// `problem.yaml` and everything not named below.
    Package,
    /// `data/`, and its validators.
    Data,
    /// Example submissions and their claims.
    Submissions,
    Limits,
}

/// The severity of a remark.
pub use kopek_engine::package::Severity as Level;

impl Remark {
    pub(super) fn new(section: Section, level: Level, what: impl Into<String>) -> Remark {
        Remark { section, level, at: None, what: what.into(), todo: None, also: vec![] }
    }

    /// A key shared by remarks with the same cause.
    pub(super) fn cause(&self) -> Option<String> {
        let at = self.at.as_ref()?;
        cause_key(at.split(':').next().unwrap_or(at), &self.what)
    }

    pub(super) fn at(mut self, place: impl Into<String>) -> Remark {
        self.at = Some(place.into());
        self
    }

    pub(super) fn todo(mut self, todo: impl Into<String>) -> Remark {
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
        let at = Some(finding.place());
        Remark { section, level: finding.severity, at, what: finding.what, todo: finding.hint, also: vec![] }
    }
}
