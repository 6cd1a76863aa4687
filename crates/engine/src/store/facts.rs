//! Facts in an embedded database.
//!
//! Write-ahead log with `synchronous = NORMAL`: a commit writes to the log and does not wait for the disk. A
//! killed process loses nothing that it committed, because the kernel has it. A power failure may lose the
//! last facts, but never the database, and a lost fact is judged again. `FULL` would cost a disk flush per
//! trial without better grades.
//!
//! The database's own checksums cover only its log, so each row has a digest of its key and its text.

use super::{
    database::{self, patiently},
    trouble,
};
use anyhow::{Context, Result};
use kopek_base::{Digest, DigestFields};
use kopek_plan::plan::{Key, Outcome};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// The version of a fact's text. A fact of another version counts as unknown: it is judged again and
/// replaced.
const FORM: i64 = 2;

/// The version of a fact that is valid while a toolchain has the same guard.
const GUARDED: i64 = 3;

/// The name of the entry with the database's id; it is never pruned.
pub(crate) const ID: &str = "id of the store";

/// An outcome, and the guard of the toolchain if it is valid only while that stays the same: a build that
/// failed for lack of a header or a module may succeed once it is installed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredFact<O = Outcome> {
    pub(crate) guard: Option<Digest>,
    pub(crate) outcome: O,
}

/// The database; one thread uses it at a time.
pub(crate) struct FactTable {
    dir: PathBuf,
    connection: Mutex<Connection>,
    today: i64,
}

impl FactTable {
    /// Opens the database of a store's directory; creates it if there is none.
    pub(crate) fn open(dir: &Path) -> Result<FactTable> {
        let connection = database::open(dir)?;
        Ok(FactTable {
            dir: dir.to_owned(),
            connection: Mutex::new(connection),
            today: day(SystemTime::now()),
        })
    }

    /// The known facts of keys, in their order.
    pub(crate) fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<StoredFact>>> {
        // In table order: neighbours share pages.
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by_key(|&at| keys[at]);
        match self.did(|connection| self.read(connection, keys, &order))? {
            Read::Damaged(error) => Err(error),
            Read::Whole { found, stale } => {
                // After the reading, in one commit: separate writes would each wait for other writers.
                self.touch(&stale)?;
                Ok(found)
            }
        }
    }

    /// Adds facts, all or none; replaces known facts of the same keys.
    pub(crate) fn put_many(&self, facts: &[(Key, StoredFact<&Outcome>)]) -> Result<()> {
        let text = |(_, fact): &(Key, StoredFact<&Outcome>)| match fact.guard {
            None => Ok((FORM, serde_json::to_string(fact.outcome)?)),
            Some(_) => Ok((GUARDED, serde_json::to_string(fact)?)),
        };
        let texts: serde_json::Result<Vec<_>> = facts.iter().map(text).collect();
        let texts = texts.context("write a fact as JSON")?;
        self.did(|connection| {
            let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for ((key, _), (form, text)) in facts.iter().zip(&texts) {
                all.prepare_cached("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?)")?.execute(
                    params![
                        key.as_bytes(),
                        form,
                        text,
                        digest(key.as_bytes(), *form, text.as_bytes()).as_bytes(),
                        self.today
                    ],
                )?;
            }
            all.commit()
        })
    }

    /// The keys of all facts, in order.
    pub(crate) fn keys(&self) -> Result<Vec<Key>> {
        self.did(|connection| {
            let mut statement = connection.prepare("SELECT key FROM facts ORDER BY key")?;
            let keys = statement.query_map([], |row| row.get::<_, [u8; 32]>(0))?;
            keys.map(|key| key.map(Key::from_bytes)).collect()
        })
    }

    /// The id of this database. If it has none yet, `new` becomes its id.
    pub(crate) fn id(&self, new: &str) -> Result<String> {
        if let Some(id) = self.recall(ID)? {
            return Ok(id);
        }
        let digest = digest(ID.as_bytes(), 0, new.as_bytes());
        let insert = "INSERT OR IGNORE INTO remembered VALUES (?, ?, ?, ?)";
        self.did(|connection| connection.execute(insert, params![ID, new, digest.as_bytes(), self.today]))?;
        Ok(self.recall(ID)?.expect("it was inserted, or was there"))
    }

    /// Stores a text under a name.
    pub(crate) fn remember(&self, name: &str, json: &str) -> Result<()> {
        let digest = digest(name.as_bytes(), 0, json.as_bytes());
        self.did(|connection| {
            connection
                .prepare_cached("INSERT OR REPLACE INTO remembered VALUES (?, ?, ?, ?)")?
                .execute(params![name, json, digest.as_bytes(), self.today])
        })?;
        Ok(())
    }

    /// The text that was stored under a name.
    pub(crate) fn recall(&self, name: &str) -> Result<Option<String>> {
        let row = self.did(|connection| {
            connection
                .prepare_cached("SELECT json, digest FROM remembered WHERE name = ?")?
                .query_row([name], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?)))
                .optional()
        })?;
        let Some((json, sum)) = row else { return Ok(None) };
        if sum != digest(name.as_bytes(), 0, json.as_bytes()).as_bytes() {
            return Err(trouble::damaged_error(&self.dir, &format!("the cached value {name} was changed")));
        }
        Ok(Some(json))
    }

    /// The names with this prefix under which texts are stored.
    pub(crate) fn remembered_names(&self, prefix: &str) -> Result<Vec<String>> {
        self.did(|connection| {
            let sql = "SELECT name FROM remembered WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name";
            connection.prepare(sql)?.query_map([prefix], |row| row.get(0))?.collect()
        })
    }

    /// Drops damaged rows and returns their number.
    pub(crate) fn drop_damaged(&self) -> Result<u64> {
        let tables = [
            ("SELECT key, form, outcome, digest FROM facts", "DELETE FROM facts WHERE key = ?"),
            // Names go in as blobs and come back as text: the keys of both tables are bytes here.
            (
                "SELECT CAST(name AS BLOB), 0, json, digest FROM remembered",
                "DELETE FROM remembered WHERE name = CAST(? AS TEXT)",
            ),
        ];
        self.did(|connection| {
            let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut dropped = 0;
            for (select, delete) in tables {
                for key in damaged_rows(&all, select)? {
                    dropped += all.execute(delete, [key])? as u64;
                }
            }
            all.commit()?;
            Ok(dropped)
        })
    }

    /// Runs an operation on the database, waiting for other processes.
    pub(crate) fn did<T>(&self, mut act: impl FnMut(&mut Connection) -> rusqlite::Result<T>) -> Result<T> {
        let mut connection = self.connection();
        patiently(|| act(&mut connection)).map_err(|error| trouble::of_database(&self.dir, &error))
    }

    /// The connection stays usable after a panic between two statements: its transaction was rolled back.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads in one view of the table. A damaged row ends the reading.
    fn read(&self, connection: &mut Connection, keys: &[Key], order: &[usize]) -> rusqlite::Result<Read> {
        let one_view = connection.transaction()?;
        let mut statement =
            one_view.prepare_cached("SELECT form, outcome, digest, used FROM facts WHERE key = ?")?;
        let mut found = vec![None; keys.len()];
        let mut stale = Vec::new();
        for &at in order {
            let mut rows = statement.query([keys[at].as_bytes()])?;
            let Some(row) = rows.next()? else { continue };
            let text = row.get_ref(1)?;
            let sum = row.get_ref(2)?;
            let row = FactRow {
                form: row.get(0)?,
                outcome: text.as_bytes()?,
                digest: sum.as_blob()?,
                used: row.get(3)?,
            };
            match self.believe(&keys[at], &row) {
                Ok(fact) => found[at] = fact,
                Err(error) => return Ok(Read::Damaged(error)),
            }
            if row.used != self.today {
                stale.push(keys[at]);
            }
        }
        Ok(Read::Whole { found, stale })
    }

    fn believe(&self, key: &Key, row: &FactRow) -> Result<Option<StoredFact>> {
        if row.digest != digest(key.as_bytes(), row.form, row.outcome).as_bytes() {
            return Err(trouble::damaged_error(&self.dir, &format!("fact {} was changed", key.short())));
        }
        // After the digest: a row whose version was damaged must not look like one of another version.
        let fact = match row.form {
            GUARDED => serde_json::from_slice(row.outcome),
            FORM => serde_json::from_slice(row.outcome).map(|outcome| StoredFact { guard: None, outcome }),
            _ => return Ok(None),
        };
        let what = |error| format!("fact {} was written by another kopek: {error}", key.short());
        fact.map(Some).map_err(|error| trouble::damaged_error(&self.dir, &what(error)))
    }

    /// Marks facts as used today, with at most one write per fact and day and one commit per reading.
    fn touch(&self, keys: &[Key]) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        self.did(|connection| {
            let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for key in keys {
                all.prepare_cached("UPDATE facts SET used = ? WHERE key = ?")?
                    .execute(params![self.today, key.as_bytes()])?;
            }
            all.commit()
        })
    }
}

/// Keys of the rows whose digest does not match.
fn damaged_rows(connection: &Connection, select: &str) -> rusqlite::Result<Vec<Vec<u8>>> {
    let mut statement = connection.prepare(select)?;
    let mut rows = statement.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        let key = row.get_ref(0)?.as_blob()?;
        let text = row.get_ref(2)?.as_bytes()?;
        let sum = row.get_ref(3)?;
        if sum.as_blob()? != digest(key, row.get(1)?, text).as_bytes() {
            damaged.push(key.to_owned());
        }
    }
    Ok(damaged)
}

/// The result of a reading.
enum Read {
    Whole {
        found: Vec<Option<StoredFact>>,
        /// Facts to mark as used today.
        stale: Vec<Key>,
    },
    Damaged(anyhow::Error),
}

struct FactRow<'a> {
    form: i64,
    outcome: &'a [u8],
    digest: &'a [u8],
    used: i64,
}

/// The digest of a row: it covers everything in the row.
fn digest(key: &[u8], form: i64, text: &[u8]) -> Digest {
    DigestFields::new("fact").with("key", key).with("form", &form.to_le_bytes()).with("text", text).digest()
}

/// The day of a time, counted from 1970.
pub(crate) fn day(at: SystemTime) -> i64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs() / 86_400).unwrap_or(i64::MAX)
}
