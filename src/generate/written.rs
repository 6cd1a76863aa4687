//! Writes a YAML tree back into a file: what a recipe says about a group or a case
//! goes into a file of its own, spelled as the author did.

use crate::package::yaml::{Entry, Node, Value};

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
        Value::Map(entries) if is_block(node) => {
            for entry in entries {
                text.push_str(&format!("{:indent$}{}:", "", inline(&entry.name)));
                below(&entry.node, indent, text);
            }
        }
        Value::List(items) if is_block(node) => {
            for item in items {
                text.push_str(&format!("{:indent$}-", ""));
                below(item, indent, text);
            }
        }
        Value::Null | Value::Bare(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            text.push_str(&inline(node))
        }
    }
}

/// Whether it stands on lines of its own, not in brackets.
fn is_block(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => !node.flow && !entries.is_empty(),
        Value::List(items) => !node.flow && !items.is_empty(),
        Value::Null | Value::Bare(_) | Value::Text(_) => false,
    }
}

/// What follows a key or a dash: on the same line, or as a deeper block.
fn below(value: &Node, indent: usize, text: &mut String) {
    if is_block(value) {
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
        Value::Bare(value) => value.clone(),
        Value::Text(value) => scalar(value),
        Value::List(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Map(entries) => {
            let pair = |entry: &Entry| format!("{}: {}", inline(&entry.name), inline(&entry.node));
            format!("{{{}}}", entries.iter().map(pair).collect::<Vec<_>>().join(", "))
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

    fn read(text: &str) -> Option<Node> {
        crate::package::yaml::read("recipe".as_ref(), text.to_owned(), &mut Vec::new())
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
        let plain = |text: &str| Node::new(1, Value::Text(text.into()));
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
