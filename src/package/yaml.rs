//! YAML as a tree that remembers its lines, so that every oddity of a file can
//! be listed and not only the first. Knows nothing of problems. The one door for
//! YAML: manifests, groups, claims and recipes are read here, under the same limits.
//!
//! Numbers and truth values keep the text of the file: scores are exact, and
//! `version: 1.0` is not `1`.

mod tree;

pub use tree::{Entry, Node, Value};

use super::Finding;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_saphyr::{
    Error, Options, Spanned,
    options::{DuplicateKeyPolicy, NonFiniteFloatPolicy},
};
use std::{fmt, path::Path};

/// More duplicate keys than this are not told one by one.
const DUPLICATES: usize = 20;
/// A longer file is not one that people wrote.
const LONGEST: usize = 8 << 20;

/// Reads a text; what is wrong with it is added to the findings under the name `file`.
/// `None`: not readable at all. An empty text is `Null`.
pub fn parse(file: &Path, bytes: &[u8], findings: &mut Vec<Finding>) -> Option<Node> {
    let text = decode(file, bytes, findings)?;
    read(file, text, findings)
}

/// As [`parse()`], for a text: byte-order marks, line ends and the like are nobody's business.
pub fn read(file: &Path, mut text: String, findings: &mut Vec<Finding>) -> Option<Node> {
    if text.len() > LONGEST {
        findings.push(Finding::error(file, format!("longer than {} MiB", LONGEST >> 20)));
        return None;
    }
    for round in 0..=DUPLICATES {
        match serde_saphyr::from_str_with_options::<Spanned<Raw>>(&text, options(DuplicateKeyPolicy::Error)) {
            Ok(tree) => return Some(node(&text, tree)),
            Err(error) => match duplicate(&error).filter(|_| round < DUPLICATES) {
                Some((key, line, place)) => {
                    let what = format!("the key `{key}` is given twice");
                    findings.push(Finding::error(file, what).at(line).hint("keep one of them"));
                    // A fresh name of the same place: the next duplicate is found in the next round.
                    text.replace_range(place, &format!("{HIDDEN}{round}"));
                }
                None => {
                    findings.push(broken(file, &error));
                    return None;
                }
            },
        }
    }
    None
}

/// Names of duplicates that were told already; no manifest has such keys.
const HIDDEN: &str = "kopek-duplicate-";

fn decode(file: &Path, bytes: &[u8], findings: &mut Vec<Finding>) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let at = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().lines().count().max(1));
        findings.push(Finding::error(file, "is not UTF-8").at(at as u32).hint("save it as UTF-8"));
        return None;
    };
    let bare = text.strip_prefix('\u{feff}');
    if bare.is_some() {
        findings.push(Finding::warning(file, "begins with a byte-order mark").at(1).hint("save it without"));
    }
    let text = bare.unwrap_or(text);
    if let Some(at) = text.find("\r\n") {
        let line = text[..at].matches('\n').count() as u32 + 1;
        let hint = "save it with Unix line ends";
        findings.push(Finding::warning(file, "has Windows line ends").at(line).hint(hint));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let line = text.matches('\n').count() as u32 + 1;
        findings.push(Finding::warning(file, "does not end with a newline").at(line));
    }
    Some(text.to_owned())
}

fn options(duplicates: DuplicateKeyPolicy) -> Options {
    // Replayed aliases nest beyond the depth of the text, so both are small: the
    // readers recurse, and must not run out of stack.
    let mut options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: 1_000_000, max_depth: 24, max_documents: 1, flow_nesting_limit: 24 },
        duplicate_keys: duplicates,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 20_000, max_replay_stack_depth: 2 },
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    options.emit_comments = false;
    options
}

fn duplicate(error: &Error) -> Option<(String, u32, std::ops::Range<usize>)> {
    let Error::DuplicateMappingKey { key, location } = error.without_snippet() else { return None };
    let (from, len) = (location.span().byte_offset()?, location.span().byte_len()?);
    let range = usize::try_from(from).ok()?..usize::try_from(from + len).ok()?;
    (!range.is_empty()).then(|| (key.clone().unwrap_or_default(), location.line() as u32, range))
}

fn broken(file: &Path, error: &Error) -> Finding {
    let whole = error.without_snippet().to_string();
    let said = whole.lines().next().unwrap_or("unreadable");
    let said = said.split(" at line ").next().unwrap_or(said).trim_end_matches([',', ':', ' ']);
    let finding = Finding::error(file, format!("is not YAML: {said}"));
    match error.location() {
        Some(location) if location.line() > 0 => finding.at(location.line() as u32),
        _ => finding,
    }
}

/// Lines from where a value is used; spelling and brackets from where it is defined.
fn node(text: &str, tree: Spanned<Raw>) -> Node {
    let line = tree.referenced.line() as u32;
    let there = written(text, &tree.defined);
    let flow = there.is_some_and(|there| there.starts_with(['[', '{']));
    let one_line = |there: &&str| !there.contains(['\n', '\r']) && !there.starts_with(['|', '>', '*']);
    let mut spelling = there.filter(one_line).map(str::to_owned);
    let value = match tree.value {
        Raw::Null => Value::Null,
        Raw::Typed(shown) => Value::Bare(there.map_or(shown, |there| there.trim().to_owned())),
        Raw::Text(string) => Value::Text(string),
        Raw::List(list) => Value::List(list.into_iter().map(|item| node(text, item)).collect()),
        Raw::Map(map) => Value::Map(map.into_iter().filter_map(|pair| entry(text, pair)).collect()),
    };
    if matches!(value, Value::List(_) | Value::Map(_)) {
        spelling = None;
    }
    Node { line, flow, written: spelling, value }
}

fn entry(text: &str, (key, value): (Spanned<Raw>, Spanned<Raw>)) -> Option<Entry> {
    let name = node(text, key);
    let key = match &name.value {
        Value::Text(text) | Value::Bare(text) => text.clone(),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    };
    (!key.starts_with(HIDDEN)).then(|| Entry { key, line: name.line, name, node: node(text, value) })
}

fn written<'t>(text: &'t str, location: &serde_saphyr::Location) -> Option<&'t str> {
    let (from, len) = (location.span().byte_offset()?, location.span().byte_len()?);
    let range = usize::try_from(from).ok()?..usize::try_from(from.checked_add(len)?).ok()?;
    text.get(range).filter(|there| !there.trim().is_empty())
}

enum Raw {
    Null,
    Typed(String),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Raw, D::Error> {
        from.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Typed(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Typed(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Typed(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Typed(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Raw, E> {
        Ok(Raw::Text(String::from_utf8_lossy(value).into_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            map.push(pair);
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Node>, Vec<String>) {
        let mut findings = Vec::new();
        let node = parse(Path::new("a.yaml"), text.as_bytes(), &mut findings);
        (node, findings.iter().map(Finding::to_string).collect())
    }

    fn value<'n>(node: &'n Node, key: &str) -> &'n Node {
        let Value::Map(entries) = &node.value else { panic!("{node:?}") };
        &entries.iter().find(|entry| entry.key == key).unwrap().node
    }

    #[test]
    fn numbers_keep_their_spelling_and_everything_its_line() {
        let (node, findings) = read("a: 1.0\nb: &x 0.10\nc: [yes, true, 'no']\nd: *x\ne:\nf: \"1\"\n");
        let node = node.unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(value(&node, "a").value, Value::Bare("1.0".into()));
        assert_eq!((value(&node, "d").line, &value(&node, "d").value), (4, &Value::Bare("0.10".into())));
        assert_eq!(value(&node, "e").value, Value::Null);
        assert_eq!(value(&node, "f").value, Value::Text("1".into()));
        let Value::List(list) = &value(&node, "c").value else { panic!() };
        let shapes: Vec<&str> = list.iter().map(|item| item.value.shape()).collect();
        assert_eq!(shapes, ["a text", "a truth value", "a text"]);
    }

    #[test]
    fn every_duplicate_is_told_and_the_first_one_kept() {
        let (node, findings) = read("a: 1\nb: 2\na: 3\nc:\n  d: 1\n  d: 2\n");
        let node = node.unwrap();
        assert_eq!(value(&node, "a").value, Value::Bare("1".into()));
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].starts_with("error: a.yaml:3: the key `a` is given twice"), "{findings:?}");
        assert!(findings[1].starts_with("error: a.yaml:6: the key `d` is given twice"), "{findings:?}");
    }

    #[test]
    fn a_broken_text_is_told_with_its_line() {
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
    fn aliases_that_nest_aliases_leave_stack_over() {
        // As deep as the budget allows: each anchor wraps the one before in brackets.
        for depth in [5, 10, 20, 22, 23] {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            let mut text = format!("a0: &a0 {open}1{close}\n");
            for i in 1..8 {
                text += &format!("a{i}: &a{i} {open}*a{}{close}\n", i - 1);
            }
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let (node, findings) = small.spawn(move || read(&text)).unwrap().join().unwrap();
            assert!(node.is_some() || findings.len() == 1, "{findings:?}");
        }
    }
}
