//! The files of a program: the sources that are compiled together, and the other files of the hand-in that they name.
//! A required file is never dropped silently: the hand-in is refused with its size, or stays undecided.

use super::{
    found_files::FoundFile,
    found_source::{FoundSource, OtherFile, file_stem, is_header, read_other},
    litter::is_data,
    source_scan::{ProgramStart, names_file, words_of_text},
};
use kopek_base::{Bytes, files::lower_ending};
use kopek_package::{
    language::{EntryPoint, FileBytes, SnapshotError, SourceFile},
    package::NoSubmission,
};
use kopek_sentences::{Decimal, Said};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Where the source with the entry point comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartOfProgram {
    /// The package; then every source of the hand-in is a part.
    Package,
    HandIn,
}

/// The chosen source and its parts: for a compiled language every source without its own entry point, else
/// the sources that it names. Tests and other programs are excluded, so their errors do no harm. An unreadable
/// source could be a part.
pub(super) fn parts_of_program(sources: &[FoundSource], chosen: usize, start: StartOfProgram) -> Vec<usize> {
    let driven = start == StartOfProgram::Package;
    let code = &sources[chosen].language.code;
    let joined = !matches!(sources[chosen].language.entry, EntryPoint::File(_));
    let is_part = |at: usize| {
        let source = &sources[at];
        let quiet = source.scan.start != ProgramStart::Declared || source.unreadable.is_some() || driven;
        source.language.code == *code && !source.is_test && (quiet && joined || driven)
    };
    let mut kept = vec![chosen];
    kept.extend((0..sources.len()).filter(|&at| at != chosen && is_part(at)));
    if !sources[chosen].language.one_start {
        add_named(sources, &mut kept);
    }
    kept.sort_unstable();
    kept
}

/// Adds the sources that the kept ones name, recursively.
fn add_named(sources: &[FoundSource], kept: &mut Vec<usize>) {
    let code = sources[kept[0]].language.code.clone();
    let mut words: BTreeSet<String> = BTreeSet::new();
    for &at in kept.iter() {
        words.extend(sources[at].scan.words.iter().cloned());
    }
    loop {
        let named = (0..sources.len()).find(|&at| {
            let source = &sources[at];
            let is_named = names_file(&words, &source.stem()) || source.stem() == "__init__";
            !kept.contains(&at) && source.language.code == code && is_named
        });
        let Some(at) = named else { return };
        words.extend(sources[at].scan.words.iter().cloned());
        kept.push(at);
    }
}

/// The files of a hand-in to judge.
pub(super) struct ProgramContents {
    pub(super) files: FileBytes,
    /// The files that did not fit into the code limit, each with a note that says so.
    pub(super) skipped: BTreeMap<PathBuf, Said>,
}

/// The kept sources with the other files that they name. Fails if the required files exceed the limit or
/// cannot be read.
pub(super) fn program_contents(
    kept: &[&FoundSource],
    others: Vec<&FoundFile>,
    limit: Bytes,
) -> Result<ProgramContents, NoSubmission> {
    let mut files = NamedFiles::of_sources(kept, limit)?;
    let mut unread = others;
    let mut optional = Vec::new();
    // A header may include another one.
    while let Some(at) = unread.iter().position(|file| files.names(file)) {
        let file = unread.swap_remove(at);
        if files.needs(file) {
            files.add_needed(file)?;
        } else {
            optional.push(file);
        }
    }
    optional.sort();
    let mut skipped = BTreeMap::new();
    for file in optional {
        if let Some(note) = files.add_optional(file)? {
            skipped.insert(file.name.clone(), note);
        }
    }
    Ok(ProgramContents { files: files.files, skipped })
}

/// The reason for a hand-in with two different files of one name.
pub(super) fn two_files(name: &Path) -> NoSubmission {
    let name = name.display();
    NoSubmission::Undecided(format!("two different files are called {name}; rename or remove one of them"))
}

/// The files so far, and the other files that they mention.
struct NamedFiles {
    files: FileBytes,
    size: Bytes,
    limit: Bytes,
    /// All words, in lowercase.
    words: BTreeSet<String>,
    /// Words of the import lines, in lowercase.
    imports: BTreeSet<String>,
    /// All texts, in lowercase.
    text: String,
}

impl NamedFiles {
    fn of_sources(kept: &[&FoundSource], limit: Bytes) -> Result<NamedFiles, NoSubmission> {
        let mut all = NamedFiles {
            files: FileBytes::new(),
            size: Bytes(0),
            limit,
            words: BTreeSet::new(),
            imports: BTreeSet::new(),
            text: String::new(),
        };
        for source in kept {
            all.add(&source.name, source.file.clone())?;
        }
        if all.size > limit {
            return Err(all.too_large(all.size));
        }
        for source in kept {
            all.words.extend(source.scan.words.iter().cloned());
            all.imports.extend(source.scan.imports.iter().cloned());
            all.text += &String::from_utf8_lossy(&source.file.bytes).to_lowercase();
        }
        Ok(all)
    }

    /// Whether the texts contain all words of a file's name.
    fn names(&self, file: &FoundFile) -> bool {
        let is_only_data = is_data(&file.name) && !self.words.contains(&lower_ending(&file.name));
        !is_only_data && names_file(&self.words, &file_stem(&file.name))
    }

    /// Whether the program probably needs a file that it names. `input()` names `input.txt`, but does not need
    /// it.
    fn needs(&self, file: &FoundFile) -> bool {
        let name = file.name.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        is_header(&file.name)
            || names_file(&self.imports, &file_stem(&file.name))
            || self.text.contains(&name)
    }

    fn add_needed(&mut self, file: &FoundFile) -> Result<(), NoSubmission> {
        match read_other(file, Bytes(self.limit.0 - self.size.0))? {
            OtherFile::Read(read) => {
                let text = String::from_utf8_lossy(&read.bytes).to_lowercase();
                self.words.extend(words_of_text(&text));
                self.text += &text;
                self.add(&file.name, read)
            }
            OtherFile::TooLarge(size) => Err(self.too_large(Bytes(self.size.0 + size.0))),
        }
    }

    /// Adds the file if it fits, else returns a note that it is left out.
    fn add_optional(&mut self, file: &FoundFile) -> Result<Option<Said>, NoSubmission> {
        match read_other(file, Bytes(self.limit.0 - self.size.0))? {
            OtherFile::Read(read) => {
                self.add(&file.name, read)?;
                Ok(None)
            }
            OtherFile::TooLarge(size) => Ok(Some(Said::FileSkipped {
                file: file.name.display().to_string(),
                size: Decimal::new(size),
                limit: Decimal::new(self.limit),
            })),
        }
    }

    fn add(&mut self, name: &Path, file: SourceFile) -> Result<(), NoSubmission> {
        self.size.0 += file.bytes.len() as u64;
        match self.files.insert(name.to_owned(), file) {
            None => Ok(()),
            // `a.PY` is compiled as `a.py`.
            Some(_) => Err(two_files(name)),
        }
    }

    fn too_large(&self, size: Bytes) -> NoSubmission {
        NoSubmission::Refused((&SnapshotError::TooLarge { size, limit: self.limit }).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::found_source::find_sources;
    use kopek_package::language::LanguageTable;
    use std::fs;

    fn contents(files: &[(&str, usize, &str)], limit: Bytes) -> Result<ProgramContents, NoSubmission> {
        let home = tempfile::tempdir().unwrap();
        let root: std::sync::Arc<Path> = home.path().into();
        let mut found = Vec::new();
        for (name, padding, text) in files {
            fs::write(home.path().join(name), text.to_string() + &"\n".repeat(*padding)).unwrap();
            found.push(FoundFile::below(&root, name.into()));
        }
        found.push(FoundFile::below(&root, "gone.txt".into()));
        let table = LanguageTable::embedded();
        let sources = find_sources(&found, &table, limit);
        let others = found.iter().filter(|file| sources.iter().all(|source| source.handed_in != file.name));
        program_contents(&sources.iter().collect::<Vec<_>>(), others.collect(), limit)
    }

    #[test]
    fn what_the_program_needs_counts_and_what_it_may_not_need_is_left_out_with_a_note() {
        let limit = Bytes::kib(1);
        for (name, text) in [
            ("table.h", "#include \"table.h\""),
            ("words.txt", "open('Words.TXT')"),
            ("words.json", "require('./words')"),
        ] {
            let source = if text.contains("require") { "main.js" } else { "main.cpp" };
            let fits = contents(&[(source, 0, text), (name, 900, "")], limit).map(|all| all.files.len());
            assert_eq!(fits, Ok(2), "{name}");
            let above = contents(&[(source, 0, text), (name, 1024, "")], limit).map(|all| all.files.len());
            let size = Bytes(1024 + text.len() as u64);
            let why = format!("{size} were handed in; the limit is 1 KiB");
            assert_eq!(above.unwrap_err().to_string(), why, "{name}");
        }
        let unneeded = [("main.py", 0, "print(input())"), ("input.txt", 2048, "")];
        let contents = contents(&unneeded, limit).unwrap();
        assert_eq!(contents.files.len(), 1);
        let note = &contents.skipped[Path::new("input.txt")];
        assert!(note.to_string().starts_with("input.txt (2 KiB) is skipped"), "{note}");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_for_a_person_and_is_not_left_out() {
        let gone = contents(&[("main.py", 0, "open('gone.txt')")], Bytes::kib(1)).map(|_| ());
        assert!(matches!(gone, Err(NoSubmission::Undecided(_))), "{gone:?}");
    }
}
