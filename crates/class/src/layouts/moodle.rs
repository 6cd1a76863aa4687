//! Moodle: `Anna Smith_1234521_assignsubmission_file_/solution.cpp`. Without folders, the file name follows
//! the last underscore. Since 4.1, folders lack that underscore. An online text belongs to the same person.

use super::layout_request::{LayoutRequest, most_have};
use crate::{
    found_files::FileFinder,
    found_person::{FoundClass, FoundPerson, file_name},
};
use kopek_base::composed_name;
use kopek_engine::package::HandIn;
use regex_lite::Regex;
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(.+)_(\d+)_assignsubmission_([a-z]+)(?:_(.*))?$").expect("a pattern of ours")
});

pub(super) fn fits(entries: &[PathBuf]) -> bool {
    most_have(entries, |name, _| ENTRY.is_match(name))
}

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> FoundClass {
    let mut class = FoundClass::default();
    for path in request.entries {
        let entry = composed_name(&file_name(path));
        let Some(found) = ENTRY.captures(&entry) else {
            class.left_out.push(entry);
            continue;
        };
        let (name, id) = (found[1].to_owned(), found[2].to_owned());
        let inside = found.get(4).map(|name| name.as_str()).filter(|name| !name.is_empty());
        let files = finder.find_files_as(path, Path::new(inside.unwrap_or(&entry)));
        let hand_in = HandIn { id: Some(id.clone()), ..HandIn::default() };
        let new = || FoundPerson { name, file: entry.clone(), hand_in, files: Ok(Vec::new()) };
        class.person_of(&id, new).add_files(files);
    }
    class
}
