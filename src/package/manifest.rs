//! `problem.yaml`: which version of the format it follows, and what both share.

use super::{
    About, Finding, Format, Kind, ProblemLimits,
    disk::Disk,
    legacy, modern,
    sheet::{Keys, Sheet, short},
    yaml::{Node, Value},
};
use std::{collections::BTreeMap, path::Path};

/// What `problem.yaml` says.
pub struct Manifest {
    /// The version.
    pub format: Format,
    /// The version that `data/` follows.
    pub data: Format,
    /// What changes no verdict.
    pub about: About,
    /// What kind of problem it is.
    pub kind: Kind,
    /// Limits, defaults filled in.
    pub limits: ProblemLimits,
    /// Languages allowed.
    pub languages: Option<Vec<String>>,
    /// Whether submissions may write files.
    pub allow_file_writing: bool,
    /// Constants by name.
    pub constants: BTreeMap<String, String>,
    /// Legacy: whether `validation` is `custom`, and whether with `score`.
    pub validation: Validation,
}

/// The legacy switch of custom validators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Validation {
    /// Whether the validators of the package are used.
    pub custom: bool,
    /// Whether they may give scores.
    pub score: bool,
}

/// Reads the tree of `problem.yaml`. `None`: it is not even a map.
pub fn manifest(disk: &Disk, node: &Node, sheet: &mut Sheet) -> Option<Manifest> {
    let keys = sheet.map("problem.yaml", node)?;
    let mut said = match version(disk, keys, sheet) {
        Format::V2025_09 => modern::manifest(node, sheet)?,
        Format::Legacy => legacy::manifest(node, sheet)?,
    };
    if is_draft(keys) && has_legacy_groups(disk) {
        sheet.findings.push(
            Finding::warning(
                "data",
                "a draft with testdata.yaml files: its groups are read and scored as in legacy",
            )
            .hint("in 2025-09: test_group.yaml, which says other things"),
        );
        said.data = Format::Legacy;
    }
    Some(said)
}

fn is_draft(keys: Keys) -> bool {
    let version = keys.get("problem_format_version").map(|node| &node.value);
    matches!(version, Some(Value::Text(text) | Value::Bare(text)) if DRAFTS.contains(&text.as_str()))
}

/// Drafts came before the groups of 2025-09.
fn has_legacy_groups(disk: &Disk) -> bool {
    let files = disk.every_file(Path::new("data"), &mut Vec::new());
    let has = |name: &str| files.iter().any(|file| file.file_name().is_some_and(|file| file == name));
    has("testdata.yaml") && !has("test_group.yaml")
}

/// Versions that became 2025-09.
const DRAFTS: &[&str] = &["2023-07", "2023-07-draft", "2025-09-draft", "draft"];
/// Keys that legacy does not have.
const MODERN_KEYS: &[&str] = &["credits", "constants", "allow_file_writing", "embargo_until"];

fn version(disk: &Disk, keys: Keys, sheet: &mut Sheet) -> Format {
    let Some(node) = keys.get("problem_format_version") else { return unversioned(disk, keys, sheet) };
    let Some(text) = sheet.text("problem_format_version", node) else { return Format::V2025_09 };
    match text.as_str() {
        "2025-09" => Format::V2025_09,
        "legacy" | "legacy-icpc" => Format::Legacy,
        draft if DRAFTS.contains(&draft) => {
            sheet.warn(
                node.line,
                format!("`problem_format_version` `{draft}` became `2025-09`: read as that"),
            );
            sheet.hint("write `problem_format_version: 2025-09`");
            Format::V2025_09
        }
        _ => {
            sheet.error(
                node.line,
                format!("unknown `problem_format_version` `{}`: read as `2025-09`", short(&text)),
            );
            sheet.hint("one of: 2025-09, legacy, legacy-icpc");
            Format::V2025_09
        }
    }
}

fn unversioned(disk: &Disk, keys: Keys, sheet: &mut Sheet) -> Format {
    let list =
        keys.get("type").filter(|node| matches!(node.value, Value::List(_))).map(|_| "a list under `type`");
    let key = MODERN_KEYS.iter().find(|key| keys.entry(key).is_some()).map(|key| format!("`{key}`"));
    let new_layout = disk.path("statement").is_dir() && !disk.path("problem_statement").is_dir();
    let layout = new_layout.then(|| "`statement/`".to_owned());
    if let Some(sign) = list.map(str::to_owned).or(key).or(layout) {
        sheet.warn(1, format!("no `problem_format_version`: read as `2025-09` because of {sign}"));
        sheet.hint("add `problem_format_version: 2025-09`");
        return Format::V2025_09;
    }
    if let Some(entry) = keys.entry("name").filter(|entry| matches!(entry.node.value, Value::Map(_))) {
        sheet.warn(
            entry.line,
            "a map of names in a package without `problem_format_version`: read as `legacy`",
        );
        sheet.hint("add `problem_format_version: 2025-09`, or write one name");
    }
    Format::Legacy
}

/// Reads `languages`: `all`, or codes.
pub fn languages(node: &Node, sheet: &mut Sheet) -> Option<Vec<String>> {
    let words = sheet.one_or_more("languages", node)?;
    if words.len() == 1 && words[0].0 == "all" {
        return None;
    }
    if words.is_empty() {
        sheet.error(node.line, "`languages` is empty: nothing could be submitted");
        sheet.hint("write `all`, or name at least one language");
        return None;
    }
    Some(words.iter().filter_map(|(word, line)| sheet.language(*line, word)).collect())
}

/// The time limit that some packages keep in a file of their own: file name and seconds.
pub fn time_limit_file(disk: &Disk, sheet: &mut Sheet) -> Option<(&'static str, f64)> {
    let mut found = None;
    for name in [".timelimit", "domjudge-problem.ini"] {
        let Some(item) = disk.item(name, &mut sheet.findings).filter(|item| !item.is_dir) else { continue };
        let text = disk.read(&item.path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let number = text.ok().and_then(|text| match name {
            ".timelimit" => super::number::decimal(text.trim()),
            _ => text.lines().find_map(|line| {
                let (key, value) = line.split_once('=')?;
                (key.trim() == "timelimit")
                    .then(|| super::number::decimal(value.trim().trim_matches(['\'', '"'])))?
            }),
        });
        found = found.or(number.map(|number| (name, number)));
    }
    found
}
