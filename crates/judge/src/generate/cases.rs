//! The rule of a test case: a command, copies, contents, counts, patterns.

use super::{
    recipe::{PICTURES, RecipeFindings, RecipeInputs, TEXTS},
    rule_settings::{
        CASE_KEYS, DIRECTORY_KEYS, RuleSettings, SETTINGS, normalize_path, read_settings, read_strings,
    },
};
use kopek_package::package::yaml::{YamlEntry, YamlNode, YamlValue, emit};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(super) struct CaseRule {
    pub settings: RuleSettings,
    pub generate: Option<String>,
    pub copy: Option<String>,
    pub literals: BTreeMap<&'static str, String>,
    pub links: BTreeMap<&'static str, &'static str>,
    pub matches: Vec<(&'static str, String)>,
    pub counts: Option<Vec<i64>>,
}

/// Extensions whose content may equal that of another extension.
const OVERRIDES: [&str; 4] = ["in.statement", "ans.statement", "in.download", "ans.download"];

pub(super) fn read_case(
    line: u32,
    node: &YamlNode,
    inputs: &RecipeInputs,
    findings: &mut RecipeFindings,
) -> CaseRule {
    let mut rule = CaseRule::default();
    let YamlValue::Map(entries) = &node.value else {
        read_command_or_path(node, &mut rule, findings);
        return rule;
    };
    rule.settings = read_settings(node, findings);
    for YamlEntry { name: key, node: value, .. } in entries {
        let Some(name) = key.text() else {
            findings.error(key.line, format!("a key must be a string, not {}", key.value.shape()));
            continue;
        };
        match name {
            "generate" => rule.generate = read_nonempty_text(name, value, findings),
            "copy" => {
                rule.copy = read_nonempty_text(name, value, findings)
                    .and_then(|path| read_copy_path(&path, value.line, findings))
            }
            "count" => rule.counts = read_counts(value, findings),
            "match" => rule.matches = read_patterns(value, findings),
            _ if SETTINGS.contains(&name) => (),
            "visualizer" => {
                let what = "`visualizer` belongs to earlier versions and is ignored; generators and copies \
                    make pictures";
                findings.warn_once(key.line, what);
            }
            _ if DIRECTORY_KEYS.contains(&name) => {
                findings.error(key.line, format!("a test case has no `{name}`"));
            }
            _ => match TEXTS.iter().find(|ext| **ext == name) {
                Some(ext) => read_content(ext, value, &mut rule, findings),
                None => report_unknown_key(name, key.line, findings),
            },
        }
    }
    check_case(line, &rule, inputs, findings);
    rule
}

/// A case that is only a string: a command, or the path of an input (deprecated).
fn read_command_or_path(node: &YamlNode, rule: &mut CaseRule, findings: &mut RecipeFindings) {
    let text = node.text().unwrap_or_default();
    match text.strip_suffix(".in").filter(|path| !path.contains(' ')) {
        Some(path) => {
            findings.warning(node.line, format!("`{text}` is an old way to copy a case"));
            findings.todo(format!("write `copy: {path}`"));
            rule.copy = read_copy_path(path, node.line, findings);
        }
        None => rule.generate = read_nonempty_text("generate", node, findings),
    }
}

fn report_unknown_key(name: &str, line: u32, findings: &mut RecipeFindings) {
    findings.error(line, format!("unknown key `{name}` of a test case"));
    let known: Vec<_> = CASE_KEYS.iter().chain(&TEXTS).chain(&SETTINGS).copied().collect();
    findings.todo(format!("known are {}", known.join(", ")));
}

fn read_nonempty_text(name: &str, value: &YamlNode, findings: &mut RecipeFindings) -> Option<String> {
    let text = value.text().filter(|text| !text.trim().is_empty());
    if text.is_none() {
        findings.error(value.line, format!("`{name}` must be a string that is not empty"));
    }
    text.map(str::to_owned)
}

/// The path relative to the package, without extension.
fn read_copy_path(path: &str, line: u32, findings: &mut RecipeFindings) -> Option<String> {
    let Some(path) = normalize_path(path) else {
        findings.error(line, format!("`copy: {path}` leaves the package"));
        findings.todo("the path is relative to generators/");
        return None;
    };
    let ending = without_ending(&path);
    if ending.is_some() {
        findings.warning(line, format!("`copy: {path}` names a file with its extension"));
        findings.todo("remove the extension: all known ones are copied");
    }
    Some(ending.unwrap_or(&path).to_owned())
}

/// The path of a case's file without the extension, if the extension is known.
fn without_ending(path: &str) -> Option<&str> {
    TEXTS.iter().chain(&PICTURES).find_map(|ext| path.strip_suffix(ext)?.strip_suffix('.'))
}

/// The values of `count`: `3`, `[1, 5]`, `2..=4`.
fn read_counts(node: &YamlNode, findings: &mut RecipeFindings) -> Option<Vec<i64>> {
    let counts = match &node.value {
        YamlValue::Bare(_) => match node.integer() {
            Some(count) if (1..=100).contains(&count) => Some((1..=count).collect()),
            Some(_) | None => None,
        },
        YamlValue::List(items) => items.iter().map(YamlNode::integer).collect::<Option<Vec<_>>>(),
        YamlValue::Text(text) => parse_range(text),
        YamlValue::Null | YamlValue::Map(_) => None,
    };
    let is_fine = |counts: &Vec<i64>| {
        // Equal counts would give two cases one name.
        let distinct: BTreeSet<&i64> = counts.iter().collect();
        (1..=100).contains(&counts.len()) && distinct.len() == counts.len()
    };
    let counts = counts.filter(is_fine);
    if counts.is_none() {
        findings.error(
            node.line,
            "`count` must be 1 to 100, a list of at most 100 distinct whole numbers, or `a..=b`",
        );
    }
    counts
}

fn parse_range(text: &str) -> Option<Vec<i64>> {
    let (low, high) = text.split_once("..=")?;
    let number = |text: &str| {
        // `parse` would take a plus, too.
        if text.starts_with('+') { None } else { text.parse::<i64>().ok() }
    };
    let low = number(low)?;
    let high = number(high)?;
    // At most a hundred, checked without counting up to them.
    if high.checked_sub(low)? < 100 { Some((low..=high).collect()) } else { None }
}

fn read_patterns(node: &YamlNode, findings: &mut RecipeFindings) -> Vec<(&'static str, String)> {
    let mut patterns = Vec::new();
    let parts = match &node.value {
        YamlValue::Map(entries) => {
            entries.iter().map(|entry| (entry.name.text().unwrap_or("?"), &entry.node)).collect()
        }
        _ => vec![("in", node)],
    };
    for (key, value) in parts {
        let ext = ["in", "ans"].into_iter().find(|ext| *ext == key);
        let found = match value.text() {
            Some(text) => Some(vec![text.to_owned()]),
            None => read_strings(value),
        };
        match (ext, found) {
            (Some(ext), Some(found)) => patterns.extend(found.into_iter().map(|pattern| (ext, pattern))),
            _ => findings.error(value.line, "`match` takes patterns, or a map of `in` and `ans` to patterns"),
        }
    }
    for (_, pattern) in &patterns {
        if let Err(error) = pattern_of(pattern) {
            findings.warning(node.line, format!("`{pattern}` is not a regular expression: {error}"));
        }
    }
    patterns
}

/// A pattern with the meaning it has in recipes: `^` and `$` at lines, `.` also newlines.
pub(super) fn pattern_of(text: &str) -> Result<regex_lite::Regex, regex_lite::Error> {
    regex_lite::RegexBuilder::new(text).multi_line(true).dot_matches_new_line(true).build()
}

/// The content of a file of the case: literal, or the same as another file.
fn read_content(ext: &'static str, value: &YamlNode, rule: &mut CaseRule, findings: &mut RecipeFindings) {
    match &value.value {
        YamlValue::Text(text) => drop(rule.literals.insert(ext, end_last_line(text))),
        YamlValue::Map(_) if ext == "yaml" => drop(rule.literals.insert(ext, emit(value))),
        YamlValue::Map(entries) if OVERRIDES.contains(&ext) && entries.len() == 1 => {
            let target = value.get("link").and_then(YamlNode::text);
            match target.and_then(|target| link_target(ext, target)) {
                Some(target) => drop(rule.links.insert(ext, target)),
                None => {
                    findings.error(value.line, format!("`{ext}` can only be a link to another of its kind"))
                }
            }
        }
        _ => {
            findings.error(value.line, format!("`{ext}` must be a string, not {}", value.value.shape()));
            findings.todo("put it in quotes");
        }
    }
}

/// The extension a link may name: `in.statement` may be the same as `in`.
fn link_target(ext: &str, target: &str) -> Option<&'static str> {
    let stem = |ext: &str| ext.split('.').next().map(str::to_owned);
    let known = TEXTS[..7].iter().find(|known| **known == target && **known != "out")?;
    if stem(ext) == stem(target) && ext != target { Some(known) } else { None }
}

/// With a newline at the end, unless it is empty.
fn end_last_line(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

/// Whether a case's rule is complete and free of contradictions.
fn check_case(line: u32, rule: &CaseRule, inputs: &RecipeInputs, findings: &mut RecipeFindings) {
    if rule.literals.contains_key("interaction") && !inputs.talks {
        findings.error(line, "`interaction` is for interactive and multi-pass problems");
    }
    for (ext, target) in &rule.links {
        if rule.links.contains_key(target) {
            findings.error(line, format!("`{ext}` is a link to `{target}`, which is a link itself"));
        }
    }
}
