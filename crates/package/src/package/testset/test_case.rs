//! Reads one case from its files.

use super::{
    case_settings::{self, CaseSettings},
    data_folder::{DataFolder, FilesOfCase},
    data_reader::DataReader,
};
use crate::package::{
    CASE_PICTURES, Case, CaseArguments, CaseIds, Message,
    disk::Item,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy},
};
use kopek_base::Digest;
use std::path::PathBuf;

/// The purpose of the files of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Sample,
    Secret,
    /// An input under test, which needs no answer.
    ValidatorInput,
    /// An output under test, which needs an answer.
    ValidatorOutput,
}

/// Builds a case of a directory; `None` if the files are no case, which was reported.
pub(crate) fn read_case(
    reader: &mut DataReader,
    folder: &DataFolder,
    stem: &str,
    settings: &CaseSettings,
    purpose: Purpose,
) -> Option<Case> {
    let files = &folder.cases[stem];
    let path = folder.path.join(stem);
    let Some(input) = files.get("in") else {
        match purpose {
            Purpose::Sample => check_unjudged_sample(reader, files),
            Purpose::Secret | Purpose::ValidatorInput | Purpose::ValidatorOutput => {
                report_orphans(files.all(), reader.findings);
            }
        }
        return None;
    };
    if stem == "test_group" {
        let finding = Message::error(&input.path, "a case cannot be called `test_group`");
        reader.findings.push(finding.todo("rename its files"));
        return None;
    }
    if let Some(twin) = folder.folders.iter().find(|below| below.path == path) {
        let finding = Message::error(&twin.path, "a directory and a case have the same name");
        reader.findings.push(finding.todo("rename one of them"));
    }
    let answer = path.with_file_name(format!("{stem}.ans"));
    if !files.has("ans") && purpose != Purpose::ValidatorInput {
        let finding = Message::error(&input.path, "has no answer file");
        reader.findings.push(finding.todo(format!("add {stem}.ans beside it")));
        return None;
    }
    let mut case = Case {
        name: format!("{}/{stem}", folder.name),
        input: reader.disk.path(&input.path),
        answer: reader.disk.path(answer),
        files: files.get("files").and_then(|item| safe_directory(reader, item)),
        // Filled in by several threads once all cases are known.
        digest: Digest::of(b""),
        ids: CaseIds::unread(),
        arguments: CaseArguments::default(),
        input_visualizer_args: Vec::new(),
        output_visualizer_args: Vec::new(),
        full_feedback: false,
        hint: None,
        description: None,
    };
    let settings = match files.get("yaml") {
        Some(item) => read_case_yaml(reader, item, settings.clone(), purpose, &mut case),
        None => settings.clone(),
    };
    settings.apply(&mut case);
    Some(case)
}

/// A directory in which no link leaves the package: it is copied as a whole.
fn safe_directory(reader: &mut DataReader, item: &Item) -> Option<PathBuf> {
    // Only for its findings: the walk reports every link that leaves the package.
    let before = reader.findings.len();
    reader.disk.files(&item.path, reader.findings);
    if reader.findings.len() == before { Some(reader.disk.path(&item.path)) } else { None }
}

/// Reports a sample that is only shown: real packages have interactions without an input.
fn check_unjudged_sample(reader: &mut DataReader, files: &FilesOfCase) {
    let (shown, others): (Vec<_>, Vec<_>) = files.all().partition(|(ending, _)| SHOWN.contains(ending));
    report_orphans(others.into_iter(), reader.findings);
    for (ending, item) in shown {
        let what = format!("an .{ending} file without its .in file: it is shown but not judged");
        reader.findings.push(Message::warning(&item.path, what).todo("add the input to judge with it"));
        if *ending == "interaction" {
            check_interaction(reader, item);
        }
    }
}

/// Reads a case's own file: overrides the settings, and adds hint and description to the case.
fn read_case_yaml(
    reader: &mut DataReader,
    item: &Item,
    settings: CaseSettings,
    purpose: Purpose,
    case: &mut Case,
) -> CaseSettings {
    let bytes = match reader.disk.read(&item.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            reader.findings.push(Message::error(&item.path, format!("cannot be read: {error}")));
            return settings;
        }
    };
    let mut field_reader = FieldReader::new(&item.path);
    let node = field_reader.parse(&bytes);
    let known = [case_settings::KEYS, &["hint", "description"]].concat();
    let keys =
        node.as_ref().and_then(|node| field_reader.keys("test case", node, &known, UnknownKeyPolicy::Refuse));
    let settings = match keys {
        Some(keys) => {
            report_without_effect(keys, purpose, &mut field_reader);
            case.hint = keys.get("hint").and_then(|node| field_reader.text("hint", node));
            case.description =
                keys.get("description").and_then(|node| field_reader.text("description", node));
            settings.with(keys, reader.package, &mut field_reader)
        }
        None => settings,
    };
    reader.findings.append(&mut field_reader.findings);
    settings
}

pub(crate) fn check_illustrations(reader: &mut DataReader, files: &FilesOfCase) {
    let Some(input) = files.get("in") else { return };
    let pictures = CASE_PICTURES.iter().filter(|ending| files.has(ending)).count();
    if pictures > 1 {
        let what = format!("has {pictures} illustrations, expected at most one");
        reader.findings.push(Message::warning(&input.path, what).todo("keep one of them"));
    }
}

/// Checks the files for people: at most one display and one download of each side, and always both.
pub(crate) fn check_override_files(reader: &mut DataReader, files: &FilesOfCase) {
    let Some(input) = files.get("in") else { return };
    check_illustrations(reader, files);
    let mut refuse =
        |what: String, hint: &str| reader.findings.push(Message::error(&input.path, what).todo(hint));
    let dialogue = files.has("interaction");
    for kind in ["in", "ans"] {
        let statement = files.has(&format!("{kind}.statement"));
        let download = files.has(&format!("{kind}.download"));
        // A download needs a display file, unless an interaction or `.out` is shown instead.
        let elsewhere = dialogue || (kind == "ans" && files.has("out"));
        if statement && !download {
            refuse(format!("has an .{kind}.statement file, but no .{kind}.download file"), "add it");
        } else if download && !statement && !elsewhere {
            refuse(format!("has an .{kind}.download file, but no .{kind}.statement file"), "add it");
        }
        if dialogue && statement {
            refuse(format!("has both an .interaction and an .{kind}.statement file"), "remove the latter");
        }
        if dialogue && !download {
            refuse(format!("has an .interaction file, but no .{kind}.download file"), "add it");
        }
    }
    for ending in ["ans.statement", "ans.download"] {
        if files.has("out") && files.has(ending) && !dialogue {
            refuse(format!("has both an .out and an .{ending} file"), "remove one of them");
        }
    }
    if dialogue && files.has("out") {
        refuse("has both an .interaction and an .out file".into(), "remove the latter");
    }
    if let Some(item) = files.get("interaction") {
        check_interaction(reader, item);
    }
}

/// Reports the first line of an interaction that belongs to neither side.
pub(crate) fn check_interaction(reader: &mut DataReader, item: &Item) {
    if !reader.package.kind.interactive && !reader.package.kind.multi_pass {
        reader
            .findings
            .push(Message::warning(&item.path, "an .interaction file, but the problem is not interactive"));
    }
    let Ok(bytes) = reader.disk.read(&item.path) else { return };
    let is_dialogue =
        |line: &&[u8]| line.is_empty() || matches!(line[0], b'<' | b'>') || line.trim_ascii_end() == b"---";
    let mut lines = bytes.split(|byte| *byte == b'\n');
    if let Some(at) = lines.position(|line| !is_dialogue(&line)) {
        let finding =
            Message::warning(&item.path, "a line that begins with neither `<` nor `>`").line(at as u32 + 1);
        reader.findings.push(
            finding
                .todo("`<` marks output of the judge, `>` output of the submission, `---` separates passes"),
        );
    }
}

/// Files of a sample that are shown to people.
const SHOWN: &[&str] = &["interaction", "in.statement", "ans.statement", "in.download", "ans.download"];

fn report_orphans<'a>(files: impl Iterator<Item = &'a (&'static str, Item)>, findings: &mut Vec<Message>) {
    for (ending, item) in files.filter(|(ending, _)| !matches!(*ending, "hint" | "desc")) {
        let finding = Message::error(&item.path, format!("an .{ending} file without its .in file"));
        findings.push(finding.todo("add the input, or remove it"));
    }
}

/// Keys that have a meaning for data of validators.
const OF_VALIDATION: &[&str] = &["input_validator_args", "output_validator_args", "description"];

/// Reports keys without effect on data of validators.
pub(super) fn report_without_effect(keys: MapFields, purpose: Purpose, field_reader: &mut FieldReader) {
    let has_effect = |key: &str| match purpose {
        Purpose::Sample | Purpose::Secret => true,
        Purpose::ValidatorOutput => OF_VALIDATION.contains(&key),
        Purpose::ValidatorInput => OF_VALIDATION.contains(&key) && key != "output_validator_args",
    };
    let known = |key: &str| case_settings::KEYS.contains(&key) || key == "hint";
    for entry in keys.all().iter().filter(|entry| known(&entry.key) && !has_effect(&entry.key)) {
        field_reader.warn(entry.line, format!("`{}` has no effect on this kind of data", entry.key));
    }
}
