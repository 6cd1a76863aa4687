//! A YAML text as a tree whose every node knows its line. Knows no recipe.
//!
//! Recipes hold free-form parts and rules that look alike, so they are read as a
//! tree first and believed afterwards: that is how all oddities of a file can be
//! listed, not only the first.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Spanned, options};
use std::fmt;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Line of its first character, from 1.
    pub line: u32,
    /// Whether it is written in brackets: `[a, b]`.
    pub flow: bool,
    /// A scalar of one line as it stands in the file, quotes and all.
    pub written: Option<String>,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing: empty, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// Any other number, as written: `1e-6` is not `0.000001` to a program.
    Float(String),
    /// A string.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The string, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v),
            _ => None,
        }
    }

    /// What kind of value it is, for people.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a truth value",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// Why a text is no YAML: the line if known, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Where.
    pub line: Option<u32>,
    /// What.
    pub what: String,
}

/// No recipe nests deeper; the reader recurses once per level.
const DEPTH: usize = 48;

/// Reads a text; an empty one is [`Value::Null`].
pub fn read(text: &str) -> Result<Node, Broken> {
    if text.len() > MOST {
        return Err(Broken { line: None, what: format!("the file is larger than {} MiB", MOST >> 20) });
    }
    let mut limits = options! { with_snippet: false, strict_booleans: true };
    if let Some(budget) = &mut limits.budget {
        budget.max_depth = DEPTH;
        budget.flow_nesting_limit = DEPTH;
    }
    let read: Result<Raw, _> = serde_saphyr::from_str_with_options(text, limits);
    read.map(|raw| settle(raw, text)).map_err(|error| Broken {
        line: error.location().and_then(|at| u32::try_from(at.line()).ok()).filter(|line| *line > 0),
        what: error.to_string(),
    })
}

/// Larger texts are refused unread.
const MOST: usize = 16 << 20;

struct Raw(Spanned<Shape>);

enum Shape {
    Leaf(Value),
    List(Vec<Raw>),
    Map(Vec<(Raw, Raw)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Raw, D::Error> {
        Spanned::deserialize(from).map(Raw)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Shape, D::Error> {
        Shape::deserialize(from)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Int(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Int(value.into())))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Int(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Float(value.to_string())))
    }

    fn visit_str<E>(self, value: &str) -> Result<Shape, E> {
        Ok(Shape::Leaf(Value::Text(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Shape, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Shape::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Shape, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = from.next_entry()? {
            entries.push(entry);
        }
        Ok(Shape::Map(entries))
    }
}

/// Lines from where a value is used; brackets from where it is defined.
fn settle(raw: Raw, text: &str) -> Node {
    let span = raw.0.defined.span();
    let written = span.byte_offset().zip(span.byte_len()).and_then(|(at, length)| {
        let at = usize::try_from(at).ok()?;
        text.get(at..at.checked_add(usize::try_from(length).ok()?)?)
    });
    let scalar = matches!(raw.0.value, Shape::Leaf(_));
    let one_line = |text: &&str| {
        scalar && !text.is_empty() && !text.contains(['\n', '\r']) && !text.starts_with(['|', '>', '*'])
    };
    let kept = written.filter(one_line).map(str::to_owned);
    let flow = written.is_some_and(|text| text.starts_with(['[', '{']));
    let value = match raw.0.value {
        Shape::Leaf(Value::Float(value)) => {
            Value::Float(written.filter(|text| text.parse::<f64>().is_ok()).map_or(value, str::to_owned))
        }
        Shape::Leaf(value) => value,
        Shape::List(items) => Value::List(items.into_iter().map(|item| settle(item, text)).collect()),
        Shape::Map(entries) => {
            Value::Map(entries.into_iter().map(|(k, v)| (settle(k, text), settle(v, text))).collect())
        }
    };
    Node { line: u32::try_from(raw.0.referenced.line()).unwrap_or(u32::MAX), flow, written: kept, value }
}

/// Writes a tree back: blocks indented by two, lists by two more; scalars as they were
/// written; what stood in brackets stays in brackets; comments are gone.
pub fn write(node: &Node) -> String {
    let mut text = String::new();
    block(node, 0, &mut text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn block(node: &Node, indent: usize, text: &mut String) {
    match &node.value {
        Value::Map(entries) if !node.flow && !entries.is_empty() => {
            for (key, value) in entries {
                text.push_str(&format!("{:indent$}{}:", "", inline(key)));
                below(value, indent, text);
            }
        }
        Value::List(items) if !node.flow && !items.is_empty() => {
            for item in items {
                text.push_str(&format!("{:indent$}-", ""));
                below(item, indent, text);
            }
        }
        _ => text.push_str(&inline(node)),
    }
}

/// What follows a key or a dash: on the same line, or as a deeper block.
fn below(value: &Node, indent: usize, text: &mut String) {
    let nested = match &value.value {
        Value::Map(entries) => !value.flow && !entries.is_empty(),
        Value::List(items) => !value.flow && !items.is_empty(),
        _ => false,
    };
    if nested {
        text.push('\n');
        block(value, indent + 2, text);
    } else {
        let inline = inline(value);
        text.push_str(if inline.is_empty() { "" } else { " " });
        text.push_str(&inline);
        text.push('\n');
    }
}

fn inline(node: &Node) -> String {
    if let Some(written) = &node.written {
        return written.clone();
    }
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.clone(),
        Value::Text(value) => scalar(value),
        Value::List(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Map(entries) => {
            let pairs: Vec<_> =
                entries.iter().map(|(k, v)| format!("{}: {}", inline(k), inline(v))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// Plain where no reader could take it for anything else, else quoted.
fn scalar(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '=' | ' ');
    // Options of programs begin with dashes; a letter must follow, or they could be numbers.
    let start = text.trim_start_matches('-').chars().next();
    let plain = start.is_some_and(|c| {
        c.is_ascii_alphabetic() || (text == text.trim_start_matches('-') && matches!(c, '_' | '/'))
    }) && !text.ends_with(' ')
        && text.chars().all(word);
    let special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    if plain && !special.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    if text.chars().any(char::is_control) {
        // JSON's strings are YAML's double-quoted ones.
        return serde_json::Value::from(text).to_string();
    }
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_knows_its_line() {
        let node = read("a: 1\nb:\n  - x\n  - {y: 2.5}\n\nc: [p, q]\n").unwrap();
        let list = node.get("b").unwrap();
        let Value::List(items) = &list.value else { panic!("{list:?}") };
        assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [3, 4]);
        let Value::Map(entries) = &node.value else { panic!() };
        assert_eq!(entries.iter().map(|(key, _)| key.line).collect::<Vec<_>>(), [1, 2, 6]);
        assert!(node.get("c").unwrap().flow && !list.flow);
    }

    #[test]
    fn a_broken_text_names_its_line() {
        assert_eq!(read("a: 1\nb: [1\n").unwrap_err().line, Some(2));
        assert_eq!(read("a: 1\na: 2\n").unwrap_err().line, Some(2));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = "[".repeat(10_000);
        assert!(read(&deep).is_err());
        let block: String = (0..1000).map(|i| format!("{:i$}a:\n", "")).collect();
        assert!(read(&block).is_err());
    }

    #[test]
    fn a_tree_is_written_as_it_stood_but_for_its_indentation() {
        let text = "max_score: 20\nargs:\n- --n=2\n- '-5'\n- \"it's\"\nbare: [a, 'true', 1E-06, it's]  # why\n\
                    map:\n    x: ~\n    'y': no\n    \"z\": []\n";
        let written = "max_score: 20\nargs:\n  - --n=2\n  - '-5'\n  - \"it's\"\nbare: [a, 'true', 1E-06, it's]\n\
                       map:\n  x: ~\n  'y': no\n  \"z\": []\n";
        assert_eq!(write(&read(text).unwrap()), written);
    }

    #[test]
    fn what_cannot_stand_as_it_stood_is_quoted() {
        for text in ["|\n  a\n  b\n", ">\n  true\n", "\"a\\tb\\n: #\"\n", "'a\n\n  b'\n", "x y\n  z\n"] {
            let text = format!("k: {text}");
            let node = read(&text).unwrap();
            let again = read(&write(&node)).unwrap();
            assert_eq!(again.get("k").unwrap().text(), node.get("k").unwrap().text(), "{text}");
        }
        let plain =
            |text: &str| Node { line: 1, flow: false, written: None, value: Value::Text(text.into()) };
        let quoted = ["a", "'5'", "'it''s'", "'no'", "--x", "'-1'", "''", "'a '", "'---'"];
        let texts = ["a", "5", "it's", "no", "--x", "-1", "", "a ", "---"];
        assert_eq!(texts.map(|text| write(&plain(text)).trim_end_matches('\n').to_owned()), quoted);
    }

    #[test]
    fn an_alias_is_written_out() {
        let node = read("a: &x [1, 'b']\nc: *x\nd: &y 'q'\ne: *y\n").unwrap();
        assert_eq!(write(&node), "a: [1, 'b']\nc: [1, 'b']\nd: 'q'\ne: 'q'\n");
    }
}
