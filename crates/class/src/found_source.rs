//! The sources among the files of a hand-in, each read once, decoded and scanned.

use super::{
    found_files::FoundFile,
    litter::{is_data, is_test},
    notebook::{is_notebook, program_of_notebook},
    source_scan::{ProgramStart, SourceScan, scan_source},
    source_text::{DecodedSource, decode_source, language_of_text, text_of_html},
};
use kopek_base::{Bytes, files::lower_ending};
use kopek_package::{
    language::{
        FileBytes, Language, LanguageTable, Links, SnapshotError, SourceFile, SourceFiles,
        language_of_shared_ending, read_files,
    },
    package::NoSubmission,
};
use kopek_sentences::Said;
use std::path::{Path, PathBuf};

/// A file of a hand-in in a known language.
pub(super) struct FoundSource<'a> {
    pub(super) handed_in: PathBuf,
    /// Its path for the compiler.
    pub(super) name: PathBuf,
    pub(super) language: &'a Language,
    pub(super) file: SourceFile,
    pub(super) scan: SourceScan,
    pub(super) is_test: bool,
    /// Why it cannot be the program, regardless of its text.
    pub(super) unreadable: Option<NoSubmission>,
    /// Changes made to the text, such as a converted encoding.
    pub(super) notes: Vec<Said>,
}

impl FoundSource<'_> {
    /// The lowercase name without directory and extension.
    pub(super) fn stem(&self) -> String {
        file_stem(&self.name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unreadable.is_none() && self.file.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// The lowercase name without directory and extension.
pub(super) fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// All sources of a hand-in; reads at most `max` bytes in total. If no file name shows one, looks at the texts.
pub(super) fn find_sources<'a>(
    files: &[FoundFile],
    table: &'a LanguageTable,
    max: Bytes,
) -> Vec<FoundSource<'a>> {
    let mut left = max;
    let mut read = |file: &FoundFile, NamedLanguage { language, name }: NamedLanguage<'a>| {
        let source = read_source(file, language, name, left);
        left.0 = left.0.saturating_sub(source.file.bytes.len() as u64);
        source
    };
    let by_name: Vec<_> = files
        .iter()
        .filter_map(|file| Some(read(file, language_of_name(table, &file.name)?)))
        .map(|source| settle_shared_ending(table, source))
        .collect();
    if !by_name.is_empty() {
        return by_name;
    }
    let others = files.iter().filter(|file| !is_data(&file.name));
    others
        .filter_map(|file| {
            let mut source = read(file, language_behind_name(table, file, max)?);
            let language = source.language.name.clone();
            source.notes.push(Said::ReadAs { file: file.name.display().to_string(), language });
            Some(source)
        })
        .collect()
}

/// The language of a file.
struct NamedLanguage<'a> {
    language: &'a Language,
    /// The name of the file with the usual extension.
    name: PathBuf,
}

/// The language of a file name, ignoring the case of the extension.
fn language_of_name<'a>(table: &'a LanguageTable, name: &Path) -> Option<NamedLanguage<'a>> {
    let text = name.to_string_lossy();
    // Case-sensitive first: `.C` is C++, and `.c` is C.
    if let Some(language) = table.languages().iter().find(|language| language.is_named_by(&text)) {
        return Some(NamedLanguage { language, name: name.to_owned() });
    }
    if is_notebook(name) {
        let language = table.get(PYTHON)?;
        return Some(NamedLanguage { language, name: PathBuf::from(format!("{text}.py")) });
    }
    let lower = text.to_lowercase();
    table.languages().iter().filter(|language| language.detect).find_map(|language| {
        let ending = language.endings.iter().find(|ending| lower.ends_with(&ending.to_lowercase()))?;
        let stem = text.get(..text.len() - ending.len())?;
        if stem.is_empty() {
            return None;
        }
        Some(NamedLanguage { language, name: PathBuf::from(format!("{stem}{ending}")) })
    })
}

/// Settles the language if several share the extension. If that fails, the build plan reports it.
fn settle_shared_ending<'a>(table: &'a LanguageTable, source: FoundSource<'a>) -> FoundSource<'a> {
    match language_of_shared_ending(table, source.language, (&source.name, &source.file.bytes)) {
        Ok(language) => FoundSource { language, ..source },
        Err(_) => source,
    }
}

/// The language of a file with an extra extension, or detected from its text.
fn language_behind_name<'a>(
    table: &'a LanguageTable,
    file: &FoundFile,
    limit: Bytes,
) -> Option<NamedLanguage<'a>> {
    let ending = lower_ending(&file.name);
    if !may_hide_source(&ending) {
        return None;
    }
    if !ending.is_empty()
        && let Some(found) = language_of_name(table, &file.name.with_extension(""))
    {
        return Some(found);
    }
    let read = read_bytes(file, limit).ok()?;
    let text = String::from_utf8_lossy(&decode_source(&read.bytes).bytes).into_owned();
    let text = if is_html(&file.name) { text_of_html(&text) } else { text };
    let language = table.get(language_of_text(&text)?)?;
    let name = file.name.with_extension(language.endings.first()?.trim_start_matches('.'));
    Some(NamedLanguage { language, name })
}

/// The language of notebooks.
const PYTHON: &str = "python3";

fn is_html(name: &Path) -> bool {
    matches!(lower_ending(name).as_str(), "html" | "htm")
}

/// Whether a file with this extension may hold a program.
fn may_hide_source(ending: &str) -> bool {
    ["", "txt", "text", "html", "htm"].contains(&ending)
}

/// Why a file that may hold the program could not be read, for a hand-in without sources.
pub(super) fn unread_text(files: &[FoundFile], max: Bytes) -> Option<NoSubmission> {
    let hidden = files.iter().filter(|file| may_hide_source(&lower_ending(&file.name)));
    hidden.filter(|file| !is_data(&file.name)).find_map(|file| read_bytes(file, max).err())
}

fn read_source<'a>(file: &FoundFile, language: &'a Language, name: PathBuf, limit: Bytes) -> FoundSource<'a> {
    let mut source = FoundSource {
        handed_in: file.name.clone(),
        name,
        language,
        file: SourceFile::new(b""),
        scan: SourceScan::default(),
        is_test: is_test(&file.name),
        unreadable: None,
        notes: Vec::new(),
    };
    let read = read_bytes(file, limit).and_then(|read| program_text(file, &read));
    match read {
        Ok(ProgramText { bytes, note }) => {
            source.notes.extend(note);
            source.scan = scan_source(language, &String::from_utf8_lossy(&bytes));
            source.file = SourceFile::new(&bytes);
        }
        Err(why) => {
            // Kept, because this file may be the program.
            source.scan.start = ProgramStart::Declared;
            source.unreadable = Some(why);
        }
    }
    source
}

/// A source as text, and a note if it was converted.
struct ProgramText {
    bytes: Vec<u8>,
    note: Option<Said>,
}

fn program_text(file: &FoundFile, read: &SourceFile) -> Result<ProgramText, NoSubmission> {
    let DecodedSource { bytes, encoding } = decode_source(&read.bytes);
    if is_notebook(&file.name) {
        let program = program_of_notebook(&file.name, &bytes)?;
        return Ok(ProgramText { bytes: program.text.into_bytes(), note: Some(program.note) });
    }
    let note = encoding.map(|encoding| Said::Converted {
        file: file.name.display().to_string(),
        encoding: encoding.to_owned(),
    });
    if is_html(&file.name) {
        let text = text_of_html(&String::from_utf8_lossy(&bytes));
        return Ok(ProgramText { bytes: text.into_bytes(), note });
    }
    Ok(ProgramText { bytes: bytes.into_owned(), note })
}

/// A file that is not a source.
pub(super) enum OtherFile {
    Read(SourceFile),
    /// Larger than the limit, with its size.
    TooLarge(Bytes),
}

/// Reads a file that is not a source; decodes headers like sources.
pub(super) fn read_other(file: &FoundFile, limit: Bytes) -> Result<OtherFile, NoSubmission> {
    match read_once(file, limit) {
        Ok(read) if is_header(&file.name) => {
            Ok(OtherFile::Read(SourceFile::new(&decode_source(&read.bytes).bytes)))
        }
        Ok(read) => Ok(OtherFile::Read(read)),
        Err(SnapshotError::TooLarge { size, .. }) => Ok(OtherFile::TooLarge(size)),
        Err(error) => Err(not_read(file, &error)),
    }
}

/// Whether a file is a header of C, C++ or a related language.
pub(super) fn is_header(name: &Path) -> bool {
    matches!(lower_ending(name).as_str(), "h" | "hh" | "hpp" | "hxx" | "inc")
}

/// Reads a file once, without following links.
pub(super) fn read_bytes(file: &FoundFile, limit: Bytes) -> Result<SourceFile, NoSubmission> {
    read_once(file, limit).map_err(|error| not_read(file, &error))
}

fn read_once(file: &FoundFile, limit: Bytes) -> Result<SourceFile, SnapshotError> {
    let source = SourceFiles { root: file.root.to_path_buf(), files: vec![file.below.clone()] };
    let mut files: FileBytes = read_files(&source, Links::Refuse, limit)?;
    let read = files.remove(&file.below).expect("the file that was asked for");
    Ok(SourceFile { executable: false, ..read })
}

fn not_read(file: &FoundFile, error: &SnapshotError) -> NoSubmission {
    match error {
        SnapshotError::TooLarge { .. } | SnapshotError::NotAFile(_) => {
            let place = Said::Name { name: file.name.display().to_string() };
            let reason = Said::from(error);
            NoSubmission::Refused(Said::About { place: place.into(), reason: reason.into() })
        }
        // Removed or locked since it was listed: never zero points.
        SnapshotError::Unreadable { .. } => NoSubmission::Undecided(error.to_string()),
    }
}
