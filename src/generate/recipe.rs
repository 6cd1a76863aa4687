//! A recipe: `generators/generators.yaml` as a flat list of what is to be made.
//!
//! The format is that of BAPCtools. A file is read in three steps: text to nodes
//! ([`crate::package::yaml`]), nodes to rules ([`super::rules`]), rules to makes with their
//! names, numbers and seeds ([`super::expand`]). Pure: knows no disk; everything
//! odd is listed, with its line.
//!
//! Both tools make the same bytes. What differs: included cases are copies, not
//! links; comments inside `test_group.yaml` are not kept; pictures and protocols of
//! samples come from generators, copies and contents only, never from visualizers or
//! a run of the solution; patterns of `match` know no look-around.

use super::{command::Command, expand, rules};
use crate::package::{
    Finding, Severity,
    yaml::{self, Node},
};
use std::collections::BTreeMap;

/// Where a recipe lies, relative to the package.
pub const FILE: &str = "generators/generators.yaml";

/// What is to be made, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recipe {
    /// Generators that consist of several files of `generators/`, the first of which is run.
    pub generators: BTreeMap<String, Vec<String>>,
    /// Directories below `data/`, parents first; `data/` itself has the empty path.
    pub folders: Vec<Folder>,
    /// Test cases.
    pub makes: Vec<Make>,
    /// Cases that stand in a second place, too.
    pub includes: Vec<Include>,
}

/// A directory below `data/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Relative to `data/`: `secret/1-small`.
    pub path: String,
    /// Its line.
    pub line: u32,
    /// What becomes of its `test_group.yaml`.
    pub group: GroupFile,
}

/// What becomes of a `test_group.yaml`.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupFile {
    /// It is left alone.
    Untouched,
    /// There is none.
    Absent,
    /// It is this.
    Written(Node),
}

/// A test case to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Make {
    /// Below `data/`, without extension: `secret/1-small/03-path`.
    pub path: String,
    /// The line of its rule.
    pub line: u32,
    /// First: what a generator writes.
    pub generate: Option<Command>,
    /// How often a failing generator is tried, each time with the next seed.
    pub tries: u32,
    /// Second: copies of files beside this path, relative to the package, without extension.
    pub copy: Option<String>,
    /// Third: contents by extension (`in`, `ans.download`, `yaml`).
    pub literals: BTreeMap<&'static str, String>,
    /// Fourth: extension to the extension that it is the same as.
    pub links: BTreeMap<&'static str, &'static str>,
    /// Patterns that `in` and `ans` should contain.
    pub matches: Vec<(&'static str, String)>,
    /// Who writes the answer if nobody has.
    pub solution: Solution,
    /// Wanted equal to others: one of a `count` that nothing tells apart.
    pub twin: bool,
}

/// Who writes missing answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Solution {
    /// The recipe does not say: an accepted example submission.
    #[default]
    Unsaid,
    /// Nobody.
    Nobody,
    /// This program, relative to the package.
    Program(String),
}

/// A case that stands in a second place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// Its path there.
    pub path: String,
    /// The line of the `include`.
    pub line: u32,
    /// Which of [`Recipe::makes`].
    pub make: usize,
}

/// What a recipe may know of its package.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// `{{name}}` to their texts.
    pub constants: BTreeMap<String, String>,
    /// Whether protocols (`interaction`) make sense: interactive or multi-pass.
    pub talks: bool,
}

/// Extensions of a test case that are text, in the order in which they are made.
pub const TEXTS: [&str; 9] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
];
/// Extensions of a test case that are pictures.
pub const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "svg"];

impl Recipe {
    /// Reads a recipe. It can be used if no finding is an error.
    pub fn read(bytes: &[u8], given: &Given) -> (Recipe, Vec<Finding>) {
        let mut findings = Findings::default();
        let Ok(text) = std::str::from_utf8(bytes) else {
            findings.push(0, Severity::Error, "is not UTF-8 text".into());
            return (Recipe::default(), findings.0);
        };
        let Some(root) = yaml::read(FILE.as_ref(), text.to_owned(), &mut findings.0) else {
            return (Recipe::default(), findings.0);
        };
        let (generators, root) = rules::root(&root, given, &mut findings);
        (Recipe { generators, ..expand::expand(&root, given, &mut findings) }, findings.0)
    }
}

/// What is odd so far.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn error(&mut self, line: u32, what: impl Into<String>) {
        self.push(line, Severity::Error, what.into());
    }

    pub(super) fn warning(&mut self, line: u32, what: impl Into<String>) {
        self.push(line, Severity::Warning, what.into());
    }

    /// A remedy for the last finding.
    pub(super) fn hint(&mut self, hint: impl Into<String>) {
        if let Some(last) = self.0.last_mut() {
            last.hint = Some(hint.into());
        }
    }

    fn push(&mut self, line: u32, severity: Severity, what: String) {
        let line = (line > 0).then_some(line);
        self.0.push(Finding { severity, file: FILE.into(), line, what, hint: None });
    }
}
