//! A mutant: a submission with a small mistake, and the change as text.

use std::{ops::Range, path::PathBuf};

/// A submission with a small mistake.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The name of the original submission.
    pub submission: String,
    pub file: PathBuf,
    /// The whole text of that file before the change.
    pub source: String,
    pub mutation: Mutation,
}

/// Lines before and after a change.
const CONTEXT: usize = 2;

impl Mutant {
    /// For people: the submission, the line and the change.
    pub fn name(&self) -> String {
        let before = &self.source[self.mutation.range.clone()];
        let shown =
            |text: &str| if text.trim().is_empty() { "nothing".to_owned() } else { one_short_line(text) };
        format!("{}:{} {} → {}", self.submission, self.mutation.line, shown(before), shown(&self.mutation.by))
    }

    /// The change with the lines around it.
    pub fn diff_lines(&self) -> Vec<String> {
        let range = &self.mutation.range;
        let source = &self.source;
        let start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source[range.end..].find('\n').map_or(source.len(), |at| range.end + at);
        let changed = [&source[start..range.start], &self.mutation.by, &source[range.end..end]].concat();
        let line = self.mutation.line;
        let shown =
            |mark: char, number: usize, text: &str| format!("  {mark} {number:>4} | {}", cut_line(text));
        let before: Vec<&str> = source[..start].lines().collect();
        let behind: Vec<&str> = source[end..].lines().skip(1).take(CONTEXT).collect();
        let first = before.len().saturating_sub(CONTEXT);
        let mut lines: Vec<String> =
            before[first..].iter().enumerate().map(|(at, text)| shown(' ', first + at + 1, text)).collect();
        let old: Vec<&str> = source[start..end].lines().collect();
        lines.extend(old.iter().enumerate().map(|(at, text)| shown('-', line + at, text)));
        lines.extend(changed.lines().enumerate().map(|(at, text)| shown('+', line + at, text)));
        lines.extend(behind.iter().enumerate().map(|(at, text)| shown(' ', line + old.len() + at, text)));
        lines
    }
}

fn cut_line(text: &str) -> String {
    let letters = text.chars().take(120);
    letters.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn one_short_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

/// A change of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    pub kind: &'static str,
    /// The bytes to replace.
    pub range: Range<usize>,
    pub by: String,
    /// The line, from 1.
    pub line: usize,
}

impl Mutation {
    pub fn applied_to(&self, source: &str) -> String {
        [&source[..self.range.start], &self.by, &source[self.range.end..]].concat()
    }
}
