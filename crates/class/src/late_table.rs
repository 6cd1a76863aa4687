//! Lateness as a CSV `participant,late`, for platforms that do not record it.

use super::{found_person::is_called, late_rule::parse_lateness};
use anyhow::{Context, Error, Result, bail, ensure};
use kopek_base::{composed_name, table_text::open_table};
use kopek_engine::package::{Lateness, Participant};
use std::{fs, path::Path, time::Duration};

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

    /// Marks the late participants of a class. Returns a warning for each row without a participant: it may be a
    /// typo, or someone who handed nothing in.
    pub fn apply(&self, classes: &mut [Vec<Participant>]) -> Vec<String> {
        let mut unknown = Vec::new();
        for row in &self.rows {
            let mut found = false;
            for member in classes.iter_mut().flatten().filter(|member| row.is_of(member)) {
                member.hand_in.late = Some(Lateness::By(row.late)).filter(|_| !row.late.is_zero());
                found = true;
            }
            if !found {
                let LateRow { participant, line, .. } = row;
                unknown.push(format!("{}, line {line}: no participant `{participant}`", self.file));
            }
        }
        unknown
    }

    /// Whether it has a row for this participant.
    pub fn has(&self, member: &Participant) -> bool {
        self.rows.iter().any(|row| row.is_of(member))
    }
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
        if rows.iter().any(|row| row.participant == participant) {
            bail!("line {line}: {participant} is listed twice");
        }
        rows.push(LateRow { participant, late, line });
    }
    Ok(rows)
}

impl LateRow {
    fn is_of(&self, member: &Participant) -> bool {
        is_called(member, &self.participant)
    }
}
