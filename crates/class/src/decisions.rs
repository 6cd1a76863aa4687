//! The teacher's decisions where kopek must not guess, as a CSV. A row names the file of a hand-in that
//! counts, or gives the verdict of an undecided case.

use anyhow::{Context, Error, Result, bail, ensure};
use csv::StringRecord;
use kopek_base::{composed_name, table_text::open_table};
use kopek_engine::{package::CaseDecision, verdict::Verdict};
use std::{cell::RefCell, collections::BTreeSet, fs, path::Path};

/// The teacher's decisions.
#[derive(Debug, Default)]
pub struct Decisions {
    rows: Vec<DecisionRow>,
    /// Rows that matched a participant, to report misspelt names.
    used: RefCell<BTreeSet<usize>>,
}

#[derive(Debug)]
struct DecisionRow {
    participant: String,
    /// `None` means every package.
    package: Option<String>,
    ruling: Ruling,
    line: u64,
}

#[derive(Debug)]
enum Ruling {
    /// The file that counts; `-` for no program.
    Entry(String),
    Case(CaseDecision),
}

/// The decisions for one participant.
#[derive(Debug, Default)]
pub(super) struct ParticipantDecisions<'a> {
    /// The file that counts.
    pub entry: Option<&'a str>,
    pub cases: Vec<CaseDecision>,
}

const COLUMNS: [&str; 7] = ["participant", "package", "entry", "case", "verdict", "reason", "by"];

impl Decisions {
    /// Reads a CSV with the column `participant` and, for several packages, `package`. A row has either an
    /// `entry` (`-` if the hand-in counts as no program) or a `case` with `verdict`, `reason` and `by`.
    pub fn read(file: &Path) -> Result<Decisions> {
        let read = || Decisions::parse(&fs::read(file)?);
        read().with_context(|| format!("read the decisions in {}", file.display()))
    }

    fn parse(bytes: &[u8]) -> Result<Decisions> {
        let mut reader = open_table(bytes).map_err(Error::msg)?;
        let head = reader.headers()?.clone();
        if let Some(odd) = head.iter().find(|name| !COLUMNS.contains(name)) {
            bail!("line 1: unknown column `{odd}`; the columns are {}", COLUMNS.join(", "));
        }
        ensure!(head.iter().any(|name| name == "participant"), "line 1: no column `participant`");
        ensure!(
            head.iter().any(|name| ["entry", "case"].contains(&name)),
            "line 1: no column `entry` and no column `case`"
        );
        let rows = reader.records().map(|record| {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            read_row(&head, &record, line).with_context(|| format!("line {line}"))
        });
        Ok(Decisions { rows: rows.collect::<Result<_>>()?, used: RefCell::default() })
    }

    /// The decisions for a participant with any of these names.
    pub(super) fn of_participant(&self, names: &[&str], package: &str) -> ParticipantDecisions<'_> {
        let mut found = ParticipantDecisions::default();
        for (at, row) in self.rows.iter().enumerate() {
            if !names.contains(&row.participant.as_str())
                || row.package.as_ref().is_some_and(|own| own != package)
            {
                continue;
            }
            self.used.borrow_mut().insert(at);
            // Later rows override earlier ones.
            match &row.ruling {
                Ruling::Entry(entry) => found.entry = Some(entry),
                Ruling::Case(decision) => {
                    found.cases.retain(|other| other.case != decision.case);
                    found.cases.push(decision.clone());
                }
            }
        }
        found
    }

    /// Fails if a decision on a case does not say which of several packages it is for.
    pub fn check_packages(&self, packages: &[String]) -> Result<()> {
        let is_vague = |row: &&DecisionRow| row.package.is_none() && matches!(row.ruling, Ruling::Case(_));
        match self.rows.iter().find(is_vague).filter(|_| packages.len() > 1) {
            None => Ok(()),
            Some(row) => bail!(
                "the decisions, line {}: the case does not say its package; name one of {} in a column `package`",
                row.line,
                packages.join(", ")
            ),
        }
    }

    /// Fails if a row matches no participant.
    pub fn check_used(&self) -> Result<()> {
        let used = self.used.borrow();
        match self.rows.iter().enumerate().find(|(at, _)| !used.contains(at)) {
            None => Ok(()),
            Some((_, row)) => bail!(
                "the decisions, line {}: no participant `{}`{}",
                row.line,
                row.participant,
                row.package.as_ref().map_or(String::new(), |name| format!(", or no package `{name}`"))
            ),
        }
    }
}

fn read_row(head: &StringRecord, record: &StringRecord, line: u64) -> Result<DecisionRow> {
    let cell = |name: &str| {
        let at = head.iter().position(|own| own == name);
        at.and_then(|at| record.get(at)).filter(|text| !text.is_empty()).map(composed_name)
    };
    let participant = cell("participant").context("the cell `participant` is empty")?;
    let extra = ["verdict", "reason", "by"].into_iter().find(|name| cell(name).is_some());
    let ruling = match (cell("entry"), cell("case")) {
        (Some(_), Some(_)) => bail!("a row decides an `entry` or a `case`, not both; write two rows"),
        (Some(_), None) if extra.is_some() => {
            bail!("`{}` is for a row with a `case`; this one has an `entry`", extra.unwrap_or_default())
        }
        (Some(entry), None) => Ruling::Entry(entry),
        (None, Some(case)) => Ruling::Case(CaseDecision {
            case,
            verdict: read_verdict(&needed(cell("verdict"), "verdict")?)?,
            reason: needed(cell("reason"), "reason")?,
            by: needed(cell("by"), "by")?,
            line,
        }),
        (None, None) => bail!("a row needs an `entry` or a `case`"),
    };
    Ok(DecisionRow { participant, package: cell("package"), ruling, line })
}

fn needed(text: Option<String>, column: &str) -> Result<String> {
    text.with_context(|| {
        format!("no `{column}`: a decision on a case has a verdict, a reason, and who decided it (`by`)")
    })
}

fn read_verdict(text: &str) -> Result<Verdict> {
    Verdict::of_case(text).with_context(|| {
        format!(
            "`{text}` is not a verdict of a case; write accepted (AC), wrong answer (WA), time limit (TLE), \
                idleness limit (ILE), memory limit (MLE), output limit (OLE) or run-time error (RTE)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_for_a_name_and_perhaps_a_package() {
        let text = "\u{feff}participant, entry, package\nada, a.py,\nada, b.py, nim\n17, -,\n";
        let decisions = Decisions::parse(text.as_bytes()).unwrap();
        let entry = |names: &[&str], package| decisions.of_participant(names, package).entry;
        assert_eq!(entry(&["ada"], "sums"), Some("a.py"));
        assert_eq!(entry(&["ada"], "nim"), Some("b.py"));
        assert!(decisions.check_used().unwrap_err().to_string().contains("line 4"));
        assert_eq!(entry(&["bob", "17"], "nim"), Some("-"));
        decisions.check_used().unwrap();
    }

    #[test]
    fn a_row_decides_a_case_or_an_entry() {
        let text = "participant,package,entry,case,verdict,reason,by\n\
                    ada,,a.py,,,,\n\
                    ada,sums,,secret/1/03,TLE,slow on four machines,Noether\n\
                    ada,sums,,secret/1/03,accepted,fast elsewhere,Noether\n";
        let decisions = Decisions::parse(text.as_bytes()).unwrap();
        let found = decisions.of_participant(&["ada"], "sums");
        assert_eq!(found.entry, Some("a.py"));
        let wanted = CaseDecision {
            case: "secret/1/03".into(),
            verdict: Verdict::Accepted,
            reason: "fast elsewhere".into(),
            by: "Noether".into(),
            line: 4,
        };
        assert_eq!(found.cases, [wanted], "later rows correct earlier ones");
        assert_eq!(decisions.of_participant(&["ada"], "nim").cases, []);
        assert_eq!(decisions.of_participant(&["bob"], "sums").entry, None);
    }

    #[test]
    fn of_several_packages_a_case_names_its_own() {
        let several = ["sums".to_owned(), "nim".to_owned()];
        let text = "participant,case,verdict,reason,by\nada,secret/1,AC,fast elsewhere,Noether\n";
        let decisions = Decisions::parse(text.as_bytes()).unwrap();
        decisions.check_packages(&several[..1]).unwrap();
        let error = decisions.check_packages(&several).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("sums, nim"), "{error}");
        let entries = Decisions::parse(b"participant,entry\nada,a.py\n").unwrap();
        entries.check_packages(&several).unwrap();
    }

    #[test]
    fn other_tables_are_refused() {
        let case = "participant,entry,case,verdict,reason,by\n";
        for (head, row, word) in [
            ("name,entry\n", "", "unknown column `name`"),
            ("entry\n", "x\n", "no column `participant`"),
            ("participant\n", "ada\n", "no column `entry` and no column `case`"),
            ("participant,entry\n", "ada,\n", "line 2"),
            ("participant,entry\n", ",a.py\n", "`participant` is empty"),
            (case, "ada,a.py,secret/1,AC,fast,Noether\n", "not both"),
            (case, "ada,a.py,,AC,,\n", "`verdict` is for a row with a `case`"),
            (case, "ada,,secret/1,,fast,Noether\n", "no `verdict`"),
            (case, "ada,,secret/1,AC,,Noether\n", "no `reason`"),
            (case, "ada,,secret/1,AC,fast,\n", "no `by`"),
            (case, "ada,,secret/1,right,fast,Noether\n", "`right` is not a verdict of a case"),
            (case, "ada,,secret/1,CE,fast,Noether\n", "`CE` is not a verdict of a case"),
        ] {
            let error = format!("{:#}", Decisions::parse(format!("{head}{row}").as_bytes()).unwrap_err());
            assert!(error.contains(word), "{error}");
        }
    }
}
