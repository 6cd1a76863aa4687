//! Numbers instead of names: the teacher's private key, and a class without names.
//!
//! The key is a CSV `number,id,name`. Known participants keep their numbers. New participants get random
//! numbers, so the order reveals nothing.

use super::name_check::NameCheck;
use anyhow::{Context, Error, Result, bail, ensure};
use kopek_base::table_text::{CsvRow, read_table};
use kopek_package::package::{CaseDecision, HandIn, NoSubmission, Participant, PointsByHand};
use kopek_sentences::Said;
use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{BuildHasher, RandomState},
    path::Path,
};

#[derive(Debug, Default)]
pub struct NumberKey {
    rows: Vec<NumberedPerson>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NumberedPerson {
    number: u32,
    id: String,
    name: String,
}

const COLUMNS: [&str; 3] = ["number", "id", "name"];

impl NumberKey {
    pub fn parse(text: &str) -> Result<NumberKey> {
        let table = read_table(text.as_bytes()).map_err(Error::msg)?;
        ensure!(table.head == COLUMNS[..], "line 1: not a key, which has the columns {}", COLUMNS.join(","));
        let mut key = NumberKey::default();
        let mut numbers = BTreeSet::new();
        for CsvRow { line, cells } in table.rows {
            let number =
                cells[0].parse().with_context(|| format!("line {line}: not a number: {}", &cells[0]))?;
            ensure!(numbers.insert(number), "line {line}: two participants have number {number}");
            key.rows.push(NumberedPerson { number, id: cells[1].to_owned(), name: cells[2].to_owned() });
        }
        Ok(key)
    }

    pub fn to_csv(&self) -> Result<Vec<u8>> {
        let mut rows: Vec<&NumberedPerson> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.number);
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS)?;
        for row in rows {
            writer.write_record([&row.number.to_string(), &row.id, &row.name])?;
        }
        Ok(writer.into_inner()?)
    }

    /// Assigns numbers to participants without one.
    pub fn add<'a>(&mut self, class: impl Iterator<Item = &'a Participant>) -> Result<()> {
        let lots = RandomState::new();
        let mut new: BTreeMap<u64, NumberedPerson> = BTreeMap::new();
        for member in class.filter(|member| self.number_of(member).is_none()) {
            let id = member.hand_in.id.clone().unwrap_or_default();
            let name = member.name.clone();
            let lot = lots.hash_one((&id, &name));
            let person = NumberedPerson { number: 0, id, name };
            let other = new.insert(lot, person.clone());
            ensure!(
                other.is_none_or(|other| other == person),
                "two participants got the same number; try again"
            );
        }
        let last = self.rows.iter().map(|row| row.number).max().unwrap_or(0);
        self.rows.extend(
            new.into_values().zip(last + 1..).map(|(person, number)| NumberedPerson { number, ..person }),
        );
        Ok(())
    }

    fn number_of(&self, member: &Participant) -> Option<u32> {
        let is_own = |row: &&NumberedPerson| match &member.hand_in.id {
            // The platform's number is stable, even if the name is spelled differently.
            Some(id) => row.id == *id,
            None => row.id.is_empty() && row.name == member.name,
        };
        self.rows.iter().find(is_own).map(|row| row.number)
    }

    pub fn alias(&self, member: &Participant) -> Option<String> {
        Some(alias_of(self.number_of(member)?))
    }

    pub fn has_alias(&self, alias: &str) -> bool {
        self.rows.iter().any(|row| alias_of(row.number) == alias)
    }

    /// Finds the names of a class and of all who have a number.
    pub fn name_check<'a>(&self, class: impl Iterator<Item = &'a Participant>) -> NameCheck {
        let mut check = NameCheck::default();
        for NumberedPerson { id, name, .. } in &self.rows {
            check.add(id);
            check.add(name);
        }
        for member in class {
            check.add(&member.name);
            check.add_hand_in(&member.hand_in);
        }
        check
    }

    /// Replaces what identifies a participant with the number, and sorts the class by number.
    pub fn hide_names(&self, class: &mut [Participant], names: &NameCheck) -> Result<()> {
        let groups = self.group_names(class);
        for member in class.iter_mut() {
            let Some(alias) = self.alias(member) else { bail!("no number for {}", member.name) };
            hide_names_of(member, alias, &groups);
            let HandIn { decisions, by_hand, total_by_hand, .. } = &mut member.hand_in;
            let given = by_hand.iter_mut().chain(total_by_hand).map(|given| &mut given.by);
            // Those who decide may be called like a participant.
            for by in decisions.iter_mut().map(|decision| &mut decision.by).chain(given) {
                *by = names.shown(by);
            }
        }
        class.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }

    /// The aliases of the groups: each is named after its smallest number.
    fn group_names(&self, class: &[Participant]) -> BTreeMap<String, String> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for member in class {
            let (Some(group), Some(alias)) = (&member.hand_in.group, self.alias(member)) else { continue };
            let name = names.entry(group.clone()).or_insert_with(|| alias.clone());
            if alias < *name {
                *name = alias;
            }
        }
        names.into_iter().map(|(group, alias)| (group, format!("group of {alias}"))).collect()
    }
}

fn alias_of(number: u32) -> String {
    format!("participant-{number:03}")
}

/// Replaces the names, and leaves out what a person or a program wrote about the participant.
fn hide_names_of(member: &mut Participant, alias: String, groups: &BTreeMap<String, String>) {
    let hand_in = std::mem::take(&mut member.hand_in);
    member.hand_in = HandIn {
        shared_name: None,
        id: None,
        email: None,
        group: hand_in.group.and_then(|group| groups.get(&group).cloned()),
        entry: hand_in.entry.map(|entry| plain_file_name(&entry, 1)),
        left_out: hand_in
            .left_out
            .iter()
            .zip(2..)
            .map(|(file, number)| plain_file_name(file, number))
            .collect(),
        notes: Vec::new(),
        decisions: hand_in.decisions.into_iter().map(without_reason).collect(),
        by_hand: hand_in.by_hand.into_iter().map(without_comment).collect(),
        total_by_hand: hand_in.total_by_hand.map(without_comment),
        ..hand_in
    };
    if let Err(why) = &mut member.submission {
        // Reasons contain file names, and file names contain names of people.
        *why = match why {
            NoSubmission::Absent(_) => NoSubmission::Absent(Said::NothingHandedIn),
            NoSubmission::Refused(_) => NoSubmission::Refused(Said::NoJudgeableProgram),
            NoSubmission::Undecided(_) => {
                NoSubmission::Undecided("someone must decide which file is the program".to_owned())
            }
        };
    }
    member.file.clone_from(&alias);
    member.name = alias;
}

fn without_reason(decision: CaseDecision) -> CaseDecision {
    CaseDecision { reason: "(left out)".to_owned(), ..decision }
}

fn without_comment(given: PointsByHand) -> PointsByHand {
    PointsByHand { comment: None, ..given }
}

/// A number instead of the name of a file, because participants choose it.
fn plain_file_name(file: &str, number: u32) -> String {
    match Path::new(file).extension() {
        Some(ending) => format!("file-{number}.{}", ending.to_string_lossy().to_lowercase()),
        None => format!("file-{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, id: Option<&str>, entry: &str) -> Participant {
        let hand_in = HandIn {
            id: id.map(str::to_owned),
            entry: Some(entry.into()),
            notes: vec![Said::Converted { file: entry.to_owned(), encoding: "Latin-1".into() }],
            ..HandIn::default()
        };
        let why = NoSubmission::Undecided(format!("which of {entry}, b.py is meant?"));
        Participant { name: name.into(), file: format!("{name}_17"), hand_in, submission: Err(why) }
    }

    #[test]
    fn numbers_stay_and_new_ones_follow() {
        let class: Vec<Participant> = (0..20).map(|n| member(&format!("p{n}"), None, "a.py")).collect();
        let mut key = NumberKey::default();
        key.add(class[..10].iter()).unwrap();
        let before: Vec<_> = class[..10].iter().map(|one| key.alias(one)).collect();
        let mut key = NumberKey::parse(&String::from_utf8(key.to_csv().unwrap()).unwrap()).unwrap();
        key.add(class.iter()).unwrap();
        let after: Vec<_> = class.iter().map(|one| key.alias(one)).collect();
        assert_eq!(after[..10], before);
        assert!(after[10..].iter().all(|alias| alias.as_deref() > Some("participant-010")));
        let sorted: BTreeSet<_> = after.iter().collect();
        assert_eq!(sorted.len(), 20);
    }

    #[test]
    fn nothing_names_the_participant() {
        let mut class = vec![member("Anna Li Smith", Some("4711"), "anna_smith.py")];
        let mut key = NumberKey::default();
        key.add(class.iter()).unwrap();
        let names = key.name_check(class.iter());
        key.hide_names(&mut class, &names).unwrap();
        let shown = format!("{:?}", class).to_lowercase();
        for word in ["anna", "smith", "4711"] {
            assert!(!shown.contains(word), "{word}: {shown}");
        }
        assert_eq!(class[0].hand_in.entry.as_deref(), Some("file-1.py"));
    }

    #[test]
    fn other_tables_are_no_keys() {
        for (text, part) in [
            ("name,number\n", "has the columns number,id,name"),
            ("number,id,name\nx,,Ada\n", "line 2: not a number"),
            ("number,id,name\n1,,Ada\n1,,Bo\n", "line 3: two participants"),
        ] {
            let error = format!("{:#}", NumberKey::parse(text).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
    }
}
