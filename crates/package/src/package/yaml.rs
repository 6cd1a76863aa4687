//! YAML as a tree with line numbers, so that all errors of a file can be reported, not only the first. Knows
//! nothing about problems. The only YAML parser: manifests, groups, claims and recipes are read here, under
//! the same limits.
//!
//! Numbers and booleans keep their text: scores are exact, and `version: 1.0` is not `1`.

mod compose;
mod emit;
mod scalar;
mod tree;

pub use emit::{emit, emit_compact};
pub use tree::{YamlEntry, YamlNode, YamlValue};

use crate::package::Message;
use compose::{Duplicate, SyntaxError, compose};
use std::path::Path;

/// At most this many duplicate keys are reported one by one.
const MAX_DUPLICATES: usize = 20;
/// The longest file: no person writes more.
const MAX_LENGTH: usize = 8 << 20;

/// Parses a file and adds its errors to the findings under the name `file`. `None` if it cannot be parsed. An
/// empty text is `Null`.
pub fn parse_bytes(file: &Path, bytes: &[u8], findings: &mut Vec<Message>) -> Option<YamlNode> {
    let text = decode_text(file, bytes, findings)?;
    parse_text(file, text, findings)
}

/// As [`parse_bytes()`], without the check of byte-order mark and line ends.
pub fn parse_text(file: &Path, text: &str, findings: &mut Vec<Message>) -> Option<YamlNode> {
    if text.len() > MAX_LENGTH {
        findings.push(Message::error(file, format!("longer than {} MiB", MAX_LENGTH >> 20)));
        return None;
    }
    let composed = compose(text);
    // Before the error, because these come before the place where the text breaks.
    report_duplicates(file, &composed.duplicates, findings);
    match composed.root {
        Ok(root) => Some(root),
        Err(error) => {
            findings.push(syntax_finding(file, &error));
            None
        }
    }
}

fn decode_text<'b>(file: &Path, bytes: &'b [u8], findings: &mut Vec<Message>) -> Option<&'b str> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let at = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().lines().count().max(1));
        findings.push(Message::error(file, "is not UTF-8").line(at as u32).todo("save it as UTF-8"));
        return None;
    };
    let bare = text.strip_prefix('\u{feff}');
    if bare.is_some() {
        findings
            .push(Message::warning(file, "begins with a byte-order mark").line(1).todo("save it without"));
    }
    let text = bare.unwrap_or(text);
    if let Some(at) = text.find("\r\n") {
        let line = text[..at].matches('\n').count() as u32 + 1;
        let hint = "save it with Unix line ends";
        findings.push(Message::warning(file, "has Windows line ends").line(line).todo(hint));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let line = text.matches('\n').count() as u32 + 1;
        findings.push(Message::warning(file, "does not end with a newline").line(line));
    }
    Some(text)
}

fn report_duplicates(file: &Path, duplicates: &[Duplicate], findings: &mut Vec<Message>) {
    for Duplicate { key, line } in duplicates.iter().take(MAX_DUPLICATES) {
        let what = format!("the key `{key}` is given twice");
        findings.push(Message::error(file, what).line(*line).todo("keep one of them"));
    }
    if let Some(next) = duplicates.get(MAX_DUPLICATES) {
        let what = format!("{} more keys are given twice", duplicates.len() - MAX_DUPLICATES);
        findings.push(Message::error(file, what).line(next.line));
    }
}

fn syntax_finding(file: &Path, error: &SyntaxError) -> Message {
    let finding = Message::error(file, format!("is not YAML: {}", error.message));
    if error.line > 0 { finding.line(error.line) } else { finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<YamlNode>, Vec<String>) {
        let mut findings = Vec::new();
        let node = parse_bytes(Path::new("a.yaml"), text.as_bytes(), &mut findings);
        (node, findings.iter().map(Message::to_string).collect())
    }

    fn value<'n>(node: &'n YamlNode, key: &str) -> &'n YamlNode {
        let YamlValue::Map(entries) = &node.value else { panic!("{node:?}") };
        &entries.iter().find(|entry| entry.key == key).unwrap().node
    }

    #[test]
    fn numbers_keep_their_spelling_and_everything_its_line() {
        let (node, findings) = read("a: 1.0\nb: &x 0.10\nc: [yes, true, 'no']\nd: *x\ne:\nf: \"1\"\n");
        let node = node.unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(value(&node, "a").value, YamlValue::Bare("1.0".into()));
        assert_eq!((value(&node, "d").line, &value(&node, "d").value), (4, &YamlValue::Bare("0.10".into())));
        assert_eq!(value(&node, "e").value, YamlValue::Null);
        assert_eq!(value(&node, "f").value, YamlValue::Text("1".into()));
        let YamlValue::List(list) = &value(&node, "c").value else { panic!() };
        let shapes: Vec<&str> = list.iter().map(|item| item.value.shape()).collect();
        assert_eq!(shapes, ["a text", "a truth value", "a text"]);
    }

    #[test]
    fn every_duplicate_is_reported_and_the_first_one_kept() {
        let (node, findings) = read("a: 1\nb: 2\na: 3\nc:\n  d: 1\n  d: 2\n");
        let node = node.unwrap();
        assert_eq!(value(&node, "a").value, YamlValue::Bare("1".into()));
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].starts_with("error: a.yaml:3: the key `a` is given twice"), "{findings:?}");
        assert!(findings[1].starts_with("error: a.yaml:6: the key `d` is given twice"), "{findings:?}");
    }

    #[test]
    fn duplicates_are_reported_one_by_one_up_to_a_limit_and_before_what_is_no_yaml() {
        let (node, findings) = read(&format!("{}b: {{\n", "a: 1\n".repeat(2000)));
        assert!(node.is_none());
        assert_eq!(findings.len(), MAX_DUPLICATES + 2);
        let rest = &findings[MAX_DUPLICATES];
        assert!(rest.starts_with("error: a.yaml:22: 1979 more keys are given twice"), "{rest}");
        assert!(findings[MAX_DUPLICATES + 1].contains("is not YAML"), "{findings:?}");
    }

    #[test]
    fn a_key_in_quotes_is_the_same_key() {
        let (_, findings) = read("1: a\n'1': b\n~: c\n~: d\n'': e\n");
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].starts_with("error: a.yaml:2: the key `1` is given twice"), "{findings:?}");
        assert!(findings[1].starts_with("error: a.yaml:4: the key `~` is given twice"), "{findings:?}");
    }

    #[test]
    fn merged_keys_stand_behind_the_own_ones_at_the_line_of_the_alias() {
        let (node, findings) = read("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  x: 0\n");
        assert!(findings.is_empty(), "{findings:?}");
        let node = node.unwrap();
        let YamlValue::Map(entries) = &value(&node, "c").value else { panic!("{node:?}") };
        let found =
            entries.iter().map(|entry| (entry.key.as_str(), entry.node.integer().unwrap(), entry.line));
        assert_eq!(found.collect::<Vec<_>>(), [("x", 0, 5), ("y", 2, 4), ("z", 4, 4)]);
    }

    #[test]
    fn a_second_document_an_unknown_alias_and_an_alias_of_itself_are_refused() {
        for text in ["a: 1\n---\nb: 2\n", "a: *b\n", "a: &a [*a]\n", "<<: 5\n", "a: !!int x\n"] {
            let (node, findings) = read(text);
            assert!(node.is_none() && findings[0].contains("is not YAML"), "{text}: {findings:?}");
        }
    }

    #[test]
    fn a_broken_text_is_reported_with_its_line() {
        let (node, findings) = read("a: 1\nb: [1, 2\nc: }\n");
        assert!(node.is_none());
        assert!(findings[0].starts_with("error: a.yaml:"), "{findings:?}");
    }

    #[test]
    fn an_alias_bomb_is_refused_at_once() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..12 {
            let refs = vec![format!("*a{}", i - 1); 9].join(", ");
            text += &format!("a{i}: &a{i} [{refs}]\n");
        }
        let (node, findings) = read(&text);
        assert!(node.is_none() && findings.len() == 1, "{findings:?}");
    }

    #[test]
    fn deep_nesting_is_refused_not_overflowed() {
        let (node, findings) = read(&format!("a: {}1{}\n", "[".repeat(5000), "]".repeat(5000)));
        assert!(node.is_none() && findings.len() == 1, "{findings:?}");
    }

    #[test]
    fn aliases_count_as_nesting() {
        let wrapped = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            read(&format!("a: &a {open}1{close}\nb: &b {open}*a{close}\nc: *b\n"))
        };
        assert!(wrapped(11).0.is_some());
        let (node, findings) = wrapped(12);
        assert!(node.is_none() && findings[0].contains("nested deeper than 24"), "{findings:?}");
    }
}
