//! The last results of verifying and mutating packages, kept in the store for a table of many packages. Nothing
//! depends on them.

use crate::{
    mutate::{MutantFate, MutationReport},
    verify::{Level, Verified},
};
use anyhow::{Context, Result};
use kopek_engine::store::Store;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// The stored results of a package.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LastResults {
    /// The result of `verify`.
    pub verified: Option<Remembered<LastVerified>>,
    /// The result of `mutate`.
    pub mutated: Option<Remembered<LastMutation>>,
}

/// A stored result, possibly of an earlier version of the package.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remembered<T> {
    /// Whether the package was edited since then.
    pub edited_since: bool,
    /// The result.
    #[serde(flatten)]
    pub result: T,
}

/// The result of `verify`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LastVerified {
    /// Broken claims, and everything else that makes a package unsound.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Checks without a result.
    pub faults: usize,
    /// The slowest run that must fit, and the limit, in seconds.
    pub time: Option<(f64, f64)>,
    /// The most memory that an accepted submission needs, and the limit, in bytes.
    pub memory: Option<(u64, u64)>,
}

/// The result of `mutate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LastMutation {
    /// Mutants that the tests kill.
    pub killed: usize,
    /// Mutants that they miss, though an input kills them.
    pub missed: usize,
    /// Mutants that neither tests nor inputs kill.
    pub probably_equivalent: usize,
    /// Mutants without a result, for lack of time.
    pub undecided: usize,
}

/// The format in the store.
#[derive(Serialize, Deserialize)]
struct Record<T> {
    /// When the package was last edited, in nanoseconds.
    edited: u128,
    result: T,
}

impl LastVerified {
    fn of(verified: &Verified) -> LastVerified {
        let count = |level| verified.remarks.iter().filter(|remark| remark.level == level).count();
        let slowest = |margins: &crate::verify::Margins| {
            let slowest =
                margins.languages.iter().filter_map(|one| one.slowest.as_ref()).map(|one| one.time).max();
            slowest.map(|time| (time.as_secs_f64(), margins.limit.as_secs_f64()))
        };
        LastVerified {
            errors: count(Level::Error),
            warnings: count(Level::Warning),
            faults: verified.faults.len(),
            time: verified.margins.as_ref().and_then(slowest),
            memory: verified.memory.as_ref().map(|margin| (margin.used, margin.limit)),
        }
    }
}

impl LastMutation {
    fn of(report: &MutationReport) -> LastMutation {
        let mut last = LastMutation::default();
        for (_, fate) in &report.mutants {
            match fate {
                MutantFate::Killed(_) => last.killed += 1,
                MutantFate::Proven(_) => last.missed += 1,
                MutantFate::ProbablyEquivalent => last.probably_equivalent += 1,
                MutantFate::Unknown => last.undecided += 1,
                MutantFate::Unviable | MutantFate::SameProgram | MutantFate::Duplicate => {}
            }
        }
        last
    }
}

/// Stores the result of verifying.
pub fn remember_verified(store: &Store, package: &Path, verified: &Verified) -> Result<()> {
    remember(store, package, "verify", LastVerified::of(verified))
}

/// Stores the result of mutating.
pub fn remember_mutation(store: &Store, package: &Path, report: &MutationReport) -> Result<()> {
    remember(store, package, "mutate", LastMutation::of(report))
}

/// The stored results of a package.
pub fn last_results(store: &Store, package: &Path) -> Result<LastResults> {
    Ok(LastResults {
        verified: recall(store, package, "verify")?,
        mutated: recall(store, package, "mutate")?,
    })
}

fn remember<T: Serialize>(store: &Store, package: &Path, command: &str, result: T) -> Result<()> {
    // An archive is unpacked in a different place every time.
    if !package.is_dir() {
        return Ok(());
    }
    store.remember(&record_name(package, command)?, &Record { edited: last_edit(package)?, result })
}

fn recall<T: for<'a> Deserialize<'a>>(
    store: &Store,
    package: &Path,
    command: &str,
) -> Result<Option<Remembered<T>>> {
    let record: Option<Record<T>> = store.recall(&record_name(package, command)?)?;
    let Some(Record { edited, result }) = record else { return Ok(None) };
    Ok(Some(Remembered { edited_since: last_edit(package)? > edited, result }))
}

fn record_name(package: &Path, command: &str) -> Result<String> {
    let place = package.canonicalize().with_context(|| format!("find {}", package.display()))?;
    Ok(format!("last {command} {}", place.display()))
}

/// The last change of any file or directory of a package. Hidden ones are ignored: one of them may be a store.
fn last_edit(dir: &Path) -> Result<u128> {
    let time = |at: SystemTime| at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let mut last = 0;
    for entry in fs::read_dir(dir).with_context(|| format!("read {}", dir.display()))? {
        let entry = entry.with_context(|| format!("read {}", dir.display()))?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let Ok(found) = entry.metadata() else { continue };
        last = last.max(found.modified().map_or(0, time));
        if found.is_dir() {
            last = last.max(last_edit(&entry.path())?);
        }
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_knows_whether_the_package_was_edited_since() {
        let home = tempfile::tempdir().unwrap();
        let (package, store) = (home.path().join("sum"), Store::open(&home.path().join("store")).unwrap());
        fs::create_dir_all(package.join("submissions")).unwrap();
        fs::write(package.join("submissions/a.py"), "").unwrap();
        assert_eq!(last_results(&store, &package).unwrap(), LastResults::default());
        let verified = Verified { faults: vec!["one".into()], ..Verified::default() };
        remember_verified(&store, &package, &verified).unwrap();
        let last = last_results(&store, &package).unwrap().verified.unwrap();
        assert!(!last.edited_since && last.result.faults == 1);
        fs::create_dir(package.join(".kopek")).unwrap();
        assert!(
            !last_results(&store, &package).unwrap().verified.unwrap().edited_since,
            "hidden files do not count"
        );
        let later = SystemTime::now() + std::time::Duration::from_secs(5);
        fs::File::options()
            .append(true)
            .open(package.join("submissions/a.py"))
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert!(last_results(&store, &package).unwrap().verified.unwrap().edited_since);
    }
}
