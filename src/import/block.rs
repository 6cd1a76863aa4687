//! YAML for people: maps and lists as blocks, a text bare where nobody could take
//! it for something else.

use std::fmt::Write;

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A text.
    Text(String),
    /// A number or truth value, as it is.
    Bare(String),
    /// A list on one line.
    List(Vec<Block>),
    /// Keys in this order.
    Map(Vec<(String, Block)>),
}

impl Block {
    /// A text.
    pub fn text(text: impl Into<String>) -> Block {
        Block::Text(text.into())
    }

    /// A number or truth value.
    pub fn bare(value: impl ToString) -> Block {
        Block::Bare(value.to_string())
    }

    /// Texts on one line.
    pub fn texts<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Block {
        Block::List(texts.into_iter().map(|text| Block::text(text.as_ref())).collect())
    }

    /// The whole of a file; empty for an empty map.
    pub fn file(&self) -> String {
        let mut text = String::new();
        match self {
            Block::Map(entries) => entries.iter().for_each(|entry| put(entry, 0, &mut text)),
            other => text = other.line() + "\n",
        }
        text
    }

    /// On one line.
    fn line(&self) -> String {
        match self {
            Block::Text(text) => quoted(text),
            Block::Bare(text) => text.clone(),
            Block::List(items) => {
                format!("[{}]", items.iter().map(Block::line).collect::<Vec<_>>().join(", "))
            }
            Block::Map(entries) => {
                let one = |(key, value): &(String, Block)| format!("{}: {}", quoted(key), value.line());
                format!("{{{}}}", entries.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A map whose parts are all plain fits on a line.
    fn is_small(&self) -> bool {
        match self {
            Block::Map(entries) => {
                entries.iter().all(|(_, value)| !matches!(value, Block::Map(_))) && self.line().len() < 72
            }
            Block::Text(_) | Block::Bare(_) | Block::List(_) => true,
        }
    }
}

fn put((key, value): &(String, Block), depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let key = quoted(key);
    // The outermost maps stand as blocks: they are what people look for.
    match value {
        Block::Map(entries) if depth == 0 && !entries.is_empty() || !value.is_small() => {
            let _ = writeln!(text, "{indent}{key}:");
            entries.iter().for_each(|entry| put(entry, depth + 1, text));
        }
        _ => {
            let _ = writeln!(text, "{indent}{key}: {}", value.line());
        }
    }
}

/// Bare where it is a plain word or path that no reader takes for a number, a date or a truth value.
fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    let inner = |byte: u8| plain(byte) || byte == b' ';
    let starts = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'/');
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match starts && !is_word && text.bytes().all(inner) && !text.ends_with(' ') {
        true => text.to_owned(),
        false => serde_json::to_string(text).expect("a text can always be quoted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_as_it_was() {
        let odd = ["yes", "1.0", "a: b", "{{x}}", "ä \"q\"", "x # y", "", "a\nb", "- a", "2026-01-01"];
        for text in odd.into_iter().chain(["plain words", "/path/a-b.c"]) {
            let file = Block::Map(vec![("k".into(), Block::text(text))]).file();
            let read: std::collections::BTreeMap<String, String> = serde_saphyr::from_str(&file).unwrap();
            assert_eq!(read["k"], text, "{file}");
        }
    }

    #[test]
    fn maps_are_blocks_and_small_ones_lie_on_a_line() {
        let small = Block::Map(vec![("generate".into(), Block::text("gen 1 2"))]);
        let file = Block::Map(vec![
            ("data".into(), Block::Map(vec![("01".into(), small)])),
            ("count".into(), Block::bare(5)),
        ]);
        assert_eq!(file.file(), "data:\n  \"01\": {generate: gen 1 2}\ncount: 5\n");
    }
}
