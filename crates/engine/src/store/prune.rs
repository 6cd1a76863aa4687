//! Frees space: removes the least recently used data first, and blobs before facts, because building a
//! program again is faster than judging a class again.
//!
//! Removes data only under the exclusive lock, so nothing vanishes while another process uses it.

use super::{ISOLATION, Store, WARM, blobs, database, facts, lock::Lock, trouble};
use anyhow::{Context, Result, bail};
use kopek_base::Bytes;
use rusqlite::params;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use walkdir::WalkDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prune {
    /// Data that was not used for this long; then, least recently used first, more until the rest has at most
    /// this size. Ages count in whole days.
    Unneeded {
        older: Option<Duration>,
        /// The maximum size of the rest.
        max: Option<Bytes>,
    },
    Damaged,
    /// Everything, including a database that cannot be read.
    All,
}

/// Data that was removed, or would be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Facts removed; unknown (0) if all was.
    pub facts: u64,
    pub blobs: u64,
    /// Freed space, approximately.
    pub freed: Bytes,
    /// The size of the rest.
    pub left: Bytes,
}

impl Prune {
    /// Reports what would be removed, and removes nothing.
    pub fn rehearse(self, dir: &Path) -> Result<Pruned> {
        exists(dir)?;
        match self {
            Prune::All => Ok(all_pruned(dir, &everything(dir)?)),
            Prune::Damaged => bail!("damaged data cannot be counted without removing it"),
            Prune::Unneeded { older, max } => Ok(choose(&Store::open(dir)?, older, max)?.pruned),
        }
    }

    /// Removes the data; fails while another process has the store open.
    pub fn perform(self, dir: &Path) -> Result<Pruned> {
        exists(dir)?;
        match self {
            Prune::All => clear(dir).with_context(|| format!("empty the store {}", dir.display())),
            Prune::Damaged => {
                let store = Store::open_with(dir, Lock::alone)?;
                repair_store(&store).with_context(|| format!("repair the store {}", dir.display()))
            }
            Prune::Unneeded { older, max } => {
                let store = Store::open_with(dir, Lock::alone)?;
                let choice = choose(&store, older, max)?;
                remove(&store, &choice).with_context(|| format!("prune the store {}", dir.display()))?;
                Ok(choice.pruned)
            }
        }
    }
}

fn exists(dir: &Path) -> Result<()> {
    if !dir.join("lock").is_file() {
        bail!("there is no store at {}: nothing to prune", dir.display());
    }
    Ok(())
}

struct Choice {
    /// Facts that were last used before this day are removed.
    before: i64,
    /// Cached values from before this day are removed. They are small and may be expensive to measure, so
    /// they are not removed for their size.
    forgotten_before: i64,
    blobs: Vec<Blob>,
    pruned: Pruned,
}

struct Blob {
    path: PathBuf,
    used: SystemTime,
    size: u64,
}

/// The facts that were last used on one day.
struct Day {
    day: i64,
    facts: u64,
    size: u64,
}

fn choose(store: &Store, older: Option<Duration>, max: Option<Bytes>) -> Result<Choice> {
    let mut blobs = all_blobs(&store.dir)?;
    blobs.extend(listed(&store.dir, warm)?);
    blobs.sort_by_key(|blob| blob.used);
    let days = days(&store.facts)?;
    let total = blobs.iter().map(|b| b.size).sum::<u64>() + days.iter().map(|d| d.size).sum::<u64>();
    let mut left = total;
    let mut pruned = Pruned::default();
    let max = max.map_or(u64::MAX, |max| max.0);
    let oldest = older.and_then(|older| SystemTime::now().checked_sub(older));
    let mut gone = Vec::new();
    for blob in blobs {
        // Removes by age and then by size: the list begins with the least recently used.
        if oldest.is_some_and(|oldest| blob.used <= oldest) || left > max {
            left -= blob.size;
            gone.push(blob);
        }
    }
    let oldest_day = oldest.map_or(i64::MIN, facts::day);
    let mut before = i64::MIN;
    for day in days {
        if day.day <= oldest_day || left > max {
            left -= day.size;
            pruned.facts += day.facts;
            before = day.day + 1;
        }
    }
    pruned.blobs = gone.len() as u64;
    (pruned.freed, pruned.left) = (Bytes(total - left), Bytes(left));
    Ok(Choice { before, forgotten_before: oldest_day.saturating_add(1), blobs: gone, pruned })
}

/// Days of last use, oldest first. The size of a row is its text plus about a hundred bytes.
fn days(facts: &facts::FactTable) -> Result<Vec<Day>> {
    let sql = "SELECT used, count(*), sum(length(outcome) + 100) FROM facts GROUP BY used ORDER BY used";
    facts.did(|connection| {
        let mut statement = connection.prepare(sql)?;
        let day = |row: &rusqlite::Row| {
            let (facts, size): (i64, i64) = (row.get(1)?, row.get(2)?);
            Ok(Day { day: row.get(0)?, facts: facts.unsigned_abs(), size: size.unsigned_abs() })
        };
        statement.query_map([], day)?.collect()
    })
}

fn all_blobs(dir: &Path) -> Result<Vec<Blob>> {
    listed(dir, |dir| {
        let mut paths = Vec::new();
        for shelf in fs::read_dir(dir.join("blobs"))? {
            paths.extend(below(&shelf?.path())?);
        }
        Ok(paths)
    })
}

/// Caches of toolchains: they are rebuilt on demand.
fn warm(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let warm = dir.join(WARM);
    if warm.exists() { below(&warm) } else { Ok(vec![]) }
}

fn below(dir: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect()
}

/// Entries of a store, with their sizes and times of last use.
fn listed(dir: &Path, paths: impl Fn(&Path) -> io::Result<Vec<PathBuf>>) -> Result<Vec<Blob>> {
    let blob = |path: PathBuf| {
        // A blob without a readable time counts as the oldest: it is removed first.
        let used = fs::metadata(&path).and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        Blob { size: size(&path), path, used }
    };
    let paths = paths(dir).map_err(|error| trouble::of_files(dir, &error))?;
    Ok(paths.into_iter().map(blob).collect())
}

fn size(path: &Path) -> u64 {
    let files = WalkDir::new(path).into_iter().filter_map(Result::ok).filter_map(|e| e.metadata().ok());
    files.filter(fs::Metadata::is_file).map(|meta| meta.len()).sum()
}

/// Blobs first: on a full disk the database needs their room for its log.
fn remove(store: &Store, choice: &Choice) -> Result<()> {
    for blob in &choice.blobs {
        blobs::discard(&store.dir, &blob.path).map_err(|error| trouble::of_files(&store.dir, &error))?;
    }
    if choice.pruned.facts == 0 {
        return Ok(());
    }
    store.facts.did(|connection| {
        connection.execute("DELETE FROM facts WHERE used < ?", params![choice.before])?;
        connection.execute(
            "DELETE FROM remembered WHERE used < ? AND name <> ?",
            params![choice.forgotten_before, facts::ID],
        )?;
        connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    })
}

/// Drops damaged data; it is judged again on demand.
fn repair_store(store: &Store) -> Result<Pruned> {
    let mut pruned = Pruned { facts: store.facts.drop_damaged()?, ..Pruned::default() };
    for blob in all_blobs(&store.dir)? {
        if blobs::BlobStore::is_whole(&blob.path) {
            pruned.left.0 += blob.size;
            continue;
        }
        blobs::discard(&store.dir, &blob.path).map_err(|error| trouble::of_files(&store.dir, &error))?;
        pruned.blobs += 1;
        pruned.freed.0 += blob.size;
    }
    Ok(pruned)
}

/// All files of a store except its lock, for which another process may be waiting.
fn everything(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| trouble::of_files(dir, &error))? {
        let path = entry.map_err(|error| trouble::of_files(dir, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(database::FILE) || name == "blobs" || name == WARM || name == ISOLATION {
            paths.push(path);
        }
    }
    // The log before its database: a log must never belong to another database.
    paths.sort_by_key(|path| std::cmp::Reverse(path.as_os_str().len()));
    Ok(paths)
}

/// The contents of these paths, which are all of a store.
fn all_pruned(dir: &Path, paths: &[PathBuf]) -> Pruned {
    let freed = paths.iter().map(|path| size(path)).sum();
    let blobs = all_blobs(dir).map_or(0, |blobs| blobs.len()) as u64;
    Pruned { blobs, freed: Bytes(freed), ..Pruned::default() }
}

fn clear(dir: &Path) -> Result<Pruned> {
    let _alone = Lock::alone(dir, &|| Ok(()))?;
    blobs::sweep(dir)?;
    let paths = everything(dir)?;
    let pruned = all_pruned(dir, &paths);
    for path in paths {
        blobs::discard(dir, &path).map_err(|error| trouble::of_files(dir, &error))?;
    }
    Ok(pruned)
}
