//! Names, credits, sources and licences: they change no verdict. Except for misspelt keys, every problem here
//! is only a warning.

use super::{
    About,
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
            field_reader.hint(match key {
                "uuid" => "add one, for example from `uuidgen`",
                _ => "add the problem's title",
            });
        }
    }
    let about = About {
        titles: keys.get("name").map(|node| read_titles(node, field_reader)).unwrap_or_default(),
        credits: keys.get("credits").map(|node| read_credits(node, field_reader)).unwrap_or_default(),
        source: keys.get("source").map(|node| source_names(node, field_reader)).unwrap_or_default(),
        keywords: keys
            .get("keywords")
            .and_then(|node| field_reader.texts("keywords", node))
            .unwrap_or_default(),
        ..shared_about(keys, field_reader)
    };
    if let Some(node) =
        keys.get("embargo_until").filter(|_| !about.embargo_until.as_deref().is_some_and(is_moment))
    {
        field_reader.warn(node.line, "`embargo_until` is not a date or time");
        field_reader.hint("write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ");
    }
    check_rights(keys, &about, field_reader);
    about
}

/// Reads the keys that both versions share.
pub(super) fn shared_about(keys: MapFields, field_reader: &mut FieldReader) -> About {
    let mut text = |key: &str| keys.get(key).and_then(|node| field_reader.text(key, node));
    let (uuid, version) = (text("uuid"), text("version"));
    let (rights_owner, embargo_until) = (text("rights_owner"), text("embargo_until"));
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
        field_reader.hint(format!("one of: {}", LICENSES.join(", ")));
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
            field_reader.hint("as in `en` or `pt-BR`");
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
            field_reader.hint("as in `en` or `pt-BR`");
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
    // Read only to report a value of the wrong shape: nothing here uses them.
    for key in ["email", "orcid", "kattis"] {
        keys.get(key).and_then(|node| field_reader.text(key, node));
    }
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
    keys.get("url").and_then(|node| field_reader.text("url", node));
    let name = keys.get("name").and_then(|node| field_reader.text("name", node));
    if name.is_none() {
        field_reader.warn(node.line, "a `source` has no `name`");
    }
    name
}

fn check_rights(keys: MapFields, about: &About, field_reader: &mut FieldReader) {
    let license = about.license.as_deref().unwrap_or("unknown");
    let line = keys.entry("rights_owner").or(keys.entry("license")).map_or(1, |entry| entry.line);
    let author = about.credits.get("authors").is_some_and(|authors| !authors.is_empty());
    match (license, &about.rights_owner) {
        ("public domain", Some(_)) => {
            field_reader.warn(line, "a problem in the public domain has no `rights_owner`");
            field_reader.hint("remove it, or choose another license");
        }
        ("unknown" | "public domain", _) | (_, Some(_)) => {}
        // The format takes the authors, then the source, as the owner of the rights.
        (_, None) if author || !about.source.is_empty() => {}
        (_, None) => {
            field_reader.warn(line, format!("license `{}` needs a rights owner", short(license)));
            field_reader.hint("add `rights_owner`, `credits` with authors, or `source`");
        }
    }
}

/// `YYYY-MM-DD`, or with `Thh:mm:ssZ`.
fn is_moment(text: &str) -> bool {
    let shaped = |pattern: &str| {
        let like = |(want, byte): (u8, u8)| if want == b'0' { byte.is_ascii_digit() } else { want == byte };
        pattern.len() == text.len() && pattern.bytes().zip(text.bytes()).all(like)
    };
    let within = |from: usize, least: u32, greatest: u32| {
        let number = text.get(from..from + 2).and_then(|digits| digits.parse::<u32>().ok());
        number.is_some_and(|number| (least..=greatest).contains(&number))
    };
    let day = shaped("0000-00-00");
    let second = shaped("0000-00-00T00:00:00Z");
    (day || second)
        && within(5, 1, 12)
        && within(8, 1, 31)
        // 60: a leap second.
        && (day || within(11, 0, 23) && within(14, 0, 59) && within(17, 0, 60))
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
                    let finding =
                        super::Finding::warning(&item.path, "a statement without a language is ignored");
                    field_reader.findings.push(finding.hint(format!("rename it to problem.en.{ending}")));
                    continue;
                }
            },
            ["problem", code, ending] if is_statement(ending) => code,
            _ => continue,
        };
        if !is_human_language(code) {
            let finding = super::Finding::warning(&item.path, format!("`{code}` is not a language code"));
            field_reader.findings.push(finding.hint("as in `en` or `pt-BR`"));
        }
        codes.insert(code.to_owned());
    }
    codes
}

fn is_statement(ending: &str) -> bool {
    matches!(ending, "tex" | "md" | "pdf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_day_or_a_second() {
        assert!(["2026-01-31", "2026-12-01T23:59:59Z"].into_iter().all(is_moment));
        for text in
            ["", "2026", "2026-13-01", "2026-00-01", "2026-01-01T10:00", "2026-01-01 10:00:00", "äää-01-01"]
        {
            assert!(!is_moment(text), "{text}");
        }
    }
}
