//! The teacher's decisions where kopek must not guess, as a CSV. A row names the file of a hand-in that
//! counts, or gives the verdict of an undecided case.

use super::found_person::{PersonNames, find_called};
use anyhow::{Context, Error, Result, bail, ensure};
use csv::StringRecord;
use kopek_base::{
    composed_name,
    table_text::{line_of, open_table},
};
use kopek_engine::{package::CaseDecision, verdict::Verdict};
use std::{collections::BTreeSet, fs, path::Path};

#[derive(Debug, Default)]
pub struct Decisions {
    rows: Vec<DecisionRow>,
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

impl Ruling {
    /// The case that it decides; `None`: the file that counts.
    fn subject(&self) -> Option<&str> {
        match self {
            Ruling::Entry(_) => None,
            Ruling::Case(decision) => Some(&decision.case),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct ParticipantDecisions<'a> {
    pub entry: Option<&'a str>,
    pub cases: Vec<CaseDecision>,
}

const COLUMNS: [&str; 7] = ["participant", "package", "entry", "case", "verdict", "reason", "by"];

impl Decisions {
    pub(super) const fn none() -> Decisions {
        Decisions { rows: Vec::new() }
    }

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
            let line = line_of(&record);
            read_row(&head, &record, line).with_context(|| format!("line {line}"))
        });
        Ok(Decisions { rows: rows.collect::<Result<_>>()? })
    }

    /// The decisions by participant. Fails for a row that could mean several participants, and for two rows that
    /// decide the same.
    pub(super) fn of_people<'a>(
        &self,
        people: impl Iterator<Item = PersonNames<'a>> + Clone,
    ) -> Result<DecisionsByName<'_>> {
        let mut found = DecisionsByName { rows: Vec::new() };
        for row in &self.rows {
            let place = || format!("the decisions, line {}", row.line);
            let names = find_called(people.clone(), &row.participant).with_context(place)?;
            let repeats = |other: &&NamedDecision| {
                other.row.package == row.package
                    && other.row.ruling.subject() == row.ruling.subject()
                    && !other.names.is_disjoint(&names)
            };
            if let Some(other) = found.rows.iter().find(repeats) {
                bail!("{}: line {} decides the same; remove one of the rows", place(), other.row.line);
            }
            found.rows.push(NamedDecision { names, row });
        }
        // A row for one package has the last word.
        found.rows.sort_by_key(|decision| decision.row.package.is_some());
        Ok(found)
    }
}

/// Decisions with the participants that they are for.
#[derive(Debug)]
pub(super) struct DecisionsByName<'a> {
    rows: Vec<NamedDecision<'a>>,
}

#[derive(Debug)]
struct NamedDecision<'a> {
    names: BTreeSet<String>,
    row: &'a DecisionRow,
}

impl<'a> DecisionsByName<'a> {
    /// The decisions for the participant with this name in tables.
    pub(super) fn of_participant(&self, name: &str, package: &str) -> ParticipantDecisions<'a> {
        let mut found = ParticipantDecisions::default();
        for NamedDecision { names, row } in &self.rows {
            if !names.contains(name) || row.package.as_ref().is_some_and(|own| own != package) {
                continue;
            }
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

    /// Fails if a row is for no participant or for none of the packages, or is about a case and does not say which
    /// of several packages it is for.
    pub(super) fn check(&self, packages: &[String]) -> Result<()> {
        for NamedDecision { names, row } in &self.rows {
            let DecisionRow { participant, package, ruling, line } = row;
            ensure!(!names.is_empty(), "the decisions, line {line}: no participant `{participant}`");
            match package {
                Some(package) => {
                    ensure!(packages.contains(package), "the decisions, line {line}: no package `{package}`");
                }
                None => ensure!(
                    packages.len() == 1 || matches!(ruling, Ruling::Entry(_)),
                    "the decisions, line {line}: the case does not say its package; name one of {} in a column \
                        `package`",
                    packages.join(", ")
                ),
            }
        }
        Ok(())
    }
}

fn read_row(head: &StringRecord, record: &StringRecord, line: u64) -> Result<DecisionRow> {
    let cell = |name: &str| {
        let at = head.iter().position(|own| own == name)?;
        record.get(at).filter(|text| !text.is_empty()).map(composed_name)
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
    use kopek_engine::package::HandIn;

    fn decided(text: &str) -> (Decisions, Vec<HandIn>) {
        let number = |id: Option<&str>| HandIn { id: id.map(str::to_owned), ..HandIn::default() };
        (Decisions::parse(text.as_bytes()).unwrap(), vec![number(None), number(Some("17"))])
    }

    /// Ada, and Bob with number 17.
    fn people(hand_ins: &[HandIn]) -> impl Iterator<Item = PersonNames<'_>> + Clone {
        let names = ["ada", "bob"].into_iter().zip(hand_ins);
        names.map(|(name, hand_in)| PersonNames { name, file: name, hand_in })
    }

    #[test]
    fn decisions_are_for_a_name_and_perhaps_a_package() {
        let text = "\u{feff}participant, entry, package\nada, b.py, nim\nada, a.py,\n17, -,\n";
        let (decisions, class) = decided(text);
        let found = decisions.of_people(people(&class)).unwrap();
        let entry = |name: &str, package| found.of_participant(name, package).entry;
        assert_eq!((entry("ada", "sums"), entry("ada", "nim")), (Some("a.py"), Some("b.py")));
        assert_eq!(entry("bob", "nim"), Some("-"));
        found.check(&["sums".to_owned(), "nim".to_owned()]).unwrap();
        assert!(
            found.check(&["sums".to_owned()]).unwrap_err().to_string().contains("line 2: no package `nim`")
        );
        let (decisions, class) = decided("participant,entry\neve,a.py\n");
        let error = decisions.of_people(people(&class)).unwrap().check(&["sums".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("line 2: no participant `eve`"), "{error}");
    }

    #[test]
    fn a_row_decides_a_case_or_an_entry_once() {
        let head = "participant,package,entry,case,verdict,reason,by\n";
        let rows = "17,,a.py,,,,\n17,sums,,secret/1/03,accepted,fast elsewhere,Noether\n";
        let (decisions, class) = decided(&format!("{head}{rows}"));
        let found = decisions.of_people(people(&class)).unwrap();
        let wanted = CaseDecision {
            case: "secret/1/03".into(),
            verdict: Verdict::Accepted,
            reason: "fast elsewhere".into(),
            by: "Noether".into(),
            line: 3,
        };
        let of_bob = found.of_participant("bob", "sums");
        assert_eq!((of_bob.entry, of_bob.cases), (Some("a.py"), vec![wanted]));
        assert_eq!(found.of_participant("bob", "nim").cases, []);
        assert_eq!(found.of_participant("ada", "sums").entry, None);
        for again in ["bob,,b.py,,,,\n", "bob,sums,,secret/1/03,TLE,slow,Noether\n"] {
            let (decisions, class) = decided(&format!("{head}{rows}{again}"));
            let error = decisions.of_people(people(&class)).unwrap_err().to_string();
            assert!(error.contains("line 4: line ") && error.contains("decides the same"), "{error}");
        }
    }

    #[test]
    fn of_several_packages_a_case_names_its_own() {
        let several = ["sums".to_owned(), "nim".to_owned()];
        let (decisions, class) =
            decided("participant,case,verdict,reason,by\nada,secret/1,AC,fast elsewhere,Noether\n");
        let found = decisions.of_people(people(&class)).unwrap();
        found.check(&several[..1]).unwrap();
        let error = found.check(&several).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("sums, nim"), "{error}");
        let (entries, class) = decided("participant,entry\nada,a.py\n");
        entries.of_people(people(&class)).unwrap().check(&several).unwrap();
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
