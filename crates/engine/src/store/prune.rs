//! Frees space: removes data that is damaged or was not used for long, or everything.
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
    /// Data that is damaged, or was not used for this long. Ages count in whole days.
    Unneeded(Duration),
    /// Everything, including a database that cannot be read.
    All,
}

/// Data that was removed.
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
    /// Removes the data; fails while another process has the store open.
    pub fn perform(self, dir: &Path) -> Result<Pruned> {
        exists(dir)?;
        match self {
            Prune::All => clear(dir).with_context(|| format!("empty the store {}", dir.display())),
            Prune::Unneeded(age) => {
                let store = Store::open_with(dir, Lock::alone)?;
                prune_store(&store, age).with_context(|| format!("prune the store {}", dir.display()))
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

struct Blob {
    path: PathBuf,
    used: SystemTime,
    size: u64,
}

/// Blobs first: on a full disk the database needs their room for its log.
fn prune_store(store: &Store, age: Duration) -> Result<Pruned> {
    let oldest = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
    let (kept, mut gone): (Vec<Blob>, Vec<Blob>) = all_blobs(&store.dir)?
        .into_iter()
        .partition(|blob| blob.used > oldest && blobs::BlobStore::is_whole(&blob.path));
    let (used, unused): (Vec<Blob>, Vec<Blob>) =
        listed(&store.dir, warm)?.into_iter().partition(|cache| cache.used > oldest);
    gone.extend(unused);
    for blob in &gone {
        blobs::discard(&store.dir, &blob.path).map_err(|error| trouble::of_files(&store.dir, &error))?;
    }
    let sizes = |blobs: &[Blob]| blobs.iter().map(|blob| blob.size).sum::<u64>();
    let size = size_of_facts(&store.facts)?;
    let facts = store.facts.drop_damaged()? + drop_unused(&store.facts, facts::day(oldest))?;
    let left = size_of_facts(&store.facts)?;
    Ok(Pruned {
        facts,
        blobs: gone.len() as u64,
        freed: Bytes(sizes(&gone) + size - left),
        left: Bytes(sizes(&kept) + sizes(&used) + left),
    })
}

/// The size of a row is its text plus about a hundred bytes.
fn size_of_facts(facts: &facts::FactTable) -> Result<u64> {
    let sql = "SELECT coalesce(sum(length(outcome) + 100), 0) FROM facts";
    let size: i64 = facts.did(|connection| connection.query_row(sql, [], |row| row.get(0)))?;
    Ok(size.unsigned_abs())
}

/// Drops facts and cached values that were last used on this day or before. Returns the number of facts.
fn drop_unused(facts: &facts::FactTable, day: i64) -> Result<u64> {
    facts.did(|connection| {
        let dropped = connection.execute("DELETE FROM facts WHERE used <= ?", params![day])?;
        let values = "DELETE FROM remembered WHERE used <= ? AND name <> ?";
        if connection.execute(values, params![day, facts::ID])? + dropped > 0 {
            connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        }
        Ok(dropped as u64)
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

fn clear(dir: &Path) -> Result<Pruned> {
    let _alone = Lock::alone(dir, &|| Ok(()))?;
    blobs::sweep(dir)?;
    let paths = everything(dir)?;
    let blobs = all_blobs(dir).map_or(0, |blobs| blobs.len()) as u64;
    let freed = Bytes(paths.iter().map(|path| size(path)).sum());
    for path in paths {
        blobs::discard(dir, &path).map_err(|error| trouble::of_files(dir, &error))?;
    }
    Ok(Pruned { blobs, freed, ..Pruned::default() })
}
