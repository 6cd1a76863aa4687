//! Nodes to rules: which parts of a recipe are directories, which are cases, and the settings of each; the directories
//! of `data/` in their order. Names, numbers and seeds come later.

use super::{
    cases::{CaseRule, read_case},
    recipe::{GroupFile, RecipeFindings, RecipeInputs, TEXTS},
    rule_settings::{
        CASE_KEYS, DIRECTORY_KEYS, RuleSettings, SETTINGS, is_inside, is_name, read_settings, read_strings,
    },
};
use kopek_package::package::yaml::{YamlEntry, YamlNode, YamlValue};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct DirectoryRule {
    pub line: u32,
    pub settings: RuleSettings,
    pub group: Option<GroupFile>,
    pub includes: Vec<IncludedKey>,
    /// Whether children are numbered: `data` is a list.
    pub numbered: bool,
    /// In processing order.
    pub children: Vec<ChildRule>,
}

/// A key of an earlier case or group that a directory includes.
#[derive(Debug)]
pub(super) struct IncludedKey {
    pub key: String,
    pub line: u32,
}

/// A named part of a directory.
#[derive(Debug)]
pub(super) struct ChildRule {
    pub key: String,
    pub line: u32,
    pub what: ChildKind,
}

/// The kind of a child.
#[derive(Debug)]
pub(super) enum ChildKind {
    Directory(DirectoryRule),
    Case(CaseRule),
    /// A key without a rule: an empty directory of `data/`, else an error.
    Empty,
}

/// Keys that only the root may have.
const ROOT_KEYS: [&str; 3] = ["generators", "version", "command"];

/// The root of a recipe.
#[derive(Debug, Default)]
pub(super) struct RootRule {
    pub generators: BTreeMap<String, Vec<String>>,
    /// `data/` itself.
    pub data: DirectoryRule,
}

pub(super) fn read_root(node: &YamlNode, inputs: &RecipeInputs, findings: &mut RecipeFindings) -> RootRule {
    match &node.value {
        YamlValue::Null => return RootRule::default(),
        YamlValue::Map(_) if is_case(node) => {
            findings.error(node.line, "the root must be a directory, not a test case");
            findings.todo("put test cases under `data:`, `secret:`, `data:`");
            return RootRule::default();
        }
        YamlValue::Map(_) => (),
        _ => {
            findings.error(node.line, format!("the recipe must be a map, not {}", node.value.shape()));
            return RootRule::default();
        }
    }
    refuse_rules_without_data(node, findings);
    let generators = node.get("generators").map(|list| read_generators(list, findings)).unwrap_or_default();
    let mut data = read_directory(node, inputs, findings);
    if data.numbered {
        findings.error(data.line, "`data` of the root must be a map");
    }
    order_roots(&mut data, findings);
    RootRule { generators, data }
}

/// In the very first recipes, directories were keys of the root, and commands had another meaning.
fn refuse_rules_without_data(node: &YamlNode, findings: &mut RecipeFindings) {
    let YamlValue::Map(entries) = &node.value else { return };
    let is_directory = |entry: &&YamlEntry| ["sample", "secret"].contains(&entry.key.as_str());
    if let (Some(entry), None) = (entries.iter().find(is_directory), node.get("data")) {
        findings.error(entry.name.line, format!("`{}` is outside `data`", entry.key));
        findings.todo("this is the form before `data`, whose commands were pipes; rewrite the recipe");
    }
}

fn read_generators(node: &YamlNode, findings: &mut RecipeFindings) -> BTreeMap<String, Vec<String>> {
    let entries = match &node.value {
        YamlValue::Map(entries) => entries.as_slice(),
        YamlValue::Null => &[],
        _ => {
            findings.error(node.line, "`generators` must be a map from names to lists of files");
            &[]
        }
    };
    let mut named = BTreeMap::new();
    for YamlEntry { name: key, node: files, .. } in entries {
        let name = key.text().filter(|name| is_name(name));
        let files =
            read_strings(files).filter(|files| !files.is_empty() && files.iter().all(|f| is_inside(f)));
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

fn read_directory(node: &YamlNode, inputs: &RecipeInputs, findings: &mut RecipeFindings) -> DirectoryRule {
    let settings = read_settings(node, findings);
    report_unknown_keys(node, inputs, findings);
    let mut read = DirectoryRule { line: node.line, settings, ..DirectoryRule::default() };
    let file = inputs.group_file();
    read.group = node.get(file).map(|yaml| match &yaml.value {
        YamlValue::Null => GroupFile::Absent,
        YamlValue::Map(_) => GroupFile::Written(yaml.clone()),
        _ => {
            findings.error(yaml.line, format!("`{file}` must be a map, not {}", yaml.value.shape()));
            GroupFile::Untouched
        }
    });
    if let Some(include) = node.get("include") {
        read.includes = read_includes(include, findings);
    }
    match node.get("data").map(|data| (&data.value, data)) {
        None | Some((YamlValue::Null, _)) => (),
        Some((YamlValue::Map(_), data)) => read.children = read_children(data, inputs, findings),
        Some((YamlValue::List(items), _)) => {
            read.numbered = true;
            read.children =
                items.iter().flat_map(|item| read_numbered_item(item, inputs, findings)).collect();
        }
        Some((_, data)) => {
            findings.error(data.line, format!("`data` must be a map or a list, not {}", data.value.shape()))
        }
    }
    read
}

/// Keys of directories that are unknown or no longer used.
fn report_unknown_keys(node: &YamlNode, inputs: &RecipeInputs, findings: &mut RecipeFindings) {
    let YamlValue::Map(entries) = &node.value else { return };
    for YamlEntry { name: key, .. } in entries {
        let Some(name) = key.text() else { continue };
        match name {
            "testdata.yaml" if inputs.legacy => {}
            "test_group.yaml" if inputs.legacy => {
                findings.warning(
                    key.line,
                    "`test_group.yaml` is not written: groups of a legacy package use \
                        testdata.yaml",
                );
                findings
                    .todo("write `testdata.yaml`, or `problem_format_version: 2025-09` into problem.yaml");
            }
            _ if DIRECTORY_KEYS.contains(&name) || SETTINGS.contains(&name) || ROOT_KEYS.contains(&name) => {}
            "testdata.yaml" => {
                findings.warning(key.line, "`testdata.yaml` is not written");
                findings.todo("write `test_group.yaml`, or put the file into data/ yourself");
            }
            _ => {
                findings.warning(key.line, format!("unknown key `{name}` of a directory is ignored"));
                let known: Vec<_> = DIRECTORY_KEYS.iter().chain(&SETTINGS).copied().collect();
                findings.todo(format!("known are {}", known.join(", ")));
            }
        }
    }
}

/// An item of a numbered list: a map with one entry.
fn read_numbered_item(
    item: &YamlNode,
    inputs: &RecipeInputs,
    findings: &mut RecipeFindings,
) -> Vec<ChildRule> {
    let YamlValue::Map(entries) = &item.value else {
        findings.error(
            item.line,
            format!("an item of a `data` list must be a map with one key, not {}", item.value.shape()),
        );
        return Vec::new();
    };
    if entries.len() != 1 {
        findings
            .error(item.line, format!("an item of a `data` list must have one key, not {}", entries.len()));
        findings.todo("indent the keys of the test case one level deeper than its name");
        return Vec::new();
    }
    read_children(item, inputs, findings)
}

/// The entries of a map, in alphabetical order.
fn read_children(data: &YamlNode, inputs: &RecipeInputs, findings: &mut RecipeFindings) -> Vec<ChildRule> {
    let YamlValue::Map(entries) = &data.value else { return Vec::new() };
    let mut children: Vec<_> =
        entries.iter().filter_map(|entry| read_child(&entry.name, &entry.node, inputs, findings)).collect();
    // BAPCtools reads maps in this order too; running numbers and `include` depend on it.
    children.sort_by(|a, b| a.key.cmp(&b.key));
    children
}

fn read_child(
    key: &YamlNode,
    node: &YamlNode,
    inputs: &RecipeInputs,
    findings: &mut RecipeFindings,
) -> Option<ChildRule> {
    let name = match &key.value {
        YamlValue::Null => "",
        YamlValue::Text(name) => name,
        _ => {
            findings.error(key.line, format!("a name must be a string, not {}", key.value.shape()));
            findings.todo("put it in quotes");
            return None;
        }
    };
    let what = match &node.value {
        YamlValue::Null => ChildKind::Empty,
        YamlValue::Text(_) => ChildKind::Case(read_case(key.line, node, inputs, findings)),
        YamlValue::Map(_) if is_case(node) => ChildKind::Case(read_case(key.line, node, inputs, findings)),
        YamlValue::Map(_) => {
            refuse_keys(node, &ROOT_KEYS, "only the root may have", findings);
            ChildKind::Directory(read_directory(node, inputs, findings))
        }
        _ => {
            findings
                .error(key.line, format!("`{name}` must be a command or a map, not {}", node.value.shape()));
            findings.todo("a text is put in quotes");
            return None;
        }
    };
    Some(ChildRule { key: name.to_owned(), line: key.line, what })
}

fn refuse_keys(node: &YamlNode, keys: &[&str], why: &str, findings: &mut RecipeFindings) {
    for key in keys {
        if let Some(value) = node.get(key) {
            findings.error(value.line, format!("{why} `{key}`"));
        }
    }
}

pub(super) fn is_case(node: &YamlNode) -> bool {
    // `input` is no key, but with it a case would be taken for an empty directory.
    CASE_KEYS.iter().chain(&TEXTS).chain(&["input"]).any(|key| node.get(key).is_some())
}

fn read_includes(node: &YamlNode, findings: &mut RecipeFindings) -> Vec<IncludedKey> {
    let single = [node.clone()];
    let items = match &node.value {
        YamlValue::List(items) => items.as_slice(),
        YamlValue::Null => &[],
        _ => &single,
    };
    let mut keys = Vec::new();
    for item in items {
        match item.text() {
            Some(key) if !key.contains('/') => {
                keys.push(IncludedKey { key: key.to_owned(), line: item.line });
            }
            _ => {
                findings.error(item.line, "`include` takes keys of earlier cases or groups, not paths");
            }
        }
    }
    keys
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

/// Puts the children of `data/` into processing order; an unknown child is an error.
fn order_roots(root: &mut DirectoryRule, findings: &mut RecipeFindings) {
    root.children.retain(|child| !matches!(child.what, ChildKind::Empty));
    let place = |child: &ChildRule| ROOTS.iter().position(|name| *name == child.key);
    for child in root.children.iter().filter(|child| place(child).is_none()) {
        findings.error(child.line, format!("`{}` is not a directory of `data/`", child.key));
        findings.todo(format!("there are {}", ROOTS.join(", ")));
    }
    root.children.retain(|child| place(child).is_some());
    root.children.sort_by_key(place);
    for child in &root.children {
        if matches!(child.what, ChildKind::Case(_)) {
            findings.error(child.line, format!("`{}` must be a directory, not a test case", child.key));
        }
    }
}
