//! One entry per participant, named like the participant.

use crate::{
    found_files::FileFinder,
    found_person::{FoundClass, FoundPerson, LayoutRequest},
    litter::is_program_name,
};
use kopek_base::{ArchiveKind, composed_name, files::name_of};
use kopek_package::package::HandIn;
use std::path::Path;

pub(super) fn find_people(request: LayoutRequest, finder: &mut FileFinder) -> FoundClass {
    let person = |path: &std::path::PathBuf| FoundPerson {
        name: composed_name(&entry_stem(path)),
        file: composed_name(&name_of(path)),
        place: Some(path.clone()),
        hand_in: HandIn::default(),
        files: finder.find_files(path),
    };
    FoundClass { people: request.entries.iter().map(person).collect(), ..FoundClass::default() }
}

/// The name without extension; for a directory the whole name, as `a.b/` has no extension.
pub fn entry_stem(path: &Path) -> String {
    let name = name_of(path);
    if path.is_dir() {
        return name;
    }
    let stem = match ArchiveKind::of_name(&name) {
        Some(ArchiveKind::TarGzip) => name.trim_end_matches(".gz").trim_end_matches(".tar"),
        Some(ArchiveKind::Zip | ArchiveKind::Tar) | None => &name,
    };
    let stem = Path::new(stem);
    // Mail programs and browsers append `.txt` to unknown types: `ada.cpp.txt` belongs to ada.
    let shorter = stem.with_extension("");
    let appended = stem.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let stem = if appended && is_program_name(&shorter) { &shorter } else { stem };
    stem.file_stem().unwrap_or(stem.as_os_str()).to_string_lossy().into_owned()
}
