//! Reads earlier years and public solutions to compare a class with.

use super::{
    class_folder::{class_entries, open_place},
    entry_choice::every_source,
    found_files::FileFinder,
    found_person::file_name,
    layouts::entry_stem,
    litter::is_litter,
};
use anyhow::{Context, Result, ensure};
use kopek_base::ArchiveKind;
use kopek_engine::{
    language::LanguageTable,
    package::{HandIn, NoSubmission, Participant},
    similar::{ComparedFile, read_compared},
};
use std::path::Path;

/// The sources in a folder or an archive.
#[derive(Debug, Default)]
pub struct EarlierFiles {
    /// Each file is named by its path, starting with the folder's name.
    pub files: Vec<ComparedFile>,
    /// Entries without comparable sources, and why.
    pub not_read: Vec<(String, NoSubmission)>,
}

impl EarlierFiles {
    /// Reads a file, a folder or an archive. Skips files in unknown languages.
    pub fn read(place: &Path, table: &LanguageTable) -> Result<EarlierFiles> {
        let mut all = EarlierFiles::default();
        let mut finder = FileFinder::default();
        let label = entry_stem(&place.canonicalize().with_context(|| format!("read {}", place.display()))?);
        if place.is_file() && ArchiveKind::of_name(&file_name(place)).is_none() {
            all.read_entry(&file_name(place), place, &mut finder, table);
        } else {
            let (folder, _unpacked) = open_place(place)?;
            all.read_folder(&label, &folder, &mut finder, table)?;
        }
        ensure!(
            !all.files.is_empty(),
            "{}: no sources to compare with{}",
            place.display(),
            all.not_read.first().map_or(String::new(), |(name, why)| format!(": {name}: {why}"))
        );
        Ok(all)
    }

    fn read_folder(
        &mut self,
        label: &str,
        folder: &Path,
        finder: &mut FileFinder,
        table: &LanguageTable,
    ) -> Result<()> {
        let entries = class_entries(folder, &mut Vec::new())?;
        for entry in entries.into_iter().filter(|entry| !is_litter(Path::new(&file_name(entry)))) {
            let name = format!("{label}/{}", file_name(&entry));
            if entry.is_dir() && !entry.is_symlink() {
                self.read_folder(&name, &entry, finder, table)?;
            } else {
                self.read_entry(&name, &entry, finder, table);
            }
        }
        Ok(())
    }

    fn read_entry(&mut self, name: &str, entry: &Path, finder: &mut FileFinder, table: &LanguageTable) {
        let files = match finder.find_files(entry) {
            Ok(files) => files,
            Err(why) => return self.not_read.push((name.to_owned(), why)),
        };
        let choice = every_source(name, &files, table);
        let participant = Participant {
            name: name.to_owned(),
            file: file_name(entry),
            hand_in: HandIn::default(),
            submission: choice.submission,
        };
        let Ok(program) = read_compared(&participant, table) else { return };
        let is_single = program.files.len() == 1 && entry.is_file();
        for mut file in program.files {
            let is_alone = is_single && name.ends_with(&file.path);
            file.path = if is_alone { name.to_owned() } else { format!("{name}/{}", file.path) };
            self.files.push(file);
        }
    }
}
