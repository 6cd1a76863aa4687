//! Reads values out of a YAML tree: a value of the wrong shape becomes a finding, and reading continues.

use super::{
    Message,
    codes::LANGUAGES,
    nearest::nearest_word,
    number::decimal,
    yaml::{YamlEntry, YamlNode, YamlValue},
};
use crate::points::Points;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Collects the findings about one file.
pub(crate) struct FieldReader {
    /// The file, relative to the package.
    pub file: PathBuf,
    pub findings: Vec<Message>,
}

/// The entries of a map whose keys were checked.
#[derive(Clone, Copy)]
pub(crate) struct MapFields<'n> {
    entries: &'n [YamlEntry],
    pub line: u32,
}

/// How unknown keys are reported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnknownKeyPolicy {
    Refuse,
    /// A warning: real packages have such keys.
    Warn,
}

impl FieldReader {
    pub(crate) fn new(file: impl Into<PathBuf>) -> FieldReader {
        FieldReader { file: file.into(), findings: Vec::new() }
    }

    /// Parses bytes into a tree.
    pub(crate) fn parse(&mut self, bytes: &[u8]) -> Option<YamlNode> {
        let file: &Path = &self.file;
        super::yaml::parse_bytes(file, bytes, &mut self.findings)
    }

    pub(crate) fn error(&mut self, line: u32, what: impl Into<String>) {
        self.findings.push(Message::error(&self.file, what).line(line));
    }

    pub(crate) fn warn(&mut self, line: u32, what: impl Into<String>) {
        self.findings.push(Message::warning(&self.file, what).line(line));
    }

    /// Adds a hint to the last finding.
    pub(crate) fn todo(&mut self, todo: impl Into<String>) {
        if let Some(last) = self.findings.last_mut() {
            last.todo = Some(todo.into());
        }
    }

    /// The entries of a map; keys that `known` lacks become findings. `Null` is an empty map.
    pub(crate) fn keys<'n>(
        &mut self,
        what: &str,
        node: &'n YamlNode,
        known: &[&str],
        unknown: UnknownKeyPolicy,
    ) -> Option<MapFields<'n>> {
        let keys = self.map(what, node)?;
        for entry in keys.entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            self.unknown(entry, known, unknown);
        }
        Some(keys)
    }

    /// Reports an unknown key, with the most similar known one.
    pub(crate) fn unknown(&mut self, entry: &YamlEntry, known: &[&str], unknown: UnknownKeyPolicy) {
        let what = format!("unknown key `{}`", short(&entry.key));
        match unknown {
            UnknownKeyPolicy::Refuse => self.error(entry.line, what),
            UnknownKeyPolicy::Warn => self.warn(entry.line, what),
        }
        if let Some(near) = nearest_word(&entry.key, known) {
            self.todo(format!("did you mean `{near}`?"));
        }
    }

    /// The entries of a map with any keys. `Null` is an empty map.
    pub(crate) fn map<'n>(&mut self, what: &str, node: &'n YamlNode) -> Option<MapFields<'n>> {
        match &node.value {
            YamlValue::Map(entries) => Some(MapFields { entries, line: node.line }),
            YamlValue::Null => Some(MapFields { entries: &[], line: node.line }),
            _ => self.unfit(what, node, "a map"),
        }
    }

    /// Reports a value of the wrong shape.
    pub(crate) fn unfit<T>(&mut self, what: &str, node: &YamlNode, expected: &str) -> Option<T> {
        self.error(node.line, format!("`{}` is {}, expected {expected}", short(what), node.value.shape()));
        None
    }

    /// A text. A bare number is accepted as written, with a warning.
    pub(crate) fn text(&mut self, what: &str, node: &YamlNode) -> Option<String> {
        match &node.value {
            YamlValue::Text(text) => Some(text.clone()),
            YamlValue::Bare(text) => {
                // Kept as written: parsed as a number, `1.0` would become `1`.
                let shape = node.value.shape();
                self.warn(node.line, format!("`{}` is {shape}, expected a text", short(what)));
                self.todo(format!("put it in quotes: \"{text}\""));
                Some(text.clone())
            }
            YamlValue::Null | YamlValue::List(_) | YamlValue::Map(_) => self.unfit(what, node, "a text"),
        }
    }

    /// `true` or `false`; the words of YAML 1.1 are accepted, with a warning.
    pub(crate) fn truth(&mut self, what: &str, node: &YamlNode) -> Option<bool> {
        let (YamlValue::Bare(text) | YamlValue::Text(text)) = &node.value else {
            return self.unfit(what, node, "`true` or `false`");
        };
        let truth = match (&node.value, text.to_ascii_lowercase().as_str()) {
            (YamlValue::Bare(_), "true") => return Some(true),
            (YamlValue::Bare(_), "false") => return Some(false),
            // In YAML 1.1 these words are booleans, in YAML 1.2 texts.
            (_, "yes" | "on" | "true") => true,
            (_, "no" | "off" | "false") => false,
            _ => return self.unfit(what, node, "`true` or `false`"),
        };
        self.warn(node.line, format!("`{}` is the text `{text}`, expected `true` or `false`", short(what)));
        self.todo(format!("write {truth}"));
        Some(truth)
    }

    pub(crate) fn decimal(&mut self, what: &str, node: &YamlNode) -> Option<f64> {
        match &node.value {
            YamlValue::Bare(text) => decimal(text).or_else(|| self.unreadable(what, node, text)),
            _ => self.unfit(what, node, "a number"),
        }
    }

    /// An exact number of points.
    pub(crate) fn points(&mut self, what: &str, node: &YamlNode) -> Option<Points> {
        match &node.value {
            YamlValue::Bare(text) => text.parse().ok().or_else(|| self.unreadable(what, node, text)),
            _ => self.unfit(what, node, "a number"),
        }
    }

    fn unreadable<T>(&mut self, what: &str, node: &YamlNode, text: &str) -> Option<T> {
        self.error(node.line, format!("`{}`: `{}` is not a decimal number", short(what), short(text)));
        None
    }

    /// A whole number between bounds.
    pub(crate) fn whole(&mut self, what: &str, node: &YamlNode, min: u64, max: u64) -> Option<u64> {
        let expected = format!("a whole number from {min} to {max}");
        let YamlValue::Bare(text) = &node.value else { return self.unfit(what, node, &expected) };
        let number = text.parse::<u64>().ok().filter(|number| (min..=max).contains(number));
        if number.is_none() {
            self.error(node.line, format!("`{}` is {}, expected {expected}", short(what), short(text)));
        }
        number
    }

    /// A list of texts. Bare numbers in it are kept as written: `[float_tolerance, 1e-6]`.
    pub(crate) fn texts(&mut self, what: &str, node: &YamlNode) -> Option<Vec<String>> {
        let mut text = |item: &YamlNode| match &item.value {
            // Only numbers: a bare `true` among arguments still gets its warning.
            YamlValue::Bare(text) if item.value.shape() == "a number" => Some(text.clone()),
            _ => self.text(what, item),
        };
        match &node.value {
            YamlValue::List(items) => Some(items.iter().filter_map(&mut text).collect()),
            YamlValue::Null => Some(Vec::new()),
            YamlValue::Bare(_) | YamlValue::Text(_) | YamlValue::Map(_) => {
                self.unfit(what, node, "a list of texts")
            }
        }
    }

    /// A text, or a list of texts, each with its line.
    pub(crate) fn one_or_more(&mut self, what: &str, node: &YamlNode) -> Option<Vec<(String, u32)>> {
        let items = match &node.value {
            YamlValue::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        Some(items.iter().filter_map(|item| Some((self.text(what, item)?, item.line))).collect())
    }

    /// One of the known words.
    pub(crate) fn word<'k>(&mut self, what: &str, node: &YamlNode, known: &[&'k str]) -> Option<&'k str> {
        let text = self.text(what, node)?;
        self.one_of(what, node.line, &text, known)
    }

    /// One of the known words, from a text that was read before.
    pub(crate) fn one_of<'k>(
        &mut self,
        what: &str,
        line: u32,
        text: &str,
        known: &[&'k str],
    ) -> Option<&'k str> {
        let found = known.iter().find(|word| **word == text).copied();
        if found.is_none() {
            self.error(line, format!("unknown {what} `{}`", short(text)));
            match nearest_word(text, known) {
                Some(near) => self.todo(format!("did you mean `{near}`?")),
                // A longer list would hide the error.
                None if known.len() < 12 => self.todo(format!("one of: {}", known.join(", "))),
                None => {}
            }
        }
        found
    }

    /// The code of a programming language. A misspelt code is an error; a code without a similar one may be
    /// in the user's own table.
    pub(crate) fn language(&mut self, line: u32, code: &str) -> Option<String> {
        if LANGUAGES.contains(&code) {
            return Some(code.to_owned());
        }
        let what = format!("unknown language `{}`", short(code));
        match nearest_word(code, LANGUAGES) {
            Some(near) => {
                self.error(line, what);
                self.todo(format!("did you mean `{near}`?"));
                None
            }
            None => {
                self.warn(line, what);
                self.todo("the format has no such code; define it in a language table of your own");
                Some(code.to_owned())
            }
        }
    }

    /// Arguments by validator name, `""` for all others.
    pub(crate) fn args_by_name(
        &mut self,
        what: &str,
        node: &YamlNode,
    ) -> Option<BTreeMap<String, Vec<String>>> {
        match &node.value {
            YamlValue::Map(entries) => {
                let pair = |entry: &YamlEntry| Some((entry.key.clone(), self.texts(what, &entry.node)?));
                Some(entries.iter().filter_map(pair).collect())
            }
            YamlValue::List(_) | YamlValue::Null => {
                Some(BTreeMap::from([(String::new(), self.texts(what, node)?)]))
            }
            YamlValue::Bare(_) | YamlValue::Text(_) => {
                self.unfit(what, node, "a list of texts, or a map from validators to such lists")
            }
        }
    }
}

impl<'n> MapFields<'n> {
    /// The value of a key; an empty one counts as absent.
    pub(crate) fn get(&self, key: &str) -> Option<&'n YamlNode> {
        self.entry(key).map(|entry| &entry.node).filter(|node| node.value != YamlValue::Null)
    }

    /// A key with its value, empty or not.
    pub(crate) fn entry(&self, key: &str) -> Option<&'n YamlEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(crate) fn all(&self) -> &'n [YamlEntry] {
        self.entries
    }
}

/// A text, shortened for a message.
pub(crate) fn short(text: &str) -> String {
    // By characters: a cut at a byte could fall inside one.
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}
