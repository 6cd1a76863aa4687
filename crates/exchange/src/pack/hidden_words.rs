//! Whether a file for students holds a hidden case. Words are compared, so that other line ends, a list or a program around
//! them make no difference; archives are looked into.

use super::{
    packed::{PackContents, PackFiles},
    statement_page::{samples_of, statement_files},
};
use anyhow::{Context, Result, bail};
use kopek_base::{
    ArchiveKind, ArchiveLimits, Bytes, ScratchDir,
    files::{lower_ending, name_of},
    unpack_archive,
};
use kopek_package::package::{Package, TestSet};
use memchr::memmem;
use std::{fs, path::Path};
use walkdir::WalkDir;

/// Shorter texts occur by chance: of 175 hidden texts of up to 5 letters, 144 were in 4 MB of statements, programs and other
/// tests; of 140 of 6 to 40 letters, 3 were, all of them limits such as `1000000000 1000000000`.
const MIN_LETTERS: usize = 6;
/// Limits for an archive among the attachments.
const ATTACHED: ArchiveLimits =
    ArchiveLimits { files: 100_000, largest: Bytes::mib(4096), total: Bytes::mib(16384) };
/// Endings of archives that cannot be looked into.
const FOREIGN: [&str; 6] = ["7z", "rar", "xz", "bz2", "gz", "zst"];
/// The first bytes of a zip, whatever it is called.
const ZIP: &[u8] = b"PK\x03\x04";

/// Fails if a file holds the input or the answer of a hidden case that neither a sample nor the statement shows.
pub fn refuse_hidden_cases(package: &Package, tests: &TestSet, files: &PackFiles) -> Result<()> {
    let texts = published_texts(files)?;
    let public = public_words(package, tests)?;
    for case in tests.cases.iter().filter(|case| !case.is_sample()) {
        for (part, path) in [("input", &case.input), ("answer", &case.answer)] {
            let hidden = words_of_file(path)?;
            let is_long = hidden.bytes().filter(|byte| *byte != b' ').count() >= MIN_LETTERS;
            let shows = |words: &String| {
                let is_inside = is_long && memmem::find(words.as_bytes(), hidden.as_bytes()).is_some();
                is_inside || part == "input" && *words == hidden && hidden != BLANK
            };
            let found = texts.iter().find(|text| shows(&text.words));
            if let Some(text) = found.filter(|_| !public.iter().any(shows)) {
                bail!(
                    "{} for students has the hidden {part} of {}; remove it from the package's attachments",
                    text.name,
                    case.name
                );
            }
        }
    }
    Ok(())
}

/// What students can read in a file.
struct PublishedText {
    /// In an archive, with the archive's name.
    name: String,
    words: String,
}

fn published_texts(files: &PackFiles) -> Result<Vec<PublishedText>> {
    let mut texts = Vec::new();
    for (name, file) in files {
        match &file.contents {
            PackContents::Bytes(bytes) => {
                texts.push(PublishedText { name: name.clone(), words: words_of(bytes) })
            }
            PackContents::Of(path) => add_texts(name, path, &mut texts)?,
        }
    }
    Ok(texts)
}

/// Adds a file, and the files inside if it is an archive.
fn add_texts(name: &str, path: &Path, texts: &mut Vec<PublishedText>) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
    let kind = if bytes.starts_with(ZIP) { Some(ArchiveKind::Zip) } else { ArchiveKind::of_name(name) };
    let Some(kind) = kind else {
        if FOREIGN.contains(&lower_ending(Path::new(name)).as_str()) {
            bail!("{name} for students cannot be searched for hidden cases; pack it as a zip, or remove it");
        }
        texts.push(PublishedText { name: name.to_owned(), words: words_of(&bytes) });
        return Ok(());
    };
    let inside = ScratchDir::new().context("make a directory to unpack into")?;
    unpack_archive(path, kind, inside.path(), &ATTACHED)
        .with_context(|| format!("search {name} for hidden cases"))?;
    for entry in WalkDir::new(inside.path()) {
        let entry = entry.with_context(|| format!("search {name} for hidden cases"))?;
        if entry.file_type().is_file() {
            add_texts(&format!("{name}/{}", name_of(entry.path())), entry.path(), texts)?;
        }
    }
    Ok(())
}

/// The words that everybody may read: of samples and statements.
fn public_words(package: &Package, tests: &TestSet) -> Result<Vec<String>> {
    let samples = samples_of(tests).flat_map(|case| [case.input.clone(), case.answer.clone()]);
    let statements = statement_files(package).into_iter().map(|file| file.path);
    samples.chain(statements).map(|path| words_of_file(&path)).collect()
}

fn words_of_file(path: &Path) -> Result<String> {
    Ok(words_of(&fs::read(path).with_context(|| format!("read {}", path.display()))?))
}

/// A text without words.
const BLANK: &str = " ";

/// The words of a text, each with a blank before and behind it: runs of letters and digits, and every other sign by itself.
/// Commas, quotes and line ends are no words, and `\n` in a program is a line end.
fn words_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\\n", "\n");
    let mut words = BLANK.to_owned();
    for letter in text.chars() {
        if letter.is_alphanumeric() {
            words.push(letter);
            continue;
        }
        if !words.ends_with(BLANK) {
            words += BLANK;
        }
        if !letter.is_whitespace() && !",;\"'`".contains(letter) {
            words.push(letter);
            words += BLANK;
        }
    }
    if !words.ends_with(BLANK) {
        words += BLANK;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_in_a_file_a_list_and_a_program() {
        let words = words_of(b"3\r\n20 -30 #.\r\n");
        assert_eq!(words, " 3 20 - 30 # . ");
        for text in ["3\n20 -30\n#.", "x = [3, 20, -30, '#.']", "print(\"3\\n20 -30\\n#.\")"] {
            assert!(words_of(text.as_bytes()).contains(&words), "{text}");
        }
        assert!(!words_of(b"13 20 -30 #.").contains(&words));
        assert_eq!(words_of(b" \n"), BLANK);
    }
}
