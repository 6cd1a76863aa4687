//! The lexical description of a language, used by `lexer`.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The lexical part of a row. It changes no outcome, so it is not part of a row's digest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LexerRow {
    /// Beginnings of comments that end with the line.
    pub line: Vec<String>,
    pub block: Vec<(String, String)>,
    /// Whether such comments nest.
    pub nested: bool,
    /// Delimiters of strings with backslash escapes; longer ones first.
    pub quotes: Vec<String>,
    /// Delimiters of strings without escapes.
    pub raw: Vec<(String, String)>,
    /// Whether a string in `quotes` may continue on the next line.
    pub lines: bool,
    /// Whether `'x'` is a character; `'` is then no quote, because it can occur alone (`&'a str`).
    pub chars: bool,
    /// Whether names may contain `'`.
    pub primes: bool,
    /// Whether a string that is a statement by itself is a comment.
    pub docstrings: bool,
    /// Whether words ignore case.
    pub fold: bool,
    /// Beginnings of lines that only import something and say nothing about the author.
    pub preamble: Vec<String>,
    /// Operators of other languages, separated by spaces, that are several tokens in this one: `x<-1`, `**p`.
    pub separate: String,
    /// Words that are not names, separated by spaces.
    pub keywords: String,
    /// Names of types, which are easily exchanged for each other.
    pub types: String,
    /// Words that can be added or removed without changing anything.
    pub ignored: String,
}

impl LexerRow {
    /// Fails if the lexer could make no progress.
    pub(super) fn check(&self) -> Result<()> {
        let pairs = self.block.iter().chain(&self.raw).flat_map(|(open, close)| [open, close]);
        let mut signs = self.line.iter().chain(&self.quotes).chain(&self.preamble).chain(pairs);
        ensure!(signs.all(|sign| !sign.trim().is_empty()), "`lexer`: a sign is empty");
        Ok(())
    }
}
