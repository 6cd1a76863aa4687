//! Names, credits, sources and licences: they change no verdict. Except for misspelt keys, every problem here
//! is only a warning.

use super::{
    About, Message,
    codes::{LICENSES, is_human_language},
    disk::Disk,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy, short},
    yaml::{YamlNode, YamlValue},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Reads the keys of 2025-09.
pub(super) fn modern_about(keys: MapFields, field_reader: &mut FieldReader) -> About {
    for key in ["name", "uuid"] {
        if keys.get(key).is_none() {
            field_reader.warn(keys.line, format!("`{key}` is missing"));
            field_reader.todo(match key {
                "uuid" => "add one, for example from `uuidgen`",
                _ => "add the problem's title",
            });
        }
    }
    About {
        titles: keys.get("name").map(|node| read_titles(node, field_reader)).unwrap_or_default(),
        credits: keys.get("credits").map(|node| read_credits(node, field_reader)).unwrap_or_default(),
        source: keys.get("source").map(|node| source_names(node, field_reader)).unwrap_or_default(),
        keywords: keys
            .get("keywords")
            .and_then(|node| field_reader.texts("keywords", node))
            .unwrap_or_default(),
        ..shared_about(keys, field_reader)
    }
}

/// Reads the keys that both versions share.
pub(super) fn shared_about(keys: MapFields, field_reader: &mut FieldReader) -> About {
    let mut text = |key: &str| keys.get(key).and_then(|node| field_reader.text(key, node));
    let uuid = text("uuid");
    let version = text("version");
    let rights_owner = text("rights_owner");
    let embargo_until = text("embargo_until");
    About {
        uuid,
        version,
        rights_owner,
        embargo_until,
        license: read_license(keys, field_reader),
        ..About::default()
    }
}

fn read_license(keys: MapFields, field_reader: &mut FieldReader) -> Option<String> {
    let node = keys.get("license")?;
    let text = field_reader.text("license", node)?;
    if !LICENSES.contains(&text.as_str()) {
        field_reader.warn(node.line, format!("unknown license `{}`", short(&text)));
        field_reader.todo(format!("one of: {}", LICENSES.join(", ")));
    }
    Some(text)
}

/// Reads `name`: a title, or titles by language.
pub(super) fn read_titles(node: &YamlNode, field_reader: &mut FieldReader) -> BTreeMap<String, String> {
    let YamlValue::Map(entries) = &node.value else {
        // A plain title is the format's short form of `{en: …}`.
        return field_reader.text("name", node).map(|title| ("en".to_owned(), title)).into_iter().collect();
    };
    let mut titles = BTreeMap::new();
    for entry in entries {
        if !is_human_language(&entry.key) {
            field_reader.warn(entry.line, format!("`{}` is not a language code", short(&entry.key)));
            field_reader.todo("as in `en` or `pt-BR`");
        }
        if let Some(title) = field_reader.text("name", &entry.node) {
            titles.insert(entry.key.clone(), title);
        }
    }
    titles
}

const ROLES: &[&str] =
    &["authors", "contributors", "testers", "translators", "packagers", "acknowledgements"];

fn read_credits(node: &YamlNode, field_reader: &mut FieldReader) -> BTreeMap<String, Vec<String>> {
    if matches!(node.value, YamlValue::Text(_) | YamlValue::Bare(_)) {
        return BTreeMap::from([("authors".to_owned(), person_names("credits", node, field_reader))]);
    }
    let Some(keys) = field_reader.keys("credits", node, ROLES, UnknownKeyPolicy::Refuse) else {
        return BTreeMap::new();
    };
    let known = keys.all().iter().filter(|entry| ROLES.contains(&entry.key.as_str()));
    let role = |entry: &super::yaml::YamlEntry| {
        let names = match entry.key.as_str() {
            "translators" => translator_names(&entry.node, field_reader),
            role => person_names(role, &entry.node, field_reader),
        };
        (entry.key.clone(), names)
    };
    known.map(role).collect()
}

fn translator_names(node: &YamlNode, field_reader: &mut FieldReader) -> Vec<String> {
    let Some(keys) = field_reader.map("translators", node) else { return Vec::new() };
    let mut names = Vec::new();
    for entry in keys.all() {
        if !is_human_language(&entry.key) {
            field_reader.warn(entry.line, format!("`{}` is not a language code", short(&entry.key)));
            field_reader.todo("as in `en` or `pt-BR`");
        }
        names.extend(person_names("translators", &entry.node, field_reader));
    }
    names
}

/// The names of one or more persons.
pub(super) fn person_names(what: &str, node: &YamlNode, field_reader: &mut FieldReader) -> Vec<String> {
    match &node.value {
        YamlValue::List(items) => {
            if items.is_empty() {
                field_reader.warn(node.line, format!("`{what}` is an empty list"));
            }
            items.iter().filter_map(|item| person_name(what, item, field_reader)).collect()
        }
        YamlValue::Null => Vec::new(),
        _ => person_name(what, node, field_reader).into_iter().collect(),
    }
}

fn person_name(what: &str, node: &YamlNode, field_reader: &mut FieldReader) -> Option<String> {
    let YamlValue::Map(_) = &node.value else {
        let text = field_reader.text(what, node)?;
        // The format's short form of a person is `Name <mail>`.
        let name = text.split_once('<').map_or(text.as_str(), |(name, _)| name).trim();
        if name.is_empty() {
            field_reader.warn(node.line, format!("a person of `{what}` has no name"));
        }
        return Some(name.to_owned());
    };
    let keys =
        field_reader.keys(what, node, &["name", "email", "orcid", "kattis"], UnknownKeyPolicy::Refuse)?;
    let name = keys.get("name").and_then(|node| field_reader.text("name", node));
    if name.is_none() {
        field_reader.warn(node.line, format!("a person of `{what}` has no `name`"));
    }
    name
}

fn source_names(node: &YamlNode, field_reader: &mut FieldReader) -> Vec<String> {
    let items = match &node.value {
        YamlValue::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    items.iter().filter_map(|item| source_name(item, field_reader)).collect()
}

fn source_name(node: &YamlNode, field_reader: &mut FieldReader) -> Option<String> {
    let YamlValue::Map(_) = &node.value else { return field_reader.text("source", node) };
    let keys = field_reader.keys("source", node, &["name", "url"], UnknownKeyPolicy::Refuse)?;
    let name = keys.get("name").and_then(|node| field_reader.text("name", node));
    if name.is_none() {
        field_reader.warn(node.line, "a `source` has no `name`");
    }
    name
}

/// Language codes of the statements on disk; `plain` is the code of a statement without one.
pub(super) fn statement_languages(
    disk: &Disk,
    dir: &str,
    plain: Option<&str>,
    field_reader: &mut FieldReader,
) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for item in disk.list(Path::new(dir), &mut field_reader.findings).items {
        let parts: Vec<&str> = item.name.split('.').collect();
        let code = match parts[..] {
            ["problem", ending] if is_statement(ending) => match plain {
                Some(code) => code,
                None => {
                    let finding = Message::warning(&item.path, "a statement without a language is ignored");
                    field_reader.findings.push(finding.todo(format!("rename it to problem.en.{ending}")));
                    continue;
                }
            },
            ["problem", code, ending] if is_statement(ending) => code,
            _ => continue,
        };
        if !is_human_language(code) {
            let finding = Message::warning(&item.path, format!("`{code}` is not a language code"));
            field_reader.findings.push(finding.todo("as in `en` or `pt-BR`"));
        }
        codes.insert(code.to_owned());
    }
    codes
}

fn is_statement(ending: &str) -> bool {
    matches!(ending, "tex" | "md" | "pdf")
}
