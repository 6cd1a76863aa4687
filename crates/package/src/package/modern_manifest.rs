//! `problem.yaml` of version 2025-09.

use super::{
    Format, Package, ProblemKind, about,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy, short},
    manifest_languages::read_languages,
    manifest_limits,
    yaml::{YamlEntry, YamlNode, YamlValue},
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

/// Keys of legacy, and their replacements.
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

pub(super) fn modern_manifest(node: &YamlNode, field_reader: &mut FieldReader) -> Option<Package> {
    let keys = field_reader.map("problem.yaml", node)?;
    unknown_keys(keys, field_reader);
    let kind = keys.get("type").map_or(ProblemKind::default(), |node| read_kind(node, field_reader));
    let limits = manifest_limits::modern_limits(keys.get("limits"), kind, field_reader);
    Some(Package {
        about: about::modern_about(keys, field_reader),
        languages: keys.get("languages").and_then(|node| read_languages(node, field_reader)),
        allow_file_writing: keys
            .get("allow_file_writing")
            .and_then(|node| field_reader.truth("allow_file_writing", node))
            .unwrap_or(false),
        constants: keys.get("constants").map(|node| read_constants(node, field_reader)).unwrap_or_default(),
        ..Package::new(Format::V2025_09, kind, limits)
    })
}

fn unknown_keys(keys: MapFields, field_reader: &mut FieldReader) {
    for entry in keys.all().iter().filter(|entry| !KEYS.contains(&entry.key.as_str())) {
        field_reader.unknown(entry, KEYS, UnknownKeyPolicy::Refuse);
        // Replaces the guess at a misspelt key: this key is right in the other version.
        if let Some((_, became)) = MOVED.iter().find(|(key, _)| *key == entry.key) {
            field_reader.todo(*became);
        }
    }
}

/// Types, and the pairs that exclude each other.
const TYPES: &[&str] = &["pass-fail", "scoring", "multi-pass", "interactive", "submit-answer"];
const CONFLICTS: &[(&str, &str)] =
    &[("pass-fail", "scoring"), ("multi-pass", "submit-answer"), ("interactive", "submit-answer")];

fn read_kind(node: &YamlNode, field_reader: &mut FieldReader) -> ProblemKind {
    let words = field_reader.one_or_more("type", node).unwrap_or_default();
    if matches!(&node.value, YamlValue::List(items) if items.is_empty()) {
        field_reader.error(node.line, "`type` is an empty list");
        field_reader.todo("leave it out for `pass-fail`");
    }
    let mut types: Vec<&str> = Vec::new();
    for (word, line) in &words {
        match field_reader.one_of("type", *line, word, TYPES) {
            Some(known) if types.contains(&known) => {
                field_reader.error(*line, format!("type `{known}` is given twice"))
            }
            Some(known) => types.push(known),
            None => {}
        }
    }
    for (one, other) in CONFLICTS {
        if types.contains(one) && types.contains(other) {
            field_reader.error(node.line, format!("types `{one}` and `{other}` exclude each other"));
        }
    }
    let has = |word: &str| types.contains(&word);
    ProblemKind {
        scoring: has("scoring"),
        interactive: has("interactive"),
        multi_pass: has("multi-pass"),
        submit_answer: has("submit-answer"),
    }
}

fn read_constants(node: &YamlNode, field_reader: &mut FieldReader) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let Some(keys) = field_reader.map("constants", node) else { return all };
    for entry in keys.all() {
        if !is_name(&entry.key) {
            field_reader.error(entry.line, format!("constant `{}` is not a name", short(&entry.key)));
            field_reader.todo("letters, digits and `_`, not beginning with a digit");
            continue;
        }
        match &entry.node.value {
            YamlValue::Map(_) => read_variants(entry, field_reader, &mut all),
            _ => {
                if let Some(text) = constant_text(&entry.key, &entry.node, field_reader) {
                    // `{{name}}` and `{{name.value}}` mean the same.
                    all.insert(format!("{}.value", entry.key), text.clone());
                    all.insert(entry.key.clone(), text);
                }
            }
        }
    }
    all
}

fn read_variants(entry: &YamlEntry, field_reader: &mut FieldReader, all: &mut BTreeMap<String, String>) {
    let Some(keys) = field_reader.map(&entry.key, &entry.node) else { return };
    if keys.get("value").is_none() {
        field_reader.error(entry.line, format!("constant `{}` has no `value`", entry.key));
    }
    for variant in keys.all() {
        let name = format!("{}.{}", entry.key, variant.key);
        if !is_name(&variant.key) {
            field_reader.error(variant.line, format!("constant `{}` is not a name", short(&name)));
        } else if let Some(text) = constant_text(&name, &variant.node, field_reader) {
            if variant.key == "value" {
                all.insert(entry.key.clone(), text.clone());
            }
            all.insert(name, text);
        }
    }
}

fn constant_text(name: &str, node: &YamlNode, field_reader: &mut FieldReader) -> Option<String> {
    match &node.value {
        // As written: for `1e5`, a statement should not show `100000`.
        YamlValue::Bare(text) if node.value.shape() == "a number" => Some(text.clone()),
        YamlValue::Text(text) => Some(text.clone()),
        _ => field_reader.unfit(name, node, "a number or a text"),
    }
}

fn is_name(text: &str) -> bool {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    first && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
