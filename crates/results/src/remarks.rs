//! The results of verifying a package: finished checks, and problems.

use kopek_package::package::{Message, Place};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FinishedCheck {
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
    pub fn new(section: Section, finding: Message) -> Remark {
        Remark { section, finding, also: vec![] }
    }
}

impl Section {
    /// The section that a place in a file of the package belongs to.
    pub fn of_place(place: Option<&Place>) -> Section {
        match place.and_then(|place| place.file.iter().next()?.to_str()) {
            Some("data" | "generators" | "input_validators" | "output_validator") => Section::Data,
            Some("submissions") => Section::Submissions,
            _ => Section::Package,
        }
    }
}
