//! The results of verifying a package: finished checks, and problems.

use kopek_package::package::{Level, Message, Place};
use serde::Serialize;
use std::path::{Path, PathBuf};

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
    #[serde(flatten)]
    pub finding: Message,
    /// Other places with the same problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Place>,
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

impl Remark {
    pub fn new(section: Section, level: Level, what: impl Into<String>) -> Remark {
        Remark { section, finding: Message::new(level, what), also: vec![] }
    }

    pub fn at(self, file: impl Into<PathBuf>) -> Remark {
        self.placed(Place::new(file, None))
    }

    pub fn placed(self, place: Place) -> Remark {
        Remark { finding: self.finding.at(place), ..self }
    }

    pub fn todo(self, todo: impl Into<String>) -> Remark {
        Remark { finding: self.finding.todo(todo), ..self }
    }
}

impl Section {
    /// The section that a file of the package belongs to.
    pub fn of_file(file: &Path) -> Section {
        match file.iter().next().and_then(|first| first.to_str()) {
            Some("data" | "generators" | "input_validators" | "output_validator") => Section::Data,
            Some("submissions") => Section::Submissions,
            _ => Section::Package,
        }
    }
}
