//! Who is late by how much, where the platform does not tell: a small table, `participant,late`.

use super::late_rule::parse_lateness;
use crate::{
    base::table_text::open_table,
    package::{Lateness, Participant},
};
use anyhow::{Context, Error, Result, bail, ensure};
use std::{fs, path::Path, time::Duration};

/// Who is late by how much.
#[derive(Debug, Default)]
pub struct LateTable {
    rows: Vec<LateRow>,
}

#[derive(Debug)]
struct LateRow {
    participant: String,
    late: Duration,
    line: u64,
}

impl LateTable {
    /// Reads a CSV with the columns `participant` (name, number or e-mail) and `late` (`2 days`, `36 h`).
    pub fn read(file: &Path) -> Result<LateTable> {
        let read = || LateTable::parse(&fs::read(file)?);
        read().with_context(|| format!("read who is late in {}", file.display()))
    }

    fn parse(bytes: &[u8]) -> Result<LateTable> {
        let mut reader = open_table(bytes).map_err(Error::msg)?;
        ensure!(reader.headers()? == ["participant", "late"][..], "line 1: the columns are participant,late");
        let mut rows: Vec<LateRow> = Vec::new();
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            let late = parse_lateness(&record[1]).with_context(|| {
                format!("line {line}: `{}`: write it as 2 days, 36 h or 1d 3h", &record[1])
            })?;
            let participant = record[0].to_owned();
            ensure!(!participant.is_empty(), "line {line}: an empty cell");
            if rows.iter().any(|row| row.participant == participant) {
                bail!("line {line}: {participant} stands there twice");
            }
            rows.push(LateRow { participant, late, line });
        }
        Ok(LateTable { rows })
    }

    /// Says of a class who is late. A row for nobody is an error: a slip must not pass for being in time.
    pub fn apply(&self, classes: &mut [Vec<Participant>]) -> Result<()> {
        for row in &self.rows {
            let mut found = false;
            for member in classes.iter_mut().flatten().filter(|member| row.is_of(member)) {
                member.hand_in.late = Some(Lateness::By(row.late)).filter(|_| !row.late.is_zero());
                found = true;
            }
            ensure!(found, "who is late, line {}: no participant is called `{}`", row.line, row.participant);
        }
        Ok(())
    }
}

impl LateRow {
    fn is_of(&self, member: &Participant) -> bool {
        let names = [Some(&member.name), member.hand_in.id.as_ref(), member.hand_in.email.as_ref()];
        names.into_iter().flatten().any(|name| *name == self.participant)
    }
}
