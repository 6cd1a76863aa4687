//! Sets a time limit in the text of `problem.yaml` and keeps everything else, including comments and layout.
//! A file that cannot be edited is refused with a message that says what to write by hand.

use super::yaml::{YamlEntry, YamlNode, YamlValue, emit, parse_text};
use std::{ops::Range, path::Path};

/// The text with `limits.time_limit` set to these seconds. `Err`: what to do by hand.
pub fn with_time_limit(text: &str, seconds: &str) -> Result<String, String> {
    let by_hand = || format!("write `time_limit: {seconds}` below `limits` by hand");
    let before = parse(text).ok_or_else(by_hand)?;
    let edited = edited_text(text, &before, seconds).ok_or_else(by_hand)?;
    // Verified by parsing the result: a multi-line text can look like anything.
    let after = parse(&edited).ok_or_else(by_hand)?;
    let is_set = time_limit_of(&after).is_some_and(|node| node.value == YamlValue::Bare(seconds.to_owned()));
    let is_rest_same = emit(&without_time_limit(before)) == emit(&without_time_limit(after));
    if is_set && is_rest_same { Ok(edited) } else { Err(by_hand()) }
}

fn parse(text: &str) -> Option<YamlNode> {
    let mut findings = Vec::new();
    let root = parse_text(Path::new("problem.yaml"), text, &mut findings)?;
    matches!(root.value, YamlValue::Map(_)).then_some(root)
}

fn entry<'n>(node: &'n YamlNode, key: &str) -> Option<&'n YamlEntry> {
    let YamlValue::Map(entries) = &node.value else { return None };
    entries.iter().find(|entry| entry.key == key)
}

fn time_limit_of(root: &YamlNode) -> Option<&YamlNode> {
    Some(&entry(&entry(root, "limits")?.node, "time_limit")?.node)
}

/// The tree without the limit; `limits` without keys counts as absent.
fn without_time_limit(mut root: YamlNode) -> YamlNode {
    let YamlValue::Map(entries) = &mut root.value else { return root };
    for limits in entries.iter_mut().filter(|entry| entry.key == "limits") {
        if let YamlValue::Map(inner) = &mut limits.node.value {
            inner.retain(|entry| entry.key != "time_limit");
        }
    }
    entries.retain(|entry| {
        let is_empty = match &entry.node.value {
            YamlValue::Null => true,
            YamlValue::Map(inner) => inner.is_empty(),
            YamlValue::Bare(_) | YamlValue::Text(_) | YamlValue::List(_) => false,
        };
        entry.key != "limits" || !is_empty
    });
    root
}

fn edited_text(text: &str, root: &YamlNode, seconds: &str) -> Option<String> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let replaced = |range: Range<usize>, with: &str| {
        let head = text.get(..range.start)?;
        let tail = text.get(range.end..)?;
        Some(format!("{head}{with}{tail}"))
    };
    let Some(limits) = entry(root, "limits") else {
        let missing_end = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        return Some(format!("{text}{missing_end}limits:{end}  time_limit: {seconds}{end}"));
    };
    if let Some(known) = entry(&limits.node, "time_limit") {
        return replaced(value_range(text, known.line)?, seconds);
    }
    let line = line_range(text, limits.line)?;
    match &limits.node.value {
        YamlValue::Map(entries) if limits.node.flow => {
            let brace = line.start + text[line].find('{')? + 1;
            let comma = if entries.is_empty() { "" } else { ", " };
            replaced(brace..brace, &format!("time_limit: {seconds}{comma}"))
        }
        YamlValue::Map(entries) => {
            let first = line_range(text, entries.first()?.line)?;
            let indent = text[first.clone()].len() - text[first.clone()].trim_start().len();
            let pad = &text[first.start..first.start + indent];
            replaced(first.start..first.start, &format!("{pad}time_limit: {seconds}{end}"))
        }
        YamlValue::Null => {
            let missing_end = if text[line.clone()].ends_with('\n') { "" } else { end };
            replaced(line.end..line.end, &format!("{missing_end}  time_limit: {seconds}{end}"))
        }
        YamlValue::Bare(_) | YamlValue::Text(_) | YamlValue::List(_) => None,
    }
}

/// The range of a line with its line end; the first line is 1.
fn line_range(text: &str, line: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line as usize {
            return Some(start..start + content.len());
        }
        start += content.len();
    }
    None
}

/// The range of the value of `time_limit` on a line.
fn value_range(text: &str, line: u32) -> Option<Range<usize>> {
    let line = line_range(text, line)?;
    let key = line.start + text[line.clone()].find("time_limit")?;
    let colon = key + text[key..line.end].find(':')? + 1;
    let start = colon + text[colon..line.end].find(|c: char| !c.is_whitespace())?;
    let is_end = |c: char| c.is_whitespace() || ",}".contains(c);
    let length = text[start..line.end].find(is_end).unwrap_or(line.end - start);
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_limit_changes_wherever_it_stands() {
        let cases = [
            ("name: A\n", "name: A\nlimits:\n  time_limit: 2.5\n"),
            ("name: A", "name: A\nlimits:\n  time_limit: 2.5\n"),
            ("limits:\nname: A\n", "limits:\n  time_limit: 2.5\nname: A\n"),
            (
                "# time_limit: 9\nlimits:   # all\n    # first\n    memory: 9 # MiB\n",
                "# time_limit: 9\nlimits:   # all\n    # first\n    time_limit: 2.5\n    memory: 9 # MiB\n",
            ),
            ("limits: {memory: 9} # x\n", "limits: {time_limit: 2.5, memory: 9} # x\n"),
            ("limits: {}\n", "limits: {time_limit: 2.5}\n"),
            ("limits: {time_limit: 1.0, memory: 9}\n", "limits: {time_limit: 2.5, memory: 9}\n"),
            ("limits: { 'time_limit': 1.0 }\n", "limits: { 'time_limit': 2.5 }\n"),
            (
                "limits:\n  memory: 9\n  time_limit: 1   # by hand\n  output: 1\n",
                "limits:\n  memory: 9\n  time_limit: 2.5   # by hand\n  output: 1\n",
            ),
            ("a: 1\r\nlimits:\r\n  time_limit: 1\r\n", "a: 1\r\nlimits:\r\n  time_limit: 2.5\r\n"),
            ("limits:\n  time_limit: 2.5\n", "limits:\n  time_limit: 2.5\n"),
        ];
        for (before, after) in cases {
            assert_eq!(with_time_limit(before, "2.5").as_deref(), Ok(after), "{before}");
        }
    }

    #[test]
    fn what_cannot_be_edited_is_refused_with_what_to_write() {
        for text in ["- a\n", "limits: 3\n", "limits: [1]\n", "a: {", "limits: &l {memory: 9}\nx: *l\n"] {
            let refused = with_time_limit(text, "2");
            assert_eq!(refused, Err("write `time_limit: 2` below `limits` by hand".into()), "{text}");
        }
    }
}
