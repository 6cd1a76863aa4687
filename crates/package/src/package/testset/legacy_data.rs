//! `data/` of legacy: every directory is a group, and `testdata.yaml` is inherited key by key.

use super::{
    case_settings::CaseSettings,
    data_folder::{self, DataFolder},
    data_reader::DataReader,
    test_case::{Purpose, check_illustrations, check_interaction, read_case},
};
use crate::{
    package::{
        Format, Group, Judge, LegacyRule, Member, Message, Package, Rule, TestSet, TestWorth,
        default_validator_args::check_default_args,
        disk::Disk,
        field_reader::{FieldReader, MapFields, UnknownKeyPolicy, short},
        legacy_manifest::{of_all_cases, split_flags},
        nearest::nearest_word,
        yaml::{YamlNode, YamlValue},
    },
    points::Points,
};
use std::{collections::BTreeMap, path::Path};

/// The values that a directory inherits from those above it.
#[derive(Clone)]
struct Inherited {
    rule: LegacyRule,
    settings: CaseSettings,
    /// Flags of `problem.yaml`: they always come first.
    validator_flags: Vec<String>,
}

const KEYS: &[&str] = &[
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
];

/// Reads all test data, without digests.
pub(super) fn test_set(package: &Package, disk: &Disk, findings: &mut Vec<Message>) -> TestSet {
    let data = data_folder::read_folder(disk, Format::Legacy, Path::new("data"), findings);
    for folder in data.folders.iter().filter(|folder| !["sample", "secret"].contains(&folder.name.as_str())) {
        let finding = Message::warning(&folder.path, "is ignored: not a directory of test data");
        findings.push(match nearest_word(&folder.name, &["sample", "secret"]) {
            Some(near) => finding.todo(format!("did you mean {near}/?")),
            None => finding.todo("data/ holds sample/ and secret/"),
        });
    }
    for (_, item) in data.cases.values().flat_map(|files| files.all()) {
        let finding = Message::warning(&item.path, "is ignored: cases belong in data/sample or data/secret");
        findings.push(finding.todo("move it there"));
    }
    let mut reader = DataReader { package, disk, cases: Vec::new(), findings };
    let basis = basic_settings(&reader);
    let above = with_config(&mut reader, &data, basis);
    let known = data.folders.iter().filter(|folder| ["sample", "secret"].contains(&folder.name.as_str()));
    let members = known.map(|folder| Member::Group(read_legacy_group(&mut reader, folder, &above))).collect();
    let root = Group { name: String::new(), rule: Rule::Legacy(above.rule), members };
    TestSet { root, own: None, cases: reader.cases, validation: Vec::new(), worth: TestWorth::Points }
}

/// The defaults, with the deprecated keys of `problem.yaml`.
fn basic_settings(reader: &DataReader) -> Inherited {
    let rule = LegacyRule::default();
    let mut basis = Inherited { rule, settings: CaseSettings::default(), validator_flags: Vec::new() };
    // Findings about problem.yaml are reported where the package is read.
    let mut discarded = FieldReader::new("problem.yaml");
    let node = reader.disk.read(Path::new("problem.yaml")).ok().and_then(|bytes| discarded.parse(&bytes));
    if let Some(node) = node {
        let (flags, grading) = of_all_cases(&node);
        basis.validator_flags = flags.clone();
        basis.settings.arguments.output = flags;
        if let Some(keys) = grading.as_ref().and_then(|grading| discarded.map("grading", grading)) {
            rule_of(keys, &mut basis.rule, &mut discarded);
        }
    }
    basis
}

fn with_config(reader: &mut DataReader, folder: &DataFolder, above: Inherited) -> Inherited {
    let mut above = above;
    above.rule.declared = folder.config.is_some();
    let Some(item) = &folder.config else { return above };
    let mut field_reader = FieldReader::new(&item.path);
    let node = match reader.disk.read(&item.path) {
        Ok(bytes) => field_reader.parse(&bytes),
        Err(error) => {
            field_reader.error(1, format!("cannot be read: {error}"));
            None
        }
    };
    let keys =
        node.as_ref().and_then(|node| field_reader.keys("testdata.yaml", node, KEYS, UnknownKeyPolicy::Warn));
    let mut here = above;
    if let Some(keys) = keys {
        rule_of(keys, &mut here.rule, &mut field_reader);
        grader_of(reader, keys, &here, &mut field_reader);
        flags_of(reader, keys, &mut here, &mut field_reader);
    }
    reader.findings.append(&mut field_reader.findings);
    here
}

fn grader_of(reader: &DataReader, keys: MapFields, here: &Inherited, field_reader: &mut FieldReader) {
    let Some(entry) = keys.entry("grading") else { return };
    if here.rule.custom_grading && reader.package.grader.is_none() {
        field_reader.error(entry.line, "`grading: custom`, but there is no grader");
        field_reader.todo("add one to graders/, or write `grading: default`");
    }
}

fn flags_of(reader: &DataReader, keys: MapFields, here: &mut Inherited, field_reader: &mut FieldReader) {
    if let Some((name, flags)) = keys
        .get("input_validator_flags")
        .and_then(|node| read_flags("input_validator_flags", node, field_reader))
    {
        let known: Vec<&str> = reader.package.input_validators.iter().map(|one| one.name.as_str()).collect();
        known_name("input", &name, &known, keys, field_reader);
        here.settings.arguments.input = BTreeMap::from([(name, flags)]);
    }
    let Some((name, flags)) = keys
        .get("output_validator_flags")
        .and_then(|node| read_flags("output_validator_flags", node, field_reader))
    else {
        return;
    };
    if let Judge::Programs { programs, .. } = &reader.package.judge {
        let known: Vec<&str> = programs.iter().map(|one| one.name.as_str()).collect();
        known_name("output", &name, &known, keys, field_reader);
        if !name.is_empty() && programs.len() > 1 {
            let line = keys.entry("output_validator_flags").map_or(1, |entry| entry.line);
            field_reader.warn(line, "flags for one of several output validators are given to all of them");
        }
    }
    // The flags of problem.yaml stay first; those of directories above are replaced.
    here.settings.arguments.output = [here.validator_flags.clone(), flags].concat();
    if let (Some(entry), Judge::Default) = (keys.entry("output_validator_flags"), &reader.package.judge) {
        check_default_args(&here.settings.arguments.output, reader.package.format, entry.line, field_reader);
    }
}

/// Reads cases and directories together, in order of their names on disk.
fn read_legacy_group(reader: &mut DataReader, folder: &DataFolder, above: &Inherited) -> Group {
    let mut here = with_config(reader, folder, above.clone());
    here.settings.full_feedback = folder.name == "sample" || here.settings.full_feedback;
    let purpose = if folder.name.starts_with("sample") { Purpose::Sample } else { Purpose::Secret };
    // Kattis' tools sort the names on disk and find a case by its answer file: a case `a` comes after a
    // directory `a`, because `a.ans` does.
    let cases = folder.cases.keys().map(|stem| (format!("{stem}.ans"), Some(stem.as_str()), None));
    let below = folder.folders.iter().map(|below| (last_part(&below.name).to_owned(), None, Some(below)));
    let mut parts: Vec<_> = cases.chain(below).collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    let mut members = Vec::new();
    for (_, stem, below) in parts {
        members.extend(stem.and_then(|stem| read_legacy_case(reader, folder, stem, &here.settings, purpose)));
        members.extend(below.map(|below| Member::Group(read_legacy_group(reader, below, &here))));
    }
    Group { name: folder.name.clone(), rule: Rule::Legacy(here.rule), members }
}

fn read_legacy_case(
    reader: &mut DataReader,
    folder: &DataFolder,
    stem: &str,
    settings: &CaseSettings,
    purpose: Purpose,
) -> Option<Member> {
    let files = &folder.cases[stem];
    check_illustrations(reader, files);
    if let Some(item) = files.get("interaction") {
        check_interaction(reader, item);
        // An interaction may be there without an input: it is shown and not judged.
        if !files.has("in") && !files.has("ans") {
            return None;
        }
    }
    let mut case = read_case(reader, folder, stem, settings, purpose)?;
    for (ending, slot) in [("hint", &mut case.hint), ("desc", &mut case.description)] {
        let text = files.get(ending).and_then(|item| reader.disk.read(&item.path).ok());
        *slot = text.map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned());
    }
    Some(reader.append_case(case))
}

fn last_part(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

fn rule_of(keys: MapFields, rule: &mut LegacyRule, field_reader: &mut FieldReader) {
    if let Some(node) = keys.get("on_reject") {
        let word = field_reader.word("on_reject", node, &["break", "continue"]);
        rule.continue_on_reject = word.map_or(rule.continue_on_reject, |word| word == "continue");
    }
    if let Some(node) = keys.get("grading") {
        let word = field_reader.word("grading", node, &["default", "custom"]);
        rule.custom_grading = word.map_or(rule.custom_grading, |word| word == "custom");
    }
    if let Some(entry) = keys.entry("grader_flags") {
        match &entry.node.value {
            // An empty value resets the value of the directories above.
            YamlValue::Null => rule.grader_flags = Vec::new(),
            _ => {
                rule.grader_flags = field_reader
                    .text("grader_flags", &entry.node)
                    .map(|text| split_flags(&text))
                    .unwrap_or_default()
            }
        }
    }
    for (key, slot) in [("accept_score", &mut rule.accept_score), ("reject_score", &mut rule.reject_score)] {
        if let Some(points) = keys.get(key).and_then(|node| read_score(key, node, field_reader)) {
            *slot = points;
        }
    }
    if let Some(range) = keys.get("range").and_then(|node| read_range(node, field_reader)) {
        rule.range = range;
    }
}

/// A score, possibly in quotes.
fn read_score(key: &str, node: &YamlNode, field_reader: &mut FieldReader) -> Option<Points> {
    match &node.value {
        YamlValue::Text(text) => match text.parse() {
            Ok(points) => Some(points),
            Err(_) => field_reader.unfit(key, node, "a number"),
        },
        _ => field_reader.points(key, node),
    }
}

/// `min max`; each may be infinite.
fn read_range(node: &YamlNode, field_reader: &mut FieldReader) -> Option<(Option<Points>, Option<Points>)> {
    let YamlValue::Text(text) = &node.value else {
        return field_reader.unfit("range", node, "two numbers, as in `0 100`");
    };
    let bound = |word: &str, infinite: &[&str]| match word {
        word if infinite.contains(&word) => Some(None),
        word => word.parse().ok().map(Some),
    };
    let mut words = text.split_whitespace();
    let pair = match (words.next(), words.next(), words.next()) {
        (Some(low), Some(high), None) => bound(low, &["-inf"]).zip(bound(high, &["inf", "+inf"])),
        _ => None,
    };
    if pair.is_none() {
        field_reader
            .error(node.line, format!("`range` is `{}`, expected two numbers, as in `0 100`", short(text)));
    }
    if let Some((Some(low), Some(high))) = &pair
        && low > high
    {
        field_reader.error(node.line, format!("`range`: {low} is more than {high}"));
        return None;
    }
    pair
}

/// Flags as a text, or with the name of their validator.
fn read_flags(what: &str, node: &YamlNode, field_reader: &mut FieldReader) -> Option<(String, Vec<String>)> {
    if !matches!(node.value, YamlValue::Map(_)) {
        // In the format's text, a plain string is the validator's name; in Kattis' own tools it is the flags.
        return Some((String::new(), split_flags(&field_reader.text(what, node)?)));
    }
    let keys = field_reader.keys(what, node, &["name", "flags"], UnknownKeyPolicy::Warn)?;
    let name = keys.get("name").and_then(|node| field_reader.text("name", node)).unwrap_or_default();
    let flags = keys.get("flags").and_then(|node| field_reader.text("flags", node)).unwrap_or_default();
    Some((name, split_flags(&flags)))
}

fn known_name(kind: &str, name: &str, known: &[&str], keys: MapFields, field_reader: &mut FieldReader) {
    if name.is_empty() || known.contains(&name) {
        return;
    }
    let line = keys.entry(&format!("{kind}_validator_flags")).map_or(1, |entry| entry.line);
    field_reader.warn(line, format!("no {kind} validator is called `{}`", short(name)));
    if let Some(near) = nearest_word(name, known) {
        field_reader.todo(format!("did you mean `{near}`?"));
    }
}
