//! Reads `problem.yaml` with the reader of its format version.

use super::{
    Format, Message, Package,
    disk::Disk,
    field_reader::{FieldReader, MapFields, short},
    legacy_manifest, modern_manifest,
    number::decimal,
    yaml::{YamlNode, YamlValue},
};
use kopek_base::Bytes;
use std::path::Path;

/// Reads the tree of `problem.yaml`: what it says of the package. `None` if it is not a map.
pub(super) fn read_manifest(disk: &Disk, node: &YamlNode, field_reader: &mut FieldReader) -> Option<Package> {
    let keys = field_reader.map("problem.yaml", node)?;
    let mut manifest = match format_version(disk, keys, field_reader) {
        Format::V2025_09 => modern_manifest::modern_manifest(node, field_reader)?,
        Format::Legacy => legacy_manifest::legacy_manifest(node, field_reader)?,
    };
    if manifest.format == Format::Legacy && is_of_domjudge(disk) && !says_code_limit(node) {
        manifest.limits.code = DOMJUDGE_CODE_LIMIT;
    }
    if is_draft(keys) && has_legacy_groups(disk) {
        field_reader.findings.push(
            Message::warning(
                "data",
                "a draft with testdata.yaml files: its groups are read and scored as in legacy",
            )
            .todo("2025-09 uses test_group.yaml, with other keys"),
        );
        manifest.data = Format::Legacy;
    }
    Some(manifest)
}

/// DOMjudge's default code limit; Kattis' tools use half of it.
const DOMJUDGE_CODE_LIMIT: Bytes = Bytes::kib(256);

/// Whether the package is DOMjudge's: only DOMjudge has this file.
fn is_of_domjudge(disk: &Disk) -> bool {
    disk.path("domjudge-problem.ini").is_file()
}

fn says_code_limit(node: &YamlNode) -> bool {
    node.get("limits").is_some_and(|limits| limits.get("code").is_some())
}

fn is_draft(keys: MapFields) -> bool {
    let version = keys.get("problem_format_version").map(|node| &node.value);
    matches!(version, Some(YamlValue::Text(text) | YamlValue::Bare(text)) if DRAFTS.contains(&text.as_str()))
}

/// Drafts are older than the groups of 2025-09.
fn has_legacy_groups(disk: &Disk) -> bool {
    // Errors in these files are reported when the test data is read.
    let files = disk.every_file(Path::new("data"), &mut Vec::new());
    let has = |name: &str| files.iter().any(|file| file.file_name().is_some_and(|file| file == name));
    has("testdata.yaml") && !has("test_group.yaml")
}

/// Versions that later became 2025-09.
const DRAFTS: &[&str] = &["2023-07", "2023-07-draft", "2025-09-draft", "draft"];
/// Keys that legacy lacks.
const MODERN_KEYS: &[&str] = &["credits", "constants", "allow_file_writing", "embargo_until"];

fn format_version(disk: &Disk, keys: MapFields, field_reader: &mut FieldReader) -> Format {
    let Some(node) = keys.get("problem_format_version") else {
        return guess_format(disk, keys, field_reader);
    };
    let Some(text) = field_reader.text("problem_format_version", node) else { return Format::V2025_09 };
    match text.as_str() {
        "2025-09" => Format::V2025_09,
        "legacy" | "legacy-icpc" => Format::Legacy,
        draft if DRAFTS.contains(&draft) => {
            field_reader.warn(
                node.line,
                format!("`problem_format_version` `{draft}` became `2025-09`: read as that"),
            );
            field_reader.todo("write `problem_format_version: 2025-09`");
            Format::V2025_09
        }
        _ => {
            field_reader.error(
                node.line,
                format!("unknown `problem_format_version` `{}`: read as `2025-09`", short(&text)),
            );
            field_reader.todo("one of: 2025-09, legacy, legacy-icpc");
            Format::V2025_09
        }
    }
}

fn guess_format(disk: &Disk, keys: MapFields, field_reader: &mut FieldReader) -> Format {
    let list = keys
        .get("type")
        .filter(|node| matches!(node.value, YamlValue::List(_)))
        .map(|_| "a list under `type`");
    let key = MODERN_KEYS.iter().find(|key| keys.entry(key).is_some()).map(|key| format!("`{key}`"));
    // With both directories, the layout does not show the version.
    let new_layout = disk.path("statement").is_dir() && !disk.path("problem_statement").is_dir();
    let layout = if new_layout { Some("`statement/`".to_owned()) } else { None };
    if let Some(sign) = list.map(str::to_owned).or(key).or(layout) {
        field_reader.warn(1, format!("no `problem_format_version`: read as `2025-09` because of {sign}"));
        field_reader.todo("add `problem_format_version: 2025-09`");
        return Format::V2025_09;
    }
    // All packages of NWERC 2023 are like this: names by language, no version, legacy otherwise.
    if let Some(entry) = keys.entry("name").filter(|entry| matches!(entry.node.value, YamlValue::Map(_))) {
        field_reader.warn(
            entry.line,
            "a map of names in a package without `problem_format_version`: read as `legacy`",
        );
        field_reader.todo("add `problem_format_version: 2025-09`, or write one name");
    }
    Format::Legacy
}

/// The time limit that some packages store in a separate file: file name and seconds.
pub(super) fn time_limit_file(disk: &Disk, field_reader: &mut FieldReader) -> Option<(&'static str, f64)> {
    let mut found = None;
    for name in [".timelimit", "domjudge-problem.ini"] {
        let Some(item) = disk.item(name, &mut field_reader.findings).filter(|item| !item.is_dir) else {
            continue;
        };
        let text = disk.read(&item.path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let number = text.ok().and_then(|text| match name {
            ".timelimit" => decimal(text.trim()),
            _ => text.lines().find_map(|line| {
                let (key, value) = line.split_once('=')?;
                (key.trim() == "timelimit").then(|| decimal(value.trim().trim_matches(['\'', '"'])))?
            }),
        });
        found = found.or(number.map(|number| (name, number)));
    }
    found
}
