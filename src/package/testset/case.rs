//! One case from its files.

use super::{
    folder::{Files, Folder},
    settings::{self, Settings},
};
use crate::{
    base::Digest,
    package::{
        Case, Finding, Package,
        disk::{Disk, Item},
        sheet::{Sheet, Unknown},
    },
};
use std::path::PathBuf;

/// What the files of a case are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `sample`.
    Sample,
    /// `secret`.
    Secret,
    /// Data for validators: `answer` says whether an `.ans` file must exist.
    Validation {
        /// Whether an `.ans` file must exist.
        answer: bool,
    },
}

/// Builds a case; `None`: it is not one, and that was told.
pub fn case(
    package: &Package,
    disk: &Disk,
    folder: &Folder,
    (stem, files): (&str, &Files),
    (settings, purpose): (&Settings, Purpose),
    findings: &mut Vec<Finding>,
) -> Option<Case> {
    let path = folder.path.join(stem);
    let name = format!("{}/{stem}", folder.name);
    let Some(input) = files.get("in") else {
        match purpose {
            Purpose::Sample => shown_alone(package, disk, files, findings),
            Purpose::Secret | Purpose::Validation { .. } => orphans(files.all(), findings),
        }
        return None;
    };
    if stem == "test_group" {
        let finding = Finding::error(&input.path, "a case cannot be called `test_group`");
        findings.push(finding.hint("rename its files"));
        return None;
    }
    if let Some(twin) = folder.folders.iter().find(|below| below.path == path) {
        findings.push(
            Finding::error(&twin.path, "a directory and a case have the same name")
                .hint("rename one of them"),
        );
    }
    let answer = path.with_file_name(format!("{stem}.ans"));
    if !files.has("ans") && purpose != (Purpose::Validation { answer: false }) {
        findings.push(
            Finding::error(&input.path, "has no answer file").hint(format!("add {stem}.ans beside it")),
        );
        return None;
    }
    let mut case = Case {
        name,
        input: disk.path(&input.path),
        answer: disk.path(answer),
        files: files.get("files").and_then(|item| safe(disk, item, findings)),
        digest: Digest::of(b""),
        args: Vec::new(),
        input_validator_args: settings.input_validator_args.clone(),
        output_validator_args: Vec::new(),
        input_visualizer_args: Vec::new(),
        output_visualizer_args: Vec::new(),
        full_feedback: false,
        hint: None,
        description: None,
    };
    configured(package, disk, files, settings, purpose, findings, &mut case);
    Some(case)
}

/// A directory of files whose links all stay in place: it is copied whole.
fn safe(disk: &Disk, item: &Item, findings: &mut Vec<Finding>) -> Option<PathBuf> {
    let before = findings.len();
    disk.files(&item.path, findings);
    (findings.len() == before).then(|| disk.path(&item.path))
}

/// What people are shown of a sample.
const SHOWN: &[&str] = &["interaction", "in.statement", "ans.statement", "in.download", "ans.download"];

/// A sample may be there to be looked at only; packages in the wild have such dialogues.
fn shown_alone(package: &Package, disk: &Disk, files: &Files, findings: &mut Vec<Finding>) {
    let (shown, others): (Vec<_>, Vec<_>) = files.all().partition(|(ending, _)| SHOWN.contains(ending));
    orphans(others.into_iter(), findings);
    for (ending, item) in shown {
        let what =
            format!("an .{ending} file without its .in file: it is shown, and nothing is judged by it");
        findings.push(Finding::warning(&item.path, what).hint("add the input, to judge by it"));
        if *ending == "interaction" {
            interaction(package, disk, item, findings);
        }
    }
}

fn orphans<'a>(files: impl Iterator<Item = &'a (&'static str, Item)>, findings: &mut Vec<Finding>) {
    for (ending, item) in files.filter(|(ending, _)| !matches!(*ending, "hint" | "desc")) {
        let finding = Finding::error(&item.path, format!("an .{ending} file without its .in file"));
        findings.push(finding.hint("add the input, or remove it"));
    }
}

/// Keys that mean something for data of validators.
pub const OF_VALIDATION: &[&str] = &["input_validator_args", "output_validator_args", "description"];

fn configured(
    package: &Package,
    disk: &Disk,
    files: &Files,
    settings: &Settings,
    purpose: Purpose,
    findings: &mut Vec<Finding>,
    case: &mut Case,
) {
    let mut settings = settings.clone();
    if let Some(item) = files.get("yaml") {
        let mut sheet = Sheet::new(&item.path);
        let node = match disk.read(&item.path) {
            Ok(bytes) => sheet.parse(&bytes),
            Err(error) => {
                findings.push(Finding::error(&item.path, format!("cannot be read: {error}")));
                None
            }
        };
        let known = [settings::KEYS, &["hint", "description"]].concat();
        if let Some(keys) =
            node.as_ref().and_then(|node| sheet.keys("test case", node, &known, Unknown::Refuse))
        {
            if let Purpose::Validation { answer } = purpose {
                without_effect(keys, answer, &mut sheet);
            }
            settings = settings.with(keys, package, &mut sheet);
            case.hint = keys.get("hint").and_then(|node| sheet.text("hint", node));
            case.description = keys.get("description").and_then(|node| sheet.text("description", node));
        }
        findings.append(&mut sheet.findings);
    }
    settings.apply(case);
}

/// Tells keys that do nothing for data of validators.
pub fn without_effect(keys: crate::package::sheet::Keys, output: bool, sheet: &mut Sheet) {
    let useless = |key: &str| !OF_VALIDATION.contains(&key) || (!output && key == "output_validator_args");
    let known = |key: &str| settings::KEYS.contains(&key) || key == "hint";
    for entry in keys.all().iter().filter(|entry| known(&entry.key) && useless(&entry.key)) {
        sheet.warn(entry.line, format!("`{}` has no effect on this kind of data", entry.key));
    }
}

/// Tells oddities among the files that people are shown.
pub fn shown(package: &Package, disk: &Disk, files: &Files, findings: &mut Vec<Finding>) {
    let Some(input) = files.get("in") else { return };
    let mut tell = |what: String, hint: &str| findings.push(Finding::warning(&input.path, what).hint(hint));
    let pictures = ["png", "jpg", "jpeg", "svg"].into_iter().filter(|ending| files.has(ending)).count();
    if pictures > 1 {
        tell(format!("has {pictures} illustrations, expected at most one"), "keep one of them");
    }
    let dialogue = files.has("interaction");
    for kind in ["in", "ans"] {
        let (statement, download) =
            (files.has(&format!("{kind}.statement")), files.has(&format!("{kind}.download")));
        let elsewhere = dialogue || (kind == "ans" && files.has("out"));
        if statement && !download {
            tell(format!("has an .{kind}.statement file, but no .{kind}.download file"), "add it");
        } else if download && !statement && !elsewhere {
            tell(format!("has an .{kind}.download file, but no .{kind}.statement file"), "add it");
        }
        if dialogue && statement {
            tell(format!("has both an .interaction and an .{kind}.statement file"), "remove the latter");
        }
        if dialogue && !download {
            tell(format!("has an .interaction file, but no .{kind}.download file"), "add it");
        }
    }
    if dialogue && files.has("out") {
        tell("has both an .interaction and an .out file".into(), "remove the latter");
    }
    if let Some(item) = files.get("interaction") {
        interaction(package, disk, item, findings);
    }
}

/// Tells the first line of a dialogue that nobody says.
pub fn interaction(package: &Package, disk: &Disk, item: &Item, findings: &mut Vec<Finding>) {
    if !package.kind.interactive && !package.kind.multi_pass {
        findings
            .push(Finding::warning(&item.path, "an .interaction file, but the problem is not interactive"));
    }
    let Ok(bytes) = disk.read(&item.path) else { return };
    let said =
        |line: &&[u8]| line.is_empty() || matches!(line[0], b'<' | b'>') || line.trim_ascii_end() == b"---";
    let mut lines = bytes.split(|byte| *byte == b'\n');
    if let Some(at) = lines.position(|line| !said(&line)) {
        let finding =
            Finding::warning(&item.path, "a line that begins with neither `<` nor `>`").at(at as u32 + 1);
        findings
            .push(finding.hint("`<` is said by the judge, `>` by the submission, `---` parts the passes"));
    }
}
