//! The result of scanning a source.

use std::collections::BTreeSet;

/// The result of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SourceScan {
    pub(super) start: ProgramStart,
    /// Words of the import lines, in lowercase.
    pub(super) imports: BTreeSet<String>,
    /// All words in lowercase, including those of strings and comments.
    pub(super) words: BTreeSet<String>,
    /// Java and Scala: classes with a `main`.
    pub(super) classes: Vec<String>,
    /// The sign that this is Python 2.
    pub(super) python2: Option<&'static str>,
}

/// Whether a source has an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ProgramStart {
    /// Definitions only.
    #[default]
    Nothing,
    /// It has top-level statements: a script, or a module with an initial value.
    Acts,
    /// It declares one: a `main`, `if __name__ == "__main__"`.
    Declared,
}

/// All words of a text, in lowercase.
pub(super) fn words_of_text(text: &str) -> BTreeSet<String> {
    let part = |c: char| !(c.is_alphanumeric() || c == '_');
    text.split(part).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether all words of a file's name are among these.
pub(super) fn names_file(words: &BTreeSet<String>, stem: &str) -> bool {
    words_of_text(stem).is_subset(words)
}
