//! Names, credits, sources and licences: what changes no verdict. Except for
//! misspelt keys everything odd here is only a warning.

use super::{
    About,
    codes::{LICENSES, is_human_language},
    disk::Disk,
    sheet::{Keys, Sheet, Unknown, short},
    yaml::{Node, Value},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Reads what 2025-09 says.
pub fn modern(keys: Keys, sheet: &mut Sheet) -> About {
    for key in ["name", "uuid"] {
        if keys.get(key).is_none() {
            sheet.warn(keys.line, format!("`{key}` is missing"));
            sheet.hint(match key {
                "uuid" => "add one, for example from `uuidgen`",
                _ => "add the problem's title",
            });
        }
    }
    let about = About {
        titles: keys.get("name").map(|node| titles(node, sheet)).unwrap_or_default(),
        credits: keys.get("credits").map(|node| credits(node, sheet)).unwrap_or_default(),
        source: keys.get("source").map(|node| sources(node, sheet)).unwrap_or_default(),
        keywords: keys.get("keywords").and_then(|node| sheet.texts("keywords", node)).unwrap_or_default(),
        ..shared(keys, sheet)
    };
    if let Some(node) =
        keys.get("embargo_until").filter(|_| !about.embargo_until.as_deref().is_some_and(is_moment))
    {
        sheet.warn(node.line, "`embargo_until` is not a moment");
        sheet.hint("write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ");
    }
    rights(keys, &about, sheet);
    about
}

/// Reads what both versions say in the same way.
pub fn shared(keys: Keys, sheet: &mut Sheet) -> About {
    let mut text = |key: &str| keys.get(key).and_then(|node| sheet.text(key, node));
    let (uuid, version) = (text("uuid"), text("version"));
    let (rights_owner, embargo_until) = (text("rights_owner"), text("embargo_until"));
    About { uuid, version, rights_owner, embargo_until, license: license(keys, sheet), ..About::default() }
}

fn license(keys: Keys, sheet: &mut Sheet) -> Option<String> {
    let node = keys.get("license")?;
    let text = sheet.text("license", node)?;
    if !LICENSES.contains(&text.as_str()) {
        sheet.warn(node.line, format!("unknown license `{}`", short(&text)));
        sheet.hint(format!("one of: {}", LICENSES.join(", ")));
    }
    Some(text)
}

/// Reads `name`: a title, or titles by language.
pub fn titles(node: &Node, sheet: &mut Sheet) -> BTreeMap<String, String> {
    let Value::Map(entries) = &node.value else {
        return sheet.text("name", node).map(|title| ("en".to_owned(), title)).into_iter().collect();
    };
    let mut titles = BTreeMap::new();
    for entry in entries {
        if !is_human_language(&entry.key) {
            sheet.warn(entry.line, format!("`{}` is not a language code", short(&entry.key)));
            sheet.hint("as in `en` or `pt-BR`");
        }
        if let Some(title) = sheet.text("name", &entry.node) {
            titles.insert(entry.key.clone(), title);
        }
    }
    titles
}

const ROLES: &[&str] =
    &["authors", "contributors", "testers", "translators", "packagers", "acknowledgements"];

fn credits(node: &Node, sheet: &mut Sheet) -> BTreeMap<String, Vec<String>> {
    if matches!(node.value, Value::Text(_) | Value::Bare(_)) {
        return BTreeMap::from([("authors".to_owned(), persons("credits", node, sheet))]);
    }
    let Some(keys) = sheet.keys("credits", node, ROLES, Unknown::Refuse) else { return BTreeMap::new() };
    let known = keys.all().iter().filter(|entry| ROLES.contains(&entry.key.as_str()));
    let role = |entry: &super::yaml::Entry| {
        let names = match entry.key.as_str() {
            "translators" => translators(&entry.node, sheet),
            role => persons(role, &entry.node, sheet),
        };
        (entry.key.clone(), names)
    };
    known.map(role).collect()
}

fn translators(node: &Node, sheet: &mut Sheet) -> Vec<String> {
    let Some(keys) = sheet.map("translators", node) else { return Vec::new() };
    let mut names = Vec::new();
    for entry in keys.all() {
        if !is_human_language(&entry.key) {
            sheet.warn(entry.line, format!("`{}` is not a language code", short(&entry.key)));
            sheet.hint("as in `en` or `pt-BR`");
        }
        names.extend(persons("translators", &entry.node, sheet));
    }
    names
}

/// One person or several, by their names.
pub fn persons(what: &str, node: &Node, sheet: &mut Sheet) -> Vec<String> {
    match &node.value {
        Value::List(items) => {
            if items.is_empty() {
                sheet.warn(node.line, format!("`{what}` is an empty list"));
            }
            items.iter().filter_map(|item| person(what, item, sheet)).collect()
        }
        Value::Null => Vec::new(),
        _ => person(what, node, sheet).into_iter().collect(),
    }
}

fn person(what: &str, node: &Node, sheet: &mut Sheet) -> Option<String> {
    let Value::Map(_) = &node.value else {
        let text = sheet.text(what, node)?;
        let name = text.split_once('<').map_or(text.as_str(), |(name, _)| name).trim();
        if name.is_empty() {
            sheet.warn(node.line, format!("a person of `{what}` has no name"));
        }
        return Some(name.to_owned());
    };
    let keys = sheet.keys(what, node, &["name", "email", "orcid", "kattis"], Unknown::Refuse)?;
    for key in ["email", "orcid", "kattis"] {
        keys.get(key).and_then(|node| sheet.text(key, node));
    }
    let name = keys.get("name").and_then(|node| sheet.text("name", node));
    if name.is_none() {
        sheet.warn(node.line, format!("a person of `{what}` has no `name`"));
    }
    name
}

fn sources(node: &Node, sheet: &mut Sheet) -> Vec<String> {
    let items = match &node.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    items.iter().filter_map(|item| source(item, sheet)).collect()
}

fn source(node: &Node, sheet: &mut Sheet) -> Option<String> {
    let Value::Map(_) = &node.value else { return sheet.text("source", node) };
    let keys = sheet.keys("source", node, &["name", "url"], Unknown::Refuse)?;
    keys.get("url").and_then(|node| sheet.text("url", node));
    let name = keys.get("name").and_then(|node| sheet.text("name", node));
    if name.is_none() {
        sheet.warn(node.line, "a `source` has no `name`");
    }
    name
}

fn rights(keys: Keys, about: &About, sheet: &mut Sheet) {
    let license = about.license.as_deref().unwrap_or("unknown");
    let line = keys.entry("rights_owner").or(keys.entry("license")).map_or(1, |entry| entry.line);
    let author = about.credits.get("authors").is_some_and(|authors| !authors.is_empty());
    match (license, &about.rights_owner) {
        ("public domain", Some(_)) => {
            sheet.warn(line, "a problem in the public domain has no `rights_owner`");
            sheet.hint("remove it, or choose another license");
        }
        ("unknown" | "public domain", _) | (_, Some(_)) => {}
        (_, None) if author || !about.source.is_empty() => {}
        (_, None) => {
            sheet.warn(line, format!("license `{}` needs a rights owner", short(license)));
            sheet.hint("add `rights_owner`, `credits` with authors, or `source`");
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
        && (day || within(11, 0, 23) && within(14, 0, 59) && within(17, 0, 60))
}

/// Language codes of the statements on disk. `plain`: what a statement without a code is in.
pub fn statements(disk: &Disk, dir: &str, plain: Option<&str>, sheet: &mut Sheet) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for item in disk.list(Path::new(dir), &mut sheet.findings).items {
        let parts: Vec<&str> = item.name.split('.').collect();
        let code = match parts[..] {
            ["problem", ending] if is_statement(ending) => match plain {
                Some(code) => code,
                None => {
                    let finding =
                        super::Finding::warning(&item.path, "a statement without a language is ignored");
                    sheet.findings.push(finding.hint(format!("rename it to problem.en.{ending}")));
                    continue;
                }
            },
            ["problem", code, ending] if is_statement(ending) => code,
            _ => continue,
        };
        if !is_human_language(code) {
            let finding = super::Finding::warning(&item.path, format!("`{code}` is not a language code"));
            sheet.findings.push(finding.hint("as in `en` or `pt-BR`"));
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
