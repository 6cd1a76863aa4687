//! Finds the programs of a row on this machine.

use super::locate::{self, Search};
use kopek_package::language::{Language, MissingToolchain};
use kopek_sandbox::Fault;
use std::{collections::BTreeMap, path::PathBuf};

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

impl From<NoToolchain> for Fault {
    fn from(why: NoToolchain) -> Fault {
        match why {
            NoToolchain::Missing(missing) => Fault::new(missing.to_string()),
            NoToolchain::Fault(fault) => fault,
        }
    }
}

/// Finds the row's programs. Runs nothing, so every run can afford it.
pub fn find_tools(
    language: &Language,
    search: &Search,
) -> Result<BTreeMap<String, PathBuf>, MissingToolchain> {
    let mut found = BTreeMap::new();
    let mut lost = vec![];
    for (tool, names) in &language.tools {
        match locate::find_program(names, search) {
            Some(path) => drop(found.insert(tool.clone(), locate::call_path(&path))),
            // All missing tools are collected, so that one message names everything to install.
            None => lost.push(names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")),
        }
    }
    if lost.is_empty() {
        return Ok(found);
    }
    let what = format!("{} not found", lost.join(", "));
    Err(MissingToolchain { absent: true, ..MissingToolchain::new(language, what) })
}
