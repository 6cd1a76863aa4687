//! A directory of test data, its files gathered by case.

use crate::package::{
    Finding, Format,
    disk::{Disk, Item},
    nearest::nearest,
    programs::{FORBIDDEN, RENAME},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Endings of files of a case; longer ones first where one ends with another.
pub const ENDINGS: &[&str] = &[
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "in",
    "ans",
    "out",
    "files",
    "yaml",
    "png",
    "jpg",
    "jpeg",
    "svg",
    "hint",
    "desc",
];

/// Endings that only one version knows, and what to do instead.
const MODERN_ONLY: &[&str] =
    &["in.statement", "ans.statement", "in.download", "ans.download", "out", "files", "yaml"];
const LEGACY_ONLY: &[(&str, &str)] = &[
    ("hint", "in 2025-09: `hint` in the case's .yaml file"),
    ("desc", "in 2025-09: `description` in the case's .yaml file"),
];

/// A directory of test data.
pub struct Folder {
    /// Below the package: `data/secret/1`.
    pub path: PathBuf,
    /// Below `data/`: `secret/1`.
    pub name: String,
    /// `test_group.yaml`, or legacy `testdata.yaml`.
    pub config: Option<Item>,
    /// Cases by name within the directory.
    pub cases: BTreeMap<String, Files>,
    /// Directories below, by name.
    pub folders: Vec<Folder>,
}

/// Files of a case by their endings.
#[derive(Debug, Default)]
pub struct Files(Vec<(&'static str, Item)>);

impl Files {
    /// The file with this ending.
    pub fn get(&self, ending: &str) -> Option<&Item> {
        self.0.iter().find(|(known, _)| *known == ending).map(|(_, item)| item)
    }

    /// Whether there is a file with this ending.
    pub fn has(&self, ending: &str) -> bool {
        self.get(ending).is_some()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &(&'static str, Item)> {
        self.0.iter()
    }
}

/// Directories below `data/` are not nested deeper.
const DEEPEST: usize = 12;

/// Reads a directory below `data/` with everything in it.
pub fn folder(disk: &Disk, format: Format, path: &Path, findings: &mut Vec<Finding>) -> Folder {
    below(disk, format, path, DEEPEST, findings)
}

fn below(disk: &Disk, format: Format, path: &Path, depth: usize, findings: &mut Vec<Finding>) -> Folder {
    let name = path.strip_prefix("data").unwrap_or(path).to_string_lossy().into_owned();
    let mut folder =
        Folder { path: path.to_owned(), name, config: None, cases: BTreeMap::new(), folders: Vec::new() };
    let listing = disk.list(path, findings);
    let looks = |name: &&String| !name.starts_with('.') && split(name).is_some();
    for name in listing.ignored.iter().filter(looks) {
        findings.push(Finding::warning(path.join(name), FORBIDDEN).hint(RENAME));
    }
    for item in listing.items {
        match split(&item.name) {
            _ if item.name == config_name(format) && !item.is_dir => folder.config = Some(item),
            Some((stem, ending)) if item.is_dir == (ending == "files") => {
                let stem = stem.to_owned();
                file(&mut folder, stem, ending, item, format, findings);
            }
            _ if item.is_dir && depth == 0 => {
                let what = format!("is ignored: directories deeper than {DEEPEST}, or a link in a circle");
                findings.push(Finding::error(&item.path, what));
            }
            _ if item.is_dir => folder.folders.push(below(disk, format, &item.path, depth - 1, findings)),
            _ => stray(&item, findings),
        }
    }
    folder
}

fn file(
    folder: &mut Folder,
    stem: String,
    ending: &'static str,
    item: Item,
    format: Format,
    findings: &mut Vec<Finding>,
) {
    let other = if format == Format::V2025_09 { "testdata.yaml" } else { "test_group.yaml" };
    if item.name == other {
        // Cases would be grouped and scored in another way than this file says.
        let finding = Finding::error(&item.path, "is ignored: this version of the format does not know it");
        findings.push(finding.hint(format!("it is called {} there", config_name(format))));
        return;
    }
    let foreign = match format {
        Format::V2025_09 => LEGACY_ONLY.iter().find(|(known, _)| *known == ending).map(|(_, hint)| *hint),
        Format::Legacy => MODERN_ONLY.contains(&ending).then_some("only 2025-09 knows it"),
    };
    if let Some(hint) = foreign {
        let what = format!("is ignored: .{ending} is not a file of test data in this version of the format");
        findings.push(Finding::warning(&item.path, what).hint(hint));
        return;
    }
    folder.cases.entry(stem).or_default().0.push((ending, item));
}

/// The name of the file that configures a directory.
pub fn config_name(format: Format) -> &'static str {
    match format {
        Format::V2025_09 => "test_group.yaml",
        Format::Legacy => "testdata.yaml",
    }
}

fn split(name: &str) -> Option<(&str, &'static str)> {
    ENDINGS.iter().find_map(|ending| {
        let stem = name.strip_suffix(ending)?.strip_suffix('.')?;
        (!stem.is_empty()).then_some((stem, *ending))
    })
}

fn stray(item: &Item, findings: &mut Vec<Finding>) {
    let lower = item.name.to_ascii_lowercase();
    if lower.starts_with("readme") {
        return;
    }
    let finding = Finding::warning(&item.path, "is ignored: not a file of test data");
    let ending = item.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    findings.push(match nearest(ending, ENDINGS).filter(|_| !ending.is_empty()) {
        Some(near) => finding.hint(format!("did you mean .{near}?")),
        None => finding.hint("remove it, or move it out of data/"),
    });
}
