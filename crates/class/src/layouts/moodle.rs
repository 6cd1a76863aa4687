//! Moodle: `Anna Smith_1234521_assignsubmission_file_/solution.cpp`. Without folders, the file name follows
//! the last underscore. Since 4.1, folders lack that underscore. An online text belongs to the same person.

use crate::{
    found_files::FileFinder,
    found_person::{FoundClass, FoundPerson, LayoutRequest, most_have},
};
use kopek_base::{composed_name, files::name_of};
use kopek_package::package::{HandIn, NoSubmission};
use regex_lite::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::LazyLock,
};

static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"_(\d+)_assignsubmission_[a-z]+").expect("a pattern of ours"));

pub(super) fn fits(entries: &[PathBuf]) -> bool {
    most_have(entries, |name, path| !readings(name, path).is_empty())
}

/// A way to read an entry: students choose the names of files, so `x_7_assignsubmission_file_a.py` may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading<'a> {
    name: &'a str,
    id: &'a str,
    /// Empty for a folder.
    file: &'a str,
}

/// All ways to read an entry, the shortest name first. Nothing follows in the name of a folder.
fn readings<'a>(entry: &'a str, path: &Path) -> Vec<Reading<'a>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(mark) = MARK.captures_at(entry, from) {
        let whole = mark.get(0).expect("every match has its whole");
        let id = mark.get(1).expect("a part of every match").as_str();
        let name = &entry[..whole.start()];
        let rest = &entry[whole.end()..];
        if !name.is_empty() && (rest.is_empty() || rest.starts_with('_')) {
            found.push(Reading { name, id, file: rest.strip_prefix('_').unwrap_or_default() });
        }
        from = whole.start() + 1;
    }
    if path.is_dir() && found.iter().any(|reading| reading.file.is_empty()) {
        found.retain(|reading| reading.file.is_empty());
    }
    found
}

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> FoundClass {
    let mut class = FoundClass::default();
    let entries: Vec<String> = request.entries.iter().map(|path| composed_name(&name_of(path))).collect();
    let read: Vec<Vec<Reading>> =
        request.entries.iter().zip(&entries).map(|(path, entry)| readings(entry, path)).collect();
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for readings in &read {
        if let [only] = readings.as_slice() {
            known.entry(only.id).or_default().insert(only.name);
        }
    }
    for ((path, entry), readings) in request.entries.iter().zip(&entries).zip(&read) {
        // A number has one name, so another entry may exclude a reading.
        let possible: Vec<&Reading> = readings
            .iter()
            .filter(|reading| known.get(reading.id).is_none_or(|names| names.contains(reading.name)))
            .collect();
        let (files, owner) = match possible.as_slice() {
            _ if readings.is_empty() => {
                class.left_out.push(entry.clone());
                continue;
            }
            [only] => {
                let own = if only.file.is_empty() { entry } else { only.file };
                (finder.find_files_as(path, Path::new(own)), Some(*only))
            }
            several => (Err(several_owners(entry, readings)), several.first().copied()),
        };
        let Some(Reading { name, id, .. }) = owner else {
            class.people.push(FoundPerson::new(entry.clone(), entry.clone(), HandIn::default(), files));
            continue;
        };
        let hand_in = HandIn { id: Some((*id).to_owned()), ..HandIn::default() };
        let name = (*name).to_owned();
        let new = || FoundPerson::new(name, entry.clone(), hand_in, Ok(Vec::new()));
        class.person_of(id, new).add_files(files);
    }
    class
}

fn several_owners(entry: &str, readings: &[Reading]) -> NoSubmission {
    let owners: Vec<String> = readings.iter().map(|one| format!("{} ({})", one.name, one.id)).collect();
    NoSubmission::Undecided(format!(
        "{entry} may be the hand-in of {}; rename the file, or download with folders",
        owners.join(" or of ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_in_the_name_of_a_file_gives_a_second_reading() {
        let read = |entry: &str| -> Vec<String> {
            let all = readings(entry, Path::new("no such folder"));
            all.iter().map(|one| format!("{}|{}|{}", one.name, one.id, one.file)).collect()
        };
        assert_eq!(read("Bo Li_12_assignsubmission_file_my_own.cpp"), ["Bo Li|12|my_own.cpp"]);
        assert_eq!(read("Bo Li_12_assignsubmission_file_"), ["Bo Li|12|"]);
        assert_eq!(read("Bo Li_12_assignsubmission_file"), ["Bo Li|12|"]);
        assert_eq!(
            read("Eve_9_assignsubmission_file_7_assignsubmission_file_a.py"),
            ["Eve|9|7_assignsubmission_file_a.py", "Eve_9_assignsubmission_file|7|a.py"]
        );
        for other in ["notes.pdf", "_7_assignsubmission_file_a.py", "x_7_assignsubmission_file2_a.py"] {
            assert_eq!(read(other), [""; 0], "{other}");
        }
    }
}
