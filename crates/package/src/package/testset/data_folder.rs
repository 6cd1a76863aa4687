//! A directory of test data, with its files grouped by case.

use crate::package::{
    Format, Message,
    disk::{Disk, Item, forbidden_name},
    nearest::nearest_word,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Endings of the files of a case; a longer one comes first if it ends with another.
pub(super) const ENDINGS: &[&str] = &[
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

/// Endings that only one version has, with the replacement.
const MODERN_ONLY: &[&str] =
    &["in.statement", "ans.statement", "in.download", "ans.download", "out", "files", "yaml"];
const LEGACY_ONLY: &[(&str, &str)] = &[
    ("hint", "in 2025-09: `hint` in the case's .yaml file"),
    ("desc", "in 2025-09: `description` in the case's .yaml file"),
];

pub(super) struct DataFolder {
    /// Relative to the package: `data/secret/1`.
    pub path: PathBuf,
    /// Relative to `data/`: `secret/1`.
    pub name: String,
    /// `test_group.yaml`, or legacy `testdata.yaml`.
    pub config: Option<Item>,
    /// Cases by their names in the directory.
    pub cases: BTreeMap<String, FilesOfCase>,
    /// Subdirectories, by name.
    pub folders: Vec<DataFolder>,
}

/// Files of a case by their endings.
#[derive(Debug, Default)]
pub(super) struct FilesOfCase(Vec<(&'static str, Item)>);

impl FilesOfCase {
    /// The file with this ending.
    pub(crate) fn get(&self, ending: &str) -> Option<&Item> {
        self.0.iter().find(|(known, _)| *known == ending).map(|(_, item)| item)
    }

    /// Whether there is a file with this ending.
    pub(crate) fn has(&self, ending: &str) -> bool {
        self.get(ending).is_some()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &(&'static str, Item)> {
        self.0.iter()
    }
}

/// The deepest nesting of directories below `data/`.
const DEEPEST: usize = 12;

/// Reads a directory below `data/` and everything in it.
pub(super) fn read_folder(
    disk: &Disk,
    format: Format,
    path: &Path,
    findings: &mut Vec<Message>,
) -> DataFolder {
    FolderReader { disk, format, findings }.read_level(path, DEEPEST)
}

struct FolderReader<'a> {
    disk: &'a Disk,
    format: Format,
    findings: &'a mut Vec<Message>,
}

impl FolderReader<'_> {
    fn read_level(&mut self, path: &Path, depth: usize) -> DataFolder {
        let name = path.strip_prefix("data").unwrap_or(path).to_string_lossy().into_owned();
        let path = path.to_owned();
        let cases = BTreeMap::new();
        let mut folder = DataFolder { path, name, config: None, cases, folders: Vec::new() };
        let listing = self.disk.list(&folder.path, self.findings);
        let looks_meant = |name: &&String| !name.starts_with('.') && split_ending(name).is_some();
        for name in listing.ignored.iter().filter(looks_meant) {
            self.findings.push(forbidden_name(&folder.path.join(name)));
        }
        for item in listing.items {
            match split_ending(&item.name) {
                // Before the endings: otherwise this file would be the `.yaml` of a case called `test_group`.
                _ if item.name == config_name(self.format) && !item.is_dir => folder.config = Some(item),
                // `.files` is a directory and all others are files: a directory `a.in` belongs to no case.
                Some((stem, ending)) if item.is_dir == (ending == "files") => {
                    if self.is_of_this_format(ending, &item) {
                        folder.cases.entry(stem.to_owned()).or_default().0.push((ending, item));
                    }
                }
                _ if item.is_dir && depth == 0 => {
                    let what = format!("is ignored: directories deeper than {DEEPEST}, or a loop of links");
                    self.findings.push(Message::error(&item.path, what));
                }
                _ if item.is_dir => folder.folders.push(self.read_level(&item.path, depth - 1)),
                _ => report_stray(&item, self.findings),
            }
        }
        folder
    }

    /// Whether this version of the format has such a file of a case. Reports it if not.
    fn is_of_this_format(&mut self, ending: &'static str, item: &Item) -> bool {
        let other = if self.format == Format::V2025_09 { "testdata.yaml" } else { "test_group.yaml" };
        if item.name == other {
            // Cases would be grouped and scored in another way than this file says.
            let what = "is ignored: this version of the format does not know it";
            let hint = format!("it is called {} there", config_name(self.format));
            self.findings.push(Message::error(&item.path, what).todo(hint));
            return false;
        }
        let foreign = match self.format {
            Format::V2025_09 => LEGACY_ONLY.iter().find(|(known, _)| *known == ending).map(|(_, hint)| *hint),
            Format::Legacy => MODERN_ONLY.contains(&ending).then_some("only 2025-09 knows it"),
        };
        if let Some(hint) = foreign {
            let what =
                format!("is ignored: .{ending} is not a file of test data in this version of the format");
            self.findings.push(Message::warning(&item.path, what).todo(hint));
        }
        foreign.is_none()
    }
}

/// The name of a directory's configuration file.
pub(super) fn config_name(format: Format) -> &'static str {
    match format {
        Format::V2025_09 => "test_group.yaml",
        Format::Legacy => "testdata.yaml",
    }
}

fn split_ending(name: &str) -> Option<(&str, &'static str)> {
    ENDINGS.iter().find_map(|ending| {
        let stem = name.strip_suffix(ending)?.strip_suffix('.')?;
        if !stem.is_empty() { Some((stem, *ending)) } else { None }
    })
}

fn report_stray(item: &Item, findings: &mut Vec<Message>) {
    let lower = item.name.to_ascii_lowercase();
    if lower.starts_with("readme") {
        return;
    }
    let finding = Message::warning(&item.path, "is ignored: not a file of test data");
    let ending = item.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    findings.push(match nearest_word(ending, ENDINGS).filter(|_| !ending.is_empty()) {
        Some(near) => finding.todo(format!("did you mean .{near}?")),
        None => finding.todo("remove it, or move it out of data/"),
    });
}
