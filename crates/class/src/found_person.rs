//! A participant as found in a folder of hand-ins, before a program is chosen.

use super::found_files::{FoundFile, separate_namesakes};
use kopek_base::composed_name;
use kopek_engine::package::{HandIn, NoSubmission, Participant};
use std::path::Path;

/// A person and the files handed in.
#[derive(Debug, Clone)]
pub(super) struct FoundPerson {
    pub(super) name: String,
    /// The hand-in as the folder names it.
    pub(super) file: String,
    pub(super) hand_in: HandIn,
    /// The files without litter, or why they cannot be read.
    pub(super) files: Result<Vec<FoundFile>, NoSubmission>,
}

/// The result of reading a folder with a layout.
#[derive(Debug, Default)]
pub(super) struct FoundClass {
    pub(super) people: Vec<FoundPerson>,
    /// Entries that belong to no hand-in.
    pub(super) left_out: Vec<String>,
    /// Remarks for the teacher.
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

/// The names of a participant: name, number, e-mail, and the file or folder of the hand-in.
pub(super) fn all_names<'a>(name: &'a str, file: &'a str, hand_in: &'a HandIn) -> Vec<&'a str> {
    let names = [Some(name), hand_in.id.as_deref(), hand_in.email.as_deref(), Some(file)];
    names.into_iter().flatten().collect()
}

/// Whether this is one of the names of the participant, in composed or decomposed Unicode.
pub fn is_called(member: &Participant, name: &str) -> bool {
    all_names(&member.name, &member.file, &member.hand_in).contains(&composed_name(name).as_str())
}

impl FoundPerson {
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

/// The last part of a path.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
