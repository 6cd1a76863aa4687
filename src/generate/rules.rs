//! Nodes to rules: which part of a recipe is a directory, which a case, and what
//! each says. Names, numbers and seeds come later.

use super::{
    cases::{CaseRule, case},
    recipe::{Findings, Given, GroupFile, Solution, TEXTS},
};
use crate::package::yaml::{Entry, Node, Value};
use std::collections::BTreeMap;

/// A directory's rule.
#[derive(Debug, Default)]
pub(super) struct Directory {
    pub line: u32,
    pub settings: Settings,
    pub group: Option<GroupFile>,
    pub includes: Vec<(String, u32)>,
    /// Whether children are numbered: `data` is a list.
    pub numbered: bool,
    /// In processing order.
    pub children: Vec<Child>,
}

/// A named part of a directory.
#[derive(Debug)]
pub(super) struct Child {
    pub key: String,
    pub line: u32,
    pub what: What,
}

/// What a child is.
#[derive(Debug)]
pub(super) enum What {
    Directory(Directory),
    Case(CaseRule),
}

/// What is inherited downwards.
#[derive(Debug, Default, Clone)]
pub(super) struct Settings {
    pub solution: Option<Solution>,
    pub salt: Option<String>,
    pub retries: Option<u32>,
}

/// Children of `data/`, in processing order.
const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];
/// Keys that only cases have, besides the extensions of their texts.
pub(super) const CASE_KEYS: [&str; 4] = ["copy", "generate", "count", "match"];
/// Keys that only directories have.
pub(super) const DIRECTORY_KEYS: [&str; 3] = ["data", "test_group.yaml", "include"];
/// Keys of both.
pub(super) const SETTINGS: [&str; 3] = ["solution", "random_salt", "retries"];

/// Reads the root: the generators, and `data/` itself.
pub(super) fn root(
    node: &Node,
    given: &Given,
    findings: &mut Findings,
) -> (BTreeMap<String, Vec<String>>, Directory) {
    match &node.value {
        Value::Null => return Default::default(),
        Value::Map(_) if is_case(node) => {
            findings.error(node.line, "the root must be a directory, not a test case");
            findings.hint("put test cases under `data:`, `secret:`, `data:`");
            return Default::default();
        }
        Value::Map(_) => (),
        _ => {
            findings.error(node.line, format!("the recipe must be a map, not {}", node.value.shape()));
            return Default::default();
        }
    }
    let generators = node.get("generators").map(|list| generators(list, findings)).unwrap_or_default();
    let mut root = directory(node, given, findings);
    if root.numbered {
        findings.error(root.line, "`data` of the root must be a map");
    }
    order_roots(&mut root, findings);
    (generators, root)
}

fn order_roots(root: &mut Directory, findings: &mut Findings) {
    let place = |child: &Child| ROOTS.iter().position(|name| *name == child.key);
    for child in root.children.iter().filter(|child| place(child).is_none()) {
        findings.error(child.line, format!("`{}` is not a directory of `data/`", child.key));
        findings.hint(format!("there are {}", ROOTS.join(", ")));
    }
    root.children.retain(|child| place(child).is_some());
    root.children.sort_by_key(place);
    for child in &root.children {
        if matches!(child.what, What::Case(_)) {
            findings.error(child.line, format!("`{}` must be a directory, not a test case", child.key));
        }
    }
}

fn generators(node: &Node, findings: &mut Findings) -> BTreeMap<String, Vec<String>> {
    let entries = match &node.value {
        Value::Map(entries) => entries.as_slice(),
        Value::Null => &[],
        _ => {
            findings.error(node.line, "`generators` must be a map from names to lists of files");
            &[]
        }
    };
    let mut named = BTreeMap::new();
    for Entry { name: key, node: files, .. } in entries {
        let name = key.text().filter(|name| is_name(name));
        let files = strings(files).filter(|files| !files.is_empty() && files.iter().all(|f| is_inside(f)));
        match (name, files) {
            (Some(name), Some(files)) => drop(named.insert(name.to_owned(), files)),
            _ => {
                let what = "a generator needs a name and a list of files inside generators/";
                findings.error(key.line, what);
            }
        }
    }
    named
}

/// Whether a relative path stays inside.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/') && path.split('/').all(|part| part != "..")
}

fn directory(node: &Node, given: &Given, findings: &mut Findings) -> Directory {
    let mut read = Directory { line: node.line, ..settings_of(node, findings) };
    read.group = node.get("test_group.yaml").map(|yaml| match &yaml.value {
        Value::Null => GroupFile::Absent,
        Value::Map(_) => GroupFile::Written(yaml.clone()),
        _ => {
            findings.error(yaml.line, format!("`test_group.yaml` must be a map, not {}", yaml.value.shape()));
            GroupFile::Untouched
        }
    });
    if let Some(include) = node.get("include") {
        read.includes = includes(include, findings);
    }
    match node.get("data").map(|data| (&data.value, data)) {
        None | Some((Value::Null, _)) => (),
        Some((Value::Map(_), data)) => read.children = children(data, given, findings),
        Some((Value::List(items), _)) => {
            read.numbered = true;
            read.children = items.iter().flat_map(|item| numbered(item, given, findings)).collect();
        }
        Some((_, data)) => {
            findings.error(data.line, format!("`data` must be a map or a list, not {}", data.value.shape()))
        }
    }
    read
}

fn settings_of(node: &Node, findings: &mut Findings) -> Directory {
    Directory { settings: settings(node, findings), ..Directory::default() }
}

/// An item of a numbered list: a map with one entry.
fn numbered(item: &Node, given: &Given, findings: &mut Findings) -> Vec<Child> {
    let Value::Map(entries) = &item.value else {
        findings.error(
            item.line,
            format!("an item of a `data` list must be a map with one key, not {}", item.value.shape()),
        );
        return Vec::new();
    };
    if entries.len() != 1 {
        findings
            .error(item.line, format!("an item of a `data` list must have one key, not {}", entries.len()));
        findings.hint("indent the keys of the test case one level deeper than its name");
        return Vec::new();
    }
    children(item, given, findings)
}

/// The entries of a map, in alphabetical order.
fn children(data: &Node, given: &Given, findings: &mut Findings) -> Vec<Child> {
    let Value::Map(entries) = &data.value else { return Vec::new() };
    let mut children: Vec<_> =
        entries.iter().filter_map(|entry| child(&entry.name, &entry.node, given, findings)).collect();
    children.sort_by(|a, b| a.key.cmp(&b.key));
    children
}

fn child(key: &Node, node: &Node, given: &Given, findings: &mut Findings) -> Option<Child> {
    let name = match &key.value {
        Value::Null => "",
        Value::Text(name) => name,
        _ => {
            findings.error(key.line, format!("a name must be a string, not {}", key.value.shape()));
            findings.hint("put it in quotes");
            return None;
        }
    };
    let what = match &node.value {
        Value::Null => {
            findings.error(key.line, format!("`{name}` says nothing: how is it made?"));
            findings.hint("give it `generate`, `copy` or `in`");
            return None;
        }
        Value::Text(_) => What::Case(case(key.line, node, given, findings)),
        Value::Map(_) if is_case(node) => What::Case(case(key.line, node, given, findings)),
        Value::Map(_) => {
            refuse(node, &["generators", "version", "command"], "only the root may have", findings);
            What::Directory(directory(node, given, findings))
        }
        _ => {
            findings
                .error(key.line, format!("`{name}` must be a command or a map, not {}", node.value.shape()));
            findings.hint("a text is put in quotes");
            return None;
        }
    };
    Some(Child { key: name.to_owned(), line: key.line, what })
}

fn refuse(node: &Node, keys: &[&str], why: &str, findings: &mut Findings) {
    for key in keys {
        if let Some(value) = node.get(key) {
            findings.error(value.line, format!("{why} `{key}`"));
        }
    }
}

fn is_case(node: &Node) -> bool {
    CASE_KEYS.iter().chain(&TEXTS).any(|key| node.get(key).is_some())
}

pub(super) fn settings(node: &Node, findings: &mut Findings) -> Settings {
    let solution = node.get("solution").and_then(|value| match &value.value {
        Value::Null => Some(Solution::Nobody),
        Value::Text(path) => match solution_path(path) {
            Some(path) => Some(Solution::Program(path)),
            None => {
                findings.error(
                    value.line,
                    format!("solution `{path}` is not a path from the package's root, without arguments"),
                );
                findings.hint("write it like /submissions/accepted/reference.rs");
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
            findings.hint("put it in quotes");
        }
        salt
    });
    let retries = node.get("retries").and_then(|value| {
        let number = value.whole().filter(|n| (1..=1000).contains(n)).and_then(|n| u32::try_from(n).ok());
        if number.is_none() {
            findings.error(value.line, "`retries` must be a whole number from 1 to 1000");
        }
        number
    });
    Settings { solution, salt, retries }
}

fn solution_path(path: &str) -> Option<String> {
    let path = path.strip_prefix('/')?;
    let clean = is_inside(path) && !path.contains(char::is_whitespace);
    clean.then(|| path.to_owned())
}

fn includes(node: &Node, findings: &mut Findings) -> Vec<(String, u32)> {
    let single = [node.clone()];
    let items = match &node.value {
        Value::List(items) => items.as_slice(),
        Value::Null => &[],
        _ => &single,
    };
    let mut keys = Vec::new();
    for item in items {
        match item.text() {
            Some(key) if !key.contains('/') => keys.push((key.to_owned(), item.line)),
            _ => {
                findings.error(item.line, "`include` takes keys of earlier cases or groups, not paths");
            }
        }
    }
    keys
}

pub(super) fn strings(node: &Node) -> Option<Vec<String>> {
    match &node.value {
        Value::List(items) => items.iter().map(|item| item.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// Names of files and directories that the package format knows.
pub(super) fn is_name(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(word) && name.len() <= 255 && name.chars().all(|c| word(c) || matches!(c, '.' | '-'))
}
