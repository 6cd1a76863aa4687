//! Canvas: `alvarezchloe_LATE_12006_678903_solution-2.cpp`, all files of a class in one folder. The parts are
//! the name, an optional LATE, the user id, the file id, and the file name with the resubmission number that
//! Canvas adds. Text entries and links have no file id: `alvarezchloe_12006_text.html`.

use crate::{
    found_files::FileFinder,
    found_person::{FoundClass, FoundPerson, LayoutRequest, most_have},
};
use kopek_base::{composed_name, files::name_of};
use kopek_package::package::{HandIn, Lateness};
use kopek_sentences::Said;
use regex_lite::Regex;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::LazyLock,
};

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([^_]+)(_LATE)?_(\d+)_(?:(\d+)_(.+)|(?:text|link)\.html)$").expect("a pattern of ours")
});
static RESUBMISSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.+)-(\d{1,3})((?:\.[A-Za-z0-9+]+)+)$").expect("a pattern of ours"));

pub(super) fn fits(entries: &[PathBuf]) -> bool {
    most_have(entries, |name, path| path.is_file() && ENTRY.is_match(name))
}

/// An uploaded file; the latest resubmission is chosen later.
struct UploadedFile {
    path: PathBuf,
    entry: String,
    /// The file name without the resubmission number.
    name: String,
    version: UploadVersion,
}

/// Which of two uploads is the later one. Files with one name in one submission have no resubmission number: Canvas
/// gives later files higher ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct UploadVersion {
    resubmission: u32,
    file_id: u64,
}

struct Uploads {
    name: String,
    is_late: bool,
    files: Vec<UploadedFile>,
}

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> FoundClass {
    let mut class = FoundClass::default();
    let mut users: BTreeMap<String, Uploads> = BTreeMap::new();
    for path in request.entries {
        let entry = composed_name(&name_of(path));
        let Some(found) = ENTRY.captures(&entry) else {
            class.left_out.push(entry);
            continue;
        };
        let written = match found.get(5) {
            Some(name) => name.as_str(),
            None => entry.rsplit('_').next().unwrap_or(&entry),
        };
        let FileVersion { name, resubmission } = file_version(written);
        let new = || Uploads { name: found[1].to_owned(), is_late: false, files: Vec::new() };
        let user = users.entry(found[3].to_owned()).or_insert_with(new);
        user.is_late |= found.get(2).is_some();
        let file_id = found.get(4).and_then(|id| id.as_str().parse().ok()).unwrap_or(0);
        let version = UploadVersion { resubmission, file_id };
        user.files.push(UploadedFile { path: path.clone(), entry: entry.clone(), name, version });
    }
    class.people = users.into_iter().map(|(id, uploads)| person_of_uploads(id, uploads, finder)).collect();
    class
}

/// A file name without the resubmission number, and this number.
#[derive(Debug, PartialEq, Eq)]
struct FileVersion {
    name: String,
    resubmission: u32,
}

/// Splits `solution-2.cpp` into `solution.cpp` and 2.
fn file_version(name: &str) -> FileVersion {
    match RESUBMISSION.captures(name) {
        Some(found) => FileVersion {
            name: format!("{}{}", &found[1], &found[3]),
            resubmission: found[2].parse().unwrap_or(0),
        },
        None => FileVersion { name: name.to_owned(), resubmission: 0 },
    }
}

fn person_of_uploads(id: String, uploads: Uploads, finder: &mut FileFinder) -> FoundPerson {
    let mut latest: BTreeMap<String, UploadedFile> = BTreeMap::new();
    let late = if uploads.is_late { Some(Lateness::Marked) } else { None };
    let mut hand_in = HandIn { id: Some(id), late, ..HandIn::default() };
    let file = uploads.files.first().map(|file| file.entry.clone()).unwrap_or_default();
    for upload in uploads.files {
        let Some(other) = latest.get(&upload.name) else {
            latest.insert(upload.name.clone(), upload);
            continue;
        };
        let (newer, older) = if upload.version > other.version { (&upload, other) } else { (other, &upload) };
        hand_in.notes.push(Said::EarlierUpload { new: newer.entry.clone(), old: older.entry.clone() });
        if upload.version > other.version {
            latest.insert(upload.name.clone(), upload);
        }
    }
    hand_in.attempt =
        latest.values().map(|file| file.version.resubmission + 1).max().filter(|number| *number > 1);
    let mut person = FoundPerson::new(uploads.name, file, hand_in, Ok(Vec::new()));
    for (name, upload) in latest {
        person.add_files(finder.find_files_as(&upload.path, Path::new(&name)));
    }
    person
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_resubmission_is_cut() {
        for (written, (name, resubmission)) in [
            ("solution-2.cpp", ("solution.cpp", 2)),
            ("solution.cpp", ("solution.cpp", 0)),
            ("a-b.py", ("a-b.py", 0)),
            ("x-1.tar.gz", ("x.tar.gz", 1)),
        ] {
            assert_eq!(file_version(written), FileVersion { name: name.to_owned(), resubmission });
        }
    }
}
