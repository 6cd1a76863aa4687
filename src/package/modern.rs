//! `problem.yaml` of version 2025-09.

use super::{
    Format, Kind, about, limits,
    manifest::{Manifest, Validation, languages},
    sheet::{Keys, Sheet, Unknown, short},
    yaml::{Entry, Node, Value},
};
use std::collections::BTreeMap;

const KEYS: &[&str] = &[
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
];

/// Keys of legacy, and what became of them.
const MOVED: &[(&str, &str)] = &[
    ("author", "in 2025-09: `credits: {authors: …}`"),
    ("source_url", "in 2025-09: `source: {name: …, url: …}`"),
    (
        "validation",
        "in 2025-09 an output validator is used when `output_validator/` holds one; see `type` for interactive",
    ),
    ("validator_flags", "in 2025-09: `output_validator_args` in `data/test_group.yaml`"),
    ("grading", "in 2025-09: `type: scoring`, and `test_group.yaml` in the groups"),
];

/// Reads it.
pub fn manifest(node: &Node, sheet: &mut Sheet) -> Option<Manifest> {
    let keys = sheet.map("problem.yaml", node)?;
    unknown_keys(keys, sheet);
    let kind = keys.get("type").map_or(Kind::default(), |node| kind(node, sheet));
    let limits = limits::modern(keys.get("limits"), kind, sheet);
    Some(Manifest {
        format: Format::V2025_09,
        data: Format::V2025_09,
        about: about::modern(keys, sheet),
        kind,
        limits,
        languages: keys.get("languages").and_then(|node| languages(node, sheet)),
        allow_file_writing: keys
            .get("allow_file_writing")
            .and_then(|node| sheet.truth("allow_file_writing", node))
            .unwrap_or(false),
        constants: keys.get("constants").map(|node| constants(node, sheet)).unwrap_or_default(),
        validation: Validation::default(),
    })
}

fn unknown_keys(keys: Keys, sheet: &mut Sheet) {
    for entry in keys.all().iter().filter(|entry| !KEYS.contains(&entry.key.as_str())) {
        sheet.unknown(entry, KEYS, Unknown::Refuse);
        if let Some((_, became)) = MOVED.iter().find(|(key, _)| *key == entry.key) {
            sheet.hint(*became);
        }
    }
}

/// Types, and what each cannot stand beside.
const TYPES: &[&str] = &["pass-fail", "scoring", "multi-pass", "interactive", "submit-answer"];
const CONFLICTS: &[(&str, &str)] =
    &[("pass-fail", "scoring"), ("multi-pass", "submit-answer"), ("interactive", "submit-answer")];

fn kind(node: &Node, sheet: &mut Sheet) -> Kind {
    let words = sheet.one_or_more("type", node).unwrap_or_default();
    if matches!(&node.value, Value::List(items) if items.is_empty()) {
        sheet.error(node.line, "`type` is an empty list");
        sheet.hint("leave it out for `pass-fail`");
    }
    let mut types: Vec<&str> = Vec::new();
    for (word, line) in &words {
        match sheet.one_of("type", *line, word, TYPES) {
            Some(known) if types.contains(&known) => {
                sheet.error(*line, format!("type `{known}` is given twice"))
            }
            Some(known) => types.push(known),
            None => {}
        }
    }
    for (one, other) in CONFLICTS {
        if types.contains(one) && types.contains(other) {
            sheet.error(node.line, format!("types `{one}` and `{other}` exclude each other"));
        }
    }
    let has = |word: &str| types.contains(&word);
    Kind {
        scoring: has("scoring"),
        interactive: has("interactive"),
        multi_pass: has("multi-pass"),
        submit_answer: has("submit-answer"),
    }
}

fn constants(node: &Node, sheet: &mut Sheet) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let Some(keys) = sheet.map("constants", node) else { return all };
    for entry in keys.all() {
        if !is_name(&entry.key) {
            sheet.error(entry.line, format!("constant `{}` is not a name", short(&entry.key)));
            sheet.hint("letters, digits and `_`, not beginning with a digit");
            continue;
        }
        match &entry.node.value {
            Value::Map(_) => variants(entry, sheet, &mut all),
            _ => {
                if let Some(text) = constant(&entry.key, &entry.node, sheet) {
                    all.insert(format!("{}.value", entry.key), text.clone());
                    all.insert(entry.key.clone(), text);
                }
            }
        }
    }
    all
}

fn variants(entry: &Entry, sheet: &mut Sheet, all: &mut BTreeMap<String, String>) {
    let Some(keys) = sheet.map(&entry.key, &entry.node) else { return };
    if keys.get("value").is_none() {
        sheet.error(entry.line, format!("constant `{}` has no `value`", entry.key));
    }
    for variant in keys.all() {
        let name = format!("{}.{}", entry.key, variant.key);
        if !is_name(&variant.key) {
            sheet.error(variant.line, format!("constant `{}` is not a name", short(&name)));
        } else if let Some(text) = constant(&name, &variant.node, sheet) {
            if variant.key == "value" {
                all.insert(entry.key.clone(), text.clone());
            }
            all.insert(name, text);
        }
    }
}

fn constant(name: &str, node: &Node, sheet: &mut Sheet) -> Option<String> {
    match &node.value {
        Value::Bare(text) if node.value.shape() == "a number" => Some(text.clone()),
        Value::Text(text) => Some(text.clone()),
        _ => sheet.unfit(name, node, "a number or a text"),
    }
}

fn is_name(text: &str) -> bool {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    first && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
