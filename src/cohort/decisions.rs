//! What the teacher decided where kopek must not guess: a small table, `participant,entry`.

use crate::base::table_text::open_table;
use anyhow::{Context, Error, Result, bail, ensure};
use std::{cell::RefCell, collections::BTreeSet, fs, path::Path};

/// The teacher's decisions.
#[derive(Debug, Default)]
pub struct Decisions {
    rows: Vec<Decision>,
    /// Rows that were used: a misspelt name must not pass for a decision.
    used: RefCell<BTreeSet<usize>>,
}

#[derive(Debug)]
struct Decision {
    participant: String,
    /// `None`: for every package.
    package: Option<String>,
    entry: String,
    line: u64,
}

const COLUMNS: [&str; 3] = ["participant", "package", "entry"];

impl Decisions {
    /// Reads a CSV with the columns `participant`, `entry` and, with several packages, `package`. The
    /// entry `-` says that a hand-in counts as no program.
    pub fn read(file: &Path) -> Result<Decisions> {
        let read = || Decisions::parse(&fs::read(file)?);
        read().with_context(|| format!("read the decisions in {}", file.display()))
    }

    fn parse(bytes: &[u8]) -> Result<Decisions> {
        let mut reader = open_table(bytes).map_err(Error::msg)?;
        let head = reader.headers()?.clone();
        if let Some(odd) = head.iter().find(|name| !COLUMNS.contains(name)) {
            bail!(
                "line 1: unknown column `{odd}`; the columns are participant, entry and, if need be, package"
            );
        }
        let column = |name: &str| head.iter().position(|own| own == name);
        let participant = column("participant").context("line 1: no column `participant`")?;
        let entry = column("entry").context("line 1: no column `entry`")?;
        let package = column("package");
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
            let package = package.map(cell).filter(|name| !name.is_empty());
            let row = Decision { participant: cell(participant), package, entry: cell(entry), line };
            ensure!(!row.participant.is_empty() && !row.entry.is_empty(), "line {line}: an empty cell");
            rows.push(row);
        }
        Ok(Decisions { rows, used: RefCell::default() })
    }

    /// What was decided for a participant, called by any of these names.
    pub(super) fn entry_for(&self, names: &[&str], package: &str) -> Option<&str> {
        let is_for = |row: &&(usize, &Decision)| {
            names.contains(&row.1.participant.as_str())
                && row.1.package.as_ref().is_none_or(|own| own == package)
        };
        let rows: Vec<(usize, &Decision)> = self.rows.iter().enumerate().collect();
        let found: Vec<_> = rows.iter().filter(is_for).collect();
        self.used.borrow_mut().extend(found.iter().map(|(at, _)| *at));
        // Later rows correct earlier ones.
        found.last().map(|(_, row)| row.entry.as_str())
    }

    /// Fails if a row was for nobody.
    pub fn check_used(&self) -> Result<()> {
        let used = self.used.borrow();
        match self.rows.iter().enumerate().find(|(at, _)| !used.contains(at)) {
            None => Ok(()),
            Some((_, row)) => bail!(
                "the decisions, line {}: no participant is called `{}`{}",
                row.line,
                row.participant,
                row.package.as_ref().map_or(String::new(), |name| format!(", or no package `{name}`"))
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_for_a_name_and_perhaps_a_package() {
        let text = "\u{feff}participant, entry, package\nada, a.py,\nada, b.py, nim\n17, -,\n";
        let decisions = Decisions::parse(text.as_bytes()).unwrap();
        assert_eq!(decisions.entry_for(&["ada"], "sums"), Some("a.py"));
        assert_eq!(decisions.entry_for(&["ada"], "nim"), Some("b.py"));
        assert!(decisions.check_used().unwrap_err().to_string().contains("line 4"));
        assert_eq!(decisions.entry_for(&["bob", "17"], "nim"), Some("-"));
        decisions.check_used().unwrap();
    }

    #[test]
    fn other_tables_are_refused() {
        for (text, word) in [
            ("name,entry\n", "unknown column `name`"),
            ("entry\nx\n", "no column `participant`"),
            ("participant,entry\nada,\n", "line 2"),
        ] {
            let error = Decisions::parse(text.as_bytes()).unwrap_err();
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
