//! What a scan of a source finds.

use std::collections::BTreeSet;

/// What a scan finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SourceScan {
    pub(super) start: ProgramStart,
    /// Words of the lines that take in other files, in lower case.
    pub(super) imports: BTreeSet<String>,
    /// All words, in lower case, those of texts and comments, too.
    pub(super) words: BTreeSet<String>,
    /// Java and Scala: classes with a `main`.
    pub(super) classes: Vec<String>,
    /// Why this looks like Python 2.
    pub(super) python2: Option<&'static str>,
}

/// Whether a program begins in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ProgramStart {
    /// Definitions only.
    #[default]
    Nothing,
    /// It does something when it is read: a script, or a module with an initial value.
    Acts,
    /// It says so: a `main`, `if __name__ == "__main__"`.
    Declared,
}

/// All words of a text, in lower case.
pub(super) fn words_of_text(text: &str) -> BTreeSet<String> {
    let part = |c: char| !(c.is_alphanumeric() || c == '_');
    text.split(part).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether all words of a file's name are among these.
pub(super) fn names_file(words: &BTreeSet<String>, stem: &str) -> bool {
    words_of_text(stem).is_subset(words)
}
