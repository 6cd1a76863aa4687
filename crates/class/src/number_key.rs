//! Numbers instead of names: the teacher's private key, and a class without names.
//!
//! The key is a CSV `number,id,name`. Known participants keep their numbers. New participants get random
//! numbers, so the order reveals nothing.

use anyhow::{Context, Error, Result, bail, ensure};
use kopek_base::table_text::{CsvRow, read_table};
use kopek_package::package::{CaseDecision, HandIn, NoSubmission, Participant, PointsByHand};
use kopek_plan::plan::{TranscriptPiece, Trial};
use kopek_results::RowReport;
use regex_lite::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{BuildHasher, RandomState},
    path::Path,
    sync::LazyLock,
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

/// Matches text that looks like a file name.
static FILE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\s,;:`]+\.[A-Za-z0-9]{1,10}\b").expect("a pattern of ours"));

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

    /// Replaces everything that identifies a participant with the number, and sorts the class by number.
    pub fn hide_names(&self, class: &mut [Participant]) -> Result<Vec<NameRemoval>> {
        let groups = self.group_names(class);
        let mut removals = Vec::new();
        for member in class.iter_mut() {
            let Some(alias) = self.alias(member) else { bail!("no number for {}", member.name) };
            let removal = NameRemoval::new(member, alias);
            removal.hide(member, &groups);
            removals.push(removal);
        }
        class.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(removals)
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

/// A name of a file, and its replacement.
#[derive(Debug, Clone)]
struct RenamedFile {
    own: String,
    plain: String,
}

/// The names of one participant, and their replacements.
#[derive(Debug, Clone)]
pub struct NameRemoval {
    alias: String,
    /// File names of the hand-in and their replacements, the longest first.
    files: Vec<RenamedFile>,
    /// Names, numbers and addresses, the longest first.
    words: Vec<String>,
}

/// Shorter parts of names are also common words.
const MIN_PART: usize = 3;

impl NameRemoval {
    fn new(member: &Participant, alias: String) -> NameRemoval {
        let hand_in = &member.hand_in;
        let mut words: BTreeSet<String> = BTreeSet::from([member.name.clone(), member.file.clone()]);
        words.extend([&hand_in.id, &hand_in.email, &hand_in.group].into_iter().flatten().cloned());
        let address = hand_in.email.as_deref().and_then(|email| email.split('@').next());
        let parts = [Some(member.name.as_str()), address].into_iter().flatten();
        let parts = parts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let long = parts.filter(|part| part.chars().count() >= MIN_PART);
        words.extend(long.map(str::to_owned));
        let mut words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        NameRemoval { alias, files: renamed_files(member), words }
    }

    /// The participant's number, as reports show it.
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// The text without the names. Ignores case, and keeps names that are part of a longer word.
    pub fn in_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for file in &self.files {
            text = replace_whole(&text, &file.own, &file.plain);
        }
        for word in &self.words {
            text = replace_whole(&text, word, &self.alias);
        }
        text
    }

    fn hide(&self, member: &mut Participant, groups: &BTreeMap<String, String>) {
        let hand_in = std::mem::take(&mut member.hand_in);
        member.hand_in = HandIn {
            shared_name: None,
            id: None,
            email: None,
            group: hand_in.group.and_then(|group| groups.get(&group).cloned()),
            entry: hand_in.entry.map(|entry| self.file_name(&entry)),
            left_out: hand_in.left_out.iter().map(|file| self.file_name(file)).collect(),
            notes: hand_in
                .notes
                .iter()
                .map(|note| FILE.replace_all(&self.in_text(note), "a file").into_owned())
                .collect(),
            decisions: hand_in.decisions.into_iter().map(|one| self.in_decision(one)).collect(),
            by_hand: hand_in.by_hand.into_iter().map(|one| self.in_points(one)).collect(),
            total_by_hand: hand_in.total_by_hand.map(|one| self.in_points(one)),
            ..hand_in
        };
        if let Err(why) = &mut member.submission {
            // Reasons contain file names, and file names contain names of people.
            *why = match why {
                NoSubmission::Absent(_) => NoSubmission::Absent("nothing was handed in".to_owned()),
                NoSubmission::Refused(_) => NoSubmission::Refused("no program that can be judged".to_owned()),
                NoSubmission::Undecided(_) => {
                    NoSubmission::Undecided("someone must decide which file is the program".to_owned())
                }
            };
        }
        member.name.clone_from(&self.alias);
        member.file.clone_from(&self.alias);
    }

    fn in_decision(&self, decision: CaseDecision) -> CaseDecision {
        CaseDecision { reason: self.in_text(&decision.reason), by: self.in_text(&decision.by), ..decision }
    }

    fn in_points(&self, given: PointsByHand) -> PointsByHand {
        let comment = given.comment.map(|text| self.in_text(&text));
        PointsByHand { comment, by: self.in_text(&given.by), ..given }
    }

    fn file_name(&self, file: &str) -> String {
        match self.files.iter().find(|known| known.own == file) {
            Some(known) => known.plain.clone(),
            None => plain_name(Path::new(file), 1),
        }
    }
}

/// Numbered names for the files of a hand-in, because file names contain names of people.
fn renamed_files(member: &Participant) -> Vec<RenamedFile> {
    let entry = member.hand_in.entry.iter().map(std::path::PathBuf::from);
    let sources = member.submission.iter().flat_map(|submission| submission.source.files.clone());
    let all: BTreeSet<std::path::PathBuf> = entry.chain(sources).collect();
    let mut names = BTreeMap::new();
    for (file, number) in all.iter().zip(1..) {
        let plain = plain_name(file, number);
        // Compilers print the whole path, the file name, or the file name without extension.
        names.insert(file.to_string_lossy().into_owned(), plain.clone());
        if let Some(last) = file.file_name() {
            names.entry(last.to_string_lossy().into_owned()).or_insert(plain);
        }
    }
    let renamed = names.into_iter().map(|(own, plain)| RenamedFile { own, plain });
    let mut files: Vec<RenamedFile> = renamed.collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.own.len()));
    files
}

fn plain_name(file: &Path, number: u32) -> String {
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy().to_lowercase()));
    format!("file-{number}{}", ending.unwrap_or_default())
}

/// Replaces `word` unless it is part of a longer word.
fn replace_whole(text: &str, word: &str, by: &str) -> String {
    // `to_lowercase` may change the length, but positions must match those in the text.
    let lower_letter = |letter: char| {
        let mut lower = letter.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(only), None) => only,
            _ => letter,
        }
    };
    let lower = |text: &str| -> Vec<char> { text.chars().map(lower_letter).collect() };
    let letters: Vec<char> = text.chars().collect();
    let low = lower(text);
    let word = lower(word);
    let joins = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    while at < letters.len() {
        let begins = at == 0 || !joins(letters.get(at - 1)) || !joins(word.first());
        let ends = !joins(letters.get(at + word.len())) || !joins(word.last());
        if begins && ends && low[at..].starts_with(&word) {
            made.push_str(by);
            at += word.len();
        } else {
            made.push(letters[at]);
            at += 1;
        }
    }
    made
}

/// Removes the names from every text of a row.
pub fn remove_names(row: &mut RowReport, removal: &NameRemoval) {
    let clean = |text: &mut String| {
        if !text.is_empty() {
            *text = removal.in_text(text);
        }
    };
    // Comments and style identify the author.
    row.source.clear();
    clean(&mut row.compile_message);
    row.notes.iter_mut().for_each(clean);
    row.memory_mistake
        .iter_mut()
        .flat_map(|one| [Some(&mut one.what), one.place.as_mut()])
        .flatten()
        .for_each(clean);
    row.card.judge_errors.iter_mut().for_each(clean);
    for trial in row.cases.iter_mut().filter_map(|case| case.trial.as_mut()) {
        trial_texts(trial).into_iter().for_each(clean);
    }
}

/// Everything written by the program, or about it.
fn trial_texts(trial: &mut Trial) -> Vec<&mut String> {
    let mut texts = vec![&mut trial.judge_message, &mut trial.team_message, &mut trial.stderr];
    texts.extend(&mut trial.notes);
    if let Some(difference) = &mut trial.difference {
        texts.extend(difference.found.as_mut());
        texts.extend([&mut difference.answer_lines, &mut difference.output_lines]);
    }
    texts.extend(trial.transcript.iter_mut().filter_map(|piece| match piece {
        TranscriptPiece::Judge { text, .. } | TranscriptPiece::Submission { text, .. } => Some(text),
        TranscriptPiece::Pass(_) | TranscriptPiece::Cut => None,
    }));
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, id: Option<&str>, entry: &str) -> Participant {
        let hand_in = HandIn {
            id: id.map(str::to_owned),
            entry: Some(entry.into()),
            notes: vec![format!("{entry} was read as Latin-1")],
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
        let removals = key.hide_names(&mut class).unwrap();
        let shown = format!("{:?}", class).to_lowercase();
        for word in ["anna", "smith", "4711"] {
            assert!(!shown.contains(word), "{word}: {shown}");
        }
        assert_eq!(class[0].hand_in.entry.as_deref(), Some("file-1.py"));
        let text = removals[0].in_text("anna_smith.py:3: ANNA wrote to smithson, 4711 times");
        assert_eq!(text, "file-1.py:3: participant-001 wrote to smithson, participant-001 times");
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
