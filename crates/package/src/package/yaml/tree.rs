//! A YAML tree: plain data. Knows no file and no parser.

/// A value and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlNode {
    /// Line, from 1.
    pub line: u32,
    /// Whether it is written in flow style: `[a, b]`.
    pub flow: bool,
    /// A scalar on one line as written, including its quotes.
    pub spelling: Option<String>,
    pub value: YamlValue,
}

/// A value in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlValue {
    /// Nothing, or `null`.
    Null,
    /// A bare number or boolean, as written.
    Bare(String),
    /// Any other text.
    Text(String),
    List(Vec<YamlNode>),
    /// Entries in file order, each key once.
    Map(Vec<YamlEntry>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlEntry {
    /// The key as a text; empty if it is not a scalar.
    pub key: String,
    pub name: YamlNode,
    /// Its line, from 1.
    pub line: u32,
    pub node: YamlNode,
}

impl YamlNode {
    /// A value in block style, without a spelling.
    pub fn new(line: u32, value: YamlValue) -> YamlNode {
        YamlNode { line, flow: false, spelling: None, value }
    }

    /// A text to be written into a file.
    pub fn string(text: impl Into<String>) -> YamlNode {
        YamlNode::new(0, YamlValue::Text(text.into()))
    }

    /// A text that is always written in quotes.
    pub fn quoted_string(text: &str) -> YamlNode {
        YamlNode { spelling: Some(quote(text)), ..YamlNode::string(text) }
    }

    /// A number or boolean to be written.
    pub fn bare(value: impl ToString) -> YamlNode {
        YamlNode::new(0, YamlValue::Bare(value.to_string()))
    }

    /// Texts to be written on one line.
    pub fn strings<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> YamlNode {
        let items = texts.into_iter().map(|text| YamlNode::string(text.as_ref())).collect();
        YamlNode { flow: true, ..YamlNode::new(0, YamlValue::List(items)) }
    }

    /// A map with its keys in this order, to be written.
    pub fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, YamlNode)>) -> YamlNode {
        let entry = |(key, node): (K, YamlNode)| {
            let key = key.into();
            YamlEntry { name: YamlNode::string(key.clone()), key, line: 0, node }
        };
        YamlNode::new(0, YamlValue::Map(entries.into_iter().map(entry).collect()))
    }

    /// Moves this value and everything in it to a line.
    pub(super) fn move_to_line(&mut self, line: u32) {
        self.line = line;
        match &mut self.value {
            YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) => (),
            YamlValue::List(items) => items.iter_mut().for_each(|item| item.move_to_line(line)),
            YamlValue::Map(entries) => {
                for entry in entries {
                    entry.line = line;
                    entry.name.move_to_line(line);
                    entry.node.move_to_line(line);
                }
            }
        }
    }

    /// The text, if it is one; a bare number is not.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Text(text) => Some(text),
            YamlValue::Null | YamlValue::Bare(_) | YamlValue::List(_) | YamlValue::Map(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match &self.value {
            YamlValue::Bare(text) => text.parse().ok(),
            YamlValue::Null | YamlValue::Text(_) | YamlValue::List(_) | YamlValue::Map(_) => None,
        }
    }

    /// The value of a key, if this is a map with that key.
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        let YamlValue::Map(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.name.text() == Some(key)).map(|entry| &entry.node)
    }
}

impl YamlValue {
    /// The kind of value, for messages: `a list`.
    pub fn shape(&self) -> &'static str {
        match self {
            YamlValue::Null => "empty",
            YamlValue::Bare(text)
                if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") =>
            {
                "a truth value"
            }
            YamlValue::Bare(_) => "a number",
            YamlValue::Text(_) => "a text",
            YamlValue::List(_) => "a list",
            YamlValue::Map(_) => "a map",
        }
    }
}

/// A quoted string: a JSON string is double-quoted YAML, except for characters that YAML demands to escape.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    for c in serde_json::Value::from(text).to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                quoted += &format!("\\u{:04x}", u32::from(c))
            }
            _ => quoted.push(c),
        }
    }
    quoted
}
