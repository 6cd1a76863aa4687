//! What a test case's rule says: a command, copies, contents, counts, patterns.

use super::{
    recipe::{Findings, Given, PICTURES, TEXTS},
    rules::{CASE_KEYS, DIRECTORY_KEYS, SETTINGS, Settings, settings, strings},
    written::write,
};
use crate::package::yaml::{Entry, Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A case's rule.
#[derive(Debug, Default)]
pub(super) struct CaseRule {
    pub settings: Settings,
    pub generate: Option<String>,
    pub copy: Option<String>,
    pub literals: BTreeMap<&'static str, String>,
    pub links: BTreeMap<&'static str, &'static str>,
    pub matches: Vec<(&'static str, String)>,
    pub counts: Option<Vec<i64>>,
}

/// Extensions that may be the same as another one.
const OVERRIDES: [&str; 4] = ["in.statement", "ans.statement", "in.download", "ans.download"];

pub(super) fn case(line: u32, node: &Node, given: &Given, findings: &mut Findings) -> CaseRule {
    let mut rule = CaseRule::default();
    let Value::Map(entries) = &node.value else {
        command(node, &mut rule, findings);
        return rule;
    };
    rule.settings = settings(node, findings);
    for Entry { name: key, node: value, .. } in entries {
        let Some(name) = key.text() else {
            findings.error(key.line, format!("a key must be a string, not {}", key.value.shape()));
            continue;
        };
        match name {
            "generate" => rule.generate = nonempty(name, value, findings),
            "copy" => {
                rule.copy = nonempty(name, value, findings).and_then(|path| copy(&path, value.line, findings))
            }
            "count" => rule.counts = counts(value, findings),
            "match" => rule.matches = matches(value, findings),
            _ if SETTINGS.contains(&name) => (),
            _ if DIRECTORY_KEYS.contains(&name) => {
                findings.error(key.line, format!("a test case has no `{name}`"));
            }
            _ => match TEXTS.iter().find(|ext| **ext == name) {
                Some(ext) => content(ext, value, &mut rule, findings),
                None => unknown(name, key.line, findings),
            },
        }
    }
    whole(line, &rule, given, findings);
    rule
}

/// A case that is only a string: a command, or of old the path of an input.
fn command(node: &Node, rule: &mut CaseRule, findings: &mut Findings) {
    let text = node.text().unwrap_or_default();
    match text.strip_suffix(".in") {
        Some(path) if !path.contains(' ') => {
            findings.warning(node.line, format!("`{text}` is an old way to copy a case"));
            findings.hint(format!("write `copy: {path}`"));
            rule.copy = copy(path, node.line, findings);
        }
        _ => rule.generate = nonempty("generate", node, findings),
    }
}

fn unknown(name: &str, line: u32, findings: &mut Findings) {
    findings.error(line, format!("unknown key `{name}` of a test case"));
    let known: Vec<_> = CASE_KEYS.iter().chain(&TEXTS).chain(&SETTINGS).copied().collect();
    findings.hint(format!("known are {}", known.join(", ")));
}

fn nonempty(name: &str, value: &Node, findings: &mut Findings) -> Option<String> {
    let text = value.text().filter(|text| !text.trim().is_empty());
    if text.is_none() {
        findings.error(value.line, format!("`{name}` must be a string that is not empty"));
    }
    text.map(str::to_owned)
}

/// The path relative to the package, without extension.
fn copy(path: &str, line: u32, findings: &mut Findings) -> Option<String> {
    let Some(path) = normal(path) else {
        findings.error(line, format!("`copy: {path}` leaves the package"));
        findings.hint("the path is relative to generators/");
        return None;
    };
    let ending = TEXTS.iter().chain(&PICTURES).find_map(|ext| path.strip_suffix(&format!(".{ext}")));
    if ending.is_some() {
        findings.warning(line, format!("`copy: {path}` names a file with its extension"));
        findings.hint("leave the extension away: all known ones are copied");
    }
    Some(ending.unwrap_or(&path).to_owned())
}

/// Resolves `.` and `..` of a path relative to `generators/`, in words only.
fn normal(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts = vec!["generators"];
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Which of several: `3`, `[1, 5]`, `2..=4`.
fn counts(node: &Node, findings: &mut Findings) -> Option<Vec<i64>> {
    let counts = match &node.value {
        Value::Bare(_) => node.whole().filter(|n| (1..=100).contains(n)).map(|n| (1..=n).collect()),
        Value::List(items) => items.iter().map(Node::whole).collect::<Option<Vec<_>>>(),
        Value::Text(text) => range(text),
        Value::Null | Value::Map(_) => None,
    };
    let counts = counts.filter(|counts| (1..=100).contains(&counts.len()));
    let distinct = counts.as_ref().is_none_or(|c| c.iter().collect::<BTreeSet<_>>().len() == c.len());
    if counts.is_none() || !distinct {
        findings.error(
            node.line,
            "`count` must be 1 to 100, a list of at most 100 distinct whole numbers, or `a..=b`",
        );
        return None;
    }
    counts
}

fn range(text: &str) -> Option<Vec<i64>> {
    let (low, high) = text.split_once("..=")?;
    let number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<i64>().ok())?
    };
    let (low, high) = (number(low)?, number(high)?);
    // At most a hundred, found out without counting up to them.
    (high.checked_sub(low)? < 100).then(|| (low..=high).collect())
}

fn matches(node: &Node, findings: &mut Findings) -> Vec<(&'static str, String)> {
    let mut patterns = Vec::new();
    let parts = match &node.value {
        Value::Map(entries) => {
            entries.iter().map(|entry| (entry.name.text().unwrap_or("?"), &entry.node)).collect()
        }
        _ => vec![("in", node)],
    };
    for (key, value) in parts {
        let ext = ["in", "ans"].into_iter().find(|ext| *ext == key);
        let found = match value.text() {
            Some(text) => Some(vec![text.to_owned()]),
            None => strings(value),
        };
        match (ext, found) {
            (Some(ext), Some(found)) => patterns.extend(found.into_iter().map(|pattern| (ext, pattern))),
            _ => findings.error(value.line, "`match` takes patterns, or a map of `in` and `ans` to patterns"),
        }
    }
    for (_, pattern) in &patterns {
        if let Err(error) = pattern_of(pattern) {
            findings.warning(node.line, format!("`{pattern}` cannot be looked for: {error}"));
        }
    }
    patterns
}

/// A pattern with the meaning it has in recipes: `^` and `$` at lines, `.` also newlines.
pub(super) fn pattern_of(text: &str) -> Result<regex_lite::Regex, regex_lite::Error> {
    regex_lite::RegexBuilder::new(text).multi_line(true).dot_matches_new_line(true).build()
}

/// What a file of the case is: literally, or the same as another.
fn content(ext: &'static str, value: &Node, rule: &mut CaseRule, findings: &mut Findings) {
    match &value.value {
        Value::Text(text) => drop(rule.literals.insert(ext, lines(text))),
        Value::Map(_) if ext == "yaml" => drop(rule.literals.insert(ext, write(value))),
        Value::Map(entries) if OVERRIDES.contains(&ext) && entries.len() == 1 => {
            let target = value.get("link").and_then(Node::text);
            match target.and_then(|target| same(ext, target)) {
                Some(target) => drop(rule.links.insert(ext, target)),
                None => {
                    findings.error(value.line, format!("`{ext}` can only be a link to another of its kind"))
                }
            }
        }
        _ => {
            findings.error(value.line, format!("`{ext}` must be a string, not {}", value.value.shape()));
            findings.hint("put it in quotes");
        }
    }
}

/// The extension a link may name: `in.statement` may be the same as `in`.
fn same(ext: &str, target: &str) -> Option<&'static str> {
    let stem = |ext: &str| ext.split('.').next().map(str::to_owned);
    let known = TEXTS[..7].iter().find(|known| **known == target && **known != "out")?;
    (stem(ext) == stem(target) && ext != target).then_some(known)
}

/// With a newline at the end, unless it is empty.
fn lines(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

/// Whether a case's rule says enough, and nothing that cannot be.
fn whole(line: u32, rule: &CaseRule, given: &Given, findings: &mut Findings) {
    if rule.literals.contains_key("interaction") && !given.talks {
        findings.error(line, "`interaction` is for interactive and multi-pass problems");
    }
    for (ext, target) in &rule.links {
        if rule.links.contains_key(target) {
            findings.error(line, format!("`{ext}` is a link to `{target}`, which is a link itself"));
        }
    }
}
