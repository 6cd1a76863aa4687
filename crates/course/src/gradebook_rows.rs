//! Finds each participant's row. A key is only compared with the column of its kind, and each participant has one
//! row. A name that is spelt differently counts only if it is clear whose it is.

use super::{
    grade_entries::{GradeEntry, GradebookError},
    gradebook_formats::{GradebookColumns, KeyColumn, number_of_identifier},
    gradebook_text::GradebookText,
};
use kopek_base::composed_name;
use kopek_class::TeamMember;
use kopek_results::PersonKey;
use std::collections::{BTreeMap, BTreeSet};

/// The rows of participants, and by what each can be known.
#[derive(Debug, Clone)]
pub(super) struct GradebookRows {
    rows: BTreeMap<usize, Vec<RowKey>>,
}

#[derive(Debug, Clone)]
struct RowKey {
    kind: PersonKey,
    text: String,
}

/// The rows of a class in a gradebook.
#[derive(Debug, Default)]
pub struct ClassRows {
    pub(super) rows: BTreeMap<String, usize>,
    /// Participants whose names are spelt differently in the gradebook: name, name in the gradebook.
    pub similar: Vec<(String, String)>,
    /// Names of the rows without a participant.
    pub absent: Vec<String>,
}

/// What a hand-in says about its owner.
#[derive(Debug, Clone, Copy)]
struct StatedKey<'a> {
    kind: PersonKey,
    text: &'a str,
}

impl GradebookRows {
    pub(super) fn read(
        text: &GradebookText,
        columns: &GradebookColumns,
    ) -> Result<GradebookRows, GradebookError> {
        let width = text.rows[0].len();
        let mut rows = BTreeMap::new();
        for (at, row) in text.rows.iter().enumerate().skip(1) {
            if row.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if row.len() != width {
                return Err(GradebookError(format!(
                    "line {}: {} cells, but the head has {}: the file is damaged, or was saved by another program",
                    text.line_of(at),
                    row.len(),
                    width
                )));
            }
            let keys: Vec<RowKey> = columns.keys.iter().filter_map(|column| key_of(row, column)).collect();
            // The line of maximum points and a test student have no numbers.
            if keys.iter().any(|key| key.kind != PersonKey::Name) {
                rows.insert(at, keys);
            }
        }
        if rows.is_empty() {
            return Err(GradebookError("the gradebook has no participants".into()));
        }
        Ok(GradebookRows { rows })
    }

    /// All by which its people can be known.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.rows.values().flatten().map(|key| key.text.as_str())
    }

    /// The names of the people by their number of this kind.
    pub(super) fn names_by(&self, kind: PersonKey) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        for keys in self.rows.values() {
            let key = |kind: PersonKey| keys.iter().find(|key| key.kind == kind);
            if let (Some(number), Some(name)) = (key(kind), key(PersonKey::Name)) {
                names.insert(number.text.clone(), composed_name(&name.text));
            }
        }
        names
    }

    /// The only person with this name, number or address, with the number of this kind.
    pub(super) fn person(&self, text: &str, kind: Option<PersonKey>) -> Option<TeamMember> {
        let rows = self.rows_with(|own| words_of(&own.text) == words_of(text));
        let [row] = rows.as_slice() else { return None };
        Some(self.member(*row, kind))
    }

    /// Platforms leave out signs in the names of files.
    pub(super) fn team(&self, text: &GradebookText, name: &str, kind: Option<PersonKey>) -> Vec<TeamMember> {
        let plain = |text: &str| text.to_lowercase().replace(|sign: char| !sign.is_alphanumeric(), "");
        let name = plain(name);
        if name.is_empty() || self.rows.values().flatten().any(|key| plain(&key.text) == name) {
            return Vec::new();
        }
        let has_name = |row: &&usize| text.rows[**row].iter().any(|cell| plain(cell) == name);
        self.rows.keys().filter(has_name).map(|row| self.member(*row, kind)).collect()
    }

    pub(super) fn member(&self, row: usize, kind: Option<PersonKey>) -> TeamMember {
        let id = self.rows[&row].iter().find(|key| Some(key.kind) == kind).map(|key| key.text.clone());
        TeamMember { name: composed_name(&self.name_of(row)), id }
    }

    /// The numbers of the rows.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.rows.keys().copied()
    }

    /// Finds the rows of a class, whose numbers are of this kind. Fails if no participant is in the gradebook, or one
    /// is in it twice.
    pub(super) fn of_class(
        &self,
        text: &GradebookText,
        class: &[GradeEntry],
        numbers: Option<PersonKey>,
    ) -> Result<ClassRows, GradebookError> {
        if numbers.is_some()
            && let Some(team) = self.team_of(text, class)
        {
            return Err(GradebookError(format!(
                "`{team}` is a group in the gradebook, and the number of its hand-in may be another participant's; list its \
                 members in [teams] of course.toml: \"{team}\" = [\"Ada Lovelace\", \"51077\"]"
            )));
        }
        let named_by = self.key_of_names(class)?;
        let mut found = ClassRows::default();
        let mut owners: BTreeMap<usize, &str> = BTreeMap::new();
        let mut others = Vec::new();
        for entry in class {
            let stated = self.stated(entry, numbers, named_by);
            let rows =
                stated.iter().map(|key| self.rows_with(|own| key.is(own))).find(|rows| !rows.is_empty());
            match rows.as_deref() {
                None => others.push((entry, stated)),
                Some([row]) => {
                    if let Some(other) = owners.insert(*row, &entry.name) {
                        return Err(GradebookError(format!(
                            "{other} and {} match the same row of the gradebook (line {}); rename one of the hand-ins",
                            entry.name,
                            text.line_of(*row)
                        )));
                    }
                    found.rows.insert(entry.name.clone(), *row);
                }
                Some(several) => {
                    let lines: Vec<String> =
                        several.iter().map(|row| text.line_of(*row).to_string()).collect();
                    return Err(GradebookError(format!(
                        "{} matches lines {} of the gradebook; name the hand-ins by the numbers of the platform",
                        entry.name,
                        lines.join(" and ")
                    )));
                }
            }
        }
        self.add_similar(&others, &mut found);
        if found.rows.is_empty() {
            return Err(GradebookError(
                "none of the participants is in it; is it the gradebook of this course?".into(),
            ));
        }
        let matched: BTreeSet<usize> = found.rows.values().copied().collect();
        let absent = self.rows.keys().filter(|row| !matched.contains(row));
        found.absent = absent.map(|row| self.name_of(*row)).collect();
        Ok(found)
    }

    /// The name of a group hand-in: a cell of the gradebook that is no key of a participant.
    fn team_of<'a>(&self, text: &GradebookText, class: &'a [GradeEntry]) -> Option<&'a str> {
        let cells: BTreeSet<&str> = text.rows.iter().skip(1).flatten().map(|cell| cell.trim()).collect();
        let is_key = |name: &str| self.rows.values().flatten().any(|key| key.text == name);
        let names = class.iter().map(|entry| entry.name.as_str());
        names.into_iter().find(|name| cells.contains(name) && !is_key(name))
    }

    /// Adds those whose names resemble the name of one other row, and who are alone in that.
    fn add_similar(&self, others: &[(&GradeEntry, Vec<StatedKey>)], found: &mut ClassRows) {
        let taken: BTreeSet<usize> = found.rows.values().copied().collect();
        let mut wanted: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (entry, keys) in others {
            let mut rows = self.rows_with(|own| keys.iter().any(|key| key.resembles(own)));
            rows.retain(|row| !taken.contains(row));
            if let [row] = rows.as_slice() {
                wanted.entry(*row).or_default().push(&entry.name);
            }
        }
        for (row, names) in wanted {
            if let [name] = names.as_slice() {
                found.rows.insert((*name).to_owned(), row);
                found.similar.push(((*name).to_owned(), self.name_of(row)));
            }
        }
    }

    /// The keys of a participant, the surest first. Names count where there is nothing better to compare.
    fn stated<'a>(
        &self,
        entry: &'a GradeEntry,
        numbers: Option<PersonKey>,
        named_by: PersonKey,
    ) -> Vec<StatedKey<'a>> {
        let mut stated = Vec::new();
        let email = entry.email.as_deref().map(|text| StatedKey { kind: PersonKey::Email, text });
        stated.extend(email.filter(|_| self.rows.values().flatten().any(RowKey::is_address)));
        if let (Some(text), Some(kind)) = (entry.id.as_deref(), numbers) {
            stated.push(StatedKey { kind, text });
        }
        if stated.is_empty() {
            stated.push(StatedKey { kind: named_by, text: &entry.name });
        }
        stated
    }

    /// What the names of most hand-ins are: names, or keys of another kind. One kind for all, so that whoever is called
    /// `8` in a class of names is not participant 8.
    fn key_of_names(&self, class: &[GradeEntry]) -> Result<PersonKey, GradebookError> {
        let rows_by = |kind: PersonKey| {
            let mut all: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for entry in class.iter().filter(|entry| entry.id.is_none()) {
                let key = StatedKey { kind, text: &entry.name };
                let rows = self.rows_with(|own| key.is(own) || key.resembles(own));
                if !rows.is_empty() {
                    all.insert(&entry.name, rows);
                }
            }
            all
        };
        let mut best = PersonKey::Name;
        let mut found = rows_by(best);
        let mut is_contradicted = false;
        for kind in [
            PersonKey::Student,
            PersonKey::Email,
            PersonKey::Account,
            PersonKey::Participant,
            PersonKey::User,
        ] {
            let rows = rows_by(kind);
            if rows.len() > found.len() {
                best = kind;
                found = rows;
                is_contradicted = false;
            } else if rows.len() == found.len() {
                is_contradicted |=
                    rows.iter().any(|(name, own)| found.get(name).is_some_and(|one| one != own));
            }
        }
        if is_contradicted {
            return Err(GradebookError(
                "the names of the hand-ins are in two columns, which give them different rows; name the hand-ins by \
                    full names or e-mail addresses"
                    .into(),
            ));
        }
        Ok(best)
    }

    fn rows_with(&self, fits: impl Fn(&RowKey) -> bool) -> Vec<usize> {
        self.rows.iter().filter(|(_, keys)| keys.iter().any(&fits)).map(|(at, _)| *at).collect()
    }

    fn name_of(&self, row: usize) -> String {
        let name = self.rows[&row].iter().find(|key| key.kind == PersonKey::Name);
        name.or(self.rows[&row].first()).map_or(String::new(), |key| key.text.clone())
    }
}

impl RowKey {
    fn is_address(&self) -> bool {
        self.kind == PersonKey::Email && self.text.contains('@')
    }
}

impl StatedKey<'_> {
    fn is(&self, key: &RowKey) -> bool {
        self.kind == key.kind && composed_name(&key.text) == composed_name(self.text)
    }

    /// Whether a key differs only in capital letters, or a name also in the signs between its words.
    fn resembles(&self, key: &RowKey) -> bool {
        self.kind == key.kind
            && match self.kind {
                PersonKey::Participant | PersonKey::User => false,
                PersonKey::Student | PersonKey::Email | PersonKey::Account => {
                    key.text.to_lowercase() == self.text.to_lowercase()
                }
                PersonKey::Name => words_of(&key.text) == words_of(self.text),
            }
    }
}

/// The words of a name in lowercase. Signs that cannot be seen, such as a blank of no width, are part of a word.
fn words_of(name: &str) -> Vec<String> {
    let name = composed_name(&name.to_lowercase());
    let words = name.split(|sign: char| sign.is_whitespace() || sign.is_ascii_punctuation());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn key_of(row: &[String], column: &KeyColumn) -> Option<RowKey> {
    let cell = row[column.at].trim();
    let text = if column.key == PersonKey::Participant { number_of_identifier(cell) } else { cell };
    if !text.is_empty() { Some(RowKey { kind: column.key, text: text.to_owned() }) } else { None }
}
