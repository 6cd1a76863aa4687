//! Finds the programs of a row on this machine, and explains how to install missing ones.

use super::locate::{self, Search};
use crate::language::Language;
use kopek_sandbox::Fault;
use std::{collections::BTreeMap, fmt, path::PathBuf};

/// A language that cannot be used on this machine. Never a verdict about the student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingToolchain {
    /// The language's code.
    pub code: String,
    /// The problem.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

impl fmt::Display for MissingToolchain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}; {}", self.code, self.what, self.remedy)
    }
}

impl std::error::Error for MissingToolchain {}

/// Why there is no usable toolchain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoToolchain {
    /// It is not installed, or does not work.
    #[error(transparent)]
    Missing(#[from] MissingToolchain),
    /// A fault of ours while running it.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Finds the row's programs. Runs nothing, so every run can afford it.
pub fn find_tools(
    language: &Language,
    search: &Search,
) -> Result<BTreeMap<String, PathBuf>, MissingToolchain> {
    let (mut found, mut lost) = (BTreeMap::new(), vec![]);
    for (tool, names) in &language.tools {
        match locate::find_program(names, search) {
            Some(path) => drop(found.insert(tool.clone(), locate::call_path(&path))),
            // All missing tools are collected, so that one message names everything to install.
            None => lost.push(names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")),
        }
    }
    if lost.is_empty() { Ok(found) } else { Err(missing(language, format!("{} not found", lost.join(", ")))) }
}

/// The error that this language cannot be used here.
pub(crate) fn missing(language: &Language, what: String) -> MissingToolchain {
    let install = match language.install.as_str() {
        "" => "install it".to_owned(),
        packages => format!("install it ({packages})"),
    };
    let remedy = format!("{install} or exclude the submissions in {}", language.name);
    MissingToolchain { code: language.code.clone(), what, remedy }
}
