//! A participant as found in a folder of hand-ins, before a program is chosen, and the names that mean one.

use super::found_files::{FoundFile, separate_namesakes};
use kopek_base::{composed_name, edit_distance, files::name_of, wording::shortened};
use kopek_package::package::{HandIn, NoSubmission, Participant};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// A person and the files handed in.
#[derive(Debug, Clone)]
pub(super) struct FoundPerson {
    pub(super) name: String,
    /// The hand-in as the folder names it.
    pub(super) file: String,
    /// Its only file or folder, if the layout has one for each hand-in.
    pub(super) place: Option<PathBuf>,
    pub(super) hand_in: HandIn,
    /// The files without litter, or why they cannot be read.
    pub(super) files: Result<Vec<FoundFile>, NoSubmission>,
}

#[derive(Clone, Copy)]
pub(super) struct LayoutRequest<'a> {
    pub(super) entries: &'a [PathBuf],
    pub(super) packages: &'a [String],
}

/// Whether more than half of the entries have a property.
pub(super) fn most_have(entries: &[PathBuf], has: impl Fn(&str, &Path) -> bool) -> bool {
    let number = entries.iter().filter(|path| has(&name_of(path), path)).count();
    number > 0 && number * 2 > entries.len()
}

/// The result of reading a folder with a layout.
#[derive(Debug, Default)]
pub(super) struct FoundClass {
    pub(super) people: Vec<FoundPerson>,
    /// Entries that belong to no hand-in.
    pub(super) left_out: Vec<String>,
    pub(super) remarks: Vec<String>,
}

impl FoundClass {
    /// The person with this identity, or a new one.
    pub(super) fn person_of(&mut self, id: &str, new: impl FnOnce() -> FoundPerson) -> &mut FoundPerson {
        let is_known = |person: &FoundPerson| person.hand_in.id.as_deref() == Some(id);
        let at = self.people.iter().position(is_known).unwrap_or_else(|| {
            self.people.push(new());
            self.people.len() - 1
        });
        &mut self.people[at]
    }
}

/// A text of the teacher that means several participants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` could be {}; write the number or the file of one, or rename one", shortened(.names, 5, ", "))]
pub struct SeveralPeople {
    text: String,
    names: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PersonNames<'a> {
    pub(super) name: &'a str,
    pub(super) file: &'a str,
    pub(super) hand_in: &'a HandIn,
}

impl<'a> PersonNames<'a> {
    pub(super) fn of_found(person: &'a FoundPerson) -> PersonNames<'a> {
        PersonNames { name: &person.name, file: &person.file, hand_in: &person.hand_in }
    }

    pub(super) fn of_member(member: &'a Participant) -> PersonNames<'a> {
        PersonNames { name: &member.name, file: &member.file, hand_in: &member.hand_in }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        let HandIn { id, email, shared_name, group, .. } = self.hand_in;
        let given = [id, email, shared_name, group].into_iter().any(|name| name.as_deref() == Some(text));
        given || self.name == text || self.file == text
    }
}

/// The participants that a teacher means by a number, an e-mail address, a name, the file of the hand-in, or a team:
/// none, one, or all members of a group. Fails if it could be one or another.
pub fn people_called(classes: &[Vec<Participant>], text: &str) -> Result<BTreeSet<String>, SeveralPeople> {
    find_called(classes.iter().flatten().map(PersonNames::of_member), text)
}

/// `; did you mean Pál Huber?` for a name of nobody in the class; empty: no name is near.
pub fn near_people(classes: &[Vec<Participant>], text: &str) -> String {
    let names: BTreeSet<&str> = classes.iter().flatten().map(|member| member.name.as_str()).collect();
    near_names(text, names.into_iter())
}

/// As [`people_called`].
pub(super) fn find_called<'a>(
    people: impl Iterator<Item = PersonNames<'a>>,
    text: &str,
) -> Result<BTreeSet<String>, SeveralPeople> {
    let text = composed_name(text);
    let mut found: Vec<PersonNames> = people.filter(|person| person.has(&text)).collect();
    // Students choose names and folders, but the platform gives the numbers: `7` is number 7, whoever is called 7.
    let has_number = |person: &PersonNames| person.hand_in.id.as_deref() == Some(&text);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && found.iter().any(has_number) {
        found.retain(has_number);
    }
    let names: BTreeSet<String> = found.iter().map(|person| person.name.to_owned()).collect();
    let is_own = |person: &PersonNames| person.file == text || person.hand_in.group.as_ref() == Some(&text);
    let is_group = found.iter().all(is_own);
    if names.len() > 1 && !is_group {
        return Err(SeveralPeople { text, names: names.into_iter().collect() });
    }
    Ok(names)
}

/// `; did you mean Pál Huber?` for a name that is unknown: those that differ in few letters, or share a word with it.
pub(super) fn near_names<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> String {
    const MAX_NAMES: usize = 3;
    let wanted = composed_name(&text.to_lowercase());
    let words: Vec<&str> = wanted.split_whitespace().filter(|word| word.chars().count() > 2).collect();
    let allowed = (wanted.chars().count() / 3).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let own = composed_name(&name.to_lowercase());
        let distance = edit_distance(&wanted, &own);
        if distance <= allowed || own.split_whitespace().any(|word| words.contains(&word)) {
            near.push((distance, name));
        }
    }
    near.sort();
    let names: Vec<&str> = near.into_iter().take(MAX_NAMES).map(|(_, name)| name).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
}

impl FoundPerson {
    /// Of a layout that may have several files for a hand-in.
    pub(super) fn new(
        name: String,
        file: String,
        hand_in: HandIn,
        files: Result<Vec<FoundFile>, NoSubmission>,
    ) -> FoundPerson {
        FoundPerson { name, file, place: None, hand_in, files }
    }

    /// Adds files that were found elsewhere; the first error is kept.
    pub(super) fn add_files(&mut self, more: Result<Vec<FoundFile>, NoSubmission>) {
        match (&mut self.files, more) {
            (Ok(files), Ok(more)) => {
                files.extend(more);
                separate_namesakes(files);
            }
            (Ok(_), Err(why)) => self.files = Err(why),
            (Err(_), _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_sentences::Said;

    fn member(name: &str, id: &str, file: &str, shared_name: &str) -> Participant {
        let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let hand_in = HandIn { id: filled(id), shared_name: filled(shared_name), ..HandIn::default() };
        let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
        Participant { name: name.into(), file: file.into(), hand_in, submission }
    }

    #[test]
    fn an_unknown_name_finds_near_ones() {
        let known = ["Pál Huber", "Ada Byron", "Eva Huber", "bob"];
        let near = |text| near_names(text, known.into_iter());
        assert_eq!(near("Huber"), "; did you mean Eva Huber or Pál Huber?");
        assert_eq!(near("Pal Huber"), "; did you mean Pál Huber or Eva Huber?");
        assert_eq!(near("Bbo"), "; did you mean bob?");
        assert_eq!(near("Christine"), "");
    }

    #[test]
    fn a_text_means_one_participant_or_is_refused() {
        let class = vec![vec![
            member("7", "9", "7_9_x", ""),
            member("Bob", "7", "Bob_7_x", ""),
            member("Ann (17)", "17", "Ann_17_x", "Ann"),
            member("Ann (18)", "18", "Ann_18_x", "Ann"),
            member("Cy", "X 1", "submission_1", ""),
            member("Dan", "", "submission_1", ""),
            member("X 1", "", "submission_2", ""),
        ]];
        for (text, wanted) in [
            ("7", Some("Bob")),
            ("9", Some("7")),
            ("7_9_x", Some("7")),
            ("Ann (18)", Some("Ann (18)")),
            ("17", Some("Ann (17)")),
            ("Ann", None),
            ("X 1", None),
            ("submission_1", Some("Cy Dan")),
            ("Eve", Some("")),
            ("", Some("")),
        ] {
            let found = people_called(&class, text).ok();
            let found = found.map(|names| names.into_iter().collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
        assert_eq!(near_people(&class, "ann"), "; did you mean Ann (17) or Ann (18)?");
        let error = people_called(&class, "Ann").unwrap_err().to_string();
        assert!(error.contains("`Ann` could be Ann (17), Ann (18)"), "{error}");
    }
}
