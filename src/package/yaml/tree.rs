//! A YAML tree: plain data. Knows no file and no reader.

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Line, from 1.
    pub line: u32,
    /// Whether it is written in brackets: `[a, b]`.
    pub flow: bool,
    /// A scalar of one line as it stands in the file, quotes and all.
    pub written: Option<String>,
    /// What stands there.
    pub value: Value,
}

/// What stands at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or `null`.
    Null,
    /// A bare number or truth value, as written.
    Bare(String),
    /// Any other text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys in order of the file, each once.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key as a text; nothing for one that is no scalar.
    pub key: String,
    /// The key as it stands.
    pub name: Node,
    /// Its line, from 1.
    pub line: u32,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// One that stands in no file.
    pub fn new(line: u32, value: Value) -> Node {
        Node { line, flow: false, written: None, value }
    }

    /// The text, if it is one: a bare number is none.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bare(_) | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The whole number, if it is one.
    pub fn whole(&self) -> Option<i64> {
        match &self.value {
            Value::Bare(text) => text.parse().ok(),
            Value::Null | Value::Text(_) | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.name.text() == Some(key)).map(|entry| &entry.node)
    }
}

impl Value {
    /// For messages: `a list`.
    pub fn shape(&self) -> &'static str {
        match self {
            Value::Null => "empty",
            Value::Bare(text) if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") => {
                "a truth value"
            }
            Value::Bare(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}
