//! Lateness as a CSV `participant,late`, for platforms that do not record it.

use super::{found_person::people_called, late_rule::parse_lateness};
use anyhow::{Context, Error, Result, ensure};
use kopek_base::{composed_name, table_text::open_table};
use kopek_engine::package::{Lateness, Participant};
use std::{collections::BTreeSet, fs, path::Path, time::Duration};

/// Lateness by participant.
#[derive(Debug, Default)]
pub struct LateTable {
    file: String,
    rows: Vec<LateRow>,
}

#[derive(Debug)]
struct LateRow {
    participant: String,
    late: Duration,
    line: u64,
}

impl LateTable {
    /// Reads a CSV with the columns `participant` (name, number, e-mail or file) and `late` (`2 days`, `36 h`).
    pub fn read(file: &Path) -> Result<LateTable> {
        let name = file.display().to_string();
        let rows = || read_rows(&fs::read(file)?);
        let rows = rows().with_context(|| format!("read the late participants in {name}"))?;
        Ok(LateTable { file: name, rows })
    }
}

/// The participants that late tables list, and a warning for each row without one: it may be a typo, or someone who
/// handed nothing in.
#[derive(Debug, Default)]
pub struct LateRows {
    /// Their names in tables.
    pub listed: BTreeSet<String>,
    /// The warnings.
    pub warnings: Vec<String>,
}

/// Marks the late participants of a class. Fails for a row that could mean several participants, and for a second
/// row about the same one.
pub fn apply_late_tables(tables: &[LateTable], classes: &mut [Vec<Participant>]) -> Result<LateRows> {
    let mut found = LateRows::default();
    for (table, row) in tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row))) {
        let LateRow { participant, line, late } = row;
        let place = format!("{}, line {line}", table.file);
        let names = people_called(classes, participant).with_context(|| place.clone())?;
        if names.is_empty() {
            found.warnings.push(format!("{place}: no participant `{participant}`"));
        }
        for name in names {
            for member in classes.iter_mut().flatten().filter(|member| member.name == name) {
                member.hand_in.late = Some(Lateness::By(*late)).filter(|_| !late.is_zero());
            }
            ensure!(!found.listed.contains(&name), "{place}: {name} is listed twice; remove one of the rows");
            found.listed.insert(name);
        }
    }
    Ok(found)
}

fn read_rows(bytes: &[u8]) -> Result<Vec<LateRow>> {
    let mut reader = open_table(bytes).map_err(Error::msg)?;
    ensure!(reader.headers()? == ["participant", "late"][..], "line 1: the columns are participant,late");
    let mut rows: Vec<LateRow> = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let late = parse_lateness(&record[1]).with_context(|| {
            format!("line {line}: `{}` is not a time; write 2 days, 36 h or 1d 3h", &record[1])
        })?;
        let participant = composed_name(&record[0]);
        ensure!(!participant.is_empty(), "line {line}: an empty cell");
        rows.push(LateRow { participant, late, line });
    }
    Ok(rows)
}
