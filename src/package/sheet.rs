//! Reading values out of a YAML tree: what does not fit becomes a finding, and
//! the rest is read on.

use super::{
    Finding,
    codes::LANGUAGES,
    nearest::nearest,
    number::decimal,
    yaml::{Entry, Node, Value},
};
use crate::points::Points;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Findings about one file.
pub struct Sheet {
    /// The file, relative to the package.
    pub file: PathBuf,
    /// What was odd so far.
    pub findings: Vec<Finding>,
}

/// The entries of a map, each known.
#[derive(Clone, Copy)]
pub struct Keys<'n> {
    entries: &'n [Entry],
    /// Line of the map.
    pub line: u32,
}

/// What happens to a key that the table does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// An error.
    Refuse,
    /// A warning: packages in the wild have them.
    Warn,
}

impl Sheet {
    /// No findings yet.
    pub fn new(file: impl Into<PathBuf>) -> Sheet {
        Sheet { file: file.into(), findings: Vec::new() }
    }

    /// Reads bytes into a tree.
    pub fn parse(&mut self, bytes: &[u8]) -> Option<Node> {
        let file: &Path = &self.file;
        super::yaml::parse(file, bytes, &mut self.findings)
    }

    /// Tells an error.
    pub fn error(&mut self, line: u32, what: impl Into<String>) {
        self.findings.push(Finding::error(&self.file, what).at(line));
    }

    /// Tells a warning.
    pub fn warn(&mut self, line: u32, what: impl Into<String>) {
        self.findings.push(Finding::warning(&self.file, what).at(line));
    }

    /// Adds a remedy to what was told last.
    pub fn hint(&mut self, hint: impl Into<String>) {
        if let Some(last) = self.findings.last_mut() {
            last.hint = Some(hint.into());
        }
    }

    /// The entries of a map; keys that `known` lacks are told. `Null` is an empty map.
    pub fn keys<'n>(
        &mut self,
        what: &str,
        node: &'n Node,
        known: &[&str],
        unknown: Unknown,
    ) -> Option<Keys<'n>> {
        let keys = self.map(what, node)?;
        for entry in keys.entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            self.unknown(entry, known, unknown);
        }
        Some(keys)
    }

    /// Tells a key that is not known, and the nearest that is.
    pub fn unknown(&mut self, entry: &Entry, known: &[&str], unknown: Unknown) {
        let what = format!("unknown key `{}`", short(&entry.key));
        match unknown {
            Unknown::Refuse => self.error(entry.line, what),
            Unknown::Warn => self.warn(entry.line, what),
        }
        if let Some(near) = nearest(&entry.key, known) {
            self.hint(format!("did you mean `{near}`?"));
        }
    }

    /// The entries of a map with any keys. `Null` is an empty map.
    pub fn map<'n>(&mut self, what: &str, node: &'n Node) -> Option<Keys<'n>> {
        match &node.value {
            Value::Map(entries) => Some(Keys { entries, line: node.line }),
            Value::Null => Some(Keys { entries: &[], line: node.line }),
            _ => self.unfit(what, node, "a map"),
        }
    }

    /// Tells that a value is of the wrong shape.
    pub fn unfit<T>(&mut self, what: &str, node: &Node, expected: &str) -> Option<T> {
        self.error(node.line, format!("`{}` is {}, expected {expected}", short(what), node.value.shape()));
        None
    }

    /// A text. A bare number is taken as written, and told.
    pub fn text(&mut self, what: &str, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bare(text) => {
                let shape = node.value.shape();
                self.warn(node.line, format!("`{}` is {shape}, expected a text", short(what)));
                self.hint(format!("put it in quotes: \"{text}\""));
                Some(text.clone())
            }
            Value::Null | Value::List(_) | Value::Map(_) => self.unfit(what, node, "a text"),
        }
    }

    /// `true` or `false`; the words of older YAML are taken, and told.
    pub fn truth(&mut self, what: &str, node: &Node) -> Option<bool> {
        let (Value::Bare(text) | Value::Text(text)) = &node.value else {
            return self.unfit(what, node, "`true` or `false`");
        };
        let truth = match (&node.value, text.to_ascii_lowercase().as_str()) {
            (Value::Bare(_), "true") => return Some(true),
            (Value::Bare(_), "false") => return Some(false),
            (_, "yes" | "on" | "true") => true,
            (_, "no" | "off" | "false") => false,
            _ => return self.unfit(what, node, "`true` or `false`"),
        };
        self.warn(node.line, format!("`{}` is the text `{text}`, expected `true` or `false`", short(what)));
        self.hint(format!("write {truth}"));
        Some(truth)
    }

    /// A decimal number.
    pub fn decimal(&mut self, what: &str, node: &Node) -> Option<f64> {
        match &node.value {
            Value::Bare(text) => decimal(text).or_else(|| self.unreadable(what, node, text)),
            _ => self.unfit(what, node, "a number"),
        }
    }

    /// An exact number of points.
    pub fn points(&mut self, what: &str, node: &Node) -> Option<Points> {
        match &node.value {
            Value::Bare(text) => text.parse().ok().or_else(|| self.unreadable(what, node, text)),
            _ => self.unfit(what, node, "a number"),
        }
    }

    fn unreadable<T>(&mut self, what: &str, node: &Node, text: &str) -> Option<T> {
        self.error(node.line, format!("`{}`: `{}` is not a decimal number", short(what), short(text)));
        None
    }

    /// A whole number between bounds.
    pub fn whole(&mut self, what: &str, node: &Node, least: u64, greatest: u64) -> Option<u64> {
        let expected = format!("a whole number from {least} to {greatest}");
        let Value::Bare(text) = &node.value else { return self.unfit(what, node, &expected) };
        let number = text.parse::<u64>().ok().filter(|number| (least..=greatest).contains(number));
        if number.is_none() {
            self.error(node.line, format!("`{}` is {}, expected {expected}", short(what), short(text)));
        }
        number
    }

    /// A list of texts. Bare numbers among them are meant as written: `[float_tolerance, 1e-6]`.
    pub fn texts(&mut self, what: &str, node: &Node) -> Option<Vec<String>> {
        let mut text = |item: &Node| match &item.value {
            Value::Bare(text) if item.value.shape() == "a number" => Some(text.clone()),
            _ => self.text(what, item),
        };
        match &node.value {
            Value::List(items) => Some(items.iter().filter_map(&mut text).collect()),
            Value::Null => Some(Vec::new()),
            Value::Bare(_) | Value::Text(_) | Value::Map(_) => self.unfit(what, node, "a list of texts"),
        }
    }

    /// A text, or a list of texts; with the line of each.
    pub fn one_or_more(&mut self, what: &str, node: &Node) -> Option<Vec<(String, u32)>> {
        let items = match &node.value {
            Value::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        Some(items.iter().filter_map(|item| Some((self.text(what, item)?, item.line))).collect())
    }

    /// One of the known words.
    pub fn word<'k>(&mut self, what: &str, node: &Node, known: &[&'k str]) -> Option<&'k str> {
        let text = self.text(what, node)?;
        self.one_of(what, node.line, &text, known)
    }

    /// One of the known words, already read.
    pub fn one_of<'k>(&mut self, what: &str, line: u32, text: &str, known: &[&'k str]) -> Option<&'k str> {
        let found = known.iter().find(|word| **word == text).copied();
        if found.is_none() {
            self.error(line, format!("unknown {what} `{}`", short(text)));
            match nearest(text, known) {
                Some(near) => self.hint(format!("did you mean `{near}`?")),
                None if known.len() < 12 => self.hint(format!("one of: {}", known.join(", "))),
                None => {}
            }
        }
        found
    }

    /// The code of a programming language. A slip is an error; a code that resembles none
    /// may be a row of the user's own table.
    pub fn language(&mut self, line: u32, code: &str) -> Option<String> {
        if LANGUAGES.contains(&code) {
            return Some(code.to_owned());
        }
        let what = format!("unknown language `{}`", short(code));
        match nearest(code, LANGUAGES) {
            Some(near) => {
                self.error(line, what);
                self.hint(format!("did you mean `{near}`?"));
                None
            }
            None => {
                self.warn(line, what);
                self.hint("the format has no such code: only a table of languages of your own can give it a meaning");
                Some(code.to_owned())
            }
        }
    }

    /// Arguments by validator name, `""` for all others.
    pub fn args_by_name(&mut self, what: &str, node: &Node) -> Option<BTreeMap<String, Vec<String>>> {
        match &node.value {
            Value::Map(entries) => {
                let pair = |entry: &Entry| Some((entry.key.clone(), self.texts(what, &entry.node)?));
                Some(entries.iter().filter_map(pair).collect())
            }
            Value::List(_) | Value::Null => Some(BTreeMap::from([(String::new(), self.texts(what, node)?)])),
            Value::Bare(_) | Value::Text(_) => {
                self.unfit(what, node, "a list of texts, or a map from validators to such lists")
            }
        }
    }
}

impl<'n> Keys<'n> {
    /// The value of a key; an empty one counts as absent.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.entry(key).map(|entry| &entry.node).filter(|node| node.value != Value::Null)
    }

    /// A key with its value, empty or not.
    pub fn entry(&self, key: &str) -> Option<&'n Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// All of them.
    pub fn all(&self) -> &'n [Entry] {
        self.entries
    }
}

/// A text cut for a message.
pub fn short(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}
