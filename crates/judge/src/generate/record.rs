//! The record of generated files, kept from run to run: shows which cases are fresh and which files kopek may remove
//! because it made them.

use super::place::CaseDigests;
use anyhow::{Context, Result};
use kopek_base::Digest;
use kopek_package::package::Package;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs::File};

/// The files kopek made: they can be trusted, and removed when no rule names them any longer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// By path of the case below `data/`.
    pub cases: BTreeMap<String, RecordEntry>,
    /// `test_group.yaml` files, by path below `data/`.
    pub groups: BTreeMap<String, Digest>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordEntry {
    /// Digest of everything that could change it.
    pub key: Digest,
    pub files: CaseDigests,
    pub bytes: u64,
    /// Remarks, repeated whenever the case is reused.
    pub remarks: Vec<String>,
    /// `false`: the files existed before kopek, so kopek never removes them.
    pub ours: bool,
}

impl Record {
    /// The files of a case as kopek made them.
    pub fn files(&self, case: &str) -> CaseDigests {
        self.cases.get(case).map(|entry| entry.files.clone()).unwrap_or_default()
    }

    /// This record, completed with entries of the other.
    pub fn over(&self, other: &Record) -> Record {
        let mut both = other.clone();
        both.cases.extend(self.cases.clone());
        both.groups.extend(self.groups.clone());
        both
    }
}

/// Waits until no other kopek generates this package.
pub fn alone(package: &Package) -> Result<File> {
    let dir = File::open(&package.dir).with_context(|| format!("open {}", package.dir.display()))?;
    dir.lock().with_context(|| format!("lock {}", package.dir.display()))?;
    Ok(dir)
}

/// The name under which the record of a package is remembered.
pub fn name(package: &Package) -> Result<String> {
    let home = package.dir.canonicalize().with_context(|| format!("find {}", package.dir.display()))?;
    Ok(format!("generated:{}", home.display()))
}
