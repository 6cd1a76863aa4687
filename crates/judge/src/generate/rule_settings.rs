//! The common parts of the rules of cases and directories: the inherited settings, names and paths.

use super::recipe::{RecipeFindings, RecipeSolution};
use kopek_package::package::yaml::{YamlNode, YamlValue};

/// Settings that are inherited downwards.
#[derive(Debug, Default, Clone)]
pub(super) struct RuleSettings {
    pub solution: Option<RecipeSolution>,
    pub salt: Option<String>,
    pub retries: Option<u32>,
}

/// Keys that only cases have, besides the extensions of their texts.
pub(super) const CASE_KEYS: [&str; 4] = ["copy", "generate", "count", "match"];
/// Keys that only directories have.
pub(super) const DIRECTORY_KEYS: [&str; 3] = ["data", "test_group.yaml", "include"];
/// Keys of both.
pub(super) const SETTINGS: [&str; 3] = ["solution", "random_salt", "retries"];

pub(super) fn read_settings(node: &YamlNode, findings: &mut RecipeFindings) -> RuleSettings {
    let solution = node.get("solution").and_then(|value| match &value.value {
        YamlValue::Null => Some(RecipeSolution::None),
        YamlValue::Text(path) => match solution_path(path) {
            Some(found) => Some(RecipeSolution::Program(found)),
            None => {
                findings.error(
                    value.line,
                    format!("solution `{path}` is not a path from the package's root, without arguments"),
                );
                findings.todo("write it like /submissions/accepted/reference.rs");
                None
            }
        },
        _ => {
            findings.error(value.line, "`solution` must be a path or empty");
            None
        }
    });
    let salt = node.get("random_salt").and_then(|value| {
        let salt = value.text().map(str::to_owned);
        if salt.is_none() {
            findings
                .error(value.line, format!("`random_salt` must be a string, not {}", value.value.shape()));
            findings.todo("put it in quotes");
        }
        salt
    });
    let retries = node.get("retries").and_then(|value| {
        let number = value.integer().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| (1..=1000).contains(number));
        if number.is_none() {
            findings.error(value.line, "`retries` must be a whole number from 1 to 1000");
        }
        number
    });
    RuleSettings { solution, salt, retries }
}

/// The path of a solution in its package.
fn solution_path(path: &str) -> Option<String> {
    let found = path.strip_prefix('/')?;
    let clean = is_inside(found) && !found.contains(char::is_whitespace);
    if clean { Some(found.to_owned()) } else { None }
}

/// Resolves `.` and `..` of a path relative to `generators/`, without access to the disk.
pub(super) fn normalize_path(path: &str) -> Option<String> {
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
    if parts.is_empty() { None } else { Some(parts.join("/")) }
}

/// Whether a relative path stays inside.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/') && path.split('/').all(|part| part != "..")
}

pub(super) fn read_strings(node: &YamlNode) -> Option<Vec<String>> {
    match &node.value {
        YamlValue::List(items) => items.iter().map(|item| item.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// Whether the package format allows this name of a file or directory.
pub(super) fn is_name(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(word) && name.len() <= 255 && name.chars().all(|c| word(c) || matches!(c, '.' | '-'))
}
