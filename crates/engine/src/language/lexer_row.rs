//! How a language's text falls into tokens: see `lexer`.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The lexical part of a row. It changes no outcome, so it is no part of a row's digest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LexerRow {
    /// What begins a comment that ends with the line.
    pub line: Vec<String>,
    /// What begins and ends a comment.
    pub block: Vec<(String, String)>,
    /// Whether such comments nest.
    pub nested: bool,
    /// What begins and ends a text in which a backslash escapes; the longer ones first.
    pub quotes: Vec<String>,
    /// What begins and ends a text in which nothing is escaped.
    pub raw: Vec<(String, String)>,
    /// Whether a text in `quotes` may continue on the next line.
    pub lines: bool,
    /// Whether `'x'` is a character; `'` is then no quote, for it can stand alone (`&'a str`).
    pub chars: bool,
    /// Whether names may hold `'`.
    pub primes: bool,
    /// Whether a text that is a statement by itself is a comment.
    pub docstrings: bool,
    /// Whether `If` is `if`.
    pub fold: bool,
    /// Lines that begin so name what is imported, and say nothing of who wrote them.
    pub preamble: Vec<String>,
    /// Operators of other languages, separated by spaces, that are several signs in this one: `x<-1`, `**p`.
    pub separate: String,
    /// Words that are no names, separated by spaces.
    pub keywords: String,
    /// Names of types, which are easily exchanged for each other.
    pub types: String,
    /// Words that can be added or left out and change nothing.
    pub ignored: String,
}

impl LexerRow {
    /// Refuses what a lexer could not make progress with.
    pub(super) fn check(&self) -> Result<()> {
        let pairs = self.block.iter().chain(&self.raw).flat_map(|(open, close)| [open, close]);
        let mut signs = self.line.iter().chain(&self.quotes).chain(&self.preamble).chain(pairs);
        ensure!(signs.all(|sign| !sign.trim().is_empty()), "`lexer`: a sign is empty");
        Ok(())
    }
}
