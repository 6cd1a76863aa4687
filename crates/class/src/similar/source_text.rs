//! The texts of a participant that are compared.

use kopek_base::Bytes;
use kopek_package::{
    language::{FileBytes, LanguageTable, LexerRow, Links, SourceFiles, read_files},
    package::Participant,
};
use std::path::Path;

/// The texts of a participant.
#[derive(Debug, Clone)]
pub struct ComparedProgram {
    pub name: String,
    /// In order of their paths.
    pub files: Vec<ComparedFile>,
}

/// One text.
#[derive(Debug, Clone)]
pub struct ComparedFile {
    /// The path in the hand-in.
    pub path: String,
    pub text: String,
    /// The lexer of its language.
    pub lexer: LexerRow,
}

/// The largest source: a generated table would only fill the page.
const MAX_SOURCE: Bytes = Bytes::mib(1);

const NOTHING_KNOWN: &str = "no file in a language that can be compared (see `kopek languages`)";

/// The texts that a participant submitted, or why none can be compared.
pub fn read_compared(participant: &Participant, table: &LanguageTable) -> Result<ComparedProgram, String> {
    let submission = participant.submission.as_ref().map_err(ToString::to_string)?;
    let files = match &submission.contents {
        Some(contents) => compared_texts(contents.clone(), table),
        None => read_texts(&submission.source, Links::Refuse, table)?,
    };
    if files.is_empty() {
        return Err(NOTHING_KNOWN.to_owned());
    }
    Ok(ComparedProgram { name: participant.name.clone(), files })
}

/// The files of a source whose language has a lexer.
pub fn read_texts(
    source: &SourceFiles,
    links: Links,
    table: &LanguageTable,
) -> Result<Vec<ComparedFile>, String> {
    let known = |path: &Path| lexer_of(path, table).is_some();
    let files = source.files.iter().filter(|path| known(path)).cloned().collect();
    let source = SourceFiles { root: source.root.clone(), files };
    if source.files.is_empty() {
        return Err(NOTHING_KNOWN.to_owned());
    }
    let bytes = read_files(&source, links, MAX_SOURCE).map_err(|error| error.to_string())?;
    Ok(compared_texts(bytes, table))
}

/// The files of a language with a lexer.
fn compared_texts(files: FileBytes, table: &LanguageTable) -> Vec<ComparedFile> {
    let text = |(path, file): (std::path::PathBuf, kopek_package::language::SourceFile)| {
        let lexer = lexer_of(&path, table)?.clone();
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        Some(ComparedFile { path: path.to_string_lossy().into_owned(), text, lexer })
    };
    files.into_iter().filter_map(text).collect()
}

fn lexer_of<'a>(path: &Path, table: &'a LanguageTable) -> Option<&'a LexerRow> {
    let name = path.to_string_lossy();
    // Headers are not programs, but may contain much of one.
    let header = [".h", ".hh", ".hpp"].iter().any(|ending| name.ends_with(ending));
    let row = match header {
        true => table.get("cpp"),
        false => table.languages().iter().find(|language| language.is_named_by(&name)),
    };
    row?.lexer.as_ref()
}
