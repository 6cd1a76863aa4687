//! Writes a tree as text: the only writer of YAML.

use super::tree::{YamlEntry, YamlNode, YamlValue, quote};

/// A longer map gets its own lines, see [`emit_compact()`].
const LINE: usize = 72;

/// Writes blocks with two spaces of indentation, and lists with two more; flow style and the spelling of
/// scalars are kept, comments are not. A map that is empty and in block style gives no text.
pub fn emit(node: &YamlNode) -> String {
    let mut text = String::new();
    match &node.value {
        YamlValue::Map(entries) if entries.is_empty() && !node.flow => return text,
        _ => push_block(node, 0, &mut text),
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// As [`emit()`], for a tree that was built: a map that holds no map and fits on a line is written in flow
/// style. The outermost maps stay blocks: readers look for them.
pub fn emit_compact(mut root: YamlNode) -> String {
    if let YamlValue::Map(entries) = &mut root.value {
        for entry in entries {
            fold_inner_maps(&mut entry.node);
        }
    }
    emit(&root)
}

fn fold_inner_maps(node: &mut YamlNode) {
    if let YamlValue::Map(entries) = &mut node.value {
        for entry in entries {
            entry.node.flow |= is_small(&entry.node);
            fold_inner_maps(&mut entry.node);
        }
    }
}

fn is_small(node: &YamlNode) -> bool {
    let is_map = |entry: &YamlEntry| matches!(entry.node.value, YamlValue::Map(_));
    match &node.value {
        YamlValue::Map(entries) => !entries.iter().any(is_map) && one_line(node).len() < LINE,
        YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) | YamlValue::List(_) => false,
    }
}

fn push_block(node: &YamlNode, indent: usize, text: &mut String) {
    match &node.value {
        YamlValue::Map(entries) if is_block(node) => {
            for entry in entries {
                text.push_str(&format!("{:indent$}{}:", "", one_line(&entry.name)));
                push_value(&entry.node, indent, text);
            }
        }
        YamlValue::List(items) if is_block(node) => {
            for item in items {
                text.push_str(&format!("{:indent$}-", ""));
                push_value(item, indent, text);
            }
        }
        YamlValue::Null
        | YamlValue::Bare(_)
        | YamlValue::Text(_)
        | YamlValue::List(_)
        | YamlValue::Map(_) => text.push_str(&one_line(node)),
    }
}

/// Whether the value is written as a block.
fn is_block(node: &YamlNode) -> bool {
    match &node.value {
        // An empty block would be parsed as null, so empty values are written in flow style.
        YamlValue::Map(entries) => !node.flow && !entries.is_empty(),
        YamlValue::List(items) => !node.flow && !items.is_empty(),
        YamlValue::Null | YamlValue::Bare(_) | YamlValue::Text(_) => false,
    }
}

/// Writes the value after a key or a dash: on the same line, or as a deeper block.
fn push_value(value: &YamlNode, indent: usize, text: &mut String) {
    if is_block(value) {
        text.push('\n');
        push_block(value, indent + 2, text);
    } else {
        text.push_str(&format!(" {}\n", one_line(value)));
    }
}

fn one_line(node: &YamlNode) -> String {
    if let Some(spelling) = &node.spelling {
        return spelling.clone();
    }
    match &node.value {
        YamlValue::Null => "null".to_owned(),
        YamlValue::Bare(value) => value.clone(),
        YamlValue::Text(value) => spell_text(value),
        YamlValue::List(items) => {
            format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", "))
        }
        YamlValue::Map(entries) => {
            let pair = |entry: &YamlEntry| format!("{}: {}", one_line(&entry.name), one_line(&entry.node));
            format!("{{{}}}", entries.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Plain if it is a word or path that no parser takes for a number, a date or a boolean.
fn spell_text(text: &str) -> String {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-' | b' ');
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
    // YAML 1.1 parsers take more words for booleans than ours does.
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_plain = starts && !is_word && text.bytes().all(inner) && !text.ends_with(' ');
    if is_plain { text.to_owned() } else { quote(text) }
}

#[cfg(test)]
mod tests {
    use super::{super::parse_text, *};

    fn read(text: &str) -> YamlNode {
        let mut findings = Vec::new();
        let node = parse_text("recipe".as_ref(), text, &mut findings);
        node.unwrap_or_else(|| panic!("{text}: {findings:?}"))
    }

    #[test]
    fn a_tree_is_written_as_it_stood_but_for_its_indentation() {
        let text = "max_score: 20\nargs:\n- --n=2\n- '-5'\n- \"it's\"\nbare: [a, 'true', 1E-06, it's]  # why\n\
                    map:\n    x: ~\n    'y': no\n    \"z\": []\n";
        let written = "max_score: 20\nargs:\n  - --n=2\n  - '-5'\n  - \"it's\"\nbare: [a, 'true', 1E-06, it's]\n\
                       map:\n  x: ~\n  'y': no\n  \"z\": []\n";
        assert_eq!(emit(&read(text)), written);
    }

    #[test]
    fn what_cannot_stand_as_it_stood_is_quoted() {
        let texts =
            ["|\n  a\n  b\n", ">\n  true\n", "\"a\\tb\\n: #\"\n", "'a\n\n  b'\n", "x y\n  z\n", "|\n  a"];
        for text in texts.into_iter().chain(["!!str 5\n", "! ~\n"]) {
            let text = format!("k: {text}");
            let node = read(&text);
            assert_eq!(read(&emit(&node)).get("k").unwrap().text(), node.get("k").unwrap().text(), "{text}");
        }
    }

    #[test]
    fn a_text_is_read_back_as_it_was() {
        let odd = ["yes", "1.0", "a: b", "{{x}}", "ä \"q\"", "x # y", "", "a\nb", "- a", "2026-01-01"];
        let more = ["5", "it's", "no", "--x", "-1", "a ", "---", "plain words", "/path/a-b.c"];
        let unprintable =
            ["a\u{9b}b", "\u{7f}", "\u{85}", "\u{feff}", "\u{ffff}", "\u{2028}", "\0\u{1b}", "\u{1f600}"];
        for text in odd.into_iter().chain(more).chain(unprintable) {
            let file = emit(&YamlNode::map([("k", YamlNode::string(text))]));
            assert_eq!(read(&file).get("k").unwrap().text(), Some(text), "{file}");
        }
        assert_eq!(emit(&YamlNode::string("plain words")), "plain words\n");
    }

    #[test]
    fn an_alias_is_written_out() {
        let node = read("a: &x [1, 'b']\nc: *x\nd: &y 'q'\ne: *y\n");
        assert_eq!(emit(&node), "a: [1, 'b']\nc: [1, 'b']\nd: 'q'\ne: 'q'\n");
    }

    #[test]
    fn maps_are_blocks_and_small_ones_lie_on_a_line() {
        let small = YamlNode::map([("generate", YamlNode::string("gen 1 2"))]);
        let root = YamlNode::map([("data", YamlNode::map([("01", small)])), ("count", YamlNode::bare(5))]);
        assert_eq!(emit_compact(root), "data:\n  \"01\": {generate: gen 1 2}\ncount: 5\n");
        let empty = || YamlNode::map::<&str>([]);
        assert_eq!(emit(&empty()), "");
        assert_eq!(emit(&YamlNode::map([("a", empty())])), "a: {}\n");
    }
}
