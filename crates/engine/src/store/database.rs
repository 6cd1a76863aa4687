//! The database file: creates it, opens it, checks it and waits for its locks.
//!
//! Knows the tables, not their contents.

use super::trouble;
use anyhow::{Result, bail};
use kopek_base::Patience;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    time::Duration,
};

pub(crate) const FILE: &str = "facts.sqlite";

/// The version of the schema. Raise it with every change, and describe the migration here.
const SCHEMA: i64 = 1;

/// Marks the database as ours: "kopk".
const APPLICATION: i64 = 0x6b6f_706b;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS facts (
        key BLOB PRIMARY KEY, form INTEGER NOT NULL, outcome TEXT NOT NULL,
        digest BLOB NOT NULL, used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS remembered (
        name TEXT PRIMARY KEY, json TEXT NOT NULL, digest BLOB NOT NULL, used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;";

/// The log grows to this many pages of 4 KiB before a checkpoint: four times the default. Keys are digests,
/// so each fact changes another page, and most pages change again before the checkpoint.
const LOG_PAGES: i64 = 4000;

/// How long to wait for another process's write.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the database of a store's directory; creates it if there is none.
pub(crate) fn open(dir: &Path) -> Result<Connection> {
    // sqlite would take a truncated file for an empty database and silently forget everything.
    if fs::metadata(dir.join(FILE)).is_ok_and(|file| (1..512).contains(&file.len())) {
        return Err(trouble::unreadable(dir, &format!("{FILE} was cut short")));
    }
    check_header(dir)?;
    let trouble = |error: rusqlite::Error| trouble::of_database(dir, &error);
    let connection = patiently(|| connect(&dir.join(FILE))).map_err(trouble)?;
    patiently(|| prepare(&connection)).map_err(trouble)?.check()?;
    Ok(connection)
}

/// Refuses a foreign database before SQLite opens it.
fn check_header(dir: &Path) -> Result<()> {
    let mut header = [0; 100];
    // SQLite creates a missing file, and reports why it cannot read one.
    if File::open(dir.join(FILE)).and_then(|mut file| file.read_exact(&mut header)).is_err() {
        return Ok(());
    }
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(trouble::unreadable(dir, &format!("{FILE}: file is not a database")));
    }
    let number = |at: usize| i64::from(u32::from_be_bytes([0, 1, 2, 3].map(|byte| header[at + byte])));
    // After an early kill, the marks may be in the log alone.
    match (number(60), number(68)) {
        (_, application) if application != 0 && application != APPLICATION => Maker::Foreign,
        (schema, APPLICATION) if schema > SCHEMA => Maker::Newer(schema),
        _ => Maker::Own,
    }
    .check()
}

fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    Ok(connection)
}

/// Who made a database.
enum Maker {
    Own,
    Foreign,
    /// A later kopek, with this schema.
    Newer(i64),
}

/// Creates the tables of a new database, and changes none of another maker.
fn prepare(connection: &Connection) -> rusqlite::Result<Maker> {
    let ask = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let schema = ask("user_version")?;
    let application = ask("application_id")?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    // First, and without a write: opening an existing store must not wait for another process's write.
    if schema == SCHEMA && application == APPLICATION {
        let is_own = definitions(connection)? == own_definitions()?;
        return Ok(if is_own { Maker::Own } else { Maker::Foreign });
    }
    if tables > 0 && application != APPLICATION {
        return Ok(Maker::Foreign);
    }
    if schema > SCHEMA {
        return Ok(Maker::Newer(schema));
    }
    // Before the transaction: sqlite cannot change the journal's mode inside one.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // The two pragmas go into the same commit as the tables: a kill leaves no database half marked as ours.
    let all = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    all.execute_batch(TABLES)?;
    all.pragma_update(None, "application_id", APPLICATION)?;
    all.pragma_update(None, "user_version", SCHEMA)?;
    all.commit()?;
    Ok(Maker::Own)
}

/// The text of all definitions in a database: one with a view or a trigger is not ours.
fn definitions(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    rows.map(|text| Ok(text?.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
}

fn own_definitions() -> rusqlite::Result<Vec<String>> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(TABLES)?;
    definitions(&fresh)
}

impl Maker {
    /// Refuses databases of others.
    fn check(self) -> Result<()> {
        match self {
            Maker::Own => Ok(()),
            Maker::Foreign => {
                bail!("its {FILE} is not a database of kopek\n  remedy: name another store with --store PATH")
            }
            Maker::Newer(schema) => bail!(
                "it was made by a newer kopek (form {schema}, this one knows {SCHEMA})\n  remedy: use that kopek, or name another store with --store PATH"
            ),
        }
    }
}

/// Retries while another process holds a lock: sqlite does not wait for some of its locks.
pub(crate) fn patiently<T>(act: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    Patience { max: PATIENCE, pause: Duration::from_millis(2) }.retry(busy, act)
}

fn busy(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseBusy, DatabaseLocked, FileLockingProtocolFailed};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked | FileLockingProtocolFailed))
}
