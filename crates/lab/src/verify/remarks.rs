//! What verifying says of a package: what is well, and what is not.

use kopek_engine::package::{Finding, cause_key};
use serde::Serialize;

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
    /// Where else the same is not well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A part of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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

/// How serious a remark is.
pub use kopek_engine::package::Severity as Level;

impl Remark {
    pub(super) fn new(section: Section, level: Level, what: impl Into<String>) -> Remark {
        Remark { section, level, at: None, what: what.into(), todo: None, also: vec![] }
    }

    /// What it shares with remarks that have the same cause.
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
