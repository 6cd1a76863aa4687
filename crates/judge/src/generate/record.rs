//! What was made where, remembered from run to run: what is fresh, and what may be
//! removed because we made it.

use super::place::CaseDigests;
use anyhow::{Context, Result};
use kopek_base::Digest;
use kopek_engine::package::Package;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs::File};

/// What we made, so that it can be trusted, and removed when nobody names it any longer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// By path of the case below `data/`.
    pub cases: BTreeMap<String, RecordEntry>,
    /// `test_group.yaml` files, by path below `data/`.
    pub groups: BTreeMap<String, Digest>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordEntry {
    /// Everything that could change it.
    pub key: Digest,
    /// Its files by extension.
    pub files: CaseDigests,
    /// Their sizes together.
    pub bytes: u64,
    /// Oddities, told again whenever the case is used again.
    pub remarks: Vec<String>,
    /// `false`: it stood there before we came, so we never remove it.
    pub ours: bool,
}

impl Record {
    /// The files of a case as we made them.
    pub fn files(&self, case: &str) -> CaseDigests {
        self.cases.get(case).map(|entry| entry.files.clone()).unwrap_or_default()
    }

    /// This, and of the other what it says nothing about.
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
